#!/usr/bin/env bash
# A full disk, a folder that may not be written: an error, the right exit code, no half file.
. tests/scripts/cli_common.sh
: "${THAW_SAMPLES:?the samples}"

sample=$THAW_SAMPLES/knight.mdx
mkdir full fixed fixed/inside
# onto_full ARGUMENTS…: the command, then what lies in `full` / into_fixed ARGUMENTS…: where `fixed` may not be written
if unshare -rm true 2>/dev/null; then
  # A mount namespace of its own: a file system can be made as small as one likes, or read-only.
  mounted() { unshare -rm bash -c "mount $1"' && { "$@"; status=$?; ls -A full; exit $status; }' "${@:2}"; }
  onto_full() { mounted '-t tmpfs -o size=64k thaw full' bash "$THAW" "$@"; }
  into_fixed() { mounted '--bind fixed fixed && mount -o remount,bind,ro fixed' bash "$THAW" "$@"; }
  full_is='No space left'
else
  # Containers without: files may not grow beyond 64 KiB, and the folder is closed to those who are not root.
  need_plain_rights
  chmod a-w fixed/inside
  onto_full() { (trap '' XFSZ; ulimit -f 64; "$THAW" "$@"; status=$?; ls -A full; exit $status); }
  into_fixed() { plainly "$THAW" "$@"; }
  full_is='File too large'
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

into_fixed convert "$sample" -o fixed/inside/knight.glb >out 2>err
status=$?
((status == 4)) || fail "a read-only folder: exit $status, expected 4"
complains 'fixed/inside'
finish
