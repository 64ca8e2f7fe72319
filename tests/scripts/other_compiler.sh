#!/usr/bin/env bash
# What this build's command makes and says is what that of build/release does, which another compiler made.
: "${THAW:?the command under test}" "${THAW_ROOT:?the source}"
reference=$THAW_ROOT/build/release/thaw
if [[ ! -x $reference ]] || find "$THAW_ROOT/src" "$THAW_ROOT/include" -newer "$reference" -name '*.[ch]pp' | grep -q .; then
  echo "skipped: no build/release/thaw of these sources; ./test --phase release"
  exit 77
fi
other=$THAW
THAW=$reference exec bash "$THAW_ROOT/tests/scripts/other_build.sh" "$other"
