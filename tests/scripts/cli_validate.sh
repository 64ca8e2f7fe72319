#!/usr/bin/env bash
# validate: its forms of output, exit codes, and mending.
. tests/scripts/cli_common.sh

tiny=files/models/tiny.mdx

run 0 help rules
cp out listed
run 0 validate --list-rules
cmp out listed || fail "help rules and --list-rules differ"
run 0 help rules mdx.track-opening
says '^mdx\.track-opening: '
run 2 help rules mdx.nothing
complains 'unknown code mdx\.nothing'
run 0 help rules --json
check_json validate
run 0 validate --list-rules --json
check_json validate
run 0 validate --explain mdx.track-opening
says '^mdx\.track-opening: '
run 2 validate --explain mdx.nothing
run 2 validate --only mdx.nothing $tiny
complains 'unknown code mdx\.nothing'
run 2 validate
run 2 validate --fix $tiny

extents=mdx.geoset-sequence-extents
run 0 validate $tiny
says "^$tiny:0x[0-9a-f]{8}: warning $extents: .* \\[GEOS\\[0\\]\\.sequenceExtents\\]$"
run 1 validate --fail-on warning $tiny
run 0 validate --fail-on severe --only $extents $tiny
run 0 validate --ignore $extents --only $extents --fail-on info $tiny
run 0 validate --target game --only $extents --fail-on warning $tiny
run 1 validate --fail-on warning --json $tiny
check_json validate
run 5 validate -r --json files
check_json validate
run 3 validate files/foreign/m2.mdx

