#!/usr/bin/env bash
# windows.sh EXE: the command for Windows under wine against $THAW: its outputs, the script tests of the command, and what
# only Windows has. Lines of ok, FAILED and skipped.
set -uo pipefail
: "${THAW:?the command to compare with}" "${THAW_SAMPLES:?the samples}" "${THAW_ROOT:?the source}" "${THAW_WINE:?a folder}"
exe=$(realpath "$1")
cd "$THAW_ROOT" || exit 1
. tests/scripts/wine.sh
prepare_wine "$THAW_WINE"
mkdir -p "$THAW_WINE/bin"
make_wrapper "$THAW_WINE/bin/thaw" "$exe"
failures=0

# Script tests that say something about a Linux, each with the reason.
declare -A elsewhere=(
  [disk]="fills a disk of its own, and ends files by ulimit"
  [locked]="takes rights by modes of files"
  [kill]="kills processes by signals"
  [memory]="wine does not count the memory of a job"
  [view]="copies the command, sends signals; windows_own.sh asks the server"
  [answers]="stops runs by signals and reads from named pipes"
  [stop]="ends runs by signals; windows_own.sh has Ctrl-C"
  [faults]="sets limits of the shell"
)

check() { # name, command…
  local name=$1 start=$SECONDS status log=$THAW_WINE/${1//\//-}.log
  "${@:2}" >"$log" 2>&1
  status=$?
  if ((status == 0)); then
    echo "ok       $name, $((SECONDS - start)) s"
  elif ((status == 77)); then
    echo "skipped  $name: $(tail -n 1 "$log")"
  else
    echo "FAILED   $name: exit $status"
    grep -E '^FAILED' "$log" | head -n 20
    failures=$((failures + 1))
  fi
}

check windows_own env THAW_REFERENCE="$THAW" THAW="$THAW_WINE/bin/thaw" THAW_EXE="$exe" bash tests/scripts/windows_own.sh
for script in tests/scripts/cli_*.sh; do
  name=${script##*/cli_}
  name=${name%.sh}
  [[ $name == common ]] && continue
  [[ -z ${THAW_ONLY:-} || " $THAW_ONLY " == *" $name "* ]] || continue
  if [[ -n ${elsewhere[$name]:-} ]]; then
    echo "skipped  cli/$name: ${elsewhere[$name]}"
  else
    check "cli/$name" env THAW="$THAW_WINE/bin/thaw" THAW_EXE="$exe" timeout 1200 bash "$script"
  fi
done
if [[ -z ${THAW_ONLY:-} ]]; then
  check windows_thumbs tests/scripts/windows_thumbs.sh "${exe%/*}"
  THAW_DRIVE=Z: tests/scripts/other_build.sh "$THAW_WINE/bin/thaw" || failures=$((failures + 1))
fi
"$wine_server" -k
((failures == 0))
