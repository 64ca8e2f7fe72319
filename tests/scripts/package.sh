#!/usr/bin/env bash
# The Debian package: it is made, lies as it should, and what it installs works from there.
set -uo pipefail
: "${THAW_BUILD:?a build}" "${THAW_SAMPLES:?the samples}"
for tool in cpack dpkg-deb dpkg-shlibdeps; do
  command -v "$tool" >/dev/null || { echo "skipped: the tool $tool is not here"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}
# A part whose tool is not here is skipped, and with it the test counts as skipped, unless another part fails.
skipped=0
have() { command -v "$1" >/dev/null || { echo "skipped: the tool $1 is not here"; skipped=1; return 1; }; }

cpack -G DEB --config "$THAW_BUILD/CPackConfig.cmake" -B "$work/made" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
package=$(echo "$work"/made/thaw_*_*.deb)
[[ -f $package ]] || { echo "FAILED: no package"; exit 1; }
dpkg-deb --field "$package" Depends | grep -q 'libc6' || fail "it depends on nothing: $(dpkg-deb --field "$package" Depends)"
dpkg-deb --extract "$package" "$work/root"
# What test layouts/made has made, where libclang is here.
reference=()
if [[ -d $THAW_BUILD/reference/patterns ]]; then
  reference=(share/thaw/patterns/mdx.hexpat share/doc/thaw/reference/layout/mdx.md)
else
  echo "skipped: no $THAW_BUILD/reference"
  skipped=1
fi
for file in "${reference[@]}" bin/thaw share/man/man1/thaw.1 share/bash-completion/completions/thaw share/zsh/vendor-completions/_thaw \
  share/fish/vendor_completions.d/thaw.fish share/mime/packages/thaw.xml share/thumbnailers/thaw.thumbnailer \
  share/thaw/magic include/thaw/thaw.hpp share/doc/thaw/LICENSE; do
  [[ -s $work/root/usr/$file ]] || fail "usr/$file is missing"
done
find "$work/root/usr/lib" -name 'thawConfig.cmake' | grep -q . || fail "no CMake package"
grep -rIl "$THAW_BUILD" "$work/root" && fail "build paths in the files above"
"$work/root/usr/bin/thaw" --version | grep -q thaw || fail "the command does not run"
"$work/root/usr/bin/thaw" convert -q "$THAW_SAMPLES/knight.mdx" -o "$work/knight.glb" || fail "it converts nothing"

# What desktops run, word by word, with what they put in: a file that is there, without an extension.
thumbnail=$(mktemp -p "$work")
line=$(sed -n 's/^Exec=thaw //p' "$work/root/usr/share/thumbnailers/thaw.thumbnailer")
line=${line//%s/64}
line=${line//%i/$THAW_SAMPLES/knight.mdx}
line=${line//%o/$thumbnail}
# shellcheck disable=SC2086
"$work/root/usr/bin/thaw" $line && [[ -s $thumbnail ]] || fail "the thumbnailer makes no picture"

if have man; then
  man --warnings -l "$work/root/usr/share/man/man1/thaw.1" >"$work/manual" 2>/dev/null
  grep -q 'thaw survey' "$work/manual" || fail "the manual page lacks a command"
fi
if have file; then
  magic=$work/root/usr/share/thaw/magic
  expect() { file -b -m "$magic" "$1" | grep -q "$2" || fail "file says of $1: $(file -b -m "$magic" "$1")"; }
  expect "$THAW_SAMPLES/knight.mdx" 'MDX), version 800'
  expect "$THAW_SAMPLES/banner.mrf" 'MRF'
  expect "$THAW_SAMPLES/waystone_v4.m3" 'M3'
  expect "$THAW_SAMPLES/house.wmo" 'WMO), version 14'
  expect "$THAW_SAMPLES/World/Maps/Island/Island.wdt" 'WDT'
  expect "$THAW_SAMPLES/World/Maps/Island/Island.wdl" 'WDL'
  expect "$THAW_SAMPLES/forgelight/Human_LOD0.dme" 'DME), version 4'
  expect "$THAW_SAMPLES/forgelight/human.pack2" 'PACK2'
fi
if have update-mime-database; then
  cp -r "$work/root/usr/share/mime" "$work/mime"
  update-mime-database -V "$work/mime" >"$work/log" 2>&1 || { cat "$work/log"; fail "MIME types"; }
fi
# For one user, from wherever it was unpacked.
mv "$work/root/usr" "$work/un packed"
export XDG_DATA_HOME="$work/own data"
own=$XDG_DATA_HOME/thumbnailers/thaw.thumbnailer
thaw="$work/un packed/bin/thaw"
"$thaw" register >"$work/said" || fail "register"
grep -qFx "$own" "$work/said" || fail "register tells nothing: $(cat "$work/said")"
[[ $(sed -n 's/^TryExec=//p' "$own") == "$thaw" ]] || fail "register: $(cat "$own")"
line=$(sed -n 's/^Exec=//p' "$own")
line=${line//%s/64} line=${line//%i/'"$THAW_SAMPLES/knight.mdx"'} line=${line//%o/'"$work/own.png"'}
eval "$line" && cmp "$work/own.png" "$thumbnail" || fail "the registered thumbnailer makes another picture: $line"
if have update-mime-database; then
  grep -q 'model/x-mdx:\*.mdx' "$XDG_DATA_HOME/mime/globs2" || fail "register: the kinds of files are not compiled"
fi
"$thaw" unregister >"$work/said" || fail "unregister"
[[ ! -e $own && ! -e $XDG_DATA_HOME/mime/packages/thaw.xml ]] || fail "unregister leaves files"
rm "$work/un packed/share/thumbnailers/thaw.thumbnailer"
"$thaw" register >/dev/null 2>"$work/said"
(($? == 3)) && grep -q 'is missing' "$work/said" || fail "register without the package's files: $(cat "$work/said")"
((failures == 0)) || exit 1
((skipped == 0)) || exit 77