"$THAW" validate -r --format sarif files/models >out 2>err
python3 -c '
import json
log = json.load(open("out"))
assert log["version"] == "2.1.0" and len(log["runs"]) == 1
run = log["runs"][0]
rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
assert run["tool"]["driver"]["name"] == "thaw" and run["results"]
for result in run["results"]:
    assert result["ruleId"] in rules and result["level"] in ("note", "warning", "error")
    assert result["message"]["text"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith("files/models/")
' || fail "SARIF"
"$THAW" validate -r --format junit files >out 2>err
python3 -c '
import xml.etree.ElementTree as tree
suites = tree.parse("out").getroot().findall("testsuite")
assert len(suites) > 2
for suite in suites:
    assert int(suite.get("tests")) == len(suite.findall("testcase")) == 1
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert int(suite.get("errors")) == len(suite.findall("testcase/error"))
assert any(suite.get("errors") == "1" for suite in suites)
' || fail "JUnit"

# Mending: into another file, then in place; what is mended is gone and nothing else has changed.
run 0 validate --fix -o mended.mdx --fail-on error --only mdx.pivot-count,mdx.extent-negative,mdx.model-extent-zero $tiny
cp $tiny own.mdx
"$THAW" validate --fix -f --ignore mdx.attachment-no-origin own.mdx >out 2>err
run 0 validate --only mdx.pivot-count,mdx.model-extent-zero,mdx.geoset-extent-zero --fail-on info own.mdx
[[ $("$THAW" diff $tiny own.mdx | grep -cv 'pivotPoints\|xtent\|boundsRadius') == 0 ]] ||
  fail "more than that has changed: $("$THAW" diff $tiny own.mdx)"
cmp -s $tiny own.mdx && fail "nothing was mended"
run 4 validate --fix -o own.mdx $tiny

for jobs in 1 3; do
  "$THAW" validate -r --json -j $jobs files >validate.$jobs 2>/dev/null
done
cmp validate.1 validate.3 || fail "output depends on -j"


# --fix changes no archive, keeps a text a text, and loses none of two equal names.
cp "$THAW_SAMPLES/knight.mdx" k.mdx
python3 "$scripts/mpq_make.py" map.w3x 'units\knight.mdx=@k.mdx' || exit 1
cp map.w3x before.w3x
run 4 validate --fix -f map.w3x//units/knight.mdx
complains 'the file is in an archive'
run 5 validate --fix -f -r map.w3x
cmp -s map.w3x before.w3x || fail "an archive was overwritten"
run 0 convert k.mdx -o k.mdl
run 0 validate --fix -f k.mdl --fail-on error
head -c 4 k.mdl | grep -q MDLX && fail "a text became binary"
run 0 validate --fix k.mdx -o fixed.mdl --fail-on error
head -c 4 fixed.mdl | grep -q MDLX && fail "fixed.mdl is binary"
mkdir -p A B
cp k.mdx A/x.mdx && cp k.mdx B/x.mdx
run 0 validate --fix A/x.mdx B/x.mdx -o both/ --fail-on error
[[ -s both/x.mdx && -s both/x-2.mdx ]] || fail "one of two equal names is lost: $(ls both)"
for part in 1 2 3 4 5; do
  run 0 validate --fix -q A/x.mdx B/x.mdx -o parted/ --fail-on error --shard $part/5
done
diff -r both parted || fail "parts have other names than the whole"
run 0 validate --fix "$THAW_SAMPLES/Textures/knight.blp" -o texture.blp
complains 'not fixed: --fix supports Warcraft III models only'
cmp texture.blp "$THAW_SAMPLES/Textures/knight.blp" || fail "what is not mended is not copied"
run 4 validate --fix "$THAW_SAMPLES/knight.mdx" -o mended.glb
complains '--fix writes \.mdx or \.mdl only'
[[ ! -e mended.glb ]] || fail "a model under the name of a scene"
run 0 validate --explain mdx.layer-texture --json
check_json validate
says '"code":"mdx.layer-texture"'
run 0 validate --explain read.truncated --json
check_json validate
run 4 validate --fix "$THAW_SAMPLES/Textures/knight.blp" -o picture.mdx
complains 'the output.s name requires a Warcraft III model'

# What needs no mending is not written anew, and what is keeps its mode and the links to it.
run 0 validate --fix k.mdx -o sound.mdx --fail-on error
run 0 convert sound.mdx -o noted.mdl
sed -i '1i // by hand' noted.mdl
cp noted.mdl before.mdl
touch -d '2001-01-01' noted.mdl
run 0 validate --fix -f noted.mdl --fail-on error
cmp before.mdl noted.mdl || fail "a text without faults was written anew"
[[ $(date -r noted.mdl +%Y) == 2001 ]] || fail "a file without faults was touched"
run 0 validate --fix noted.mdl -o copied.mdl --fail-on error
cmp before.mdl copied.mdl || fail "a text without faults is not copied as it is"
mkdir real
cp $tiny real/own.mdx
chmod 640 real/own.mdx
if ! on_windows; then
ln -s real/own.mdx link.mdx
run 0 validate --fix -f link.mdx
[[ -L link.mdx ]] || fail "a link became a file"
cmp -s $tiny real/own.mdx && fail "the file behind the link is not mended"
[[ $(stat -c %a real/own.mdx) == 640 ]] || fail "the mode is another: $(stat -c %a real/own.mdx)"
fi
cp $tiny misnamed.mdl
run 0 validate --fix -f misnamed.mdl
head -c 4 misnamed.mdl | grep -q MDLX || fail "a model under the name of a text became one"

# Outputs as everywhere: folders are made, errors name the output, stdout is for findings.
run 0 validate --fix k.mdx -o new/folder/k.mdx --fail-on error
[[ -s new/folder/k.mdx ]] || fail "no folder was made"
run 2 validate --fix k.mdx -o -
complains 'stdout is used for the findings'
[[ ! -e ./- ]] || fail "a file called -"
touch plain
run 4 validate --fix k.mdx -o plain/k.mdx
complains 'write\.failed: plain'

# Another input is not written over before it is read.
mkdir -p fix/A fix/B && cp "$THAW_SAMPLES/knight.mdx" fix/A/x.mdx && cp "$THAW_SAMPLES/chest.mdx" fix/B/x.mdx
run 5 validate --fix -f fix/A/x.mdx fix/B/x.mdx -o fix/B/ --fail-on error
complains 'fix/B/x\.mdx is an input of this run'
cmp fix/B/x.mdx "$THAW_SAMPLES/chest.mdx" || fail "an input was written over"
finish
