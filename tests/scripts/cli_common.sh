# Sourced by the tests of the command: a scratch folder with small files, and checks that count failures.
set -uo pipefail
: "${THAW:?the command under test}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 tests/scripts/cli_files.py "$work/files" || exit 1
scripts=$PWD/tests/scripts
root=$PWD
cd "$work" || exit 1
export NO_COLOR=1
failures=0

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# run EXPECTED-EXIT ARGUMENTS…: stdout in $work/out, stderr in $work/err
run() {
  local expected=$1 status
  shift
  "$THAW" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  if ((status != expected)); then
    fail "thaw $*: exit $status, expected $expected"
    cat "$work/err" >&2
  fi
}

# interrupt PATTERN ARGUMENTS…: Ctrl-C when the folder `interrupted` has a file of that name
interrupt() {
  local pattern=$1 pid status
  shift
  set -m # else the shell has what runs in the background ignore Ctrl-C
  "$THAW" "$@" 2>err &
  pid=$!
  set +m
  for _ in $(seq 1000); do
    [[ -n $(find interrupted -name "$pattern" -print -quit 2>/dev/null) ]] && break
    sleep 0.02
  done
  kill -INT $pid
  wait $pid
  status=$?
  ((status == 130)) || fail "interrupted: exit $status"
}

# plainly COMMAND…: with the rights of anybody; root may read and write everywhere, unless it gives that up
plainly() {
  if [[ $(id -u) == 0 ]]; then
    set -- setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search "$@"
  fi
  "$@"
}
need_plain_rights() {
  [[ $(id -u) != 0 ]] || command -v setpriv >/dev/null || { echo "skipped: the tool setpriv is not here"; exit 77; }
}

# Whether the command is that of Windows, under wine: what follows is about files that only a POSIX system has.
on_windows() { [[ -n ${THAW_EXE:-} ]]; }

# says PATTERN / complains PATTERN: stdout, stderr has a line that matches
says() { grep -Eq -- "$1" "$work/out" || fail "stdout lacks /$1/: $(head -c 400 "$work/out")"; }
complains() { grep -Eq -- "$1" "$work/err" || fail "stderr lacks /$1/: $(head -c 400 "$work/err")"; }
silent() { [[ ! -s $work/$1 ]] || fail "std$1 is not empty: $(head -c 400 "$work/$1")"; }

# check_json SCHEMA: every line of stdout is JSON of that schema
check_json() { python3 "$scripts/check_schema.py" "$root/docs/schema/$1.json" "$work/out" || fail "JSON of $1"; }

finish() {
  if ((failures)); then
    echo "$failures failures" >&2
    exit 1
  fi
}
