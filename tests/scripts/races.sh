#!/usr/bin/env bash
# races.sh COMMAND: the command as ThreadSanitizer has it does what $THAW does, and no report is made.
set -uo pipefail
: "${THAW:?the command to compare with}" "${THAW_SAMPLES:?the samples}" "${THAW_ROOT:?the source}"
command=$1
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
export TSAN_OPTIONS="log_path=$reports/report second_deadlock_stack=1"
failures=0

"$THAW_ROOT/tests/scripts/other_build.sh" "$command" || failures=1
# What runs beside itself without -j: the page's server, pictures within a time, parts of a batch.
for script in view render shards; do
  if (cd "$THAW_ROOT" && THAW=$command bash "tests/scripts/cli_$script.sh"); then
    echo "ok       cli_$script.sh"
  else
    echo "FAILED   cli_$script.sh"
    failures=1
  fi
done

count=$(cat "$reports"/* 2>/dev/null | grep -c '^WARNING: ThreadSanitizer')
if ((count)); then
  cat "$reports"/*
  echo "FAILED   $count reports"
  exit 1
fi
echo "ok       no report"
((failures == 0))
