#!/usr/bin/env bash
# convert: where outputs go, what is never overwritten, batches, interruption.
. tests/scripts/cli_common.sh

tiny=files/models/tiny.mdx
before=$(find files -type f | sort | xargs md5sum)

# The current directory, never beside the input; one line on stderr, nothing on stdout.
run 0 convert $tiny
silent out
complains '^files/models/tiny\.mdx \([0-9.]+ K?B\) → tiny\.glb \([0-9.]+ K?B\) · 2 clips$'
[[ $(head -c 4 tiny.glb) == glTF ]] || fail "a GLB"
run 0 convert $tiny --clip Stand -o stand.glb
complains '1 clip$'
run 3 convert $tiny --clip Swim -o swim.glb
complains 'error scene\.no-clip: no clip matches; the clips are: '
[[ ! -e swim.glb ]] || fail "a model without what was asked of it"
run 4 convert $tiny
complains '^files/models/tiny\.mdx: error write\.exists: tiny\.glb exists$'
complains 'hint: overwrite it with -f'
cp tiny.glb first.glb
run 0 convert -f $tiny
cmp tiny.glb first.glb || fail "the same input, other bytes"
run 0 convert --skip-existing $tiny
complains 'exists, not overwritten'
run 2 convert --skip-existing -f $tiny
run 0 convert -q -f $tiny
silent err

run 0 convert $tiny -o named.gltf
[[ -s named.gltf ]] && python3 -c '
import json, pathlib
scene = json.load(open("named.gltf"))
for part in scene.get("buffers", []) + scene.get("images", []):
    assert pathlib.Path(part["uri"]).stat().st_size > 0, part
' || fail "a .gltf with its files"
run 0 convert $tiny -o folder/
[[ -s folder/tiny.glb ]] || fail "an output folder"
run 0 convert $tiny -o folder --to gltf
[[ -s folder/tiny.gltf ]] || fail "--to"
run 0 convert files/pictures/picture.tga
complains 'picture\.png .* · 4 × 4$'
[[ $(head -c 4 picture.png | tail -c 3) == PNG ]] || fail "a PNG"
run 4 convert -f picture.png
complains 'picture\.png is the input file'
run 3 convert files/pictures/picture.tga --to glb
complains 'error format\.unsupported'
run 4 convert $tiny -o tiny.glb/deeper/
run 0 convert -n $tiny -o planned.glb
complains 'not written'
[[ ! -e planned.glb ]] || fail "--dry-run wrote"
head -c 300 $tiny >cut.mdx
run 0 convert -n cut.mdx -o planned.glb
run 3 convert -n --strict cut.mdx -o planned.glb
complains 'error read\.'
[[ ! -e planned.glb ]] || fail "--dry-run wrote"
on_windows || run 0 convert $tiny -o /dev/null --to glb
[[ -c /dev/null ]] || fail "a device was replaced"

# stdin and stdout
"$THAW" convert - <$tiny >stdin.glb 2>err || fail "convert from stdin"
[[ $(head -c 4 stdin.glb) == glTF ]] || fail "GLB on stdout"
"$THAW" convert $tiny -o - 2>err | cmp - tiny.glb || fail "stdout and file differ"
run 2 convert $tiny -o - --to gltf
run 2 convert $tiny $tiny -o -
"$THAW" convert - --to gltf <$tiny >stdin.gltf 2>err
(($? == 2)) || fail "a .gltf on stdout without the files beside it"
complains 'cannot be written to stdout'
run 2 convert $tiny -o - --json
"$THAW" convert - --to wmo-v17 <"$THAW_SAMPLES/house.wmo" >stdin.wmo 2>err
(($? == 2)) || fail "a building on stdout without its groups"

