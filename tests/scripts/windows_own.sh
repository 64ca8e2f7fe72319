#!/usr/bin/env bash
# What only Windows has: its own command line, names of other alphabets, patterns that no shell expands, reserved names,
# long paths, drives, pipes of bytes, files that others hold, a file that is dropped on the command.
. tests/scripts/cli_common.sh
: "${THAW_REFERENCE:?the command of this system}" "${THAW_EXE:?the command of Windows}" "${THAW_SAMPLES:?the samples}"
knight=$THAW_SAMPLES/knight.mdx
loader=$(sed -n 's/^exec "\([^"]*\)".*/\1/p' "$THAW") # wine

# One file, whatever way leads to it.
run 0 info "$knight"
cp out expected
run 0 info --json "$knight"
cp out expected.json
"$THAW_REFERENCE" info --json "$knight" >reference.json
sed -i 's,Z:/,/,g' expected.json # the drive that wine has for all of this system's files
cmp expected.json reference.json || fail "info --json is another than on Linux"
run 0 info --json "Z:${knight//\//\\}"
says '"dialect"'
run 0 info "${knight//\//\\}"

# Names of other alphabets, blanks, quotes' neighbours; in, out and told.
name='Fußmann 騎士 рыцарь – 𝔎'
mkdir -p "$name"
cp "$knight" "$name/$name.mdx"
run 0 convert "$name/$name.mdx" -o "$name/out $name.glb"
"$THAW_REFERENCE" convert "$knight" -o reference.glb >/dev/null 2>&1
[[ -s "$name/out $name.glb" ]] || fail "no output of such a name: $(ls "$name")"
run 0 info --json "$name/$name.mdx"
python3 -c 'import json,sys; assert json.load(open("out"))["input"] == sys.argv[1], open("out").read()' "$name/$name.mdx" || fail "the name is told as another"
run 0 survey -r "$name"
says '1 EXACT'
printf '%s\n' "$name/$name.mdx" >list
run 0 info --files-from list
cp "$knight" 'a b.mdx'
run 0 info 'a b.mdx'

# Patterns that the shell left as they are.
mkdir globs && cp "$knight" globs/b.mdx && cp "$knight" globs/a.mdx && cp "$knight" globs/c.txt
run 0 info --json 'globs/*.mdx'
[[ $(grep -o '"input":"[^"]*"' out | tr '\n' ' ') == '"input":"globs/a.mdx" "input":"globs/b.mdx" ' ]] || fail "the pattern: $(cat out)"
run 0 info --json 'globs\?.mdx'
run 3 info 'globs/*.blp'
run 2 tree 'globs/*.mdx'

# Names that Windows keeps for itself, out of an archive.
printf 'text' >text
python3 "$scripts/mpq_make.py" evil.mpq 'con.txt=@text' 'aux\nul=@text' 'dot.\x=@text' 'a:b?.txt=@text' || exit 1
run 0 extract evil.mpq -o evil
"$THAW_REFERENCE" extract evil.mpq -o evil-reference >/dev/null 2>&1
diff -r evil evil-reference || fail "other names than on Linux"

python3 "$scripts/mpq_make.py" models.mpq "con.mdx=@$knight" "aux\\nul.mdx=@$knight" "units\\a.mdx=@$knight" || exit 1
run 0 convert -r models.mpq// -o models-out
"$THAW_REFERENCE" convert -r models.mpq// -o models-reference >/dev/null 2>&1
diff -r models-out models-reference || fail "models in archives: other names than on Linux"
[[ -z $(find models-out -iname 'con.*' -o -iname nul.glb -o -iname aux) ]] || fail "reserved names: $(find models-out)"

# Longer than 260 characters.
long=$(printf 'long/%.0s' $(seq 20))$(printf 'x%.0s' $(seq 180))
run 0 convert "$knight" -o "deep/$long/$(printf 'y%.0s' $(seq 60))/k.glb"
find deep -name k.glb | grep -q . || fail "no file of a long path"
cp "$knight" "deep/$long/k.mdx"
run 0 survey -r deep/
says '1 EXACT'

# Bytes through pipes, none of which becomes another.
"$THAW" convert "$knight" -o - >piped.glb 2>/dev/null </dev/null || fail "convert to stdout"
"$THAW" convert "$knight" -o named.glb >/dev/null 2>&1 </dev/null
cmp piped.glb named.glb || fail "stdout changes bytes"
"$THAW_REFERENCE" convert "$knight" -o linux.glb >/dev/null 2>&1
cmp linux.glb named.glb || fail "other bytes than on Linux"
(head -c 1000 "$knight"; sleep 1; tail -c +1001 "$knight") | "$THAW" convert - -o - >stdin.glb 2>err || fail "convert from stdin: $(cat err)"
"$THAW_REFERENCE" convert - -o - <"$knight" >stdin-linux.glb 2>/dev/null
cmp stdin.glb stdin-linux.glb || fail "stdin changes bytes"
sleep 3 | { "$THAW" info --timeout 0.3 - >out 2>err; (($? == 6)); } || fail "a pipe without anything: $(cat err)"
"$THAW" info - <"$knight" >out 2>err || fail "info of a redirected file"
run 0 dump "$knight"
grep -q $'\r' out && fail "carriage returns"

# A file that is there is not written over; -f does, and leaves nothing beside it.
run 4 convert "$knight" -o named.glb
run 0 convert -f "$knight" -o named.glb
[[ -z $(find . -name '*.tmp') ]] || fail "left over: $(find . -name '*.tmp')"
# A folder in place of the output.
run 0 convert "$knight" -o globs
[[ -s globs/knight.glb ]] || fail "no file in the folder"

