#!/usr/bin/env bash
# Ctrl-C, SIGTERM and --timeout end the work on one large file soon, wherever it is, and leave nothing behind; progress
# is told while it goes on.
. tests/scripts/cli_common.sh

"${THAW_BUILD:?}/samples/thaw_samples" --continent 300 Large.wdt || exit 1
mkdir made

# ends SIGNAL SECONDS ARGUMENTS…: within two seconds even on a busy machine; half a second is for bench/stop to measure
ends() {
  local signal=$1 seconds=$2 status before after
  shift 2
  set -m
  "$THAW" "$@" >/dev/null 2>err </dev/null &
  local pid=$!
  set +m
  sleep "$seconds"
  before=$(date +%s%N)
  kill "-$signal" $pid 2>/dev/null
  wait $pid
  status=$?
  after=$(date +%s%N)
  ((status == 130)) || fail "thaw $*: $signal: exit $status"
  (((after - before) / 1000000 < 2000)) || fail "thaw $*: $signal: $(((after - before) / 1000000)) ms"
  [[ -z $(find made -type f) ]] || fail "thaw $*: left behind: $(find made -type f)"
  grep -q . err && fail "thaw $*: $signal: $(head -n 3 err)"
}
for signal in INT TERM; do
  ends $signal 0.3 dump Large.wdt
  ends $signal 0.3 tree Large.wdt
  ends $signal 0.3 tree --json Large.wdt
  ends $signal 0.1 validate --target strict Large.wdt
  ends $signal 0.3 convert Large.wdt -o made/large.glb --bake-size 3072 --tiles 31-33,31-33
  ends $signal 0.3 render Large.wdt -o made/large.png --size 4096x4096
  ends $signal 0.3 render --turntable "$THAW_SAMPLES/knight.mdx" --size 2048x2048 -o made/turn.png
done
for arguments in 'dump Large.wdt' 'tree Large.wdt' 'render Large.wdt -o made/large.png --size 4096x4096'; do
  # shellcheck disable=SC2086
  timeout 20 "$THAW" $arguments --timeout 0.2 >/dev/null 2>err </dev/null
  status=$?
  ((status == 6)) || fail "$arguments --timeout 0.2: exit $status"
  complains 'error limit\.time'
done

# Lines of JSON for programs, of one large file, too; nothing where nobody asks.
"$THAW" dump Large.wdt --progress json >/dev/null 2>err || fail "dump: exit $?"
python3 - <<'PYTHON' || fail "progress as JSON"
import json
lines = [json.loads(line) for line in open("err")]
assert lines, "nothing was told"
jobs = [job for line in lines for job in line["jobs"]]
assert all(line["schema"] == "thaw.dump.progress/2" for line in lines)
assert {job["input"] for job in jobs} == {"Large.wdt"}
tiles = [job for job in jobs if job["stage"] == "tiles"]
assert tiles and all(0 <= job["done"] <= job["total"] == 300 for job in tiles), tiles[:3]
assert any(job["seconds_left"] is not None and job["per_second"] > 0 for job in tiles)
PYTHON
"$THAW" dump Large.wdt --progress always >/dev/null 2>err || fail "dump: exit $?"
grep -aq 'Large\.wdt · tiles [0-9]* of 300 · [0-9]*/s · [0-9]* s left' err || fail "no line of progress: $(head -c 300 err)"
"$THAW" dump Large.wdt >/dev/null 2>err || fail "dump: exit $?"
silent err

# A small file that names large pictures: bounded, told by name, and done where the bound is raised.
python3 - <<'PYTHON' || exit 1
import os, struct
template = open(os.environ["THAW_SAMPLES"] + "/knight.mdx", "rb").read()
at = template.index(b"TEXS")
size = struct.unpack_from("<I", template, at + 4)[0]
names = [f"huge{i}.tga" for i in range(4)]
record = lambda name: struct.pack("<I", 0) + name.encode().ljust(260, b"\0") + struct.pack("<I", 0)
textures = b"".join(record(name) for name in names)
textures += template[at + 8 + len(textures) : at + 8 + size]
open("bomb.mdx", "wb").write(template[: at + 4] + struct.pack("<I", len(textures)) + textures + template[at + 8 + size :])
# Packets of one colour: 128 pixels in five bytes.
side = 2048
header = struct.pack("<BBBHHBHHHHBB", 0, 0, 10, 0, 0, 0, 0, 0, side, side, 32, 0x28)
for name in names:
    open(name, "wb").write(header + bytes([255, 1, 2, 3, 255]) * (side * side // 128))
PYTHON
run 6 convert bomb.mdx -o bomb.glb --max-pixels 40M
complains 'error limit\.pixels: .*huge2\.tga \(2048 × 2048'
complains 'hint: --max-pixels'
[[ ! -e bomb.glb ]] || fail "an output in spite of the bound"
run 6 render bomb.mdx -o bomb.png --max-pixels 40M
complains 'error limit\.pixels: .*huge2\.tga'
run 6 thumb bomb.mdx -o bomb.png --max-pixels 40M
run 0 convert bomb.mdx -o bomb.glb --max-pixels 65M
run 0 info bomb.mdx
finish
