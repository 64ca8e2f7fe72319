#!/usr/bin/env bash
# A full disk, a folder that may not be written: an error, the right exit code, no half file.
. tests/scripts/cli_common.sh
: "${THAW_SAMPLES:?the samples}"

# In a mount namespace of its own, where a file system can be made as small as one likes. Many containers have none.
if ! unshare -rm true 2>/dev/null; then
  echo "skipped: unshare gives no mount namespace here"
  exit 77
fi
sample=$THAW_SAMPLES/knight.mdx
mkdir full fixed fixed/inside
mounted() { unshare -rm bash -c "$1" bash "$THAW" "$sample" >"$work/out" 2>"$work/err"; }

mounted 'mount -t tmpfs -o size=64k thaw full && "$1" convert "$2" -o full/knight.glb; status=$?; ls -A full; exit $status'
status=$?
((status == 4)) || fail "a full disk: exit $status, expected 4"
complains 'error write\.failed: .*No space left'
silent out # no file is left behind

mounted 'mount -t tmpfs -o size=64k thaw full && "$1" convert "$2" "$2" --flat -o full/; status=$?; ls -A full; exit $status'
status=$?
((status == 5)) || fail "a batch onto a full disk: exit $status, expected 5"
silent out

mounted 'mount --bind fixed fixed && mount -o remount,bind,ro fixed && "$1" convert "$2" -o fixed/inside/knight.glb'
status=$?
((status == 4)) || fail "a read-only folder: exit $status, expected 4"
complains 'fixed/inside'
finish
