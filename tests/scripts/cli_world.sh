#!/usr/bin/env bash
# Maps: what convert and world make of a small world that was put together without the library.
. tests/scripts/cli_common.sh
python3 "$scripts/world_files.py" w || exit 1
validator=$root/tools/validate-gltf.mjs

# --- tiles as scenes

run 0 convert w/Test.wdt -o tiles/
complains 'Test.wdt 31_31 → tiles/Test_31_31.glb'
complains '2 ok, 2 with warnings, 0 failed'
[[ -s tiles/Test_32_31.glb ]] || fail "a file per tile"
run 4 convert w/Test.wdt -o tiles/ --tiles 31,31
complains 'write.exists'
run 0 convert w/Test.wdt -o tiles/ --tiles 31,31 --skip-existing --json
check_json convert
says '"status":"exists".*"tiles":\[\[31,31\]\]'

for jobs in 1 2; do run 0 convert w/Test.wdt -o "jobs$jobs/" -j "$jobs" --terrain splat --layers terrain,liquid,wdl; done
diff -r jobs1 jobs2 || fail "the bytes depend on -j"
[[ -s jobs1/Test_31_31_alpha.png && -s jobs1/Test_31_31_shadow.png ]] || fail "alpha and shadow beside the tile"
run 0 convert w/Test.wdt -o both.glb --tiles 30-33,31 --bake-size 256 --json
check_json convert
says '"tiles":\[\[31,31\],\[32,31\]\]'
run 0 convert w/Test.wdt -o plain.glb --terrain plain --layers terrain --scale 0.9144
run 0 convert w/Test.wdl -o far.glb
run 0 convert w/Test.wdt -o far_only.glb --layers wdl
if [[ -d $root/tools/node_modules/gltf-validator ]]; then
  find . -name '*.glb' -not -path './files/*' | sort >list
  (($(wc -l <list) >= 8)) || fail "too few scenes"
  node "$validator" --list list || fail "a scene that is not valid"
fi

# --- batches

mkdir -p many/{1,2} && cp w/Test.wdt many/1 && cp w/Test.wdt many/2
run 0 convert -q -r many --flat -o flat --tiles 31,31 --layers terrain --terrain plain
[[ -s flat/Test_31_31.glb && -s flat/Test_31_31-2.glb ]] || fail "--flat numbers tiles: $(ls flat)"
for part in 1 2; do
  run 0 convert -q -r many --to minimap -o "parts" --tiles 31,31 --shard $part/2
done
run 0 convert -q -r many --to minimap -o whole --tiles 31,31
diff -r parts whole || fail "parts have other names than the whole"
head -c 300 w/Test.wdt >many/cut.wdt
run 5 convert many/1/Test.wdt many/cut.wdt many/2/Test.wdt -o fast --tiles 31,31 --fail-fast -j 1 --json
[[ -s fast/Test_31_31.glb && ! -e fast/Test_31_31-2.glb ]] || fail "--fail-fast: $(ls fast)"
grep -q '"succeeded":1' out || fail "--fail-fast has no summary: $(tail -c 300 out)"
rm -r many/2 many/cut.wdt
run 0 convert -r --json many -o summed --tiles 31,31
check_json convert
(($(wc -l <out) == 2)) || fail "a batch of one tile has a summary"
says '"thaw.convert.summary/2".*"files":1'
cp files/models/tiny.mdx many/1/Test_31_31.mdx
run 0 convert -f -r many -o meeting --tiles 31,31
[[ -s meeting/1/Test_31_31.glb && -s meeting/1/Test_31_31-2.glb ]] || fail "a tile and a model meet: $(ls meeting/1)"
echo broken >many/1/broken.wdt && head -c 300 w/Test.wdt >many/1/cut.wdt
run 5 convert -r --json many -o summed -f --tiles 31,31 --include '*.wdt'
check_json convert
rm summed/1/Test_31_31.glb
run 0 convert -q w/Test.wdt --to maps -o resumed/ --tiles 31,31
rm resumed/Test_31_31_alpha.png
run 0 convert -q w/Test.wdt --to maps -o resumed/ --tiles 31,31 --skip-existing
[[ -s resumed/Test_31_31_alpha.png ]] || fail "the rest of maps"
run 4 convert w/Test.wdt --to heightmap -o - --tiles 31,31
complains 'write.unsupported: the output consists of 3 files and cannot be written to stdout'
silent out

