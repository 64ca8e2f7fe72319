#!/usr/bin/env bash
# What releases are made of: twice the same bytes, the parts as CycloneDX, the zips for Blender and for Windows (with a small
# program in place of the command), and what reads hardening from binaries sees what is there and what is not.
set -uo pipefail
: "${THAW:?the command}" "${THAW_ROOT:?the source}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}
cd "$THAW_ROOT" || exit 1
command -v dpkg-query >/dev/null || { echo "skipped: the tool dpkg-query is not here"; exit 77; }

for system in linux windows; do
  if [[ $system == windows ]] && ! dpkg-query -W mingw-w64-x86-64-dev >/dev/null 2>&1; then continue; fi
  scripts/sbom --system $system >"$work/one.json" || fail "no list of parts"
  scripts/sbom --system $system | cmp - "$work/one.json" || fail "the list of parts is another the second time"
  python3 - "$work/one.json" <<'PY' || fail "the list of parts of $system"
import json, sys
bom = json.load(open(sys.argv[1]))
assert bom["bomFormat"] == "CycloneDX" and bom["specVersion"] == "1.5" and bom["serialNumber"].startswith("urn:uuid:")
names = {part["name"] for part in bom["components"]}
assert names >= {"libjpeg-turbo", "libdeflate", "libspng", "libwebp", "bzip2", "xz", "rapidjson", "expected", "CLI11", "stb"}, names
assert all(part["version"] and part["licenses"] and part["purl"].startswith("pkg:deb/debian/") for part in bom["components"])
refs = {part["bom-ref"] for part in bom["components"]} | {bom["metadata"]["component"]["bom-ref"]}
assert all(ref in refs for one in bom["dependencies"] for ref in one["dependsOn"])
PY
done

# Small programs, with and without.
cat >"$work/program.c" <<'C'
#include <stdio.h>
#include <string.h>
int main(int count, char** words) {
  char text[64];
  if (count > 1) { strcpy(text, words[1]); printf("%s\n", text); }
  return 0;
}
C
read -ra flags <<<"-O2 -fPIE -fstack-protector-strong -D_FORTIFY_SOURCE=3 -fcf-protection=full -pie -Wl,-z,relro,-z,now,-z,noexecstack"
cc "${flags[@]}" "$work/program.c" -o "$work/hard" || fail "no compiler"
python3 tests/scripts/hardened.py "$work/hard" >"$work/said" || fail "a hardened program is said to be none: $(cat "$work/said")"
cc -O2 -no-pie -fno-stack-protector -U_FORTIFY_SOURCE -fcf-protection=none -Wl,-z,norelro -z execstack "$work/program.c" -o "$work/soft"
python3 tests/scripts/hardened.py "$work/soft" >"$work/said" && fail "a program without anything passes"
(($(grep -c '^FAILED' "$work/said") >= 5)) || fail "only some of what is missing is seen: $(cat "$work/said")"

