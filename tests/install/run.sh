#!/usr/bin/env bash
# run.sh BUILD: installs a build to a temporary prefix and uses it from there as a stranger would.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix="$scratch/prefix"

cmake --install "$1" --prefix "$prefix" >"$scratch/install.log"

echo "-- installed headers include nothing foreign but tl/expected.hpp"
# What stands in <> is thaw's own, tl/expected.hpp, or of the standard library: one lower-case word.
if grep -rnE '^\s*#\s*include' "$prefix/include" |
  grep -vE '#\s*include\s*(["<]thaw/[a-z0-9_/]+\.hpp[">]|<tl/expected\.hpp>|<[a-z0-9_]+>)'; then
  echo "foreign includes, see above"
  exit 1
fi

echo "-- thaw.hpp is everything"
for header in "$prefix"/include/thaw/*.hpp; do
  name=${header##*/}
  [[ $name == thaw.hpp ]] || grep -q "<thaw/$name>" "$prefix/include/thaw/thaw.hpp" || {
    echo "thaw.hpp lacks $name"
    exit 1
  }
done

echo "-- a project with find_package(thaw) builds and runs"
cmake -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DTHAW_PREFIX="$prefix" \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cmake --build "$scratch/build"
"$scratch/build/consumer"

echo "-- the command runs from the prefix"
"$prefix/bin/thaw" --version

echo "-- no installed file names the place it was built in"
if grep -rlF "$1" "$prefix" --include='*.cmake' --include='*.hpp'; then
  echo "build paths in the files above"
  exit 1
fi
