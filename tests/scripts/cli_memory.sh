#!/usr/bin/env bash
# --max-memory ends in exit code 6, not in a crash; not for sanitised builds, which need much of their own.
. tests/scripts/cli_common.sh

python3 - <<'PYTHON'
import struct
header = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, 6000, 6000, 32, 0x28)
open("large.tga", "wb").write(header + bytes(6000 * 6000 * 4))
PYTHON
run 0 convert large.tga -o fits.png --png-level 1
run 6 convert --max-memory 50M large.tga -o refused.png
complains '^large\.tga: error limit\.memory: '
[[ ! -e refused.png ]] || fail "an output in spite of the limit"
run 6 survey --max-memory 50M large.tga
finish