if command -v x86_64-w64-mingw32-gcc-posix >/dev/null; then
  x86_64-w64-mingw32-gcc-posix -O2 "$work/program.c" -o "$work/hard.exe" -Wl,--dynamicbase,--nxcompat,--high-entropy-va,--no-insert-timestamp
  python3 tests/scripts/hardened.py "$work/hard.exe" >/dev/null || fail "a hardened program of Windows is said to be none"
  x86_64-w64-mingw32-gcc-posix -O2 "$work/program.c" -o "$work/soft.exe" -Wl,--disable-dynamicbase,--disable-nxcompat,--disable-high-entropy-va
  python3 tests/scripts/hardened.py "$work/soft.exe" >/dev/null && fail "a program of Windows without anything passes"
  cp "$work/hard.exe" "$work/thaw-thumbs.dll"
  mkdir -p "$work/page"
  echo '<title>a page</title>' >"$work/page/index.html"
  for number in 1 2; do
    SOURCE_DATE_EPOCH=1700000000 scripts/package windows --exe "$work/hard.exe" --thaw "$THAW" --page "$work/page" --out "$work/out$number" \
      >"$work/said" || fail "no zip: $(cat "$work/said")"
    sleep 1
  done
  cmp "$work"/out1/*.zip "$work"/out2/*.zip || fail "another zip the second time"
  python3 - "$work"/out1/*.zip <<'PY' || fail "the zip"
import hashlib, sys, zipfile
package = zipfile.ZipFile(sys.argv[1])
names = {name.split("/", 1)[1]: name for name in package.namelist()}
assert names.keys() >= {"thaw.exe", "thaw-thumbs.dll", "README.txt", "manual.txt", "thaw.ps1", "web/index.html", "SHA256SUMS", "licences/thaw.txt", "licences/zlib.txt"}
sums = dict(reversed(line.split("  ")) for line in package.read(names["SHA256SUMS"]).decode().splitlines())
assert sums.keys() == names.keys() - {"SHA256SUMS"}
assert all(hashlib.sha256(package.read(names[name])).hexdigest() == digest for name, digest in sums.items())
assert b"thaw convert: " in package.read(names["manual.txt"]) and b"Exit codes:" in package.read(names["manual.txt"])
PY
fi

for number in 1 2; do
  SOURCE_DATE_EPOCH=1700000000 scripts/package blender --out "$work/blender$number" >"$work/said" || fail "no zip: $(cat "$work/said")"
  sleep 1
done
cmp "$work"/blender1/*.zip "$work"/blender2/*.zip || fail "another extension the second time"
python3 - "$work"/blender1/*.zip <<'PY' || fail "the extension for Blender"
import ast, re, sys, zipfile
package = zipfile.ZipFile(sys.argv[1])
names = set(package.namelist())
assert names >= {"thaw/__init__.py", "thaw/blender_manifest.toml", "thaw/LICENSE"}, names
version = re.search(r"thaw-([\d.]+)-blender", sys.argv[1])[1]
source = package.read("thaw/__init__.py").decode()
info = next(node.value for node in ast.parse(source).body if isinstance(node, ast.Assign) and node.targets[0].id == "bl_info")
assert ".".join(map(str, ast.literal_eval(info)["version"])) == version, source[:400]
assert f'version = "{version}"' in package.read("thaw/blender_manifest.toml").decode()
PY

# Sources, as a commit has them.
if git rev-parse HEAD >/dev/null 2>&1; then
  scripts/release "$work/first" --only source >/dev/null 2>&1 || fail "scripts/release --only source"
  sleep 1
  scripts/release "$work/second" --only source >/dev/null 2>&1
  diff -r "$work/first" "$work/second" || fail "another release the second time"
  (cd "$work/first" && sha256sum --quiet -c SHA256SUMS) || fail "checksums of the release"
fi

# Hooks and scans hear of what is severe, and of all if they ask for it.
echo 'not a model' >"$work/broken.mdx"
THAW=$THAW scripts/validate-changes --sarif "$work/log.sarif" -- samples/files/everything_v800.mdx >"$work/said" 2>/dev/null
(($? == 1)) || fail "validate-changes passes what has severe findings"
severe=$(wc -l <"$work/said")
[[ $(grep -cE ': (severe|error) ' "$work/said") == "$severe" ]] || fail "validate-changes tells of less than was asked for"
python3 -c 'import json,sys; assert len(json.load(open(sys.argv[1]))["runs"][0]["results"]) == int(sys.argv[2])' "$work/log.sarif" "$severe" || fail "SARIF"
THAW=$THAW scripts/validate-changes --fail-on info -- samples/files/everything_v800.mdx >"$work/said" 2>/dev/null
(($(wc -l <"$work/said") > severe)) || fail "--fail-on info tells of no more"
THAW=$THAW scripts/validate-changes -- "$work/broken.mdx" >/dev/null 2>&1 && fail "validate-changes passes what is no model"
if ((failures)); then exit 1; fi
