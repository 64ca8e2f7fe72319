#!/usr/bin/env bash
# Skeletons and animations as glTF through the Khronos validator: no errors, no warnings.
set -euo pipefail
[[ -d $THAW_ROOT/tools/node_modules/gltf-validator ]] || { echo "skipped: the tool gltf-validator is not here"; exit 77; }

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
THAW_GLTF_OUT=$out "$THAW_BUILD/tests/thaw_tests_mrn" --gtest_brief=1
human=$THAW_SAMPLES/forgelight/human.mrn
"$THAW" convert -q "$human" -o "$out/human.glb"
"$THAW" convert -q "$human" --bones --root-motion off -o "$out/human-bones.gltf"
"$THAW" convert -q "$THAW_SAMPLES/forgelight/Human_Walk.nsa" --skeleton "$human" -o "$out/walk.glb"
synthetic=$THAW_CORPUS/mrn/synthetic
if [[ -d $synthetic ]]; then
  "$THAW" convert -q "$synthetic/synth_v26_le64.mrn" --bones -o "$out/synthetic.glb"
fi
find "$out" -name '*.gl[bt]*' | sort >"$out/list"
(($(wc -l <"$out/list") > 8)) || { echo "the tests have written too little"; exit 1; }
node "$THAW_ROOT/tools/validate-gltf.mjs" --list "$out/list"
