#!/usr/bin/env bash
# other_build.sh COMMAND…: the command as another machine or sanitizer has it, working on four things at a time, against
# $THAW, which does one after the other. Over the samples, the seeds of the fuzzers and every $THAW_EVERY-th real file, if
# there are any, both must write the same files, say the same and end with the same exit code. Memory that is new holds
# other bytes in each, so that a file with bytes that nobody set is another one.
set -uo pipefail
: "${THAW:?the command to compare with}" "${THAW_SAMPLES:?the samples}" "${THAW_ROOT:?the source}"
other=("$@")
export NO_COLOR=1 TZ=UTC

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Each has a folder of its own; what a step left there may be the input of a later one.
mkdir "$work/one" "$work/other" "$work/in"
runs=0 failures=0

fail() {
  echo "FAILED   $*"
  failures=$((failures + 1))
}

# step ARGUMENTS…: runs both.
step() {
  local wanted got start=$SECONDS name="thaw ${*/#$THAW_SAMPLES/samples}" before=$failures
  (cd "$work/one" && MALLOC_PERTURB_=165 "$THAW" "${@/#@J/-j1}" >../one.out 2>../one.err </dev/null)
  wanted=$?
  (cd "$work/other" && "${other[@]}" "${@/#@J/-j4}" >../other.out 2>../other.err </dev/null)
  got=$?
  [[ -z ${THAW_DRIVE:-} ]] || sed -i "s,$THAW_DRIVE/,/,g" "$work/other.out" "$work/other.err"
  runs=$((runs + 1))
  ((got == wanted)) || fail "$name: exit $got instead of $wanted; $(tail -n 3 "$work/other.err")"
  ((wanted != 2)) || fail "$name: is no command"
  cmp "$work/one.out" "$work/other.out" || fail "$name: another output"
  diff "$work/one.err" "$work/other.err" || fail "$name: other messages"
  ((failures > before)) || echo "ok       $name: exit $got, $((SECONDS - start)) s"
}

. "$THAW_ROOT/tests/scripts/every_output.sh"

# Thumbnails tell the whole path of what they show.
[[ -z ${THAW_DRIVE:-} ]] || python3 - "$work/one" "$work/other" <<'PY'
import pathlib, struct, sys
for path in (path for folder in sys.argv[1:] for path in pathlib.Path(folder).rglob("*.png")):
    data, at, kept = path.read_bytes(), 8, b""
    while at < len(data):
        end = at + 12 + struct.unpack_from(">I", data, at)[0]
        if not data[at + 8:end].startswith(b"Thumb::URI"):
            kept += data[at:end]
        at = end
    path.write_bytes(kept)
PY
files=$(find "$work/other" -type f | wc -l)
((files > 500)) || fail "only $files files"
if diff -rq "$work/one" "$work/other"; then
  echo "ok       $files files are the same"
else
  fail "other files"
fi
echo "$runs runs, $files files, $failures failures"
((failures == 0))
