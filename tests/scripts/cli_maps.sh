#!/usr/bin/env bash
# Maps: what is told of them, conversion to later tiles and back, recognition of original files.
. tests/scripts/cli_common.sh

map=$THAW_SAMPLES/World/Maps/Island/Island.wdt
far=$THAW_SAMPLES/World/Maps/Island/Island.wdl

run 0 survey "$map" "$far"
says '^EXACT .*Island.wdt'
says '^EXACT .*Island.wdl'
run 0 info "$map"
says 'holds +2 tiles, 512 chunks'
says '1 slime chunk'
says 'in game +terrain: columns 31 to 32, row 48'
run 0 info --json "$map"
check_json info
run 0 validate --target strict --fail-on info "$map" "$far"
says 'Island.wdt: passed, 0 findings'

# Into tiles and back.
run 0 convert --to adt-lk -o tiles "$map"
complains 'Island.wdt 31_48 → tiles/Island_31_48.adt'
complains 'Island.wdt → tiles/Island.wdt'
complains 'terrain.sound'
for file in Island.wdt Island_31_48.adt Island_32_48.adt; do
  [[ -s tiles/$file ]] || fail "no tiles/$file"
done
run 0 survey -r tiles
says '^3 files: 3 EXACT'
run 4 convert -q --to adt-lk -o tiles "$map"
run 0 convert -q -f --to wdt -o back/ tiles/Island.wdt
run 0 validate --fail-on warning back/Island.wdt
run 1 diff --limit 100000 "$map" back/Island.wdt
# What differs: rounded heights and radii, the sound that later clients have elsewhere, and what moved by it.
grep -Ev 'heights|radius|emitters|oundEmitter|MCIN|MAIN|liquidOffset' out && fail "more than that differs: $(cat out)"
run 0 convert -q --to wdt -o from_tiles.wdt tiles/Island_31_48.adt tiles/Island_32_48.adt
cmp -s back/Island.wdt from_tiles.wdt || fail "tiles alone give another map"

# Found tiles go to their map, each map by itself and into its folder.
mkdir -p tree/{a,b,c}
cp tiles/* tree/a && cp tiles/*.adt tree/b
for file in tiles/*; do cp "$file" "tree/c/$(basename "${file/Island/Other}")"; done
run 0 convert -q -r tree --to wdt -o joined
[[ $(cd joined && find . -type f | sort | tr '\n' ' ') == './a/Island.wdt ./b/Island.wdt ./c/Other.wdt ' ]] ||
  fail "a map per folder: $(find joined -type f)"
cmp joined/a/Island.wdt back/Island.wdt && cmp joined/b/Island.wdt back/Island.wdt || fail "the maps of a tree"
run 0 convert -q -r tree --to wdt -o joined -f
run 0 convert -r tree --to wdt -o joined --skip-existing --json
check_json convert
(($(grep -c '"status":"exists"' out) == 3)) || fail "what was left alone is told so"
run 5 convert -n -r tree --to wdt -o joined
complains 'joined/a/Island\.wdt exists'
run 0 convert -q -r tree --to wdt -o level --flat
(($(find level -name '*.wdt' | wc -l) == 3)) || fail "--flat numbers maps: $(ls level)"
run 0 convert -q tiles/*.adt tiles/Island.wdt --to wdt -o named/
cmp named/Island.wdt back/Island.wdt || fail "a map and its tiles, all named"
run 2 convert -r tree --to wdt -o parts --shard 1/2
# Folders that differ in case are two, but on Windows; so are those of which one leads up.
if ! on_windows; then
mkdir -p cases/A cases/a && cp tiles/Island.wdt tiles/Island_31_48.adt cases/A && cp tiles/*.adt cases/a
run 0 convert -q -r cases --to wdt -o cases_joined
cmp cases_joined/a/Island-2.wdt back/Island.wdt || fail "the tiles of a are another folder's"
[[ -s cases_joined/A/Island.wdt ]] || fail "two folders became one"
fi
# A tile that a map does not have: named, it becomes part; found, it is told.
run 0 convert -q --to adt-lk -o only/ --tiles 31,48 "$map"
cp tiles/Island_32_48.adt only/
run 0 convert -q only/Island.wdt only/Island_31_48.adt only/Island_32_48.adt --to wdt -o only_named.wdt
cmp only_named.wdt back/Island.wdt || fail "a named tile is left out"
run 0 convert -r only --to wdt -o only_found
complains 'terrain.*Island_32_48\.adt left out: the map has no such tile'
run 5 convert -q -f -r tree/a --to wdt -o tree/a
cmp tree/a/Island.wdt tiles/Island.wdt || fail "an input was written over"
mkdir -p maps/{1,2} && cp "$map" maps/1 && cp "$map" maps/2
run 0 convert -q -r maps --to adt-lk -o split
diff -r split/1 tiles && diff -r split/2 tiles || fail "the tiles of two maps"
rm split/1/Island_31_48.adt split/1/Island.wdt
run 0 convert -q -r maps --to adt-lk -o split --skip-existing
diff -r split/1 tiles || fail "the rest of a map"
run 0 convert -q -r maps --to adt-lk -o split_level --flat
[[ -s split_level/Island-2.wdt && -s split_level/Island-2_31_48.adt ]] || fail "--flat: $(ls split_level)"

# Some tiles only.
run 0 convert --json --to adt-lk -o one --tiles 32,48 "$map"
check_json convert
[[ ! -e one/Island_31_48.adt && -s one/Island_32_48.adt ]] || fail "--tiles takes other tiles"
run 3 convert -q --to adt-lk -o none --tiles 1-2,3-4 "$map"
run 2 convert --to adt-lk -o none --tiles 70,1 "$map"
run 2 convert --to wdt -o - tiles/Island.wdt
run 0 convert -n --to adt-lk -o planned "$map"
[[ ! -e planned ]] || fail "--dry-run writes"
run 3 convert -q --to adt-lk -o none files/good.mdx

# Original files.
printf 'Maps/Island.wdt\t%s\nOther.wdt\t%s\nCopy.wdt\t%s\n' "$(md5sum <"$map" | cut -d' ' -f1)" \
  d41d8cd98f00b204e9800998ecf8427e "$(md5sum <"$map" | cut -d' ' -f1 | tr a-f A-F)" >manifest.tsv
run 0 validate --manifest manifest.tsv "$map" "$far"
says 'Island.wdt: original Copy.wdt and 1 other file'
grep -q 'Island.wdl: original' out && fail "the far terrain is no original"
run 0 validate --json --manifest manifest.tsv "$map"
check_json validate
says '"originals":\["Copy.wdt","Maps/Island.wdt"\]'
run 2 validate --manifest "$map" "$map"

# A picture of fewer pixels than tiles.
run 6 render "$map" -s 1 -o small.png
complains 'world\.too-large: 2 tiles'
[[ ! -e small.png ]] || fail 'a picture without a pixel for each tile'

finish
