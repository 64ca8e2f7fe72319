#!/usr/bin/env bash
# --isolate: what it takes away, that outputs are the same, and that a process that dies is one file's failure.
. tests/scripts/cli_common.sh
: "${THAW_SAMPLES:?the samples}"

if on_windows; then
  run 2 info --isolate --files-from -
  complains '--isolate cannot read stdin'
  run 2 convert --isolate --to mdl -
  complains '--isolate cannot read stdin'
elif [[ $(uname -s) != Linux ]]; then
  run 2 info --isolate files/models/tiny.mdx
  complains '--isolate needs Linux'
  finish
  exit
fi
"$THAW" info --isolate files/models/tiny.mdx >/dev/null 2>err ||
  { grep -q 'needs Linux with seccomp' err && echo "skipped: no seccomp here" && exit 77; }

landlock=0
if ! on_windows; then # tests/scripts/windows_platform.sh has its own probe

# --- what a file that has taken the process over can do

mkdir readable
echo inside >readable/inside
echo secret >outside
landlock=$("$THAW" doctor -v 2>/dev/null | grep -c 'Landlock [0-9]')
for how in "" serve; do
  "$THAW_BUILD/tests/thaw_isolation_probe" readable outside $how >probe || fail "the probe $how: exit $?"
  escaped=$(grep -Ev ' refused|^reads its input$|^the parent answers$|^in a worker:$|^ended by itself$' probe)
  ((landlock)) || escaped=$(grep -Ev '^open-(outside|own-memory|environment) ' <<<"$escaped")
  [[ -z $escaped ]] || fail "not refused: $escaped"
  (($(grep -c ' refused' probe) > 120)) || fail "attempts are missing: $(grep -c ' refused' probe)"
  (($(grep -c '^reads its input$' probe) == 2)) || fail "the input cannot be read"
  [[ $(ls readable) == inside && $(<readable/inside) == inside ]] || fail "something was written"
done

probe() { "$THAW_BUILD/tests/thaw_isolation_probe" readable outside "$1" | sort >probe; }
probe crash
grep -q '^1 signal 11 ' probe && (($(grep -c ' done$' probe) == 3)) || fail "a crash: $(<probe)"
probe hang
grep -q '^1 late$' probe && (($(grep -c ' done$' probe) == 3)) || fail "a hang: $(<probe)"
probe turn
grep -q '^1 signal 11 ' probe && (($(grep -c ' done$' probe) == 3)) && grep -qx 'one after the other' probe ||
  fail "turns: $(<probe)"
probe flood
grep -q '^1 signal 9 ' probe && (($(grep -c ' done$' probe) == 3)) || fail "too long an answer: $(<probe)"

fi

# --- the same outputs

