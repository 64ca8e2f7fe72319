#!/usr/bin/env bash
# Files from their dumps, edits by path, patches and merges, also by Git.
. tests/scripts/cli_common.sh

knight=$THAW_SAMPLES/knight.mdx

# --- build: every file again, whatever it is
while IFS= read -r file; do
  "$THAW" dump -q "$file" >dump.json 2>/dev/null && [[ -s dump.json ]] || continue
  run 0 build dump.json -f -o again
  cmp -s again "$file" || fail "$file: not built again"
done < <(find "$THAW_SAMPLES" -type f)

"$THAW" dump -q "$knight" | "$THAW" build - -q -o - | cmp - "$knight" || fail "build in a pipe"
"$THAW" dump -q --json "$knight" >dump.json 2>/dev/null
run 0 build dump.json -f -o again
cmp -s again "$knight" || fail "build of dump --json"
run 0 build dump.json -f -o again --json
check_json build
run 2 build dump.json
run 2 build dump.json --json -o -

# Two formats may have one ending: models of the alpha are called .mdx, too.
beetle=$THAW_SAMPLES/Creature/Beetle/Beetle.mdx
"$THAW" dump -q "$beetle" >alpha.json
run 0 build alpha.json -o alpha.mdx
cmp -s "$beetle" alpha.mdx || fail "a model of the alpha: another file"
run 4 build alpha.json -o alpha.m3
complains 'the output has the format mdx, but its name is alpha\.m3'

# What another file than the input says wrong is told with that file's name.
run 3 set "$knight" --patch nofile.json -o none.mdx
complains 'knight\.mdx: error input\.unreadable: --patch nofile\.json: no such file'
echo '[{"op": "test", "path": "/SEQS/0/name"' >broken.json
run 3 set "$knight" --patch broken.json -o none.mdx
complains 'knight\.mdx: error json\.malformed: --patch broken\.json:0x[0-9a-f]+: '
run 3 set "$knight" 'like nofile.mdx' -o none.mdx
complains 'knight\.mdx: error input\.unreadable: like nofile\.mdx: no such file'
echo none >short.mdx
run 3 merge "$knight" "$knight" short.mdx -o none.mdx
complains 'knight\.mdx: error [a-z.]+: short\.mdx'

# What cannot be is told with its line, and nothing is written.
"$THAW" dump -q "$knight" >dump.json
sed 's/"version": 800/"version": "x"/' dump.json >wrong.json
run 3 build wrong.json -o none.mdx
complains 'error build\.value: [0-9]+:[0-9]+: .*version'
sed 's/"version": 800/"edition": 800/' dump.json >wrong.json
run 3 build wrong.json -o none.mdx
complains 'error build\.member: [0-9]+:[0-9]+: .*"version"'
head -c 1000 dump.json >wrong.json
run 3 build wrong.json -o none.mdx
complains 'error json\.malformed: '
[[ ! -e none.mdx ]] || fail "something was written"

# A map is built as its text comes, which begins with the layout.
map=$THAW_SAMPLES/World/Maps/Island/Island.wdt
"$THAW" dump -q "$map" | "$THAW" build - -f -o again || fail "a map in a pipe"
cmp -s again "$map" || fail "a map in a pipe: another file"
"$THAW" dump -q "$map" >map.json
head -n 2 map.json | grep -q '"\$layout": {"format": "wdt"' || fail "the layout of a map is not in front"
run 0 build map.json -f -o again --json
check_json build
"$THAW" build map.json -q -o - | cmp - "$map" || fail "a map to stdout"
run 0 build map.json -n -o none.wdt
run 4 build map.json -o again
run 4 build map.json -o none.mdx
complains 'error write\.unsupported: '
head -c 300000 map.json >wrong.json
run 3 build wrong.json -o none.wdt
complains 'error json\.malformed: [0-9]+:[0-9]+: .*\[tiles\[0\]'
sed 's/"flags": [0-9][0-9]*/"flags": 65535/' map.json >wrong.json
run 3 build wrong.json -o none.wdt
complains 'error build\.differs: the built file would read differently'
run 6 build map.json --max-output 1000 -o none.wdt
run 6 build map.json --max-input 1000 -o none.wdt
[[ ! -e none.wdt && ! -e none.mdx ]] || fail "something was written"

