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
run 0 convert a.glb -o alone.mdl --indent 2
grep -q '^  FormatVersion' alone.mdl || fail 'a text with two blanks per level'
run 2 convert a.glb -o b.mdx --format-version 7
run 2 convert "$model" -o b.glb --bare
complains '--bare'

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
finish
