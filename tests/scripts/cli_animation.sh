#!/usr/bin/env bash
# Skeletons and animations: info, convert with its options, and back from glTF.
. tests/scripts/cli_common.sh

human=$THAW_SAMPLES/forgelight/human.mrn
walk=$THAW_SAMPLES/forgelight/Human_Walk.nsa

run 0 info "$human"
says 'Forgelight animation network \(MRN\), version 26'
says 'skeletons +Human  22 bones'
says 'Human_Walk +1\.200 s  30 Hz  21 channels'
says 'Human_Nod +0\.800 s  30 Hz  11 channels'
run 0 info --json "$human"
check_json info
run 0 survey "$human" "$walk"
says '2 EXACT|EXACT.*2'
run 0 validate "$human" "$walk"

run 0 convert "$human" -o all.glb
complains '5 clips$'
run 0 convert "$human" --clip 'Walk|Nod' --skeleton human -o two.glb
complains '2 clips$'
run 0 convert "$human" --clip Walk --root-motion off --bones -o bones.glb
complains '1 clip$'
cmp -s two.glb bones.glb && fail "options without effect"
run 0 convert "$human" --clip 'walk|NOD' --skeleton human -o lower.glb
complains '2 clips$'
run 3 convert "$human" --clip Swim -o swim.glb
complains 'error scene\.no-clip: '
run 2 convert "$human" --clip '(' -o broken.glb
complains 'is no regular expression'
run 3 convert "$human" --skeleton Vehicle -o none.glb
complains 'error mrn\.skeleton: no skeleton Vehicle; there is Human'

run 3 convert "$walk" -o walk.glb
complains 'needs|--skeleton FILE'
run 0 convert "$walk" --skeleton "$human" -o first/walk.glb
run 0 convert "$walk" --skeleton "$human:HUMAN" -o second/walk.glb
cmp first/walk.glb second/walk.glb || fail "the same skeleton by name"

# Back: an animation of its own, and in the place of the one with its name.
run 0 convert two.glb --skeleton "$human" -o Walk.nsa
complains '21 channels · 37 samples$'
complains 'largest error [0-9.e-]+ m, [0-9.e-]+ radians'
run 0 convert two.glb --skeleton "$human" -o again.nsa --json
check_json convert
# The clip of a file of its own is known by that file, and finds its place again.
run 0 convert "$walk" --skeleton "$human" -o anything.glb
run 0 convert anything.glb --skeleton "$human" -o other.mrn --json
check_json convert
run 0 info Walk.nsa
says '1\.200 s  30 Hz  21 channels'
run 0 validate Walk.nsa
run 0 convert two.glb --skeleton "$human:Human" --clip Nod -o new.mrn
run 0 validate --only mrn.crc-list,nsa.crc --fail-on warning new.mrn
run 1 diff "$human" new.mrn
grep -Eq '^packets\[1\]' "$work/out" || fail "the animation was not replaced"
grep -Eq '^packets\[[2-6]\]' "$work/out" && fail "another packet was changed"
run 3 convert two.glb -o lost.nsa
complains 'has no skeleton of its own'
run 3 convert two.glb --skeleton "$walk" -o lost.nsa
complains 'not an animation network'

finish