# Drives, verbatim paths and servers.
drive=$WINEPREFIX/drive_c/thaw-test
rm -rf "$drive" && mkdir "$drive" && cp "$knight" "$drive/k.mdx"
run 0 info --json 'C:\thaw-test\k.mdx'
says '"input":"C:/thaw-test/k.mdx"'
run 0 info 'c:/THAW-TEST/K.MDX'
run 0 convert 'C:\thaw-test\k.mdx' -o 'C:\thaw-test\new\k.glb'
cp "$knight" alone.mdx && "$THAW_REFERENCE" convert alone.mdx -o alone.glb >/dev/null 2>&1 # without its textures
cmp "$drive/new/k.glb" alone.glb || fail "other bytes on a drive"
run 0 info --json "\\\\?\\Z:${knight//\//\\}"
run 0 convert "\\\\?\\Z:${knight//\//\\}" -o verbatim.glb
cmp verbatim.glb linux.glb || fail "other bytes of a verbatim path"
run 3 info '\\nobody.invalid\share\k.mdx'
complains '^\\\\nobody.invalid/share/k.mdx: '
rm -rf "$drive"

# A file that another program holds: said of inputs, waited for and then said of outputs.
x86_64-w64-mingw32-g++-posix -O1 -static "$root/tests/tools/hold_file.cpp" -o hold.exe || exit 1
hold() { # file seconds; until it is held
  "$loader" ./hold.exe "$1" "$2" >held </dev/null 2>/dev/null &
  holder=$!
  for _ in $(seq 100); do [[ -s held ]] && break; sleep 0.1; done
  [[ -s held ]] || fail "$1 is not held"
}
cp "$knight" busy.mdx
hold busy.mdx 60
run 3 info busy.mdx
complains 'open in another program'
"$loader" taskkill /f /im hold.exe >/dev/null 2>&1 || kill $holder
wait $holder
cp "$knight" busy.glb
hold busy.glb 60
run 4 convert -f "$knight" -o busy.glb
complains 'open in another program'
cmp busy.glb "$knight" || fail "what another program held is changed"
[[ -z $(find . -name '*.tmp') ]] || fail "left over: $(find . -name '*.tmp')"
"$loader" taskkill /f /im hold.exe >/dev/null 2>&1 || kill $holder
wait $holder
hold busy.glb 0.6
run 0 convert -f "$knight" -o busy.glb
cmp busy.glb linux.glb || fail "what was held for a moment is not written"
wait $holder

# Films by another program, which is found on PATH and gets all pictures.
mkdir 'pro grams'
x86_64-w64-mingw32-g++-posix -O1 -static -municode "$root/tests/tools/copy_film.cpp" -o 'pro grams/ffmpeg.exe' || exit 1
WINEPATH="Z:$PWD/pro grams" run 0 render "$knight" -s 20x10 --turntable --frames 3 --background transparent -o turn.webm
[[ $(stat -c %s turn.webm) == $((20 * 10 * 4 * 3)) ]] || fail "the film's pictures: $(stat -c %s turn.webm) bytes"
printf 'no program' >'pro grams/ffmpeg.exe'
WINEPATH="Z:$PWD/pro grams" run 4 render "$knight" -s 20 --turntable --frames 3 -o failed.webm
complains 'write\.failed.*did not write a video'
[[ ! -e failed.webm ]] || fail "a film that was not made"
run 2 render "$knight" -s 20 --turntable -o none.webm
complains 'needs the program ffmpeg.*APNG'

# Ctrl-C in a batch: what is begun is finished or gone, and a second run makes the rest.
mkdir many interrupted
for number in $(seq 40); do cp "$knight" "many/$number.mdx"; done
interrupt '*.png' thumb -j1 -s 512 -r many -o interrupted
made=$(find interrupted -name '*.png' | wc -l)
((made > 0 && made < 40)) || fail "Ctrl-C came when $made of 40 were made"
[[ -z $(find interrupted -name '*.tmp') ]] || fail "Ctrl-C left $(find interrupted -name '*.tmp')"

# A file that is dropped on the command: the page of it, here with its address taken from what it says.
run 2 nothing.mdx
mkdir -p bin/web && cp "$THAW_EXE" bin/thaw.exe
echo '<title>a page</title>' >bin/web/index.html
printf '\0asm' >bin/web/thaw-module.wasm
printf '#!/bin/sh\nexec %s "%s/bin/thaw.exe" "$@"\n' "$loader" "$work" >served
chmod +x served
serve() { # arguments…
  ./served "$@" >address 2>err </dev/null &
  server=$!
  for _ in $(seq 100); do [[ -s address ]] && break; sleep 0.1; done
  url=$(tr -d '\r\n' <address)
  [[ $url =~ ^http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/$ ]] || fail "no address: $url $(cat err)"
}
for words in "view --no-browser $knight" "$knight"; do
  # shellcheck disable=SC2086
  serve $words
  python3 - "$url" "$knight" <<'PY' || fail "the page of thaw $words"
import sys, urllib.request
url, knight = sys.argv[1:]
get = lambda name: urllib.request.urlopen(url + name, timeout=20).read()
assert b"a page" in get("")
assert b"knight.mdx" in get("folder?path=")
assert get("file?path=knight.mdx") == open(knight, "rb").read()
PY
  kill -INT "$server"
  for _ in $(seq 50); do kill -0 "$server" 2>/dev/null || break; sleep 0.1; done
  kill -0 "$server" 2>/dev/null && fail "Ctrl-C does not end the server" && kill -KILL "$server"
  wait "$server"
  status=$?
  ((status == 130)) || fail "the interrupted server: exit $status"
done
finish
