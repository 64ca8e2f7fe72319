#!/bin/bash -eu
# Builds the fuzz targets as ClusterFuzzLite and OSS-Fuzz ask for them: programs, seeds and dictionaries in $OUT. TARGETS
# chooses some by name. Outside of their image, with absolute paths to empty folders:
#   CC=clang-19 CXX=clang++-19 THAW_ROOT=$PWD WORK=... OUT=... .clusterfuzzlite/build.sh

source=${THAW_ROOT:-$SRC/thaw}
build=$WORK/thaw
case ${SANITIZER:-address} in
  address) sanitize=address,undefined ;;
  undefined) sanitize=address,undefined ;;
  *) echo "no build with SANITIZER=$SANITIZER" >&2 && exit 1 ;;
esac

cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-O1 -gline-tables-only" \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="${CXXFLAGS:-}" -DCMAKE_EXE_LINKER_FLAGS=-no-pie \
  -DCMAKE_BUILD_RPATH='$ORIGIN/lib' \
  -DTHAW_SANITIZE="$sanitize" -DTHAW_COVERAGE_GUIDED=ON -DTHAW_PRECOMPILE=ON -DTHAW_BATCHES=ON -DTHAW_WARNINGS=OFF

names=()
for file in "$source"/fuzz/*_fuzz.cpp; do
  name=$(basename "$file" _fuzz.cpp)
  [[ -z ${TARGETS:-} || " $TARGETS " == *" $name "* ]] && names+=("$name")
done
programs=("${names[@]/#/thaw_}")
cmake --build "$build" --target "${programs[@]/%/_libfuzzer}"

python3 "$source/fuzz/make-dictionaries" "$OUT"
mkdir -p "$OUT/lib"
for name in "${names[@]}"; do
  program=$OUT/thaw_${name}
  cp "$build/fuzz/thaw_${name}_libfuzzer" "$program"
  # The libraries of the image come along: targets run in another one.
  ldd "$program" | awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libpthread|libdl|librt|ld-linux).*\.so/ { print $3 }' |
    xargs -r cp -nL -t "$OUT/lib"
  mv "$OUT/$name.dict" "$OUT/thaw_$name.dict"
  printf '[libfuzzer]\nmax_len = 65536\nclose_fd_mask = 3\n' >"$program.options"
  mapfile -t seeds < <("$source/fuzz/run" --seeds "$name")
  for folder in "${seeds[@]}"; do
    [[ -d $folder ]] && find "$folder" -type f -print0 | xargs -0 -r zip -qjg "$program""_seed_corpus.zip"
  done
done