# --- what cannot be

run 2 convert w/Test.wdt --tiles 30-99,1
run 2 convert w/Test.wdt --layers terrain,sky
run 2 convert w/Test.wdt --to heightmap --grid 100
run 3 convert w/Test.wdt -o none/ --tiles 1,1
complains 'world\.no-tile: none of the requested tiles'
run 0 convert w/Test.wdt -o planned/ -n
[[ ! -e planned ]] || fail "a dry run writes nothing"

# --- pictures

run 0 convert w/Test.wdt -o heights/ --to heightmap --json
check_json convert
run 0 convert w/Test.wdt -o wide.png --to heightmap --grid 129
run 0 convert w/Test.wdt -o maps/ --to maps
run 0 convert w/Test.wdt -o mini/ --to minimap --lights w/lights.lit --hour 06:00
run 3 convert w/Test.wdt -o none/ --to minimap --lights w/missing.lit
complains '^w/missing\.lit: error input\.unreadable'
run 2 convert w/Test.wdt -o none/ --to minimap --hour 06:00
complains '\-\-hour and --time need --lights'
run 2 convert w/Test.wdt -o none/ --to minimap --lights w/lights.lit --hour noon
complains 'expected a time such as'
run 0 convert w/Test.wdl -o far.png --to heightmap
python3 - <<'PY' || fail "the heights"
import json, math, struct
height = lambda row, column: 20 * math.sin(row / 17) + 12 * math.cos(column / 11)
told = {}
for x in (31, 32):
    note = json.load(open(f"heights/Test_{x}_31_height.json"))
    raw = open(f"heights/Test_{x}_31_height.raw", "rb").read()
    assert len(raw) == 257 * 257 * 2, len(raw)
    values = struct.unpack(f"<{257 * 257}H", raw)
    step = note["metres_per_step"]
    told[x] = values
    for row, column in ((0, 0), (2, 4), (101, 33), (256, 256), (7, 9)):
        stored = (note["minimum_metres"] + values[row * 257 + column] * step) / 0.9144
        wanted = height(31 * 128 + row / 2, x * 128 + column / 2)
        assert abs(stored - wanted) < 0.002, (x, row, column, stored, wanted)
    assert abs(note["metres_per_pixel"] - 1600 / 3 / 256 * 0.9144) < 1e-9
    assert note["orientation"]["first_row"] == "north"
assert all(told[31][row * 257 + 256] == told[32][row * 257] for row in range(257)), "neighbours meet"
wide = json.load(open("wide.json"))
assert (wide["width"], wide["height"]) == (257, 129), wide
PY
[[ -s maps/Test_31_31_alpha_area.png && -s mini/Test_32_31_map.png ]] || fail "maps and minimaps"

# --- what is seen from a place

