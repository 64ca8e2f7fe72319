#!/usr/bin/env bash
# Everything that the tests of the glTF writer write, through the Khronos validator: no errors, no warnings.
set -euo pipefail
[[ -d $THAW_ROOT/tools/node_modules/gltf-validator ]] || { echo "skipped: the tool gltf-validator is not here"; exit 77; }

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
THAW_GLTF_OUT=$out "$THAW_BUILD/tests/thaw_tests_gltf" --gtest_brief=1
if [[ -x $THAW_BUILD/tests/thaw_tests_m3 ]]; then
  THAW_GLTF_OUT=$out "$THAW_BUILD/tests/thaw_tests_m3" --gtest_filter='M3FromScene.*' --gtest_brief=1
fi
find "$out" -name '*.gl[bt]*' | sort >"$out/list"
(($(wc -l <"$out/list") > 40)) || { echo "the tests have written too little"; exit 1; }
node "$THAW_ROOT/tools/validate-gltf.mjs" --list "$out/list"
