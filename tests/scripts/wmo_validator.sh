#!/usr/bin/env bash
# Buildings through the Khronos validator: the sample with everything, and the tent of the corpus.
set -euo pipefail
[[ -d $THAW_ROOT/tools/node_modules/gltf-validator ]] || { echo "skipped: the tool gltf-validator is not here"; exit 77; }

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$THAW" convert -q "$THAW_SAMPLES/house.wmo" --doodad-set all --collision --portals -o "$out/full.glb"
"$THAW" convert -q "$THAW_SAMPLES/house.wmo" --scale 0.9144 --profile rich -o "$out/plain.gltf"
tent=${THAW_CORPUS:-$THAW_ROOT/../shared/corpus}/alpha/_derived/trolltent14.wmo
if [[ -f $tent ]]; then
  "$THAW" convert -q "$tent" --collision -o "$out/tent.glb"
fi
find "$out" -name '*.gl[bt]*' | sort >"$out/list"
node "$THAW_ROOT/tools/validate-gltf.mjs" --list "$out/list"
