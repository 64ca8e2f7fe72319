#!/usr/bin/env bash
# other_build.sh COMMAND…: the command as another machine or sanitizer has it, working on four things at a time, against
# $THAW, which does one after the other. Over the samples, the seeds of the fuzzers and every $THAW_EVERY-th real file, if
# there are any, both must write the same files, say the same and end with the same exit code.
set -uo pipefail
: "${THAW:?the command to compare with}" "${THAW_SAMPLES:?the samples}" "${THAW_ROOT:?the source}"
other=("$@")
export NO_COLOR=1 TZ=UTC

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Each has a folder of its own; what a step left there may be the input of a later one.
mkdir "$work/one" "$work/other" "$work/in"
runs=0 failures=0

fail() {
  echo "FAILED   $*"
  failures=$((failures + 1))
}

# both ARGUMENTS…: runs both. @J stands for the number of jobs.
both() {
  local wanted got start=$SECONDS name="thaw ${*/#$THAW_SAMPLES/samples}" before=$failures
  (cd "$work/one" && "$THAW" "${@/#@J/-j1}" >../one.out 2>../one.err </dev/null)
  wanted=$?
  (cd "$work/other" && "${other[@]}" "${@/#@J/-j4}" >../other.out 2>../other.err </dev/null)
  got=$?
  runs=$((runs + 1))
  ((got == wanted)) || fail "$name: exit $got instead of $wanted; $(tail -n 3 "$work/other.err")"
  ((wanted != 2)) || fail "$name: is no command"
  cmp "$work/one.out" "$work/other.out" || fail "$name: another output"
  diff "$work/one.err" "$work/other.err" || fail "$name: other messages"
  ((failures > before)) || echo "ok       $name: exit $got, $((SECONDS - start)) s"
}

samples=$THAW_SAMPLES
island=$samples/World/Maps/Island
seeds=$THAW_ROOT/fuzz/corpus

# What is in files.
trees=("$samples" "$seeds")
both survey @J --json -r "${trees[@]}"
both info @J --json -r "${trees[@]}"
both validate @J --json -r "${trees[@]}"
both validate @J -q -r "$samples" --fix -o mended
while read -r file; do
  both dump "$file"
  both tree "$file"
done < <(find "$samples" -type f ! -name '*.csv' ! -name '*.pack*' | sort)

# What becomes of them.
both convert @J -v -r "${trees[@]}" -o glb --listfile "$samples/listfile.csv"
both convert @J -r "$samples" -o gltf --to gltf --lod all
both convert @J -r "$samples" -o mdl --to mdl
both convert @J -r mdl -o mdx --to mdx
both convert @J -r "$samples" -o old --to mdx --format-version 800
both convert @J -r "$samples" -o new --to mdx --format-version 1800 --weights
for kind in blp blp2 dds; do
  both convert @J -r "$samples/Textures" "$samples/forgelight" -o "$kind" --to "$kind"
done
both convert @J -r "$samples/Textures" -o small --max-size 16
both optimize @J -r "$samples" -o optimized
both survey @J -r mdl mdx old new blp blp2 dds optimized
# And back.
both convert @J -r glb -o m3 --to m3
both convert @J glb/banner.glb -o banner.mrf
both convert @J "$samples/forgelight/human.mrn" -o human.glb --clip Walk
both convert @J human.glb -o Walk.nsa --skeleton "$samples/forgelight/human.mrn"
both convert @J human.glb -o new.mrn --skeleton "$samples/forgelight/human.mrn"
both convert @J "$samples/house.wmo" -o later/ --to wmo-v17
both convert @J later/house.wmo -o earlier/ --to wmo-v14

# Maps.
for kind in heightmap maps minimap adt-lk; do
  both convert @J "$island/Island.wdt" -o "$kind/" --to "$kind" --source "$samples"
done
both convert @J adt-lk/Island.wdt -o wdt/ --to wdt
both convert @J "$island/Island.wdt" -o tiles/ --source "$samples" --layers terrain,liquid,wdl
both convert @J "$island/Island.wdt" -o splat/ --source "$samples" --terrain splat
both convert @J "$island/Island.wdl" -o far.glb
both world "$island/Island.wdt" --camera -9050,20,60 --json

# Pictures.
both thumb @J -r "${trees[@]}" -s 48 -s 32 -o thumbs
both render @J "$samples/knight.mdx" -s 96 -o knight.png --bones --extents
both render @J "$samples/knight.mdx" -s 32 --play --fps 5 -o play.gif
both render @J "$samples/knight.mdx" -s 32 --turntable --frames 5 -o turn.png
both render @J "$samples/house.wmo" -s 96 -o house.png
both render @J "$samples/forgelight/Human.adr" -s 96 -o human.png
both render @J "$island/Island.wdt" -s 128 -o above.png
both render @J "$island/Island.wdt" -s 96x48 --eye=-9050,20,60 --look=-20,-2 -o eye.png

# Archives.
inside=()
while read -r file; do
  inside+=("${file#"$samples/"}=@$file")
done < <(find "$samples" -type f -name '*[xpl]' | sort)
python3 "$THAW_ROOT/tests/scripts/mpq_make.py" "$work/in/all.mpq" "${inside[@]}" || fail "no archive"
for archive in "$work/in/all.mpq" "$samples/forgelight/human.pack" "$samples/forgelight/human.pack2"; do
  name=${archive##*/}
  both ls "$archive" --json
  both extract @J "$archive" -o "$name.d"
  both survey @J -r "$archive//"
  both convert @J -r "$archive//" -o "$name.glb"
done

# Real files.
if [[ -d ${THAW_CORPUS:-} ]]; then
  find -L "$THAW_CORPUS" -type f | grep -iE '\.(mdx|mdl|blp|dds|tga|m3|mrn|nsa|wdt|wdl|wmo|mpq)$' | sort |
    awk -v every="${THAW_EVERY:-40}" 'NR % every == 1' >"$work/in/real"
  both survey @J --json --files-from "$work/in/real"
  both validate @J --json --files-from "$work/in/real"
  both convert @J -q --files-from "$work/in/real" -o real
  both thumb @J --files-from "$work/in/real" -s 32 -o real_thumbs
  echo "$(wc -l <"$work/in/real") real files"
else
  echo "skipped  real files: there is no corpus"
fi

files=$(find "$work/other" -type f | wc -l)
((files > 500)) || fail "only $files files"
if diff -rq "$work/one" "$work/other"; then
  echo "ok       $files files are the same"
else
  fail "other files"
fi
echo "$runs runs, $files files, $failures failures"
((failures == 0))