# Files beside an output belong to it alone, whatever it is called.
mkdir sides
cp "$THAW_SAMPLES/knight.mdx" 'sides/a b.mdx'
for name in a_b 'a b.c' 步兵 骑士 ä $'\xe4'; do cp "$THAW_SAMPLES/chest.mdx" "sides/$name.mdx"; done
run 0 convert -q -r sides -o beside --to gltf
(($(find beside -name '*.bin' | wc -l) == 7)) || fail "a .bin each: $(ls beside)"
[[ -s 'beside/a b.bin' && -s 'beside/a b.c.bin' && -s beside/步兵.bin ]] || fail "names beside a .gltf: $(ls beside)"
python3 - <<'PYTHON' || fail "a .gltf and the files beside it"
import json, os, urllib.parse
seen = set()
for name in os.listdir(b"beside"):
    if not name.endswith(b".gltf"):
        continue
    scene = json.load(open(b"beside/" + name))
    for part in scene["buffers"] + scene.get("images", []):
        side = urllib.parse.unquote(part["uri"])
        assert part["uri"].isascii() and " " not in part["uri"], part
        assert side not in seen and os.path.getsize("beside/" + side) >= part.get("byteLength", 1), side
        seen.add(side)
PYTHON
run 0 convert 'beside/a b.gltf' -o read.m3

# A file beside the output that is somebody else's stops it before anything is written; one that a run left which was
# cut short has the same bytes and does not.
rm beside/步兵* && echo changed >beside/步兵.bin
run 5 convert -q -r sides -o beside --to gltf --skip-existing
[[ $(cat beside/步兵*) == changed ]] || fail "overwritten without -f, or begun: $(ls beside)"
cp beside/骑士.bin beside/步兵.bin
run 0 convert -q -r sides -o beside --to gltf --skip-existing
[[ -s beside/步兵.gltf ]] || fail "a rest that was not made"

# Names of a list that was meant for -0 are none; a byte order mark is no part of one.
printf '%s\0%s\0' $tiny "$THAW_SAMPLES/chest.mdx" >two.list
run 3 convert --files-from two.list -o listed/
complains 'the list contains a NUL; use -0'
run 0 convert -q --files-from two.list -0 -o listed/
printf '\xEF\xBB\xBF%s\r\n' $tiny >marked.list
run 0 convert -q --files-from marked.list -o marked/
printf '\xFF\xFEa\0' >wide.list
run 3 convert --files-from wide.list -o marked/
complains 'the list is UTF-16'
# Scenes of others are found, too, where they become something; XML is anybody's.
run 0 convert -q "$THAW_SAMPLES/chest.mdx" -o others/chest.glb
echo '<project/>' >others/pom.xml
run 0 convert -q -r others -o others-out --to m3
[[ -s others-out/chest.m3 ]] || fail "a GLB that was passed over"
run 0 convert -n -r others -o planned --to m3
complains 'chest\.glb → planned/chest\.m3 \(not written\)'
[[ ! -e planned ]] || fail "a plan that was carried out"
# What cannot be written stops an output before it is begun.
if ! on_windows; then
ln -s nowhere begun.gltf
run 4 convert $tiny -o begun.gltf
[[ -z $(find . -maxdepth 1 -name 'begun?*' ! -name begun.gltf) ]] || fail "begun in spite of it: $(ls -d begun*)"
mkfifo pipe.mdx
run 3 info pipe.mdx
complains 'is not a regular file|not a regular file'
fi

# A number does not meet a file that is called so, in one folder or several.
mkdir -p numbers/{a,b,c}
cp $tiny numbers/a/foo.mdx && cp $tiny numbers/b/foo.mdx && cp "$THAW_SAMPLES/chest.mdx" numbers/c/foo-2.mdx
run 0 convert -q -r numbers --flat -o numbered
[[ -s numbered/foo.glb && -s numbered/foo-3.glb ]] || fail "three outputs: $(ls numbered)"
run 0 convert -q "$THAW_SAMPLES/chest.mdx" -o chest.glb
[[ $(head -c 3000 numbered/foo-2.glb | md5sum) != $(head -c 3000 numbered/foo.glb | md5sum) ]] || fail "foo-2 is another's"

