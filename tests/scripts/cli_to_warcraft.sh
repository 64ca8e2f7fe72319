#!/usr/bin/env bash
# glTF to models of Warcraft III on the command line.
source tests/scripts/cli_common.sh
samples=$THAW_SAMPLES
model=$(find "$samples" -maxdepth 1 -name '*.mdx' ! -name 'alpha*' | sort | head -1)

# A model that nobody edited comes back to the byte, and alone as one that shows the same.
run 0 convert "$model" -o a.glb
run 0 convert a.glb --onto "$model" -o same.mdx
cmp -s same.mdx "$model" || fail 'onto its original, a model is as it was'
run 0 convert a.glb -o alone.mdx
run 0 info alone.mdx
says 'Warcraft III model'
run 0 convert "$model" -o large.glb --scale 1
run 0 convert large.glb --onto "$model" -o large.mdx
cmp -s large.mdx "$model" || fail "a file of another scale is another onto its original"
run 0 convert large.glb -o small.mdx
run 0 info small.mdx
says 'bounds.*-28\.59'
run 0 convert a.glb -o alone.mdl --indent 2
grep -q '^  FormatVersion' alone.mdl || fail 'a text with two blanks per level'
run 2 convert a.glb -o b.mdx --format-version 7
run 2 convert "$model" -o b.glb --bare
complains '--bare'

# Pictures of a map's own textures are in the GLB alone: they are written beside the model.
mkdir -p own/war3mapImported
cp "$samples/Textures/knight.blp" own/war3mapImported/
run 0 convert "$samples/knight.mdx" -o own/own.mdl
sed -i 's|"Textures\\knight.blp"|"war3mapImported\\knight.blp"|' own/own.mdl
run 0 convert own/own.mdl -o own/own.glb
run 0 convert own/own.glb -o own/back.mdx
complains 'back.mdx .* and 1 file'
[[ -s own/knight.blp ]] || fail 'the picture of a texture of the map'
run 0 convert own/own.mdl -o own/own.mdx
run 0 convert own/own.glb --onto own/own.mdx -o own/same.mdx
cmp -s own/own.mdx own/same.mdx || fail "with pictures found, onto its original, it is the same"

# What is added to its GLB becomes objects, and what is taken out is gone; all numbers follow.
knight=$samples/knight.mdx
run 0 convert "$knight" -o k.glb
edit() { # OUT CODE
  python3 - "$1" "$2" <<'PY'
import json, struct, sys
content = open("k.glb", "rb").read()
size = struct.unpack("<I", content[12:16])[0]
scene = json.loads(content[20:20 + size])
nodes = scene["nodes"]
def named(name):
    return next(i for i, node in enumerate(nodes) if node.get("name") == name)
def add(parent, **node):
    nodes[named(parent)].setdefault("children", []).append(len(nodes))
    nodes.append(node)
exec(sys.argv[2])
text = json.dumps(scene).encode()
text += b" " * (-len(text) % 4)
rest = content[20 + size:]
open(sys.argv[1], "wb").write(struct.pack("<III", 0x46546C67, 2, 20 + len(text) + len(rest)) + struct.pack("<II", len(text), 0x4E4F534A) + text + rest)
PY
}
count() { "$THAW" info --json "$1" 2>/dev/null | python3 -c 'import json,sys; print(json.load(sys.stdin)["counts"].get(sys.argv[1], 0))' "$2"; }
sound() { "$THAW" validate "$1" | grep -E 'mdx\.(node-|pivot)' && fail "$1: numbers of objects"; }
edit more.glb 'add("Head", name="Weapon Right Ref", translation=[0, 0.1, 0]); add("Head", name="Plume", extras={"wc3_kind": "bone"})
add("Head", name="Torch", extensions={"KHR_lights_punctual": {"light": 0}})'
edit less.glb 'nodes[named("Overhead Ref ")].pop("extras"); nodes[named("Overhead Ref ")]["name"] = "Nothing"'
for over in "" "--onto $knight"; do
  # shellcheck disable=SC2086
  run 0 convert -f more.glb $over -o more.mdx
  sound more.mdx
  for kind in attachment bone light; do
    (($(count more.mdx $kind) == $(count "$knight" $kind) + 1)) || fail "$over: one more $kind: $(count more.mdx $kind)"
  done
  # shellcheck disable=SC2086
  run 0 convert -f less.glb $over -o less.mdx
  sound less.mdx
  (($(count less.mdx attachment) == $(count "$knight" attachment) - 1)) || fail "$over: one attachment less"