run 2 world w/Test.wdt
run 2 world w/Test.wdt --camera 1,2
run 2 world w/Test.wdt --camera 1,2,3 --far-clip 176
complains '177 to 777'
run 2 world w/Test.wdt --camera 1,2,3 --far-clip 778
run 2 world w/Test.wdt --camera 1,2,3 --storm 1.5
complains 'from 0 to 1$'
for storm in 0 0.5 1; do run 0 world w/Test.wdt --camera 1,2,3 --storm $storm; done
run 3 world w/none.wdt --camera 1,2,3
run 0 world w/Test.wdt --camera 266.7,266.7,20 --far-clip 177
says 'stands on +tile 31_31'
says 'fog +from 100 to 400 yards'
run 0 world w/Test.wdt --camera 266.7,266.7,20 --hour 06:30 --json
cp out other_names
run 0 world w/Test.wdt --eye 266.7,266.7,20 --hour 06:30 --json
cmp out other_names || fail "--eye and --hour are not --camera and --time"
run 0 world w/Test.wdt --eye 266.7,266.7,+0 --json
low=$(sed 's/.*"camera":\[[^,]*,[^,]*,\([^]]*\)\].*/\1/' out)
run 0 world w/Test.wdt --eye 266.7,266.7,+2.5 --json
high=$(sed 's/.*"camera":\[[^,]*,[^,]*,\([^]]*\)\].*/\1/' out)
python3 -c "assert abs($high - $low - 2.5) < 1e-4" || fail "--eye X,Y,+Z: $low and $high"
run 3 world w/Test.wdt --eye 9000,9000,+2
complains 'no ground'
run 0 world w/Test.wdt --eye 266.7,266.7,20 --hour 06:30 --json
check_json world
says '"standing_on":\[31,31\]'
python3 - <<'PY' || fail "the view"
import json
view = json.load(open("out"))
assert view["far_clip"] == 777 and view["time"] == 780
assert view["fog"]["start"] == 100 and view["fog"]["end"] == 400
tiles = {tuple(tile["tile"]): tile for tile in view["tiles"]}
# 8 cells are a hole, four kinds of liquid have 60 cells each.
assert tiles[31, 31]["chunks"] == 256 and tiles[31, 31]["triangles"] == (256 * 64 - 8) * 4 + 4 * 60 * 2, tiles[31, 31]
for chunk in view["chunks"]:
    wanted = min(1, max(0, (400 - chunk["distance"]) / 300))
    assert abs(chunk["visibility"] - wanted) < 1e-5, chunk
assert view["far_tiles"] == [[30, 31]], view["far_tiles"]
assert [place["name"] for place in view["placements"]][:2] == ["World\\Post.mdx", "World\\Lost.mdx"]
PY

# --- a map that consists of one WMO

mkdir -p cellar && cp "${THAW_SAMPLES:?the samples}/house.wmo" cellar/ && cp -r "$THAW_SAMPLES/Textures" cellar/
python3 - <<'PY'
import struct
def chunk(tag, content): return tag[::-1].encode() + struct.pack("<I", len(content)) + content
place = struct.pack("<II3f3f6f4H", 0, 0xFFFFFFFF, 3, 5, 2, 0, 90, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
open("cellar/Cellar.wdt", "wb").write(chunk("MVER", struct.pack("<I", 18)) + chunk("MPHD", bytes(128)) +
    chunk("MAIN", bytes(65536)) + chunk("MDNM", b"") + chunk("MONM", b"house.wmo\0") + chunk("MODF", place))
PY
run 0 convert cellar/Cellar.wdt -o cellar.glb
run 0 world cellar/Cellar.wdt --eye 0,0,3 --json
check_json world
says '"kind":"building","tile":null,"name":"house.wmo".*"position":\[2,3,5\],"distance":4'
says '"fog":null'
run 0 world cellar/Cellar.wdt --eye 2,3,7 --json
check_json world
says '"fog":{"start":111[^}]*"building":"house.wmo"}'
run 0 world cellar/Cellar.wdt --eye 2,3,7 --under-water
says 'fog +from -111.1 to 222.2 yards, #0a3c5a, in house.wmo'
mv cellar/house.wmo cellar/away.bin
run 0 world cellar/Cellar.wdt --eye 2,3,7
complains 'world\.model-missing: the WMO house\.wmo is missing or unreadable'
mv cellar/away.bin cellar/house.wmo
run 0 render cellar/Cellar.wdt -s 64 -o whole.png --json
check_json render
says '"textures_missing":0.*"empty":false'
run 0 render cellar/Cellar.wdt -s 64 -o model.png --camera auto
cmp whole.png model.png || fail "a map of one building is another model"
run 2 render cellar/Cellar.wdt -s 64 -o none.png --tiles 31,31
complains 'tiles'
run 0 render cellar/Cellar.wdt -s 64 -o inside.png --eye 2,3,7 --look 180
cmp -s whole.png inside.png && fail "from within as from outside"
finish