# No input is written over, also not that of another output.
mkdir own && cp "$THAW_SAMPLES/chest.mdx" own/foo.mdx
run 0 convert -q $tiny -o own/foo.mdl
run 5 convert -f -r own -o own --to mdx
complains 'own/foo\.mdl: error write\.failed: own/foo\.mdx is an input of this run'
cmp own/foo.mdx "$THAW_SAMPLES/chest.mdx" || fail "an input was written over"
# One that is missing stops nothing where OUT is named.
run 5 convert -q "$THAW_SAMPLES/chest.mdx" gone.mdx -o partly/
[[ -s partly/chest.glb ]] || fail "a missing input stops the rest"
# What was found and becomes nothing is no obstacle, so a second run can write its files again.
run 0 convert -q -r sides -o sides --to gltf
run 0 convert -q -f -r sides -o sides --to gltf

# Machines
run 0 convert -f --json $tiny
check_json convert
silent err
run 0 convert --skip-existing --json $tiny
check_json convert
run 4 convert --json $tiny
check_json convert
says '"status":"failed"'

# Another version of the format, and back to the same bytes.
run 0 convert $tiny -o newer.mdx --format-version 1800
complains 'version 800 → 1800 · nothing lost$'
run 0 convert newer.mdx -o back.mdx --format-version 800 --json
check_json convert
says '"version_before":1800,"version_after":800,"losses":0,"max_deviation":null,"verified":"strict"'
cmp back.mdx $tiny || fail "there and back"
run 2 convert $tiny -o never.mdx --format-version 801
complains 'format-version 801: expected one of 800, 900, '
run 2 convert $tiny -o tiny2.glb --format-version 800
run 3 convert files/pictures/picture.tga -o picture.mdx --format-version 800
run 0 convert -r files/models -o classic --format-version 900
[[ -s classic/tiny.mdx && -s classic/sub/Other.mdx && ! -e classic/textures ]] || fail "a tree of versions"

# Smaller models.
run 0 optimize $tiny -o small.mdx
complains ' saved · largest deviation [0-9.e-]+ of the model.s size, 1e-04 allowed$'
complains '^  keys +[0-9]+ removed, '
run 0 optimize small.mdx -o smaller.mdx --json
check_json optimize
cmp small.mdx smaller.mdx || fail "a second run won something"
run 4 optimize $tiny -o small.mdx
run 0 optimize -n $tiny -o planned.mdx
complains 'not written'
[[ ! -e planned.mdx ]] || fail "optimize --dry-run wrote"
run 0 optimize --only keys --json $tiny -o keys.mdx
[[ $(grep -o '"step"' out | wc -l) == 1 ]] || fail "--only"
run 2 optimize --skip everything $tiny
run 0 optimize -r files/models -o smalls --json
check_json optimize

# Batches keep the tree and go on behind failures.
run 5 convert -r files -o out1 -j 1
cp err err.1
[[ -s out1/models/tiny.glb && -s out1/models/sub/Other.glb && -s out1/pictures/deep/picture.png ]] || fail "the tree"
complains '^10 ok, 2 with warnings, 3 failed, 13 skipped '
# Equal names differ by a number, in the order of the inputs.
[[ -s out1/pictures/picture.png && -s out1/pictures/picture-2.png ]] || fail "equal names: $(ls out1/pictures)"
run 5 convert -r files -o out2 -j 2
diff -r out1 out2 || fail "output depends on -j"
sed 's/out2/out1/g' err | cmp - err.1 || fail "messages depend on -j"
run 0 convert -r files/pictures -o flat --flat
(($(find flat -name 'picture*.png' | wc -l) == 3)) || fail "--flat: $(ls flat)"
run 5 convert -r --json -f files -o out2
check_json convert
run 5 convert -r --fail-fast -j 1 files/broken files/models -o stopped
[[ ! -e stopped ]] || fail "--fail-fast went on"
run 0 convert -r --to png files/models -o pictures
[[ ! -e pictures/tiny.glb && -s pictures/textures/SKIN.png ]] || fail "--to png leaves models out"

