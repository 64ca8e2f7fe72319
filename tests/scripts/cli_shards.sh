#!/usr/bin/env bash
# Batches in parts: every file in one of them, the same outputs as of one run, and surveys that merge into one.
source tests/scripts/cli_common.sh
: "${THAW_SAMPLES:?the samples}"

tree=$work/tree
cp -r "$THAW_SAMPLES" "$tree"
printf 'broken' >"$tree/broken.mdx"

# same ARGUMENTS…: the parts write what the whole does
same() {
  local arguments=("$@") part
  "$THAW" "${arguments[@]}" -q -o one >/dev/null 2>&1
  for part in $(seq 5); do
    "$THAW" "${arguments[@]}" -q -o many --shard "$part/5" >/dev/null 2>&1
  done
  [[ -n $(ls one) ]] || fail "${arguments[*]}: no output"
  diff -r one many || fail "${arguments[*]}: parts give other outputs than the whole"
  rm -rf one many
}
# Names that are given to equal names, and one that has such a name already.
mkdir -p names/A names/B names/C
cp "$THAW_SAMPLES/knight.mdx" names/A/x.mdx
cp "$THAW_SAMPLES/chest.mdx" names/B/x.mdx
cp "$THAW_SAMPLES/everything_v800.mdx" names/C/x-2.mdx
for command in 'validate --fix' 'thumb -s 32 --no-sheet' 'convert --to mdl' optimize; do
  # shellcheck disable=SC2086
  same $command names/A/x.mdx names/B/x.mdx names/C/x-2.mdx
done

status=0
"$THAW" convert -q -r "$tree" -o whole 2>/dev/null || status=$?
((status == 5)) || fail "convert: exit $status"
parts=4
# As many machines would, each its own part, into one folder.
for part in $(seq $parts); do
  echo "$THAW" convert -q -r "$tree" -o parted --shard "$part/$parts"
done | xargs -P 2 -I{} sh -c '{} 2>/dev/null; test $? -le 5' || fail "a part fails"
diff -r whole parted || fail "parts give other outputs than the whole"

"$THAW" survey --json -r "$tree" >whole.ndjson 2>/dev/null
sum=0
for part in $(seq $parts); do
  "$THAW" survey --json -r "$tree" --shard "$part/$parts" >"part$part.ndjson" 2>/dev/null
  sum=$((sum + $(grep -c '"thaw.survey/2"' "part$part.ndjson")))
done
((sum == $(grep -c '"thaw.survey/2"' whole.ndjson))) || fail "the parts have $sum files"
run 5 survey --merge --json part4.ndjson part2.ndjson part1.ndjson part3.ndjson
cmp out whole.ndjson || fail "the merged survey is another one"
check_json survey
"$THAW" survey -r "$tree" >whole.txt 2>/dev/null
run 5 survey --merge part*.ndjson
cmp out whole.txt || fail "the merged survey reads otherwise"

# The same of one list that every machine has: each file in one part, under the name that one run gives its output.
# Equal names are in it, and numbers that come of them.
find "$tree" names -type f | LC_ALL=C sort >list
run 5 convert -q --files-from list -o listed
mkdir together
for part in $(seq $parts); do
  "$THAW" convert -q --files-from list -o "listed$part" --shard "$part/$parts" 2>/dev/null || (($? == 5)) ||
    fail "part $part of a list fails"
  [[ -n $(ls "listed$part") ]] || fail "part $part of a list has no output"
  cp -r "listed$part/." together
done
diff -r listed together || fail "parts of a list give other outputs than the list"
(($(find listed[1-4] -type f | wc -l) == $(find listed -type f | wc -l))) || fail "parts of a list share outputs, or lose some"

# What a part takes of a list depends on the names of the files only: not on their order, on what else is listed, on
# how the list is told, or on the way by which files are reached.
# taken PART OPTIONS…: the files of a part, without their folders
taken() {
  "$THAW" survey --json "${@:2}" --shard "$1/$parts" 2>/dev/null |
    sed -n 's|.*"input":"\([^"]*/\)\?\([^"/]*\)".*|\2|p' | LC_ALL=C sort
}
tac list >backwards
tr '\n' '\0' <list >ended
grep -v knight.mdx list >fewer
echo "$THAW_SAMPLES/no such file.mdx" >>fewer
sed "s|^$work/||" list >relative
for part in $(seq $parts); do
  taken "$part" --files-from list >of_list
  cat of_list >>of_all
  diff of_list <(taken "$part" --files-from backwards) || fail "the order of a list moves parts"
  diff of_list <(taken "$part" --files-from ended -0) || fail "names that end with NUL are in other parts"
  diff of_list <(taken "$part" --files-from - <list) || fail "a list on stdin has other parts"
  diff of_list <(taken "$part" --files-from relative) || fail "other ways to the same files move parts"
  diff <(grep -v knight.mdx of_list) <(taken "$part" --files-from fewer | grep -v 'no such file') ||
    fail "other names in a list move parts"
done
diff <(LC_ALL=C sort of_all) <(sed 's|.*/||' list | LC_ALL=C sort) || fail "parts of a list leave a file out, or share one"

# A part does not depend on how the folder is named, or on what else is in it.
"$THAW" survey --json -r "$tree" --shard 2/4 2>/dev/null | grep -o '"input":"[^"]*"' | sed "s|$tree/||" >named
(cd "$tree" && rm -f knight.mdx && "$THAW" survey --json -r . --shard 2/4 2>/dev/null) | grep -o '"input":"[^"]*"' | sed 's|"\./|"|' >inside
diff <(grep -v knight.mdx named) inside || fail "parts move"

run 3 survey --merge part1.ndjson part2.ndjson
complains "only 2 of $parts parts are present"
# Parts of two folders are no whole, two wholes are.
mkdir left right
cp "$THAW_SAMPLES/knight.mdx" left
cp "$THAW_SAMPLES/chest.mdx" right
for folder in left right; do
  for part in 1 2; do
    "$THAW" survey --json -r $folder --shard $part/2 >$folder$part.ndjson 2>/dev/null
  done
done
run 3 survey --merge left1.ndjson right2.ndjson
complains 'only 1 of 2 parts are present; the others belong to another batch'
run 0 survey --merge left1.ndjson right2.ndjson right1.ndjson left2.ndjson
says '^2 files: 2 EXACT'
run 3 survey --merge part*.ndjson part1.ndjson
complains 'two parts contain'
head -n 2 part1.ndjson >cut.ndjson
run 3 survey --merge cut.ndjson
complains 'ends before its summary'
run 3 survey --merge list
run 3 survey --merge missing.ndjson
for wrong in 0/4 5/4 x 1/ /2 1/2/3 -1/2; do
  run 2 survey -r "$tree" --shard="$wrong"
done
run 2 convert -r "$tree" -o flat --flat --shard 1/2
finish
