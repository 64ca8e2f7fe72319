#!/usr/bin/env bash
# Forgelight: packs as archives and sources, models and characters, on the samples.
. tests/scripts/cli_common.sh

human=$THAW_SAMPLES/forgelight
for pack in human.pack human.pack2; do
  run 0 ls "$human/$pack"
  says ' dme +Human_LOD0\.dme$'
  says ' adr +Human\.adr$'
  run 0 ls "$human/$pack" --json
  check_json ls
  run 0 extract "$human/$pack" -o "$pack.d"
  cmp -s "$pack.d/Human_LOD0.dme" "$human/Human_LOD0.dme" || fail "$pack: the model comes out as it went in"
  run 3 ls "$human/$pack" nothing.dme
  complains 'pack\.no-entry'
  run 0 info "$human/$pack" --json
  check_json info
  run 0 convert "$human/$pack//Human.adr" -o "$pack.glb" --clip Walk
  complains '1 clip'
done
run 0 info "$human/Human_LOD0.dme"
says '1 mesh, [0-9]+ vertices, [0-9]+ triangles, 2 draw calls'
run 0 survey -r "$human" --include '*.dme' --include '*.dma' --include '*.adr'
says '3 EXACT'
run 0 validate "$human/Human_LOD0.dme" "$human/Human.adr" "$human/Human_Lod0.dma"
run 0 convert "$human/Human.adr" -o human.glb
complains '5 clips'
# Animations are files of their network.
run 0 ls "$human/human.mrn"
says '  Human_Walk\.nsa$'
run 0 ls "$human/human.mrn" --json
check_json ls
run 0 extract "$human/human.mrn" '*.nsa' -o clips
run 0 survey -r clips
says '5 EXACT'
run 0 convert "$human/human.mrn" --to nsa --clip '^Human_Walk$' -o Walk.nsa
cmp Walk.nsa clips/Human_Walk.nsa || fail 'the file is not what --to nsa makes'
run 0 info "$human/human.mrn//Human_Walk.nsa"
says 'NSA'
says 'rotations 21 channels, up to [0-9.]+° from their first sample'
# Their samples as numbers.
run 0 dump --decoded "$human/Human_Walk.nsa"
says '"computedChecksum": "[0-9a-f]{8}"'
says '"samples": 37'
run 0 dump --decoded "$human/human.mrn"
says '"name": "Human_Walk"'
run 5 dump --decoded "$human/human.mrn" "$human/Human_LOD0.dme"
complains 'Human_LOD0\.dme: error format\.unsupported: --decoded needs an animation'
says '"input":"[^"]*human\.mrn".*"document":\{ *"animations"'
run 3 dump --decoded "$THAW_SAMPLES/World/Maps/Island/Island.wdt"
complains 'needs an animation'
run 3 ls "$human/human.mrn" nothing.nsa
cp "$human/human.mrn" mine.mrn
run 3 remove mine.mrn Human_Walk.nsa -f
complains 'thaw convert walk\.glb'
# The same from a pack alone.
mkdir alone
cp "$human/Human.adr" alone
run 0 convert alone/Human.adr --source "$human/human.pack2" --clip Walk -o alone/human.glb
complains '1 clip'
run 3 convert alone/Human.adr -o alone/none.glb --no-default-sources
complains 'adr\.missing-file'
run 0 convert "$human/Human_LOD0.dme" -o model.glb
if [[ -d $root/tools/node_modules/gltf-validator ]]; then
  printf '%s\n' "$work"/*.glb >list
  node "$root/tools/validate-gltf.mjs" --list "$work/list" || fail "the GLBs are not valid"
fi
# A damaged network is no foreign one: what it lacks may be what is broken.
mkdir damaged
head -c 5000 "$human/human.mrn" >damaged/human.mrn
run 5 convert -r damaged -o damaged-out
complains 'human\.mrn: error mrn\.skeleton: '
complains '0 ok, .*1 failed'
run 5 thumb -r damaged -o damaged-out
complains '0 ok, .*1 failed'
finish