[[ $(find files -type f | sort | xargs md5sum) == "$before" ]] || fail "inputs were touched"
[[ -z $(find . -name '*.tmp') ]] || fail "temporary files are left"

# Ctrl-C: 130, every output complete, nothing half.
mkdir many
for i in $(seq 1 3000); do cp $tiny many/$i.mdx; done
interrupt '*.glb' convert -r many -o interrupted -j 2
(($(find interrupted -name '*.glb' | wc -l) < 3000)) || fail "the interruption came too late to test anything"
find interrupted -name '*.glb' -exec md5sum {} + | cut -c1-32 | sort -u | wc -l | grep -qx 1 || fail "half a file"
[[ -z $(find interrupted -name '*.tmp') ]] || fail "temporary files are left"
on_windows && finish && exit # wine waits for pipes that have a name, whatever happens
mkfifo pipe
set -m
"$THAW" info - <pipe >out 2>err &
pid=$!
set +m
exec 9>pipe
sleep 0.3
kill -INT $pid
wait $pid
(($? == 130)) || fail "interrupted while it waits for stdin"
exec 9>&-


# The name of an output says what it is, and -- ends the options.
run 2 convert "$THAW_SAMPLES/knight.mdx" --to glb -o y.mdx
complains 'writes \.glb'
run 2 optimize "$THAW_SAMPLES/knight.mdx" -o y.glb
# Of two names of different kinds, one that is not there is the output; what is there is an input.
run 0 convert files/pictures/picture.tga icon.png
[[ -s icon.png ]] || fail "the second of two names is no output"
run 0 convert $tiny named.glb
[[ -s named.glb ]] || fail "the second of two names is no output"
run 2 convert $tiny other.mdx
complains 'other\.mdx does not exist. Name the output with -o.'
run 2 convert files/pictures/picture.tga $tiny third.png
complains 'third\.png does not exist. Name the output with -o.'
run 2 convert --to glb $tiny third.glb
[[ ! -e other.mdx && ! -e third.png && ! -e third.glb ]] || fail "an output that nobody asked for"
run 5 convert -f $tiny $tiny missing.mdx -o several/
[[ -s several/tiny.glb ]] || fail "one of many that is missing stops the others"
cp "$THAW_SAMPLES/knight.mdx" ./-odd.mdx
run 0 convert -o odd.glb -- -odd.mdx
[[ -s odd.glb ]] || fail "no output of a name behind --"
mkdir -p broken && echo junk >broken/bad.mrn && echo junk >broken/bad.nmb
run 5 survey -r broken
says 'bad\.mrn'
says 'bad\.nmb'

# Textures as editors and browsers take them; every word that a format has is one of --to.
texture=$THAW_SAMPLES/Textures/banner.blp
run 0 convert "$texture" -o plain.png
run 0 convert "$texture" -o plain.tga
complains 'nothing lost'
run 0 convert plain.tga -o again.png
cmp plain.png again.png || fail "a TGA is another picture"
run 0 convert "$THAW_SAMPLES/Textures/knight.blp" --to webp
complains 'nothing lost'
[[ $(head -c 4 knight.webp) == RIFF ]] || fail "a WebP"
run 0 convert "$THAW_SAMPLES/Textures/knight.blp" --to jpg --quality 80
complains 'alpha dropped|[0-9]+ × [0-9]+'
[[ $(head -c 3 knight.jpg | od -An -tx1) == ' ff d8 ff' ]] || fail "a JPEG"
run 0 formats --json
python3 - out <<'PYTHON' >words || fail "formats --json"
import json, sys
print("\n".join(sorted({word for one in json.load(open(sys.argv[1]))["formats"] for word in one["converts_to"].split()})))
PYTHON
run 0 help convert
choices=$(tr '\n' ' ' <out | grep -oE 'glb\|gltf\|([a-z0-9|-]|\| +)*' | head -n 1 | tr -d ' ')
while read -r word; do
  [[ "|$choices|" == *"|$word|"* ]] || fail "--to does not know $word: $choices"
done <words

finish
