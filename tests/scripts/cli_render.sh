#!/usr/bin/env bash
# render and thumb: pictures, moving pictures, folders of them, and what is refused.
source tests/scripts/cli_common.sh
: "${THAW_SAMPLES:?the samples}"
knight=$THAW_SAMPLES/knight.mdx

# picture FILE WIDTH HEIGHT COLOUR-TYPE: its header; 2 is RGB, 6 is RGBA
picture() {
  python3 - "$@" <<'PY' || fail "header of $1"
import struct, sys
data = open(sys.argv[1], "rb").read()
width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
sys.exit((width, height, depth, kind) != (int(sys.argv[2]), int(sys.argv[3]), 8, int(sys.argv[4])))
PY
}

run 0 render "$knight" -s 64
complains 'knight.png .*64 × 64 · Stand'
picture knight.png 64 64 2
run 4 render "$knight" -s 64
complains 'write.exists'
run 0 render "$knight" -f -s 80x40 --background transparent -o shown/clear.png --camera portrait --team-color blue
picture shown/clear.png 80 40 6
run 0 render "$knight" -f -s 64 -o one.png -j 1 --json
check_json render
run 0 render "$knight" -f -s 64 -o two.png -j 2
cmp one.png two.png || fail "the picture depends on -j"
run 0 render "$knight" -s 64 -o lines.png --wireframe --bones --collision --extents --no-emitters --samples 16
cmp -s one.png lines.png && fail "nothing was drawn over the model"
run 0 render "$knight" -s 64 -o blue.png --team-color blue
cmp -s one.png blue.png && fail "the team colour does not show"
run 0 render "$knight" -s 64 -o -
cmp out one.png || fail "stdout is another picture"

# What lies beside a model or belongs to it is found as `convert` finds it.
run 0 render "$THAW_SAMPLES/Creature/Beetle/Beetle.mdx" -s 64 -o beetle.png --json
grep -q '"textures_missing":0' out || fail "the beetle's skin is not found"
run 0 render "$THAW_SAMPLES/forgelight/Human.adr" -s 64 -o human.png --json
grep -q '"textures_missing":0' out || fail "the actor lacks textures"
grep -q '"triangles":0' out && fail "the actor is empty"

# A skeleton alone is shown as bones, and an animation with the skeleton that it is for.
human=$THAW_SAMPLES/forgelight/human.mrn
run 0 render "$human" -s 64 -o bones.png --json
grep -q '"empty":false' out || fail "the skeleton is not to be seen: $(cat out)"
check_json render
run 0 render "$human" -s 64 --skeleton human -o named.png
cmp bones.png named.png || fail "the skeleton by name is another"
run 3 render "$human" -s 64 --skeleton Vehicle -o none.png
run 3 render "$THAW_SAMPLES/forgelight/Human_Walk.nsa" -s 64 -o none.png
run 0 render "$THAW_SAMPLES/forgelight/Human_Walk.nsa" -s 64 --skeleton "$human" -o walk.png --json
grep -q '"empty":false' out || fail "the animation shows nothing"
run 0 thumb "$human" -q -s 64 --skeleton Human -o thumbs-of-bones/
run 0 render "$THAW_SAMPLES/waystone_v3.m3" -s 64 -o fine.png
run 0 render "$THAW_SAMPLES/waystone_v3.m3" -s 64 --lod 1 -o coarse.png
cmp -s fine.png coarse.png && fail "--lod changes nothing"
run 3 render "$THAW_SAMPLES/waystone_v3.m3" -s 64 --lod 9 -o none.png
complains 'scene\.no-level'
run 2 render "$knight" -s 64 --lod 1 -o none.png
run 2 thumb "$knight" -s 64 --skeleton Human -o none/
complains '--skeleton applies to '

# A picture of nothing is told of.
run 0 render "$knight" -s 32 --camera 0,0,1000 --no-emitters -o far.png
run 0 render "$knight" -s 32 --camera Portrait --time 0 -o seen.png
grep -q empty-picture err && fail "the portrait is empty: $(cat err)"
python3 - "$THAW_SAMPLES/banner.mrf" still.mrf <<'PY'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
struct.pack_into("<f", data, 16, 0.0)  # frames that last no time: the game shows nothing
open(sys.argv[2], "wb").write(data)
PY
run 0 render still.mrf -s 32 -o blank.png --json
complains 'warning scene\.empty-picture: nothing is visible in the image: '
grep -q '"empty":true' out || fail "JSON does not tell of an empty picture"
mkdir nothing
cp still.mrf nothing/
run 0 thumb -r nothing -s 32 -o page
complains 'warning scene\.empty-picture'
grep -q '"empty": *true' page/index.html || fail "the page does not tell of an empty picture"

