#!/usr/bin/env bash
# Inputs that vanish, a file where a folder should be: an error, the right exit code, and the rest goes on.
. tests/scripts/cli_common.sh

sample=$THAW_SAMPLES/knight.mdx

# What was there when the list was made is gone.
cp "$sample" here.mdx
printf '%s\n' here.mdx gone.mdx >list
run 5 convert --files-from list -o made/
complains 'gone\.mdx: error input\.unreadable'
[[ -s made/here.glb ]] || fail "one vanished file stopped the rest"
run 3 convert gone.mdx -o made/

# A hint is given once, however many fail of the same.
echo junk | tee junk1.mdx >junk2.mdx
run 5 convert junk1.mdx junk2.mdx -o made/
(($(grep -c 'error format\.unknown' err) == 2 && $(grep -c '  hint: ' err) == 1)) || fail "hints: $(cat err)"

# A file in the place of the output's folder.
touch plain
run 4 convert here.mdx -o plain/x.glb

# A stdout that takes nothing is told, also where the run has another thing to tell.
full() { # EXPECTED-EXIT ARGUMENTS…
  local expected=$1 status
  shift
  "$THAW" "$@" >/dev/full 2>"$work/err" </dev/null
  status=$?
  ((status == expected)) || fail "thaw $* into a full device: exit $status, expected $expected"
  (($(grep -c 'write\.failed: cannot write to stdout' err) == 1)) || fail "thaw $*: $(cat err)"
}
full 4 info here.mdx
full 4 --help
full 4 diff --json here.mdx here.mdx
full 4 render here.mdx -s 32 -o -
full 4 convert here.mdx -o -
full 4 world "$THAW_SAMPLES/World/Maps/Island/Island.wdt" --eye=-9050,20,60
"$THAW" survey --json here.mdx >part.json
full 4 survey --merge part.json

# What a shell has its background ignore stays ignored; else it ends the run, here while that waits for its list.
interrupted_while_it_waits() { # what to do about SIGINT before
  mkfifo names
  (
    trap "$1" INT
    exec "$THAW" convert -q -f --files-from - -o waited/ <names 2>/dev/null
  ) &
  local run=$! status
  exec 3>names
  sleep 0.3
  kill -INT $run
  sleep 0.1
  echo here.mdx >&3 2>/dev/null
  exec 3>&-
  wait $run
  status=$?
  rm names
  return $status
}
interrupted_while_it_waits ''
status=$?
((status == 0)) && [[ -s waited/here.glb ]] || fail "an ignored SIGINT: exit $status"
finish
