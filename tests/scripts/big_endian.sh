#!/usr/bin/env bash
# big_endian.sh COMMAND SAMPLES: the command of a big-endian machine, and the samples made there, under qemu-s390x.
set -uo pipefail
: "${THAW:?the command to compare with}" "${THAW_SAMPLES:?the samples made here}" "${THAW_ROOT:?the source}"
command=$1 samples=$2
qemu=(qemu-s390x -L /usr/s390x-linux-gnu)
scripts=$THAW_ROOT/tests/scripts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

check() { # name, command…
  local name=$1 start=$SECONDS status
  "${@:2}"
  status=$?
  if ((status == 0)); then
    echo "ok       $name, $((SECONDS - start)) s"
  elif ((status == 77)); then
    echo "skipped  $name"
  else
    echo "FAILED   $name: exit $status"
    failures=$((failures + 1))
  fi
}

all_exact() {
  "${qemu[@]}" "$command" survey -r "$samples" >"$work/survey" || return
  grep -E '[1-9][0-9]* EXACT' "$work/survey" && ! grep -E '[1-9][0-9]* (SAME|DIFFERS|FAILED)' "$work/survey"
}

check "the command is big-endian" grep -q 'big endian' <(readelf -h "$command")
check "$(find "$samples" -type f | wc -l) samples are as made here" diff -r "$THAW_SAMPLES" "$samples"
check "all of them read and write back" all_exact

# Against decoders that are not ours.
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${qemu[*]}" "$command" >"$work/thaw"
chmod +x "$work/thaw"
cd "$THAW_ROOT" || exit 1
for script in textures_pillow.py m3_decode.py mpq_smpq.py; do
  check "$script" env THAW="$work/thaw" python3 "tests/scripts/$script"
done

# Debian's C library for this machine has no tables of code pages, by which the names of the first are read; Draco decodes on
# little-endian machines alone.
cp -r "$THAW_ROOT/fuzz/corpus" "$work/seeds"
rm "$work/seeds/mdx_change/like-the-alpha" "$work/seeds/gltf/"draco-*
THAW_SEEDS=$work/seeds "$scripts/other_build.sh" "${qemu[@]}" "$command" || failures=$((failures + 1))
((failures == 0))
