#!/usr/bin/env bash
# Buildings: GLB with doodads, versions 14 and 17, one-file archives under the names of their files.
. tests/scripts/cli_common.sh

samples=${THAW_SAMPLES:?}
house=$samples/house.wmo

run 0 info $house
says 'World of Warcraft building \(WMO\), version 14'
says '2 groups, .* 10 batches'
run 0 survey $house
run 0 validate $house

# GLB: doodads by set.
run 0 convert $house -o house.glb
run 0 convert $house -o guarded.glb --doodad-set set_guard
run 0 convert $house -o bare.glb --doodad-set none
run 0 convert $house -o full.glb --doodad-set all --collision --portals
for pair in bare:house house:guarded guarded:full; do
  (($(stat -c %s ${pair%:*}.glb) < $(stat -c %s ${pair#*:}.glb))) || fail "sizes of $pair"
done
run 3 convert $house -o wrong.glb --doodad-set nobody
complains 'wmo\.doodad-set: no doodad set nobody; the sets are: 0 Set_\$DefaultGlobal, 1 Set_Guard'
mkdir alone && cp $house alone/
run 0 convert alone/house.wmo -o alone.glb --no-default-sources -v
complains 'wmo\.doodad: doodad model chest\.mdx'

# Version 17 and back: the same file.
run 0 convert $house --to wmo-v17 -o later-json/ --json
check_json convert
for command in info survey validate; do
  run 0 $command later-json/house.wmo --json
  check_json $command
done
run 0 convert $house --to wmo-v17 -o later/
complains 'and 2 files · version 17 · 2 groups'
for part in house house_000 house_001; do
  [[ -s later/$part.wmo ]] || fail "later/$part.wmo"
done
run 0 survey -r later
run 0 convert later/house.wmo --to wmo-v14 -o back/
cmp back/house.wmo $house || fail "14 → 17 → 14 differs"
run 0 convert later/house.wmo -o later.glb
run 3 convert $house --to wmo-v14 -o again/
complains 'already has version 14'
rm later/house_001.wmo
run 4 convert later/house.wmo --to wmo-v14 -o broken/
complains 'wmo\.group-file: house_001\.wmo'
run 2 convert $house --to wmo-v17 -o -

# Back from glTF: by itself, in pieces, and over the original.
run 0 convert full.glb -o again.wmo
run 0 validate again.wmo
says 'passed, 0 findings'
run 0 info again.wmo
says '2 groups, .* 10 batches, 7 materials, 1 portal, 2 lights, 3 doodads, 2 doodad sets, 1 fog, 1 liquid'
run 0 convert full.glb --format-version 17 -o pieces.wmo
[[ -s pieces_000.wmo && -s pieces_001.wmo ]] || fail "pieces of version 17"
run 0 validate pieces.wmo
run 4 convert full.glb --to wmo --format-version 17 -o -
complains 'several files'
for glb in full house bare; do
  run 0 convert $glb.glb --onto $house -o same.wmo -f
  cmp same.wmo $house || fail "onto its original, $glb.glb gives another building"
done
run 0 convert house.glb -o without.wmo
complains '--doodad-set all.*: 2'
complains 'convert the original WMO again with --collision'
run 4 convert full.glb --onto later/house.wmo -o no.wmo
complains 'with all of its groups'
# The same in version 17: the sources of the GLB are root and groups.
run 0 convert $house --to wmo-v17 -o whole/
run 0 convert whole/house.wmo -o whole.glb --doodad-set all --collision --portals
run 0 convert whole.glb --onto whole/house.wmo -o onto17/house.wmo
for part in house house_000 house_001; do
  cmp onto17/$part.wmo whole/$part.wmo || fail "onto its original, $part.wmo is another"
done
run 4 convert whole.glb --onto whole/house.wmo --format-version 14 -o no.wmo
complains 'keeps the original.s version'

# X.wmo.MPQ is X.wmo, wherever a file is named or found.
archive=${THAW_CORPUS:-$root/../shared/corpus}/alpha/_derived/trolltent14.wmo.MPQ
if [[ -f $archive ]]; then
  mkdir tents && cp "$archive" tents/Tent.wmo.MPQ
  plain=${archive%.MPQ}
  run 0 info tents/Tent.wmo.MPQ
  says 'World of Warcraft building'
  "$THAW" dump tents/Tent.wmo.MPQ | cmp - <("$THAW" dump "$plain") || fail "dump of the archive"
  run 0 diff tents/Tent.wmo.MPQ "$plain"
  run 0 convert tents/Tent.wmo.MPQ -o tents/ -q
  [[ -s tents/Tent.glb ]] || fail "Tent.glb"
  run 0 convert "$plain" -o Tent.glb -q
  cmp Tent.glb tents/Tent.glb || fail "GLB of the archive"
  run 0 survey -r tents
  says 'wmo'
  run 0 validate tents/Tent.wmo.MPQ
  run 0 ls tents/Tent.wmo.MPQ
  mv tents/Tent.wmo.MPQ tents/Tent.MPQ
  run 0 info tents/Tent.MPQ
fi
cp $house plain.wmo.MPQ
run 0 info plain.wmo.MPQ
says 'World of Warcraft building'

# Groups of one building and another building of that name: which fails is the same in every run.
mkdir meeting && cp "$THAW_SAMPLES/house.wmo" meeting/house.wmo && cp "$THAW_SAMPLES/house.wmo" meeting/house_000.wmo
for jobs in 1 2 2 2; do
  run 5 convert -q -r meeting -o "met" -f --to wmo-v17 -j $jobs
  complains '^meeting/house\.wmo: error write\.failed: met/house_000\.wmo is another output of this run'
  (($(grep -c error err) == 1)) || fail "the other building: $(cat err)"
done
# Also where only disks that ignore case have one file of both.
mv meeting/house_000.wmo meeting/House_000.wmo
run 5 convert -q -r meeting -o met -f --to wmo-v17
complains 'met/house_000\.wmo is another output of this run'
# Back onto its original unedited: nothing is lost, whatever a scene cannot say.
run 0 convert $house -o untouched.glb -q
run 0 convert untouched.glb --onto $house --strict -o untouched.wmo
cmp untouched.wmo $house || fail "onto the original"
if grep -q 'scene.lost' err; then fail "a loss that is none: $(cat err)"; fi
finish
