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

# One target: `ok` or FAILED and why. Land takes a second a mutant.
run_target() {
  local target=$1 name=${1##*/thaw_} out start=$SECONDS mutants=${THAW_MUTANTS:-16}
  name=${name%_fuzz}
  [[ $name != land ]] || mutants=1
  out=$(mktemp -p "$work")
  if "$target" --mutants "$mutants" "$THAW_ROOT/fuzz/corpus/$name" "$THAW_SAMPLES" >"$out" 2>"$out.err" &&
    "$target" "${real[@]}" >>"$out" 2>>"$out.err"; then
    echo "ok       $name: $(awk '/ inputs$/ { sum += $1 } END { print sum }' "$out") inputs, $((SECONDS - start)) s"
  else
    echo "FAILED   $name: $(tail -n 1 "$out")"$'\n'"$(cat "$out.err")"
  fi
}

# The results are told at the end of each, so that those of two do not mix.
targets=("$build"/fuzz/thaw_*_fuzz)
for ((i = 0; i < ${#targets[@]}; ++i)); do
  while (($(jobs -pr | wc -l) >= $(nproc))); do wait -n; done
  run_target "${targets[i]}" >"$work/told-$((100 + i))" &
done
wait
cat "$work"/told-*
grep -q '^FAILED' "$work"/told-* && failures=$((failures + 1))
((failures == 0))
