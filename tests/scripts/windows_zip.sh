#!/usr/bin/env bash
# windows_zip.sh ZIP: the zip for Windows in a prefix that has nothing: it unpacks, its checksums fit, and what it unpacks
# to converts, shows, validates. THAW and THAW_SAMPLES as for windows.sh.
set -uo pipefail
: "${THAW:?the command to compare with}" "${THAW_SAMPLES:?the samples}" "${THAW_ROOT:?the source}"
zip=$(realpath "$1")
cd "$THAW_ROOT" || exit 1
. tests/scripts/wine.sh
work=$(mktemp -d)
trap '"$wine_server" -k; [[ -z ${server:-} ]] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
prepare_wine "$work/wine"
failures=0
fail() {
  echo "FAILED   zip: $*"
  failures=$((failures + 1))
}
into="$WINEPREFIX/drive_c/Program Files/Wörk"
mkdir -p "$into"
python3 -m zipfile -e "$zip" "$into" || fail "does not unpack"
folder=$(echo "$into"/thaw-*)
(cd "$folder" && sha256sum --quiet -c SHA256SUMS) || fail "checksums"
for file in thaw.exe thaw-thumbs.dll README.txt manual.txt thaw.ps1 web/index.html licences/thaw.txt licences/libjpeg-turbo.txt; do
  [[ -s $folder/$file ]] || fail "$file is missing"
done
grep -q $'\r$' "$folder/README.txt" || fail "README.txt is no text of Windows"
for command in info convert validate view survey; do
  grep -q "^thaw $command: " "$folder/manual.txt" || fail "the manual does not tell of $command"
done
make_wrapper "$work/thaw" "$folder/thaw.exe"
cd "$work" || exit 1
"$work/thaw" --version | grep -q '^thaw [0-9]' || fail "--version"
"$work/thaw" convert -q "$THAW_SAMPLES/knight.mdx" -o knight.glb || fail "convert"
"$THAW" convert -q "$THAW_SAMPLES/knight.mdx" -o linux.glb
cmp knight.glb linux.glb || fail "convert: other bytes than on Linux"
"$work/thaw" render "$THAW_SAMPLES/knight.mdx" -s 64 -o knight.png 2>/dev/null || fail "render"
"$THAW" render "$THAW_SAMPLES/knight.mdx" -s 64 -o linux.png 2>/dev/null
cmp knight.png linux.png || fail "render: another picture than on Linux"
"$work/thaw" validate "$THAW_SAMPLES/knight.mdx" >said
"$THAW" validate "$THAW_SAMPLES/knight.mdx" >linux.said
cmp said linux.said || fail "validate: other findings than on Linux"
"$work/thaw" survey -r "$THAW_SAMPLES" >said 2>&1
"$THAW" survey -r "$THAW_SAMPLES" >linux.said 2>&1
cmp said linux.said || fail "survey: $(diff said linux.said | head -n 3)"
"$work/thaw" view --no-browser "$THAW_SAMPLES" >address 2>/dev/null </dev/null &
server=$!
for _ in $(seq 100); do [[ -s address ]] && break; sleep 0.1; done
python3 - "$(tr -d '\r\n' <address)" "$folder/web/index.html" <<'PY' || fail "view"
import sys, urllib.request
assert urllib.request.urlopen(sys.argv[1], timeout=30).read() == open(sys.argv[2], "rb").read()
PY
kill -INT "$server"
wait "$server"
(($? == 130)) || fail "Ctrl-C"
server=
((failures)) || echo "ok       the zip in an empty prefix: $(stat -c %s "$zip") bytes"
((failures == 0))
