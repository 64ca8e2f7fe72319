#!/usr/bin/env bash
# What a machine reads out of the answers: files that end too early, names that look like lines of a log, and what a
# file does not have.
. tests/scripts/cli_common.sh
samples=$THAW_SAMPLES

# Cut in the middle, no file passes as a whole one, whatever is asked of it.
cut() { head -c "$(($(stat -c %s "$1") / 2))" "$1" >"cut/$2"; }
mkdir cut
cut "$samples/knight.mdx" knight.mdx
cut "$samples/house.wmo" house.wmo
cut "$samples/waystone_v3.m3" stone.m3
cut "$samples/banner.mrf" banner.mrf
cut "$samples/forgelight/human.mrn" human.mrn
cut "$samples/forgelight/Human_LOD0.dme" human.dme
cut "$samples/Textures/knight.blp" knight.blp
cut "$samples/World/Maps/Island/Island.wdl" Island.wdl
for file in cut/*; do
  run 3 info --strict "$file"
  "$THAW" validate "$file" >out 2>err
  status=$?
  ((status == 1 || status == 3)) || fail "validate $file: exit $status"
  run 3 convert --strict "$file" -o made/
done
[[ -z $(ls made 2>/dev/null) ]] || fail "something was made of a file that ends too early: $(ls made)"
cut "$samples/forgelight/human.pack2" human.pack2
run 3 info --strict cut/human.pack2

# A file that cannot be read has not passed.
run 3 validate --json files/broken/garbage.mdx
check_json validate
says '"ok":false.*"read":false,"passed":false'
run 5 validate --json -r files/broken files/models
check_json validate
says '"schema":"thaw.validate.summary/2".*"ok":false'
run 1 validate --json cut/knight.mdx
says '"ok":true.*"read":false,"passed":false'
run 0 validate --json files/models/tiny.mdx
says '"ok":true.*"read":true,"passed":true'

# Text out of files and names of files forge no lines and turn no writing around; JSON has them as they are.
evil=$'a\n::error::x\e[31m\xe2\x80\xae.mdx'
mkdir evil
python3 - "files/models/tiny.mdx" "evil/$evil" <<'PYTHON'
import pathlib, sys
bad = "\n::error::x\x1b[31m\u202e".encode()
data = pathlib.Path(sys.argv[1]).read_bytes()
for word, room in ((b"Stand", 80), (b"Tiny", 80), (b"Textures\\Skin.tga", 260)):
    at = data.index(word)
    data = data[:at] + (word + bad).ljust(room, b"\0") + data[at + room:]
pathlib.Path(sys.argv[2]).write_bytes(data)
PYTHON
forged() {
  if grep -q $'^::error\|\e\|\xe2\x80\xae' "$@"; then
    fail "a line is forged in $*: $(grep -h $'^::error\|\e\|\xe2\x80\xae' "$@" | head -2)"
  fi
}
for command in info tree survey 'validate -v' 'validate -v --fail-on info' 'validate --format junit' 'convert -o glb/ -v' \
  'convert -n' 'render -o picture.png' 'thumb -o thumbs' 'convert --to mdl -o mdl/' 'optimize -o small/ -v' 'info --strict -v'; do
  "$THAW" $command "evil/$evil" >"$work/out" 2>"$work/err"
  forged "$work/out" "$work/err"
done
"$THAW" diff "evil/$evil" files/models/tiny.mdx >"$work/out" 2>"$work/err"
forged "$work/out" "$work/err"
"$THAW" info "evil/none$evil" >"$work/out" 2>"$work/err"
forged "$work/out" "$work/err"
"$THAW" info "--no$evil" >"$work/out" 2>"$work/err"
forged "$work/out" "$work/err"
"$THAW" "in$evil" >"$work/out" 2>"$work/err"
forged "$work/out" "$work/err"
run 0 info "evil/$evil"
says '^  clips      Stand\\n::error::x\\x1b\[31m\\u202e '
says '^  textures   Textures\\Skin\.tga\\n::error::x\\x1b\[31m\\u202e  not found$'
"$THAW" validate --format sarif "evil/$evil" >out
python3 -c '
import json
for result in json.load(open("out"))["runs"][0]["results"]:
    assert not set("\n\x1b\u202e") & set(result["message"]["text"]), result
' || fail "SARIF has texts of files as they are"
run 0 info --json "evil/$evil"
python3 -c '
import json
told = json.load(open("out"))
assert told["clips"][0]["name"] == "Stand\n::error::x\x1b[31m\u202e", told["clips"]
' || fail "JSON has other names than the file"

# What a file does not have is an input that fails, everywhere.
run 3 convert "$samples/knight.mdx" -o none.glb --clip 'no such clip'
complains 'error scene\.no-clip'
run 3 render "$samples/knight.mdx" -o none.png --clip 'no such clip'
run 3 thumb "$samples/knight.mdx" -o none.png --clip 'no such clip'
run 5 convert -r files/models -o clips/ --clip walk
[[ $(find clips -name '*.glb' | wc -l) == 1 ]] || fail "of two models one walks: $(find clips)"
run 3 convert "$samples/waystone_v3.m3" -o none.glb --lod 9
complains 'error scene\.no-level'
run 3 convert "$samples/forgelight/Human.adr" --source "$samples/forgelight" -o none.glb --lod 9
complains 'error scene\.no-level'
run 3 convert "$samples/house.wmo" -o none.glb --doodad-set 'no such set'
run 3 convert "$samples/forgelight/human.mrn" -o none.glb --skeleton 'no such skeleton'
run 3 render "$samples/knight.mdx" -o none.png --camera 'no such camera'
[[ ! -e none.glb && ! -e none.png ]] || fail "something was made without what was asked for"

# Of two runs that want one name, one gets it.
for round in 1 2 3 4 5; do
  for run in 1 2 3; do
    "$THAW" convert -q files/models/tiny.mdx -o "race$round.glb" 2>/dev/null && echo won >>"wins$round" &
  done
  wait
  [[ $(wc -l <"wins$round") == 1 ]] || fail "$(wc -l <"wins$round") runs wrote race$round.glb"
done

# Reports are whole whatever ends the run.
mkdir many
for i in $(seq 400); do cp "$samples/knight.mdx" many/$i.mdx; done
cut "$samples/knight.mdx" broken.mdx && mv cut/broken.mdx many/0.mdx
well_formed() {
  if [[ $1 == sarif ]]; then
    python3 -c 'import json; run = json.load(open("report"))["runs"][0]; print(run["invocations"][0]["executionSuccessful"])'
  else
    python3 -c 'import xml.etree.ElementTree as tree; print(len(tree.parse("report").getroot()))'
  fi
}
for format in sarif junit; do
  set -m
  "$THAW" validate -r -j 2 --format $format many >report 2>err &
  pid=$!
  set +m
  for _ in $(seq 6000); do
    [[ -s report ]] && break
    sleep 0.01
  done
  kill -INT $pid
  wait $pid
  status=$?
  ((status == 130 || status == 1)) || fail "$format, interrupted: exit $status"
  well_formed $format >told || fail "$format of an interrupted run"
  [[ $format == junit || $status != 130 || $(cat told) == False ]] || fail "SARIF of half a run says that it is whole"
  "$THAW" validate --fail-fast --format $format files/broken/garbage.mdx many/1.mdx >report 2>err
  well_formed $format >told || fail "$format with --fail-fast"
  "$THAW" validate -r --max-memory 24M -j 8 --format $format many >report 2>err
  well_formed $format >told || fail "$format in little memory"
done
finish
