# Sourced: every kind of output that the command makes, one `step ARGUMENTS…` each, over the samples, the seeds of the
# fuzzers and every $THAW_EVERY-th real file, if there are any. Who sources it says what a step is. What a step left in
# its folder may be the input of a later one; @J stands for the number of jobs, $work/in is for what is made on the way.
samples=$THAW_SAMPLES
island=$samples/World/Maps/Island
seeds=${THAW_SEEDS:-$THAW_ROOT/fuzz/corpus}

# What is in files.
trees=("$samples" "$seeds")
step survey @J --json -r "${trees[@]}"
step info @J --json -r "${trees[@]}"
step validate @J --json -r "${trees[@]}"
step validate @J -q -r "$samples" --fix -o mended
while read -r file; do
  step dump "$file"
  step tree "$file"
done < <(find "$samples" -type f ! -name '*.csv' ! -name '*.pack*' | sort)

# What becomes of them.
step convert @J -v -r "${trees[@]}" -o glb --listfile "$samples/listfile.csv"
step convert @J -r "$samples" -o gltf --to gltf --lod all
step convert @J -r "$samples" -o mdl --to mdl
step convert @J -r mdl -o mdx --to mdx
step convert @J -r "$samples" -o old --to mdx --format-version 800
step convert @J -r "$samples" -o new --to mdx --format-version 1800 --weights
for kind in blp blp2 dds; do
  step convert @J -r "$samples/Textures" "$samples/forgelight" -o "$kind" --to "$kind"
done
step convert @J -r "$samples/Textures" -o small --max-size 16
step optimize @J -r "$samples" -o optimized
step survey @J -r mdl mdx old new blp blp2 dds optimized
# And back.
step convert @J -r glb -o m3 --to m3
step convert @J glb/banner.glb -o banner.mrf
step convert @J "$samples/forgelight/human.mrn" -o human.glb --clip Walk
step convert @J human.glb -o Walk.nsa --skeleton "$samples/forgelight/human.mrn"
step convert @J human.glb -o new.mrn --skeleton "$samples/forgelight/human.mrn"
step convert @J "$samples/house.wmo" -o later/ --to wmo-v17
step convert @J later/house.wmo -o earlier/ --to wmo-v14

# Maps.
for kind in heightmap maps adt-lk; do
  step convert @J "$island/Island.wdt" -o "$kind/" --to "$kind"
done
step convert @J "$island/Island.wdt" -o minimap/ --to minimap --source "$samples"
step convert @J adt-lk/Island.wdt -o wdt/ --to wdt
step convert @J "$island/Island.wdt" -o tiles/ --source "$samples" --layers terrain,liquid,wdl
step convert @J "$island/Island.wdt" -o splat/ --source "$samples" --terrain splat
step convert @J "$island/Island.wdl" -o far.glb
step world "$island/Island.wdt" --camera -9050,20,60 --json

# Pictures.
step thumb @J -r "${trees[@]}" -s 48 -s 32 -o thumbs
step render @J "$samples/knight.mdx" -s 96 -o knight.png --bones --extents
step render @J "$samples/knight.mdx" -s 32 --play --fps 5 -o play.gif
step render @J "$samples/knight.mdx" -s 32 --turntable --frames 5 -o turn.png
step render @J "$samples/house.wmo" -s 96 -o house.png
step render @J "$samples/forgelight/Human.adr" -s 96 -o human.png
step render @J "$island/Island.wdt" -s 128 -o above.png
step render @J "$island/Island.wdt" -s 96x48 --eye=-9050,20,60 --look=-20,-2 -o eye.png

# Archives.
inside=()
while read -r file; do
  inside+=("${file#"$samples/"}=@$file")
done < <(find "$samples" -type f -name '*[xpl]' | sort)
python3 "$THAW_ROOT/tests/scripts/mpq_make.py" "$work/in/all.mpq" "${inside[@]}" || fail "no archive"
for archive in "$work/in/all.mpq" "$samples/forgelight/human.pack" "$samples/forgelight/human.pack2"; do
  name=${archive##*/}
  step ls "$archive" --json
  step extract @J "$archive" -o "$name.d"
  step survey @J -r "$archive//"
  step convert @J -r "$archive//" -o "$name.glb"
done

# Installed games: a tree of names; numbers, which hashes of names lead to.
for kind in names numbers; do
  python3 "$THAW_ROOT/tests/scripts/casc_make.py" "$work/in/$kind" --$kind "${inside[@]}" || fail "no storage of $kind"
  step ls "$work/in/$kind" --json
  step extract @J "$work/in/$kind" -o "$kind.d"
  step info "$work/in/$kind//knight.mdx" --json
done

# Real files.
if [[ -d ${THAW_CORPUS:-} ]]; then
  find -L "$THAW_CORPUS" -type f | grep -iE '\.(mdx|mdl|blp|dds|tga|m3|mrn|nsa|wdt|wdl|wmo|mpq)$' | sort |
    awk -v every="${THAW_EVERY:-40}" '(NR - 1) % every == 0' >"$work/in/real"
  step survey @J --json --files-from "$work/in/real"
  step validate @J --json --files-from "$work/in/real"
  step convert @J -q --files-from "$work/in/real" -o real
  step thumb @J --files-from "$work/in/real" -s 32 -o real_thumbs
  echo "$(wc -l <"$work/in/real") real files"
else
  echo "skipped  real files: there is no corpus"
fi

