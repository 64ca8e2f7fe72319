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
mkdir folder && ln Large.wdt folder/ && cp "$THAW_SAMPLES/knight.mdx" folder/
"$THAW" pack folder -o made.mpq -f --progress json >/dev/null 2>err || fail "pack: exit $?"
grep -q '"stage":"files","done":1,"total":2' err || fail "pack tells no files: $(head -c 300 err)"
run 6 pack folder -o made/packed.mpq --timeout 0.2
complains 'error limit\.time'
[[ -z $(find made -type f) ]] || fail "pack leaves behind: $(find made -type f)"
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
complains 'error limit\.pixels: .*huge2\.tga: with it, the decoded images would exceed the limit of '
complains 'hint: --max-pixels'
[[ ! -e bomb.glb ]] || fail "an output in spite of the bound"
run 6 render bomb.mdx -o bomb.png --max-pixels 40M
complains 'error limit\.pixels: .*huge2\.tga'
run 6 thumb bomb.mdx -o bomb.png --max-pixels 40M
run 0 convert bomb.mdx -o bomb.glb --max-pixels 65M
run 0 info bomb.mdx

# What stands on a map counts, too, and is named.
mkdir -p world/{Maps,Doodads}
cp "$THAW_SAMPLES"/World/Maps/Island/Island.* world/Maps
python3 - <<'PYTHON' || exit 1
import os, re
data = open("world/Maps/Island.wdt", "rb").read()
name = next(name for name in re.findall(rb"[\w\\]+\.mdx", data, re.IGNORECASE))
path = "world/" + name.decode().replace("\\", "/")
os.makedirs(os.path.dirname(path), exist_ok=True)
open(path, "wb").write(open("bomb.mdx", "rb").read())
for i in range(4):
    os.link(f"huge{i}.tga", f"world/huge{i}.tga")
PYTHON
tiles=(convert world/Maps/Island.wdt --source world -o tile.glb --tiles 31-32,48 --bake-size 64)
run 6 "${tiles[@]}" --max-pixels 40M
complains 'error limit\.pixels: .*huge2\.tga'
[[ ! -e tile.glb ]] || fail "a map without a model that has no room"
run 0 "${tiles[@]}" --max-pixels 100M
run 6 render world/Maps/Island.wdt --source world -o map.png --max-pixels 40M
complains 'error limit\.pixels: .*huge2\.tga'

# What scenes, moving pictures and outputs may take: the error says of what it is and what raises the bound.
run 6 convert "$THAW_SAMPLES/knight.mdx" -o small.glb --max-scene 1K
complains 'error limit\.scene: .* largest part.* (clip|mesh) [0-9]+ '
complains 'hint: --max-scene'
run 6 render "$THAW_SAMPLES/knight.mdx" -o small.png --max-scene 1K
run 6 convert "$THAW_SAMPLES/knight.mdx" -o small.glb --max-output 1K
complains 'error limit\.output: with small\.glb '
complains 'hint: --max-output'
run 0 convert "$THAW_SAMPLES/knight.mdx" -o small.glb
run 6 convert small.glb -o small.m3 --max-scene 1K
complains 'error limit\.scene'
run 6 render --turntable "$THAW_SAMPLES/knight.mdx" --size 4096x4096 -o turn.png
complains 'error limit\.pixels: 36 images of 4096 × 4096'
[[ ! -e small.png && ! -e small.m3 && ! -e turn.png ]] || fail "an output in spite of a bound"
run 0 render --turntable "$THAW_SAMPLES/knight.mdx" --size 256x256 -o turn.png --max-pixels 9216K
run 6 render --turntable "$THAW_SAMPLES/knight.mdx" --size 256x256 -o turn.png -f --max-pixels 9215K

# Some tiles of a map: as many as that, numbered as in the whole map where a path says so.
island=$THAW_SAMPLES/World/Maps/Island/Island.wdt
run 0 dump "$island" --tiles 32,48
python3 - <<'PYTHON' || fail "dump --tiles"
import json
dump = json.load(open("out"))
assert len(dump["tiles"]) == 1 and "$layout" not in dump, dump.keys()
PYTHON
run 0 tree "$island" --tiles 32,48
(($(grep -c '^  [^ ].*tiles\[[0-9]*\]\|^    \[[0-9]*\]' out) <= 1)) || fail "tree --tiles: $(head -n 5 out)"
run 0 info "$island" --tiles 32,48
says 'holds +1 tile, 256 chunks'
run 0 survey "$island" --tiles 32,48
says '^EXACT'
run 0 validate "$island" --tiles 32,48 --target strict
cp "$island" other.wdt
python3 - <<'PYTHON'
data = bytearray(open("other.wdt", "rb").read())
for at in range(len(data) // 8, len(data), len(data) // 40):
    data[at] ^= 1
open("other.wdt", "wb").write(data)
PYTHON
run 1 diff "$island" other.wdt --tiles 32,48
says '^tiles\[1\]'
grep -q '^tiles\[0\]' out && fail "diff --tiles tells of another tile"
for command in dump tree info survey validate; do
  run 3 $command "$island" --tiles 1,1
  complains 'world\.no-tile'
done
run 2 dump "$island" --tiles 64,1
run 2 dump "$THAW_SAMPLES/knight.mdx" --tiles 1,1
complains 'needs a map'
run 2 diff "$island" other.wdt --tiles 32,48 --patch
run 2 validate "$island" --tiles 32,48 --fix -o fixed.wdt
finish
