#!/usr/bin/env bash
# uninitialised.sh BUILD: what MemorySanitizer says of every reader and writer: the samples are made, and each fuzz target
# runs over its seeds and all samples, with mutants of each, and over every $THAW_EVERY-th (40) real file, if there are any.
set -uo pipefail
: "${THAW_SAMPLES:?the samples made without sanitizer}" "${THAW_ROOT:?the source}"
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MSAN_SYMBOLIZER_PATH=/usr/lib/llvm-19/bin/llvm-symbolizer
failures=0

fail() {
  echo "FAILED   $*"
  failures=$((failures + 1))
}

if diff -r "$THAW_SAMPLES" "$build/sample-files"; then
  echo "ok       $(find "$build/sample-files" -type f | wc -l) samples are made"
else
  fail "other samples"
fi

real=()
if [[ -d ${THAW_CORPUS:-} ]]; then
  mapfile -t real < <(find -L "$THAW_CORPUS" -type f | grep -iE '\.(mdx|mdl|blp|dds|tga|m3|mrn|nsa|wdt|wdl|wmo|mpq)$' |
    sort | awk -v every="${THAW_EVERY:-40}" 'NR % every == 1')
fi
echo "${#real[@]} real files"

for target in "$build"/fuzz/thaw_*_fuzz; do
  name=${target##*/thaw_} name=${name%_fuzz}
  start=$SECONDS
  if "$target" --mutants "${THAW_MUTANTS:-16}" "$THAW_ROOT/fuzz/corpus/$name" "$THAW_SAMPLES" >"$work/out" 2>"$work/err" &&
    "$target" "${real[@]}" >>"$work/out" 2>>"$work/err"; then
    echo "ok       $name: $(tail -n 1 "$work/out"), $((SECONDS - start)) s"
  else
    fail "$name: $(tail -n 1 "$work/out")"
    cat "$work/err"
  fi
done
((failures == 0))
