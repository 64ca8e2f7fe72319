#!/usr/bin/env bash
# info, dump, tree, diff and survey: their output for people and for machines.
. tests/scripts/cli_common.sh

tiny=files/models/tiny.mdx

run 0 info $tiny
says '^files/models/tiny\.mdx: Warcraft III model \(MDX\), version 800, '
says 'name +Tiny$'
says '1 geoset, 3 vertices, 1 triangle, 1 material, 1 bone$'
says 'clips +Stand +1\.000 s  loops$'
says 'Textures\\Skin\.tga +found: .*/files/models/textures/SKIN\.TGA$'
silent err
run 0 info --no-default-sources $tiny
says 'Skin\.tga +not found'
run 0 info --no-default-sources --source files/models $tiny
says 'Skin\.tga +found: files/models/textures/SKIN\.TGA'
run 0 info files/pictures/picture.tga
says '4 × 4, bgr, 1 level'
run 0 info --json $tiny
check_json info
says '"format":"mdx","dialect":"wc3","format_version":800'
run 5 info -r --json files
check_json info
tail -1 out | grep -q '"schema":"thaw.info.summary/2"' || fail "a batch ends with a summary"
grep -q '"m2":2' out || fail "skipped formats are counted"

# A word that nobody knows is told of by default, with its line and what was meant, and is no success.
printf 'Version { FormatVersion 800 }\nModel "a" { }\nBone "b" {\n\tObjectIt 0,\n}\n' >slip.mdl
told='mdl\.unknown: line 4, column 2: "ObjectIt" is unknown here and was skipped; did you mean ObjectId\?'
run 1 info slip.mdl
says "$told"
run 1 convert slip.mdl -o slip.mdx
complains "$told"
[[ -s slip.mdx ]] || fail "the rest was not converted"
run 1 validate --only mdl.unknown slip.mdl
says "$told"
run 0 validate --fail-on severe --only mdl.unknown slip.mdl
run 0 validate --only mdl.unknown --ignore mdl.unknown slip.mdl

# stdin
"$THAW" info - <$tiny >out 2>err || fail "info from stdin"
says '^-: Warcraft III model'
printf '%s\n' $tiny files/models/sub/Other.MDX >list
run 0 info --files-from list
says 'Other'
"$THAW" info --files-from - <list >out 2>err || fail "list from stdin"
(($(grep -c 'Warcraft III model' out) == 2)) || fail "two files from a list"
tr '\n' '\0' <list >list0
run 0 info --files-from list0 -0
(($(grep -c 'Warcraft III model' out) == 2)) || fail "two files from a list with NUL"

run 0 dump $tiny
python3 -c '
import json, sys
document = json.load(open(sys.argv[1]))
chunks = {chunk["tag"]: chunk for chunk in document["chunks"]}
assert chunks["SEQS"]["items"][0]["name"] == "Stand"
assert chunks["GEOS"]["items"][0]["positions"][2] == [0, 40, 100]
assert chunks["BONE"]["items"][0]["node"]["tracks"][0]["keys"] == [[0, 0, 0, 0], [500, 0, 0, 20], [1000, 0, 0, 0]]
' "$work/out" || fail "dump holds the fields"
run 0 dump --json $tiny
check_json dump
run 3 dump --json files/foreign/m2.mdx
check_json dump
run 3 dump files/foreign/m2.mdx
silent out

run 0 tree $tiny
says '^0x00000004 +12  VERS$'
says '^0x[0-9a-f]{8} +272  SEQS ×2$'
says '    positions ×3$'
run 0 tree --depth 1 $tiny
if grep -q positions out; then fail "--depth limits the tree"; fi
run 0 tree --json $tiny
check_json tree
run 0 tree files/broken/truncated.mdx
says 'not understood'

run 0 diff $tiny $tiny
silent out
run 1 diff $tiny files/models/sub/Other.MDX
says '^MODL\.name: "Tiny" → "Other"$'
says '^SEQS\[1\]: 132 bytes → \(absent\)$'
run 1 diff --json $tiny files/models/sub/Other.MDX
check_json diff
says '"equal":false'
run 1 diff --limit 1 $tiny files/models/sub/Other.MDX
(($(wc -l <out) == 1)) || fail "--limit"
complains 'More differences'
run 1 diff --limit 1 --json $tiny files/models/sub/Other.MDX
check_json diff
says '"more":true'
for limit in 3 18446744073709551615; do
  run 1 diff --limit $limit --json $tiny files/models/sub/Other.MDX
  says '"more":false'
  (($(grep -o '"path"' out | wc -l) == 3)) || fail "--limit $limit: $(cat out)"
done
run 1 diff $tiny files/pictures/picture.tga
run 3 diff $tiny nowhere.mdx
run 3 diff --json $tiny nowhere.mdx
check_json diff

run 0 survey -r files/models
says '^EXACT +100\.00 %  mdx wc3 800  files/models/tiny\.mdx$'
says '^3 files: 3 EXACT, 0 DIFFERS, 0 FAILED; 100\.00 % of their bytes understood$'
run 0 survey -r --json files/models
check_json survey
(($(wc -l <out) == 4)) || fail "one line per file and a summary"
run 5 survey -r files
says '^FAILED   .*files/broken/garbage\.mdx$'
complains 'files/broken/garbage\.mdx:0x00000000: error format\.unknown'
run 3 survey files/foreign/m2.mdx
run 0 survey -r --include '*.MDX' --exclude 'sub/*' files/models
(($(grep -c '^EXACT' out) == 1)) || fail "globs: $(cat out)"
run 0 survey -r --include '**/other.*' files/models
says '^1 file: 1 EXACT'

# The same bytes in the same order for every -j.
for jobs in 1 2 7; do
  "$THAW" survey -r --json -j $jobs files >survey.$jobs 2>errors.$jobs
done
cmp survey.1 survey.2 && cmp survey.1 survey.7 && cmp errors.1 errors.7 || fail "output depends on -j"

finish
