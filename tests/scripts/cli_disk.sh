#!/usr/bin/env bash
# A full disk, a folder that may not be written: an error, the right exit code, no half file.
. tests/scripts/cli_common.sh
: "${THAW_SAMPLES:?the samples}"

sample=$THAW_SAMPLES/knight.mdx
mkdir full fixed fixed/inside
room=64k
# onto_full ARGUMENTS…: the command, then what lies in `full` / into_fixed ARGUMENTS…: where `fixed` may not be written
if unshare -rm true 2>/dev/null; then
  # A mount namespace of its own: a file system can be made as small as one likes, or read-only.
  mounted() { unshare -rm bash -c "mount $1"' && { "$@"; status=$?; ls -A full; exit $status; }' "${@:2}"; }
  onto_full() { mounted "-t tmpfs -o size=$room thaw full" bash "$THAW" "$@"; }
  into_fixed() { mounted '--bind fixed fixed && mount -o remount,bind,ro fixed' bash "$THAW" "$@"; }
  full_is='No space left'
  # mend_in_place FILE: where there is no room for a second one
  mend_in_place() {
    room=$(($(stat -c %s "$1") / 1024 + 16))k
    mounted "-t tmpfs -o size=$room thaw full" bash bash -c '
      cp "$1" full/own.mdx && "$0" validate --fix -f full/own.mdx >&2
      status=$?
      cmp "$1" full/own.mdx && echo as it was
      exit $status' "$THAW" "$1"
  }
else
  # Containers without: files may not grow beyond 64 KiB, and the folder is closed to those who are not root.
  need_plain_rights
  chmod a-w fixed/inside
  onto_full() { (trap '' XFSZ; ulimit -f 64; "$THAW" "$@"; status=$?; ls -A full; exit $status); }
  into_fixed() { plainly "$THAW" "$@"; }
  full_is='File too large'
  mend_in_place() {
    cp "$1" full/own.mdx
    (trap '' XFSZ; ulimit -f 64; "$THAW" validate --fix -f full/own.mdx >&2; status=$?
     cmp "$1" full/own.mdx && echo as it was; ls -A full; exit $status)
  }
fi

onto_full convert "$sample" -o full/knight.glb >out 2>err
status=$?
((status == 4)) || fail "a full disk: exit $status, expected 4"
complains "error write\\.failed: .*$full_is"
silent out # no file is left behind

onto_full convert "$sample" "$sample" --flat -o full/ >out 2>err
status=$?
((status == 5)) || fail "a batch onto a full disk: exit $status, expected 5"
silent out

onto_full thumb "$sample" -s 1024 -o full/ >out 2>err
status=$?
((status == 4)) || fail "a thumbnail onto a full disk: exit $status, expected 4"
complains "error write\\.failed: .*$full_is"
silent out

# A file that is mended in its place stays as it was.
python3 -c '
import sys
model = bytearray(open(sys.argv[1], "rb").read())
extent = model.find(b"MODL") + 8 + 340
model[extent : extent + 28] = bytes(28)
open("broken.mdx", "wb").write(model)' "$sample"
run 0 validate --fix --only mdx.model-extent-zero -o mended.mdx broken.mdx
mend_in_place broken.mdx >out 2>err
status=$?
((status == 4)) || fail "a file mended in its place on a full disk: exit $status, expected 4"
complains "error write\\.failed: .*$full_is"
[[ $(cat out) == $'as it was\nown.mdx' ]] || fail "what is left of it: $(cat out)"

into_fixed convert "$sample" -o fixed/inside/knight.glb >out 2>err
status=$?
((status == 4)) || fail "a read-only folder: exit $status, expected 4"
complains 'fixed/inside'
finish
