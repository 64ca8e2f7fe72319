#!/usr/bin/env bash
# --timeout: what takes longer fails with its exit code and leaves nothing behind; what does not is not touched.
. tests/scripts/cli_common.sh

knight=$THAW_SAMPLES/knight.mdx
island=$THAW_SAMPLES/World/Maps/Island/Island.wdt
python3 "$scripts/mpq_make.py" some.mpq 'hidden\model.mdx=@files/models/tiny.mdx' || exit 1
archive=some.mpq
late=0.000001

# late ARGUMENTS…: one input
late() {
  run 6 "$@" --timeout $late
  complains 'error limit\.time: .*time limit was exceeded'
  complains 'hint: --timeout'
}
late info "$knight"
late dump "$knight"
late tree "$knight"
late diff "$knight" "$knight"
late validate "$knight"
late survey "$knight"
late ls "$archive"
run 5 extract "$archive" -o unpacked --timeout $late
complains 'error limit\.time'
late convert "$knight" -o made.glb
late optimize "$knight" -o made.mdx
late render "$knight" -o made.png
late thumb "$knight" -o made.png
late world "$island" --camera 0,0,0
# Waiting for what nobody writes takes time, too.
if ! on_windows; then # wine waits for pipes that have a name, whatever happens; windows_own.sh has one without
mkfifo silent
exec 8<>silent
for command in info 'render -o made.png'; do
  # shellcheck disable=SC2086
  timeout 20 "$THAW" $command --timeout 0.3 - <silent >out 2>err
  status=$?
  ((status == 6)) || fail "$command with a silent stdin: exit $status"
  complains 'error limit\.time'
done
exec 8>&-
fi
left=$(find . -type f -not -path './files/*' -not -name out -not -name err -not -name some.mpq)
[[ -z $left ]] || fail "left behind: $left"

# Of many files each has its own time, and its own line.
mkdir models
cp "$knight" models/one.mdx
cp "$knight" models/two.mdx
run 5 convert -r models -o made/ --json --timeout $late
check_json convert
(($(grep -c '"limit.time"' out) == 2)) || fail "two files, $(grep -c '"limit.time"' out) of them out of time"
run 6 render "$knight" -o made.png --json --timeout $late
check_json render

# Wherever the time ends, it is told and not a crash.
for seconds in 0.0001 0.0003 0.001 0.003 0.01 0.03; do
  "$THAW" convert -r "$THAW_SAMPLES" -o "made-$seconds" --timeout $seconds >out 2>err
  status=$?
  ((status == 0 || status == 5)) || fail "--timeout $seconds: exit $status: $(tail -n 3 err)"
done

# A long list of names is nobody's share: whatever is converted has its textures.
mkdir m3
for i in 1 2 3 4; do
  cp "$THAW_SAMPLES/waystone_v4.m3" m3/$i.m3
done
seq -f '%.0f;folder/of/a/texture/that/nobody/wants.blp' 5000000 5400000 >names.csv
cat "$THAW_SAMPLES/listfile.csv" >>names.csv
for seconds in 0.1 0.5 2 10; do # a busy machine takes longer for a model
  "$THAW" convert -r m3 -o m3-made --json -j 1 --timeout $seconds --listfile names.csv --source "$THAW_SAMPLES" >out 2>err
  grep -q 'texture\.missing-file' out && fail "names are missing after a file ran out of time"
  grep -q '"status":"converted"' out && break
done
grep -q '"status":"converted"' out || fail "nothing was converted: $(cat out err)"

run 0 convert -r models -o made/ --timeout 1000
run 0 render "$knight" -o made.png --timeout 1000000
run 2 convert -r models -o made/ --timeout 0
run 2 convert -r models -o made/ --timeout soon
finish