done
run 0 convert -f k.glb --onto "$THAW_SAMPLES/chest.mdx" -o other.mdx
complains 'seems to be another model'
sound other.mdx

# A scene of someone else's.
cat > square.gltf <<'JSON'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"name":"Square"}],
"buffers":[{"byteLength":42,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAECAAIB"}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],
"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3},{"bufferView":1,"componentType":5121,"type":"SCALAR","count":6}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]}
JSON
run 0 convert square.gltf -o square.mdx -v
complains 'scene\.added.*Root'
run 0 info square.mdx
says '1 bone'
run 0 convert square.gltf -o bare.mdx --bare
run 0 convert square.gltf -o later.mdx --format-version 1100
run 0 info later.mdx
says 'version 1100'

# Of two with a picture of the same name each has its own; what is the same lies there once.
mkdir -p several plain
for name in red blue; do
  pixel=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC
  [[ $name == red ]] || pixel=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC
  python3 - several/$name.gltf "$pixel" <<'PY'
import json, sys
scene = json.load(open("square.gltf"))
scene["images"] = [{"name": "Image_0", "uri": "data:image/png;base64," + sys.argv[2]}]
scene["textures"] = [{"source": 0}]
scene["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
scene["meshes"][0]["primitives"][0]["material"] = 0
json.dump(scene, open(sys.argv[1], "w"))
PY
done
run 0 convert -r several -o models --to mdx -j 2
[[ -s models/red_Image_0.blp && -s models/blue_Image_0.blp ]] || fail "each model has a picture of its own"
cmp -s models/red_Image_0.blp models/blue_Image_0.blp && fail "pictures of two models were mixed up"
run 0 dump models/red.mdx
says 'red_Image_0\.blp'
cp square.gltf plain/a.gltf
cp square.gltf plain/b.gltf
run 0 convert -r plain -o houses --to wmo -j 2
[[ -s houses/a.wmo && -s houses/b.wmo && $(find houses -name '*.blp' | wc -l) == 1 ]] ||
  fail "two houses share a white picture"

# A scene of someone else's becomes what is asked for.
run 0 convert "$knight" -f -o asked.glb
run 3 convert asked.glb
complains '; choose the output format with -o FILE or --to [a-z0-9|-]*mdx\|'
"$THAW" convert - <asked.glb >asked.out 2>"$work/err" && fail "a scene without a target became something"
complains '; choose the output format with -o FILE or --to .*m3'
run 0 info asked.glb
says '  Attack .*once'
says '  Stand .*loops'

# What is put in the place of a texture has to be there, and to be asked for.
run 3 convert "$knight" --replaceable 1=nofile.blp -o none.glb
complains 'error input\.unreadable: --replaceable 1: nofile\.blp is neither a file nor in any source'
[[ ! -e none.glb ]] || fail "a model without its picture was written"
run 0 convert "$knight" --replaceable "99=$samples/Textures/knight.blp" -o unasked.glb
complains 'warning option\.effect: --replaceable 99: no texture of the model has this id'
# Of a batch it is told once, if it is so with every file.
for id in 99 1; do
  run 0 convert "$knight" "$samples/house.wmo" --replaceable "$id=$samples/Textures/knight.blp" -f -o both/
  (($(grep -c 'option\.effect' err) == (id == 99 ? 1 : 0))) || fail "--replaceable $id of two files: $(cat err)"
done
finish