# --- set
name=$("$THAW" info --json "$knight" 2>/dev/null | python3 -c 'import json,sys; print(json.load(sys.stdin)["clips"][0]["name"])')
run 0 set "$knight" "SEQS[$name].name=Another" -o named.mdx
run 1 diff "$knight" named.mdx
says "^SEQS\[0\]\.name: "
[[ $(wc -l <out) == 1 ]] || fail "more than the name changed"
run 0 set named.mdx "SEQS[0].name=$name" -f -o named.mdx
cmp -s named.mdx "$knight" || fail "set and set back"
run 0 set "$knight" 'copy SEQS[0] SEQS[+]' 'SEQS[0].rarity*=2' 'SEQS[0].rarity+=0.5' -o more.mdx
run 0 info --json more.mdx
run 3 set "$knight" 'SEQS[0].flags=-1' -o none.mdx
complains 'error build\.value: .*flags'
run 3 set "$knight" 'SEQS[99].name=a' -o none.mdx
complains 'error edit\.path: .*SEQS\[99\]'
run 2 set "$knight" -o none.mdx
run 0 set --paths "$knight"
says '^SEQS\[\*\]\.name  text 80  at most 80 bytes  = '
run 0 set --paths --json "$knight"
check_json set
run 2 set --paths "$knight" -o none.mdx
[[ ! -e none.mdx ]] || fail "something was written"

# --- what a text has that nobody knows is told, for it is not in what is written
run 0 convert "$knight" -o text.mdl
echo 'FancyBlock { Blub 3, }' >>text.mdl
run 1 set text.mdl MODL.name=Other -o set.mdl
complains 'mdl\.unknown'
run 1 merge text.mdl text.mdl text.mdl -o merged.mdl
complains 'mdl\.unknown'
# Of models in several formats, the output has the one that its name states.
run 1 merge "$knight" "$knight" text.mdl -o of_text.mdx
[[ $(head -c 4 of_text.mdx) == MDLX ]] || fail "merge writes a text under the name of_text.mdx"
run 1 dump text.mdl
cp out text.json
run 1 build text.json -o built.mdl
complains 'mdl\.unknown.*FancyBlock'
run 1 validate --fix text.mdl -o fixed.mdl
says '^fixed\.mdl: warning mdl\.unknown: .*FancyBlock'
says '^fixed\.mdl:0x'

# --- the name of an output says what is written, or nothing
run 4 set "$knight" MODL.name=Other -o none.blp
complains 'error write\.unsupported: the output has the format mdx, but its name is none\.blp'
run 4 build dump.json -o none.m3
run 4 merge "$knight" "$knight" "$knight" -o none.mrf
run 0 set "$knight" MODL.name=Other -o other.mdl
grep -q 'Model "Other"' other.mdl || fail "set: no text under the name of one"
run 0 set "$knight" MODL.name=Other -o other.new
[[ ! -e none.blp && ! -e none.m3 && ! -e none.mrf ]] || fail "something was written"

# --- findings are of the file that is named: what was never written has no offsets
run 3 set "$knight" VERS.version=1300 -o none.mdx
complains 'convert --format-version'
! grep -q 0x "$work/err" || fail "offsets of a file that is not there"

# --- longer and shorter: offsets follow, and back again it is the same file
banner=$THAW_SAMPLES/banner.mrf
run 0 set "$banner" 'texturePath.texts[0]=Textures/ABannerWithALongerName.blp' -o longer.mrf
run 0 validate longer.mrf
run 0 set longer.mrf 'texturePath.texts[0]=Textures\banner.blp' -f -o again.mrf
cmp -s again.mrf "$banner" || fail "longer, shorter: another file"

