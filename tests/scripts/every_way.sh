# Sourced after every_output.sh, whose outputs are the inputs here: the ways of conversion that a refactoring is most likely
# to change. Profiles, merging onto originals, edits by every verb, patches, archives that are changed, storages, streams,
# and glTF that thaw did not make into every game.
corpus=${THAW_CORPUS:-/nonexistent}
alpha=$samples/Creature/Beetle/Beetle.mdx

# How glTF is written, whatever the source.
for profile in compat rich blender; do
  step convert @J -r "$samples" -o "profile-$profile" --profile "$profile" --listfile "$samples/listfile.csv"
done
for model in "$samples"/*.mdx "$samples"/*.mrf "$samples"/*.m3 "$samples/house.wmo" "$alpha"; do
  name=$(basename "$model")
  step convert "$model" -o "ways/$name.scaled.glb" --scale 0.5
  step convert "$model" -o "ways/$name.glb"
  # Unedited, onto what it came from.
  step convert "ways/$name.glb" -o "onto/$name" --onto "$model"
  for target in mdx mdx-alpha m3 mrf dme wmo mdl; do
    step convert "ways/$name.glb" -o "into-$target/" --to "$target"
  done
done
# What one source or another has a use for, and the refusal by all others.
for model in knight.mdx banner.mrf waystone_v4.m3 house.wmo forgelight/human.mrn forgelight/Human.adr; do
  name=$(basename "$model")
  step convert "$samples/$model" -o "options/$name.lod.glb" --lod all
  step convert "$samples/$model" -o "options/$name.collision.glb" --collision
  step convert "$samples/$model" -o "options/$name.clip.glb" --clip 'W*'
  step convert "$samples/$model" -o "options/$name.every.glb" --every 3
  step convert "$samples/$model" -o "options/$name.error.glb" --max-error 0.1
  step convert "$samples/$model" -o "options/$name.team.glb" --team-color 3
  step convert "$samples/$model" -o "options/$name.global.glb" --bake-global
done

# Edits.
knight=$samples/knight.mdx
step edit "$knight" --scale 1.5 -o edit/large.mdx
step edit "$knight" --rename-sequence 'Stand=Stand - 9' -o edit/renamed.mdx
step edit "$knight" --repath 'Textures\*=war3mapImported\*' -o edit/repathed.mdx
step edit "$knight" --remove emitter -o edit/plain.mdx
step edit "$knight" --add-attachment 'Origin Ref' -o edit/attached.mdx
step edit "$knight" --move 1,2,3 --rotate z,90 -o edit/placed.mdx
step edit "$samples/chest.mdx" --copy-clips "$knight" -o edit/clips.mdx
step portrait "$knight" -o edit/
step set "$knight" 'SEQS[Stand].name=Stand - 2' -o edit/set.mdx
step set "$knight" 'MTLS[*].layers[0].shadingFlags|=1' -o edit/unshaded.mdx
step set --paths "$knight"
step diff --patch "$knight" edit/set.mdx
step diff --json "$knight" edit/large.mdx
step merge "$knight" edit/set.mdx edit/unshaded.mdx -o edit/merged.mdx
while read -r file; do
  "$THAW" dump "$file" >"$work/in/$(basename "$file").json" 2>/dev/null || continue
  step build "$work/in/$(basename "$file").json" -o "built/$(basename "$file")"
done < <(find "$samples" -type f ! -name '*.csv' ! -name '*.pack*' ! -name '*.mdl' | sort)

# Archives.
mkdir -p "$work/in/folder"
cp "$knight" "$samples/chest.mdx" "$work/in/folder/"
step pack "$work/in/folder" -o packed.mpq
step pack "$work/in/folder" -o packed.pack
step pack "$samples/house.wmo" -o house.wmo.MPQ
step add packed.mpq "$samples/banner.mrf=war3mapImported\\banner.mrf" -o added.mpq
step remove added.mpq 'chest*' -o removed.mpq
step ls removed.mpq --json
step bundle "$knight" -o bundled/ --source "$samples"
step bundle "$knight" -o bundled.zip --source "$samples"
step deps "$knight" --source "$samples" --json

stdin=$knight step info - --json
stdin=$knight step convert - -o from-stdin.glb
stdin=$knight step convert - --to mdl -o -

# glTF of others, and files that failed once.
if [[ -d $corpus ]]; then
  while read -r file; do
    for target in mdx m3 mrf dme; do
      step convert "$file" -o "foreign-$target/$(basename "${file%.*}").$target"
    done
  done < <(find -L "$corpus/gltf" "$corpus/field/glb" "$corpus/field/hostile" -type f \( -name '*.gltf' -o -name '*.glb' \) | sort |
    awk -v every="${THAW_EVERY:-1}" '(NR - 1) % every == 0')
  while read -r file; do
    step validate --json "$file"
    step convert "$file" -o "field/$(basename "$file").glb"
  done < <(find -L "$corpus/field" -type f ! -name '*.tsv' ! -name '*.md' | sort)
  for storage in "$corpus"/casc/*/; do
    step ls "$storage" --json
    step convert @J -r "${storage%/}//" -o "casc-$(basename "$storage")"
  done
fi
