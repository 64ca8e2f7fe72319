#!/usr/bin/env bash
# run.sh BUILD SAMPLES: installs a build to a temporary prefix and uses it from there as a stranger would.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix="$scratch/prefix"

cmake --install "$1" --prefix "$prefix" >"$scratch/install.log"

echo "-- installed headers include nothing foreign but tl/expected.hpp"
# What stands in <> is thaw's own, tl/expected.hpp, or of the standard library: one lower-case word, in thaw.h one of C.
if grep -rnE '^\s*#\s*include' "$prefix/include" |
  grep -vE '#\s*include\s*(["<]thaw/[a-z0-9_/]+\.hpp[">]|<tl/expected\.hpp>|<[a-z0-9_]+>)' |
  grep -vE '/thaw\.h:[0-9]+:#include <std(def|int)\.h>'; then
  echo "foreign includes, see above"
  exit 1
fi

echo "-- a project with find_package(thaw) builds and runs"
# Each block of C++ in the pages whose first line names a file is a program.
mkdir "$scratch/programs"
awk -v folder="$scratch/programs" '/^```/ { file = "" } file { print > file }
  /^```cpp/ { getline; if ($2 ~ /\.cpp$/) { file = folder "/" $2; print > file } }' "$here"/../../docs/library/*.md
cmake -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DTHAW_PREFIX="$prefix" \
  -DTHAW_PROGRAMS="$scratch/programs" \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cmake --build "$scratch/build"
"$scratch/build/consumer" "$2/knight.mdx" "$scratch/copy.mdx"
cmp "$2/knight.mdx" "$scratch/copy.mdx"

echo "-- the programs of docs/library make what the command makes"
thaw="$prefix/bin/thaw" made="$scratch/made"
mkdir "$made"
for program in "$scratch"/programs/*.cpp; do
  lines=$(wc -l <"$program")
  ((lines <= 15)) || { echo "$program has $lines lines" && exit 1; }
done
"$scratch/build/clips" "$2/knight.mdx" >"$made/clips.txt"
grep -q '^Stand ' "$made/clips.txt"
(($(wc -l <"$made/clips.txt") > 100))
"$scratch/build/to_glb" "$2/knight.mdx" "$made/knight.glb"
"$thaw" convert -q "$2/knight.mdx" -o "$made/command.glb"
cmp "$made/knight.glb" "$made/command.glb"
mkdir "$made/tiles"
"$scratch/build/tiles" "$2/World/Maps/Island/Island.wdt" "$made/tiles"
"$thaw" convert -q "$2/World/Maps/Island/Island.wdt" -o "$made/command/"
diff -r "$made/tiles" "$made/command"
"$scratch/build/to_mdx" "$made/knight.glb" "$2/knight.mdx" "$made/knight.mdx"
cmp "$made/knight.mdx" "$2/knight.mdx"
"$scratch/build/repath" "$2/knight.mdx" "$made/moved.mdx"
"$thaw" diff "$2/knight.mdx" "$made/moved.mdx" >"$made/moved.txt" || (($? == 1))
grep -q war3mapImported "$made/moved.txt"
if grep -E '^[A-Z]' "$made/moved.txt" | grep -v '^TEXS'; then
  echo "more than paths of textures changed"
  exit 1
fi
"$scratch/build/meshes" "$2/knight.mdx" >"$made/meshes.txt"
grep -q '^Walk: 0.8 s$' "$made/meshes.txt"
samples=$(realpath "$2")
(cd "$made" && "$scratch/build/watched" "$samples/knight.mdx" "$samples" watched.glb 2>watched.txt)
"$thaw" convert -q "$samples/knight.mdx" --source "$samples" -o "$made/with_source.glb"
cmp "$made/watched.glb" "$made/with_source.glb"
grep -q '^pictures$' "$made/watched.txt"
strip -o "$made/clips" "$scratch/build/clips"
echo "clips is $(stat -c %s "$made/clips") bytes"

echo "-- the shared library serves the same program, and hides what no header declares"
"$scratch/build/consumer_shared" "$2/knight.mdx" "$scratch/shared.mdx"
cmp "$2/knight.mdx" "$scratch/shared.mdx"
shared=$(find "$prefix" -name 'libthaw.so.*.*.*')
if nm -DC --defined-only "$shared" | grep -E ' [TDRB] ' | grep -vE ' (typeinfo|vtable|thaw::|thaw_[a-z_]+$|operator)' |
  head -5 | grep .; then
  echo "the symbols above are no part of the interface"
  exit 1
fi

echo "-- a program in C builds with pkg-config and runs"
printf '%s\n' '#include <stdio.h>' '#include <thaw.h>' 'int main(void) { return puts(thaw_version()) < 0; }' >"$scratch/version.c"
flags=$(PKG_CONFIG_PATH="$(dirname "$shared")/pkgconfig" pkg-config --cflags --libs thaw)
# shellcheck disable=SC2086 # several words
cc -std=c99 -pedantic -Werror "$scratch/version.c" -o "$scratch/version" $flags
[[ $(LD_LIBRARY_PATH=$(dirname "$shared") "$scratch/version") == "$(PKG_CONFIG_PATH="$(dirname "$shared")/pkgconfig" pkg-config --modversion thaw)" ]]

echo "-- a program that reads one format links that format only"
"$scratch/build/sequences" "$2/knight.mdx" >"$scratch/sequences.txt"
grep -q '^Stand ' "$scratch/sequences.txt"
strip -o "$scratch/sequences" "$scratch/build/sequences"
size=$(stat -c %s "$scratch/sequences")
echo "$size bytes"
((size <= 1200000))
if nm -C --defined-only "$scratch/build/sequences" | grep -E ' thaw::(mpq|pack|blp|dds|png|raster|wdt|gltf)::'; then
  echo "the symbols above are of no use to it"
  exit 1
fi

echo "-- the command runs from the prefix"
"$prefix/bin/thaw" --version

echo "-- no installed file names the place it was built in"
if grep -rlF "$1" "$prefix" --include='*.cmake' --include='*.hpp'; then
  echo "build paths in the files above"
  exit 1
fi
