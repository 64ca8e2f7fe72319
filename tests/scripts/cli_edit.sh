#!/bin/sh
# Files from their dumps, edits by path, patches and merges: `build`, `set`, `diff --patch`, `merge`, and Git.
# Usage: cli_edit.sh THAW SAMPLES
. "$(dirname "$0")/cli_common.sh"