mkdir models
cp "$THAW_SAMPLES"/*.mdx "$THAW_SAMPLES"/*.m3 "$THAW_SAMPLES"/*.blp models/ 2>/dev/null
cp -r "$THAW_SAMPLES/Textures" models/
head -c 500 models/knight.mdx >models/short.mdx
echo text >models/text.mdx

python3 "$scripts/mpq_make.py" files.mpq 'Units\knight.mdx=@models/knight.mdx' 'note.txt=hello' 'war3map.j=script' '..\out.txt=hello'

# same COMMAND…: with --isolate the same on both streams, but for names of outputs
same() {
  local status isolated
  rm -rf made apart
  "$THAW" "$@" >plain.out 2>plain.err </dev/null
  status=$?
  [[ -d made ]] && mv made apart
  "$THAW" "$1" --isolate "${@:2}" >out 2>err </dev/null
  isolated=$?
  ((status == isolated)) || fail "$*: exit $status, with --isolate $isolated: $(head -n 3 err)"
  cmp -s plain.out out || fail "$*: another stdout: $(diff plain.out out | head -n 5)"
  cmp -s plain.err err || fail "$*: another stderr: $(diff plain.err err | head -n 5)"
  [[ ! -d apart && ! -d made ]] || diff -r apart made >/dev/null || fail "$*: other files: $(diff -rq apart made | head -n 3)"
}
same info -r models
same info -r models --json
same info models/knight.mdx models/missing.mdx
same validate -r models --json
same validate -r models --format sarif
same survey -r models
same survey -r models --json
same survey -r models --csv table.csv -f
same convert -r models -o made/
same convert -r models -o made/ --to gltf --json
same convert models/short.mdx models/knight.mdx -o made/ --strict
same convert -r models -o made/ -j 1 --fail-fast --strict
same convert models/knight.mdx -o - --to mdl
same convert -n -r models -o made/
same render models/knight.mdx -o made/knight.png --size 64 --samples 1
same render models/knight.mdx -o made/knight.gif --size 32 --samples 1 --turntable --frames 3
same thumb -r models -o made/ --size 48 --samples 1
same extract files.mpq -o made/
same ls files.mpq
same dump models/knight.mdx
same tree models/short.mdx
same diff models/knight.mdx models/chest.mdx
printf 'models/knight.mdx\nmodels/chest.mdx\n' >list
same info --files-from list
if ! on_windows; then
  "$THAW" info --isolate --files-from - <list >out 2>err || fail "names from stdin: $(<err)"
  "$THAW" convert --isolate --to mdl - <models/knight.mdx >out 2>err && [[ -s out ]] || fail "a model from stdin: $(<err)"
fi

# --- what is not read and not written

# A link that leads out of what was named.
mkdir -p linked far
cp models/knight.mdx far/
ln -s ../far/knight.mdx linked/link.mdx
if ((landlock)); then
  run 5 info --isolate -r linked
  complains '^linked/link\.mdx: error input\.unreadable: Permission denied'
fi
run 0 info -r linked
run 2 validate --isolate --fix safe models/knight.mdx -o fixed.mdx
complains '--isolate cannot be combined with --fix'
run 2 render --isolate models/knight.mdx -o film.webm --turntable
complains '--isolate does not start'
echo mine >knight.glb
run 4 convert --isolate models/knight.mdx -o knight.glb
complains 'write\.exists'
[[ $(<knight.glb) == mine ]] || fail "it was written over"
run 0 convert --isolate -f models/knight.mdx -o knight.glb

# --- bounds

# Noise, which takes seconds to compress: time enough to find the process that does.
python3 - <<'PYTHON'
import random, struct
header = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, 6000, 6000, 32, 0x28)
open("large.tga", "wb").write(header + random.Random(1).randbytes(6000 * 6000 * 4))
PYTHON
if ! on_windows; then # wine does not bound memory
  run 6 convert --isolate --max-memory 50M large.tga -o refused.png
  complains '^large\.tga: error limit\.memory: '
  run 5 convert --isolate --max-memory 50M large.tga models/knight.mdx -o made/
  complains '^large\.tga: error limit\.memory: '
  [[ -s made/knight.glb ]] || fail "the batch ended with one file"
fi
run 6 convert --isolate --timeout 0.01 large.tga -o refused.png
complains '^large\.tga: error limit\.time: '

if on_windows; then
  finish
  exit
fi

# --- a process that dies

# children PID: of a process
children() { cat "/proc/$1/task/$1/children" 2>/dev/null || pgrep -P "$1"; }

# find_worker PID: the process that works on a file of that command, once it has run for a moment
find_worker() {
  local child times
  for _ in $(seq 2000); do
    child=$(children "$1")
    for worker in $([[ -z $child ]] || children "${child%% *}"); do
      read -ra times <"/proc/$worker/stat" 2>/dev/null || continue
      ((times[13] + times[14] >= 5)) && return
    done
    sleep 0.005
  done
  fail "no worker: ${child:-no process around it}"
}

# kill_worker SIGNAL ARGUMENTS…: the process that works on the first file gets that signal
kill_worker() {
  local signal=$1 pid worker=
  shift
  "$THAW" "$@" >out 2>err </dev/null &
  pid=$!
  find_worker $pid
  kill "-$signal" "$worker" || fail "no worker to kill"
  wait $pid
  status=$?
}
mkdir some
cp large.tga some/a.tga
cp models/knight.mdx some/b.mdx
cp models/chest.mdx some/c.mdx
for signal in SEGV KILL ABRT; do
  rm -rf made
  kill_worker $signal convert --isolate -j 1 -r some -o made/ --json
  ((status == 5)) || fail "$signal: exit $status"
  complains "^some/a\.tga: error isolate\.died: the reading process ended with signal $(kill -l $signal) "
  (($(grep -c ' error ' err) == 1)) || fail "$signal: $(<err)"
  [[ -s made/b.glb && -s made/c.glb && ! -e made/a.png ]] || fail "$signal: $(ls made)"
  says '"input":"some/a\.tga".*"isolate\.died"'
  check_json convert
done
kill_worker SEGV convert --isolate large.tga -o single.png
((status == 70)) || fail "a single file: exit $status"
complains '^large\.tga: error isolate\.died: '
[[ ! -e single.png && -z $(find . -name '*.tmp') ]] || fail "something is left"

# The process around the workers, too; and nothing outlives the command. What waits for a parent to ask how it
# ended, as it does for ever where process 1 does not, has ended.
"$THAW" convert --isolate large.tga -o single.png >out 2>err </dev/null &
pid=$!
find_worker $pid
child=$(children $pid)
kill -SEGV "${child%% *}"
wait $pid
status=$?
((status == 70)) || fail "the process around: exit $status"
complains 'isolate\.died'
is_alive() { grep -qs '^State:[[:space:]]*[DIRSTt]' "/proc/$1/status"; }
for _ in $(seq 500); do
  is_alive "$worker" || break
  sleep 0.02
done
is_alive "$worker" && fail "a worker outlives the command: $(grep -s '^[NSP]' "/proc/$worker/status")"

# --- the filter is there before the first byte

if command -v strace >/dev/null && strace -f -o trace true 2>/dev/null; then
  thumbnailer=$(sed -n 's/^Exec=thaw //p' "$root/packaging/thaw.thumbnailer")
  thumbnailer=${thumbnailer//%s/64}
  thumbnailer=${thumbnailer//%i/some/b.mdx}
  thumbnailer=${thumbnailer//%o/thumbnail}
  for line in "$thumbnailer" "info --isolate some/b.mdx" "dump --isolate some/b.mdx"; do
    # shellcheck disable=SC2086
    strace -f -o trace -e trace=openat,seccomp "$THAW" $line >/dev/null 2>err || fail "$line: $(<err)"
    filtered=$(grep -n 'seccomp(SECCOMP_SET_MODE_FILTER.* = 0' trace | head -n 1 | cut -d: -f1)
    opened=$(grep -n 'b\.mdx' trace | grep -v O_PATH | head -n 1 | cut -d: -f1)
    [[ -n $filtered && -n $opened && $filtered -lt $opened ]] || fail "$line: filter at $filtered, input at $opened"
  done
  [[ -s thumbnail ]] || fail "no thumbnail"
fi
finish
