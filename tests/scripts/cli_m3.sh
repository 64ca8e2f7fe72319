#!/usr/bin/env bash
# M3 models on the command line.
source tests/scripts/cli_common.sh
samples=$THAW_SAMPLES

run 0 info "$samples/waystone_v4.m3"
says 'World of Warcraft model \(M3\), version 1'
says '2 geosets, .*2 levels, .*2 bones, .*2 materials'
run 0 survey "$samples"/waystone_v*.m3
says 'EXACT'
run 0 tree "$samples/waystone_v3.m3"
says 'MES3'
run 0 dump "$samples/waystone_v3.m3"
says '"format": "3F32"'
run 1 diff "$samples/waystone_v3.m3" "$samples/waystone_v4.m3"
says 'MES3\.M3VR\.properties\.version'
run 0 validate "$samples/waystone_v3.m3"

# Textures by number: through a listfile, or not at all.
run 0 info "$samples/waystone_v3.m3" --listfile "$samples/listfile.csv"
says 'waystone_stone\.blp  found: '
run 0 info "$samples/waystone_v3.m3"
says '900100\.blp  not found'
run 0 convert "$samples/waystone_v3.m3" -o a.glb --listfile "$samples/listfile.csv" --source "$samples"
complains 'a\.glb'
grep -q 'missing' err && fail 'the listfile names both textures'
mkdir alone && cp "$samples/waystone_v3.m3" alone/lamp.m3
run 0 convert alone/lamp.m3 -o b.glb --no-default-sources
complains '2 textures missing'
cp "$samples/Textures/waystone_stone.blp" alone/lamp_900100.blp
run 0 convert alone/lamp.m3 -f -o b.glb
complains '1 texture missing'

# Levels, and the way back.
run 0 convert "$samples/waystone_v3.m3" -o all.glb --lod all --collision
grep -aq 'MSFT_lod' all.glb || fail 'no MSFT_lod'
run 3 convert "$samples/waystone_v3.m3" -o none.glb --lod 9
complains 'error scene\.no-level: level [0-9]* does not exist; the coarsest level is 1'
run 0 convert all.glb -o back.m3 --format-version 4
complains '2 geosets · 2 levels · 2 materials'
run 0 info back.m3
run 0 validate back.m3
# Onto the model that it was, of one level or all; with an edit, only that.
run 0 convert all.glb -o same.m3 --onto "$samples/waystone_v3.m3"
cmp same.m3 "$samples/waystone_v3.m3" || fail 'onto its original, the model is another'
run 0 convert "$samples/waystone_v4.m3" -o finest.glb
run 0 convert finest.glb -o same4.m3 --onto "$samples/waystone_v4.m3"
cmp same4.m3 "$samples/waystone_v4.m3" || fail 'the finest level alone makes another model'
run 4 convert all.glb -o no.m3 --onto "$samples/house.wmo"
complains 'M3 model'
run 4 convert all.glb -o no.m3 --onto "$samples/waystone_v3.m3" --format-version 4
complains 'keeps the original.s mesh version'
run 2 convert all.glb -o other.m3 --lod best
complains '--lod best'
run 2 convert all.glb -o other.m3 --format-version 9
complains 'format-version 9: expected one of 2, 3, 4'

# Each level of detail.
run 0 info "$samples/waystone_v4.m3"
says '^  levels +0  2 geosets  2463 vertices  [0-9]+ triangles  [0-9]+ batches$'
says '^ +1  2 geosets  [0-9]+ vertices  [0-9]+ triangles  '
run 0 info --json "$samples/waystone_v4.m3"
check_json info
says '"levels":\[\{"geosets":2,'

# What is no M3 says what it is.
run 3 info files/foreign/starcraft.m3
complains 'StarCraft II'
head -c 64 /dev/zero >zeros.m3
run 3 info zeros.m3
complains 'encrypted'
(head -c 8 /dev/zero && head -c 64 "$samples/waystone_v3.m3") >half.m3
run 3 info half.m3
complains 'encrypted'
finish