# Sides by name are those that degrees give.
run 0 render "$knight" -s 48 -o side.png --camera left
run 0 render "$knight" -s 48 -o degrees.png --camera 90,0
cmp side.png degrees.png || fail "--camera left is not 90,0"
run 0 render "$knight" -s 48 -o top.png --camera top
cmp -s side.png top.png && fail "the top is a side"

# Where no option says otherwise, the moment is one at which something is to be seen.
cat >late.mdl <<'MDL'
Version { FormatVersion 800, }
Model "late" { BlendTime 150, }
Sequences 1 { Anim "Stand" { Interval { 0, 1000 }, } }
Materials 1 { Material { Layer { FilterMode None, TwoSided, static TextureID 0, } } }
Textures 1 { Bitmap { Image "", ReplaceableId 1, } }
Geoset {
  Vertices 3 { { 0, -50, 0 }, { 0, 50, 0 }, { 0, 0, 90 }, }
  Normals 3 { { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, }
  TVertices 3 { { 0, 0 }, { 1, 0 }, { 0, 1 }, }
  VertexGroup { 0, 0, 0, }
  Faces 1 3 { Triangles { { 0, 1, 2 }, } }
  Groups 1 1 { Matrices { 0 }, }
  MaterialID 0,
  SelectionGroup 0,
}
GeosetAnim { GeosetId 0, Alpha 4 { Linear, 0: 0, 600: 0, 610: 1, 1000: 1, } }
Bone "bone" { ObjectId 0, GeosetId 0, GeosetAnimId None, }
PivotPoints 1 { { 0, 0, 0 }, }
MDL
run 0 render late.mdl -s 64 -o shown-late.png --json
grep -q '"empty":false' out || fail "nothing of what comes late is shown: $(cat out)"
grep -q '"time":0.6' out || fail "another moment: $(cat out)"
run 0 render late.mdl -s 64 -o not-yet.png --time 0 --json
grep -q '"empty":true' out || fail "--time is not what is shown: $(cat out)"
run 3 render still.mrf -s 32 --camera portrait -o none.png
complains 'error scene\.no-camera: camera portrait: the model has no camera'

# A model that takes too long costs itself.
run 6 thumb "$knight" -o late.png --timeout 0.000001
complains 'limit\.time'
[[ ! -e late.png ]] || fail "a picture in spite of the time limit"
run 0 thumb "$knight" -o early.png --timeout 30

# Maps: from above, as a model, and from a place with what lies beside them.
island=$THAW_SAMPLES/World/Maps/Island/Island.wdt
run 0 render "$island" -s 128 -o above.png
picture above.png 128 64 2
run 0 render "$island" -s 128 --tiles 31,48 --background transparent -o tile.png --json
picture tile.png 128 128 6
grep -q '"tiles":1,' out || fail "one tile: $(cat out)"
check_json render
run 0 render "$island" -s 64 --camera auto -o model.png
run 0 render "$island" -s 96x48 --eye=-9050,20,60 --look=-20,-2 -j 1 -o noon.png --json
check_json render
picture noon.png 96 48 2
run 0 render "$island" -s 96x48 --eye=-9050,20,60 --look=-20,-2 -j 2 -o noon2.png
cmp noon.png noon2.png || fail "the view depends on -j"
for other in "--hour 19:00" "--far-clip 177" "--fog none" "--fog 10,90,#ff0000" "--layers terrain" "--bake-size 64"; do
  # shellcheck disable=SC2086
  run 0 render "$island" -f -s 96x48 --eye=-9050,20,60 --look=-20,-2 $other -o other.png
  cmp -s noon.png other.png && fail "$other changes nothing"
done
for wrong in "--time 1" "--clip Stand" "--eye 1,2" "--eye 1,2,3 --look x" "--look 1" "--far-clip 100" "--hour noon" "--fog 9,1" "--turntable" "--tiles x" "--wireframe" "--wireframe --eye=-9050,20,60"; do
  # shellcheck disable=SC2086
  run 2 render "$island" $wrong
done
run 2 render "$knight" --eye 1,2,3
run 0 render "$knight" -s 64 --fog 1,3,#ff0000 -o fog.png
cmp -s one.png fog.png && fail "no fog"

run 0 render "$knight" -s 32 --turntable --frames 5 -o turn.png
grep -q acTL turn.png || fail "turn.png does not move"
run 0 render "$knight" -s 32 --play --fps 5 -o play.gif
head -c 6 play.gif | grep -q GIF89a || fail "play.gif is no GIF"
python3 - <<'PY' || fail "play.gif breaks off"
import sys
data = open("play.gif", "rb").read()
sys.exit(data[-1] != 0x3B or data.count(b"\x21\xf9\x04") < 3)
PY
run 0 render "$knight" -s 16 --turntable --play --frames 3 -o turns/
[[ $(ls turns) == $'0000.png\n0001.png\n0002.png' ]] || fail "numbered: $(ls turns)"

# Along a path: the camera is where the keys say, and the film as long as they do.
cat >path.json <<'JSON'
{"keys": [{"time": 0, "eye": [4, 2, 0], "target": [0, 1, 0], "fov": 40}, {"time": 0.5, "eye": [3, 1, 3], "target": [0, 1, 0], "fov": 40},
          {"time": 1, "eye": [0, 2, 4], "target": [0, 1.5, 0], "fov": 60}]}
JSON
run 0 render "$knight" -s 48 --path path.json --fps 4 -o film.png --json
check_json render
python3 - <<'PY' || fail "the film along the path: $(cat out)"
import json, math, sys
told = json.load(open("out"))
camera = told["camera"]
right = told["pictures"] == 5 and camera["eye"] == [0, 2, 4] and camera["target"] == [0, 1.5, 0]
sys.exit(not (right and abs(camera["field_of_view"] - math.radians(60)) < 1e-6))
PY
run 0 render "$knight" -s 48 --path path.json --frames 3 --time 0 -o path/
[[ $(ls path) == $'0000.png\n0001.png\n0002.png' ]] || fail "numbered: $(ls path)"
run 0 render "$knight" -s 48 --path path.json --frames 3 --time 0 -o again/ -j 1
cmp path/0001.png again/0001.png || fail "the film depends on -j"
sed 's/{"keys"/{"curve": "linear", "keys"/' path.json >straight.json
run 0 render "$knight" -s 48 --path straight.json --frames 3 --time 0 -o straight/
cmp path/0001.png straight/0001.png || fail "a key is elsewhere on a straight way"
run 0 render "$knight" -s 48 --path straight.json --frames 5 --time 0 -o straight5/
run 0 render "$knight" -s 48 --path path.json --frames 5 --time 0 -o path5/
cmp -s path5/0001.png straight5/0001.png && fail "a smooth way is straight"
run 0 render "$knight" -s 48 --path path.json --frames 3 -o played/
cmp -s path/0001.png played/0001.png && fail "the clip does not play on the way"
run 0 render "$knight" "$THAW_SAMPLES/chest.mdx" -s 48 --path path.json --fps 2 -o past.gif
echo '{"walk": [[-9050, 20, "+2"], [-9040, 10, "+2"]], "speed": 10}' >walk.json
run 0 render "$island" -s 48x32 --path walk.json --frames 3 -o way.png --json
cp out way.json
run 0 render "$island" -s 48x32 --eye=-9040,10,+2 -o there.png --json
python3 - <<'PY' || fail "the walk ends elsewhere: $(cat way.json), $(cat out)"
import json, sys
way, there = (json.load(open(name)) for name in ("way.json", "out"))
near = all(abs(a - b) < 0.01 for a, b in zip(way["camera"]["eye"], there["camera"]["eye"]))
ahead = way["camera"]["target"][2] > way["camera"]["eye"][2] and way["camera"]["target"][0] < way["camera"]["eye"][0]
sys.exit(not (way["pictures"] == 3 and near and ahead))
PY
echo '{"walk": [[-9050, 20, "+2"], [9040, 10, "+2"]], "speed": 90}' >off.json
run 3 render "$island" -s 48x32 --path off.json --fps 1 -o lost.png
complains 'no ground below the path'
run 2 render "$knight" --path walk.json -o none.png
complains 'heights above the ground need a map'
for other in "--turntable" "--play" "--camera left" "--sheet"; do
  # shellcheck disable=SC2086
  run 2 render "$knight" --path path.json $other -o none.png
done
run 2 render "$knight" --path path.json --fps 100 --frames 3601 -o none.png
for wrong in '{' '[]' '{"keys": []}' '{"keys": [{"time": 0, "eye": [1, 1, 1]}]}' '{"walk": [[1, 1, 1], [1, 1, 1]]}' '{"walk": [[1, 1, 1], [2, 1, 1]], "speed": 0}' \
  '{"walk": [[1, 1, 1], [2, 1, "+1"]]}' '{"walk": [[1, 1], [2, 1, 1]]}' '{"walk": [[1, 1, 1], [2, 1, 1]], "fov": 180}' '{"walk": [[1, 1, 1], [2, 1, 1]], "curve": "x"}' \
  '{"walk": [[1, 1, 1], [2, 1, 1]], "places": 1}' '{"keys": [{"time": 1, "eye": [1, 1, 1]}, {"time": 2, "eye": [2, 1, 1]}]}' \
  '{"keys": [{"time": 0, "eye": [1, 1, 1]}, {"time": 0, "eye": [2, 1, 1]}]}' '{"keys": [{"time": 0, "eye": [1, 1, 1]}, {"time": 1, "eye": [1, 1, 1]}]}' \
  '{"keys": [{"time": 0, "eye": [1, 1, 1], "target": [0, 0, 0]}, {"time": 1, "eye": [2, 1, 1]}]}'; do
  echo "$wrong" >wrong.json
  run 3 render "$knight" --path wrong.json -o none.png
  complains 'wrong\.json.*json\.malformed'
done
run 3 render "$knight" --path missing.json -o none.png

# Marks that events lay on the ground, as tables of the game say that a source has.
mkdir -p game/Splats game/ReplaceableTextures/Splats
python3 - <<'PY'
rows = [["SplatID", "file", "BlendMode", "Scale", "Rows", "Columns", "Lifespan", "Decay", "StartR", "StartA", "MiddleR", "MiddleA", "EndR", "EndA"],
        ["HBS0", "Blood", 0, 80, 1, 1, 4, 4, 200, 255, 200, 255, 90, 0]]
cells = [f"C;X{x + 1};Y{y + 1};K{cell}" for y, row in enumerate(rows) for x, cell in enumerate(row)]
open("game/Splats/SplatData.slk", "w").write("\n".join(["ID;PWXL;N;E", *cells, "E", ""]))
PY
cp "$THAW_SAMPLES/Textures/house_grass.blp" game/ReplaceableTextures/Splats/Blood.blp
run 0 render "$knight" -s 64 --clip Death --time 100% --camera 30,40 -o clean.png
run 0 render "$knight" -s 64 --clip Death --time 100% --camera 30,40 --source game -o blood.png --json
cmp -s clean.png blood.png && fail "no blood where a source says how it looks"
grep -q '"textures_missing":0' out || fail "the picture of blood is not found: $(cat out)"
run 0 render "$knight" -s 64 --clip Death --time 100% --camera 30,40 --source game --no-emitters -o bare.png
run 0 render "$knight" -f -s 64 --clip Death --time 100% --camera 30,40 --no-emitters -o clean.png
cmp clean.png bare.png || fail "blood in spite of --no-emitters"
run 0 render "$knight" -f -s 64 --clip Death --time 0 --camera 30,40 -o clean.png
run 0 render "$knight" -f -s 64 --clip Death --time 0 --camera 30,40 --source game -f -o bare.png
cmp clean.png bare.png || fail "blood before anything has happened"

# All clips in one picture: as many as there are, each with its name below.
run 0 render "$knight" --sheet -s 64 -o sheet.png --json
check_json render
python3 - "$("$THAW" info --json "$knight")" <<'PY' || fail "the sheet of clips"
import json, math, struct, sys
clips = sum(1 for clip in json.loads(sys.argv[1])["clips"])
columns = math.ceil(math.sqrt(clips))
rows = math.ceil(clips / columns)
width, height = struct.unpack(">II", open("sheet.png", "rb").read()[16:24])
sys.exit((width, height) != (64 * columns, (64 + 13) * rows))
PY
run 0 render "$knight" --sheet -s 64 --time 0 -o start.png
cmp -s sheet.png start.png && fail "--time has no say in a sheet"
run 2 render "$knight" --sheet --clip Walk -o none.png
run 2 render "$island" --sheet -o none.png

# WebM is another program's; it gets all pictures.
if ! on_windows; then # a program of this system; windows_own.sh has one of Windows
  mkdir -p programs
  cat >programs/ffmpeg <<'SH'
#!/bin/sh
while [ $# -gt 1 ]; do
  [ "$1" = -i ] && frames=$2
  shift
done
cp "$frames" "$1"
SH
  chmod +x programs/ffmpeg
  PATH=$PWD/programs:$PATH run 0 render "$knight" -s 20x10 --turntable --frames 3 --background transparent -o turn.webm
  [[ $(stat -c %s turn.webm) == $((20 * 10 * 4 * 3)) ]] || fail "the film's pictures: $(stat -c %s turn.webm) bytes"
  PATH=$PWD/programs:$PATH run 2 render "$knight" -s 20 -o still.webm
  complains 'webm needs an animation'
  printf '#!/bin/sh\nexit 1\n' >programs/ffmpeg
  PATH=$PWD/programs:$PATH run 4 render "$knight" -s 20 --turntable --frames 3 -o failed.webm
  complains 'write\.failed.*did not write a video'
  [[ ! -e failed.webm ]] || fail "a film that was not made"
fi
PATH=$work/nothing-here run 2 render "$knight" -s 20 --turntable -o none.webm
complains 'needs the program ffmpeg.*APNG'

run 2 render "$knight" --json -o -
complains 'cannot both be written to stdout'
run 3 render "$knight" -f --clip Nothing
complains 'no such clip; it has'
for wrong in Nothing 1 none,1 1,2,0; do
  run 3 render "$knight" -f --camera "$wrong"
  complains 'no such camera; it has Portrait'
done
for wrong in "--size 0" "--size 9000" "--time x" "--time -5" "--time 150%" "--time -50%" "--background pink" "--samples 3" "-o x.bmp" "--team-color x"; do
  # shellcheck disable=SC2086
  run 2 render "$knight" $wrong
done
# A moment behind the end of a clip is told, with the one that is shown.
run 0 render "$knight" -f -s 64 --clip Attack --time 100% -o end.png
silent_of_options() { ! grep -q 'option\.effect' err || fail "told without a reason: $(cat err)"; }
silent_of_options
run 0 render "$knight" -f -s 64 --clip Attack --time 1000 --no-emitters -o behind.png --json
check_json render
says '"clip":"Attack","time":1,'
complains 'warning option\.effect: clip Attack ends at 1 s, before the requested time; its last frame is shown$'
run 0 render "$knight" -f -s 64 --clip Stand --time 3 -o behind.png --json
says '"clip":"Stand","time":0\.(6|5999)'
complains 'option\.effect: clip Stand ends at 2\.4 s, before the requested time; a later loop is shown$'

# What nothing in the file has a use for is told.
run 0 convert "$knight" -q -f -o scene.glb
run 0 render scene.glb -f -s 64 -o scene.png
silent_of_options
run 0 render scene.glb -f -s 64 --team-color blue -o scene.png
complains 'option\.effect: --team-color: no input uses a player.s colour'
run 0 render "$knight" -f -s 64 --team-color blue --no-emitters -o scene.png
silent_of_options
run 0 render "$THAW_SAMPLES/house.wmo" -f -s 64 --seed 7 -o scene.png
complains 'option\.effect: --seed: no input has an emitter'
run 0 render "$knight" "$THAW_SAMPLES/house.wmo" -f -s 64 --seed 7 -o scene.png
silent_of_options
run 0 render "$THAW_SAMPLES/house.wmo" "$THAW_SAMPLES/house.wmo" -f -s 64 --seed 7 -o scene.png
complains 'option\.effect: --seed: no effect on any of 2 files$'

# A picture of stdin goes to stdout.
mkdir piped
(cd piped && "$THAW" render - -q -s 64 <"$knight" >"$work/piped.png")
picture piped.png 64 64 2
[[ -z $(ls piped) ]] || fail "a picture of stdin is a file: $(ls piped)"
run 3 render files/foreign/m2.mdx
run 3 render files/nothing.mdx

mkdir tree tree/sub
cp "$knight" tree/a.mdx
cp "$THAW_SAMPLES/banner.mrf" tree/sub/b.mrf
echo "no model" >tree/broken.mdx
run 5 thumb -r tree -o thumbs -s 32 -s 48
complains '2 ok, .*1 failed'
picture thumbs/32/a.mdx.png 32 32 2
picture thumbs/48/sub/b.mrf.png 48 48 2
for key in Thumb::URI Thumb::MTime Thumb::Size thaw::Facts; do
  grep -aq "$key" thumbs/32/a.mdx.png || fail "no $key"
done
grep -q '"name":"sub/b.mrf","picture":"48/sub/b.mrf.png"' thumbs/index.html || fail "the sheet lacks b.mrf"
cp thumbs/index.html first.html
run 5 thumb -r tree -o thumbs -s 32 -s 48 --skip-existing --json
check_json thumb
grep -q '"status":"exists"' out || fail "nothing was left as it is"
grep -q 'triangles' thumbs/index.html || fail "facts of what was there are lost"
run 5 thumb -r tree -o again -s 32 -j 2
cmp again/a.mdx.png thumbs/32/a.mdx.png || fail "thumbnails depend on -j"
run 0 thumb "$knight" -s 40 -o single.png
picture single.png 40 40 2
[[ ! -e index.html ]] || fail "one picture needs no page"
run 2 thumb "$knight" -o -

# Several models.
run 0 render "$knight" "$THAW_SAMPLES/chest.mdx" -s 64 -o pair.png --json
grep -q '"textures_missing":0.*"empty":false' out || fail "two models: $(cat out)"
run 0 render "$THAW_SAMPLES/chest.mdx" "$knight" -s 64 -o riap.png
cmp -s pair.png riap.png && fail "the order of models makes no difference"
run 2 render "$knight" "$THAW_SAMPLES/chest.mdx" -s 64 --clip Walk -o none.png
run 2 render "$THAW_SAMPLES/World/Maps/Island/Island.wdt" "$knight" -s 64 -o none.png
complains 'A map cannot be rendered together'
run 5 render "$knight" missing.mdx -s 64 -o none.png
complains 'missing.mdx'

# What glTF of other programs says of surfaces is to be seen.
python3 - <<'PY'
import json
corners = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"
for name, material in {"dark": {}, "bright": {"emissiveFactor": [1, 1, 1]}, "cut": {"alphaMode": "MASK", "alphaCutoff": 0.4}}.items():
    surface = {"baseColorFactor": [0, 0, 0, 0.5]}
    json.dump({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
               "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64," + corners}],
               "bufferViews": [{"buffer": 0, "byteLength": 36}],
               "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
               "materials": [{"doubleSided": True, "pbrMetallicRoughness": surface, **material}],
               "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}]}, open(name + ".gltf", "w"))
PY
for name in dark bright cut; do run 0 render $name.gltf -s 32 --camera 40,0 -o $name.png; done
cmp -s dark.png bright.png && fail "emission is not to be seen"
cmp -s dark.png cut.png || fail "a mask is cut elsewhere than its file says"
run 0 render bright.gltf -s 32 -o bright.png -f --json
grep -q '"textures_missing":0' out || fail "a picture that was made is missing"

# Somebody's own page stays, equal names both have a picture, several sizes need a folder.
mkdir -p own A B
cp "$knight" own/k.mdx && echo MINE >own/index.html
run 2 thumb -r own -o own -s 32
complains 'was not written by thaw'
grep -q MINE own/index.html || fail "a page was overwritten"
run 0 thumb -r own -o own -s 32 --no-sheet
cp "$knight" A/x.mdx && cp "$knight" B/x.mdx
run 0 thumb A/x.mdx B/x.mdx -o both -s 32
[[ -s both/x.mdx.png && -s both/x-2.mdx.png ]] || fail "one of two equal names has no picture: $(ls both)"
run 0 thumb A/x.mdx B/x.mdx -o both -s 32 --skip-existing
run 2 thumb "$knight" -s 32 -s 64 -o single.png
run 0 thumb "$knight" -s 32 -o upper.PNG
[[ -f upper.PNG ]] || fail "upper.PNG is no file"

# One picture as others take it.
run 0 render "$knight" -s 32 -o still.webp
[[ $(head -c 4 still.webp)$(head -c 12 still.webp | tail -c 4) == RIFFWEBP ]] || fail "a WebP"
run 0 render "$knight" -s 32 -o still.jpg
[[ $(head -c 3 still.jpg | od -An -tx1) == ' ff d8 ff' ]] || fail "a JPEG"
run 0 render "$knight" -s 32 -o still.tga
run 0 render "$knight" -s 32 -o still.png
run 0 convert still.tga -o again.png
cmp still.png again.png || fail "a TGA is another picture"
run 2 render "$knight" -s 32 -o film.jpg --turntable
complains '\.jpg holds a single image'

finish
