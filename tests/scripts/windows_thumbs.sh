#!/usr/bin/env bash
# windows_thumbs.sh FOLDER: pictures in Explorer, as thaw.exe and thaw-thumbs.dll of FOLDER give them: `thaw register`, then a
# client that asks for bitmaps as Explorer does, then `thaw unregister`. THAW and THAW_SAMPLES as for windows.sh.
set -uo pipefail
: "${THAW:?the command to compare with}" "${THAW_SAMPLES:?the samples}" "${THAW_ROOT:?the source}" "${THAW_WINE:?a folder}"
folder=$(realpath "$1")
cd "$THAW_ROOT" || exit 1
. tests/scripts/wine.sh
prepare_wine "$THAW_WINE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
python=python3 # one that has the imaging library of packages.txt
python3 -c "import PIL" 2>/dev/null || python=/usr/bin/python3
fail() {
  echo "FAILED   thumbnails: $*"
  failures=$((failures + 1))
}
x86_64-w64-mingw32-g++-posix -std=c++20 -O1 -Wall -Wextra -Werror -DNOMINMAX -DWIN32_LEAN_AND_MEAN -D_WIN32_WINNT=0x0A00 \
  -static tests/tools/thumbnail_client.cpp -o "$work/client.exe" -ladvapi32 -lgdi32 -lole32 -lshell32 -luuid || exit 1
make_wrapper "$work/client" "$work/client.exe"
install -D "$folder/thaw.exe" "$work/Program Files/thäw/thaw.exe"
make_wrapper "$work/thaw" "$work/Program Files/thäw/thaw.exe"
cp -r "$THAW_SAMPLES" "$work/Mödels 1"
cd "$work/Mödels 1" || exit 1

# exits EXPECTED COMMAND…
exits() {
  local expected=$1 status
  shift
  "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  ((status == expected)) || fail "$*: exit $status instead of $expected: $(tr '\n' ' ' <"$work/out") $(tail -n 2 "$work/err")"
}

exits 3 "$work/client" knight.mdx 64 "$work/none.pam"
exits 3 "$work/thaw" register
grep -q 'thaw-thumbs.dll is missing' "$work/err" || fail "a library that lacks: $(cat "$work/err")"
cp "$folder/thaw-thumbs.dll" "$work/Program Files/thäw/"
# Another program has one of the endings.
reg() { "$wine_loader" reg "$@" >/dev/null 2>&1; }
others='HKCU\Software\Classes\.mrf\ShellEx\{E357FCCD-A995-4576-B01F-234630154E96}'
reg add "$others" /ve /d '{00000000-1111-2222-3333-444444444444}' /f || fail "reg add"
exits 0 "$work/thaw" register
(($(grep -c 'has thumbnails' "$work/out") >= 5)) || fail "register: $(cat "$work/out")"
grep -q '^.mrf  left unchanged: another program' "$work/out" || fail "another program's ending was taken"

# The same pixels as `thumb` draws here; COM has them multiplied by alpha.
same() { # file side
  exits 0 "$work/client" "$1" "$2" "$work/shown.pam"
  "$THAW" thumb -q -f -s "$2" "$1" -o "$work/drawn.png" || fail "thumb of $1"
  "$python" - "$work/shown.pam" "$work/drawn.png" <<'PY' || fail "the bitmap of $1 at $2"
import sys
from PIL import Image
with open(sys.argv[1], "rb") as file:
    header, pixels = file.read().split(b"ENDHDR\n", 1)
drawn = Image.open(sys.argv[2]).convert("RGBA")
fields = dict(line.split() for line in header.decode().splitlines() if " " in line)
assert (int(fields["WIDTH"]), int(fields["HEIGHT"])) == drawn.size, (fields, drawn.size)
wanted = drawn.tobytes()
assert len(set(wanted)) > 8, "an empty picture"
for i in range(0, len(wanted), 4):
    alpha = wanted[i + 3]
    assert pixels[i + 3] == alpha, i
    assert all(abs(pixels[i + k] - wanted[i + k] * alpha / 255) <= 1 for k in range(3)), i
PY
}
same knight.mdx 96
same knight.mdx 256
for kind in m3 wmo dme adr; do
  found=$(find . -iname "*.$kind" | sort | head -n 1)
  if [[ -n $found ]]; then same "$found" 64; else fail "there is no sample of .$kind"; fi
done
# What is no model has no picture, and what makes it wait ends.
head -c 300 knight.mdx >broken.mdx
echo nothing >nothing.mdx
exits 4 "$work/client" nothing.mdx 64 "$work/none.pam"
exits 4 "$work/client" not-there.mdx 64 "$work/none.pam"
[[ -z $(find "$WINEPREFIX/drive_c" -iname 'thw*.tmp') ]] || fail "files are left: $(find "$WINEPREFIX/drive_c" -iname 'thw*.tmp')"

exits 0 "$work/thaw" unregister
exits 3 "$work/client" knight.mdx 64 "$work/none.pam"
reg query "$others" || fail "another program's handler is gone"
reg query 'HKCU\Software\Classes\CLSID\{A9137B7A-71F2-47C9-8318-CEABBC8D51F3}' && fail "the class is still there"
reg query 'HKCU\Software\Classes\.mdx' && fail "the ending is still there"
reg delete "$others" /f
exits 0 "$work/thaw" unregister
((failures)) || echo "ok       pictures in Explorer"
((failures == 0))