# --- an item into a list that has none, as another file has them
run 0 set "$THAW_SAMPLES/everything_v800.mdx" 'remove EVTS[*]' -o empty.mdx
item=$("$THAW" dump -q "$THAW_SAMPLES/everything_v800.mdx" | python3 -c '
import json, sys
print(json.dumps(next(chunk for chunk in json.load(sys.stdin)["chunks"] if chunk["tag"] == "EVTS")["items"][0]))')
run 3 set empty.mdx "add EVTS[+] $item" -o none.mdx
complains 'error build\.member: '
run 0 set empty.mdx "like $THAW_SAMPLES/everything_v800.mdx" "add EVTS[+] $item" -o full.mdx
run 3 set empty.mdx "like $banner" -o none.mdx
complains 'error format\.unsupported: '

# --- conflicts are what merge is asked for, also with -q
run 0 set "$knight" 'SEQS[0].name=Ours' -f -o ours.mdx
run 0 set "$knight" 'SEQS[0].name=Theirs' -f -o theirs.mdx
run 1 merge "$knight" ours.mdx theirs.mdx -q -o merged.mdx
complains 'merge\.conflict.*SEQS\[0\]\.name'
run 1 merge "$knight" ours.mdx theirs.mdx -f -o merged.mdx
complains '· 1 conflict$'
run 1 merge "$knight" ours.mdx theirs.mdx -f -o merged.mdx --json
says '"format":"mdx"'
check_json merge
# Each side is whole by itself, and both together are not.
last=$("$THAW" dump -q "$knight" | python3 -c '
import json, sys
print(len(next(chunk for chunk in json.load(sys.stdin)["chunks"] if chunk["tag"] == "MTLS")["items"]) - 1)')
run 0 set "$knight" "copy MTLS[0] MTLS[+]" -f -o base.mdx
run 0 set base.mdx "GEOS[0].materialId=$((last + 1))" -f -o ours.mdx
run 0 set base.mdx "remove MTLS[$((last + 1))]" -f -o theirs.mdx
run 1 merge base.mdx ours.mdx theirs.mdx -f -o merged.mdx
complains 'merge\.conflict: the changes of both sides are incompatible: .*GEOS\[0\]'

# --- diff --patch, set --patch: the other file, to the last bit
patched() {
  run 1 diff "$1" "$2" --patch
  cp "$work/out" patch.json
  run 0 set "$1" --patch patch.json -f -o patched
  cmp -s patched "$2" || fail "the patch from $1 to $2"
}
patched "$knight" more.mdx
patched more.mdx "$knight"
patched "$knight" "$THAW_SAMPLES/everything_v800.mdx"
patched "$THAW_SAMPLES/waystone_v2.m3" "$THAW_SAMPLES/waystone_v3.m3"
echo '[{"op": "remove", "path": "/nothing"}]' >patch.json
run 3 set "$knight" --patch patch.json -o none.mdx
complains 'error edit\.patch: --patch patch\.json: operation 0: '

# --- merge, in a repository
if ! command -v git >/dev/null; then
  ((!failures)) || finish
  echo "skipped: git is not here"
  exit 77
fi
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git init -q repository && cd repository || exit 1
git config merge.thaw.driver "'$THAW' merge %O %A %B -f -o %A"
git config diff.thaw.textconv "'$THAW' dump -q"
echo '*.mdx diff=thaw merge=thaw' >.gitattributes
cp "$knight" knight.mdx
git add . && git commit -qm base
base=$(git symbolic-ref --short HEAD)
change() {
  git checkout -q -b "$1" "$base"
  shift
  "$THAW" set knight.mdx "$@" -q -f -o knight.mdx || fail "set $*"
  git commit -qam change
}
change name 'SEQS[0].name=Ours'
git show | grep -q '"name": "Ours"' || fail "textconv shows no name"
change material 'MTLS[0].priorityPlane=7'
change vertex 'GEOS[0].positions[1]=[1, 2, 3]'
change other 'GEOS[0].positions[1]=[1, 2, 4]'
git checkout -q -b all "$base"
git merge -q name -m m >/dev/null 2>&1 || fail "merge of a name"
git merge -q material -m m >/dev/null 2>&1 || fail "merge of a material"
git merge -q vertex -m m >/dev/null 2>&1 || fail "merge of a vertex"
run 0 set "$knight" 'SEQS[0].name=Ours' 'MTLS[0].priorityPlane=7' 'GEOS[0].positions[1]=[1, 2, 3]' -o ../wanted.mdx
cmp -s knight.mdx ../wanted.mdx || fail "the merged model is another"
git merge other -m m >../told 2>&1 && fail "a conflict was merged"
grep -q 'merge.conflict.*GEOS\[0\]\.positions\[1\]' ../told || fail "the conflict has no path: $(cat ../told)"
[[ $(git ls-files -u | wc -l) != 0 ]] || fail "the file is not unmerged"
cd ..

finish
