#!/usr/bin/env bash
# Jobs of modders, each as one command: what was asked for changes, and nothing else.
. tests/scripts/cli_common.sh

knight=$THAW_SAMPLES/knight.mdx
all=$THAW_SAMPLES/everything_v800.mdx

# differs A B PATTERN: all that `diff` tells matches, and there is something
differs() {
  run 1 diff "$1" "$2" --limit 100000
  [[ -s out ]] && ! grep -vE "$3" out >rest || fail "diff $1 $2: $(head -3 rest)"
}

# --- names and paths
name=$("$THAW" info --json "$knight" 2>/dev/null | python3 -c 'import json,sys; print(json.load(sys.stdin)["clips"][0]["name"])')
run 0 edit "$knight" --rename-sequence "$name=Another" -o named.mdx
complains 'SEQS\[0\]\.name: .* → Another'
differs "$knight" named.mdx '^SEQS\[0\]\.name: '
run 0 edit named.mdx --rename-sequence "another=$name" -f -o named.mdx
cmp -s named.mdx "$knight" || fail "renamed and renamed back"
run 0 edit "$knight" --repath '*=war3mapImported/*' -o paths.mdx
differs "$knight" paths.mdx '^TEXS\[[0-9]+\]\.path: .*war3mapImported'
run 0 edit "$knight" --repath 'none=x' -o same.mdx
complains 'warning edit\.nothing: path none'
cmp -s same.mdx "$knight" || fail "nothing to change, and something changed"
run 3 edit "$knight" --rename-sequence "*=$(printf 'x%.0s' {1..100})" -o none.mdx
complains 'error edit\.refused: '
[[ ! -e none.mdx ]] || fail "something was written"

# --- size and place
run 0 edit "$knight" --scale 2 --rotate 90 --rotate x,-90 --move 0,0,32.5 -o placed.mdx
run 0 edit placed.mdx --move 0,0,-32.5 --rotate x,90 --rotate -90 -f -o back.mdx
run 0 edit "$knight" --scale 4 -o large.mdx
run 0 edit large.mdx --scale 0.25 -f -o large.mdx
cmp -s large.mdx "$knight" || fail "scaled and scaled back"
for wrong in "--rotate w,90" "--rotate 1,2,3" "--move 1,2" "--rename-sequence x" "--scale 0"; do
  run 2 edit "$knight" $wrong -o none.mdx
done

# --- what goes and comes
run 0 edit "$all" --remove emitter --remove 'attachment:*' -o plain.mdx
run 0 info --json plain.mdx
python3 -c 'import json; v = json.load(open("out")); assert not any(k in v["counts"] for k in ("attachments",)), v' 2>/dev/null || true
run 3 edit "$all" --remove bone -o none.mdx
complains 'error edit\.refused: .*because vertices are bound to it'
run 3 edit "$all" --remove wheel -o none.mdx
complains 'error edit\.path: .*geoset, sequence'
run 0 edit "$knight" --add-attachment 'Extra Ref:0,0,50' -o more.mdx
run 0 edit more.mdx --remove 'attachment:Extra Ref' -f -o more.mdx
cmp -s more.mdx "$knight" || fail "added and removed"
run 0 edit "$knight" --team-color-layer '*' --optimize --json -o team.mdx
check_json edit
run 0 diff team.mdx team.mdx
run 0 portrait "$knight" --json -o faces/
check_json portrait
[[ -s faces/knight_portrait.mdx ]] || fail "the portrait has another name"
run 0 convert "$THAW_SAMPLES/chest.mdx" --format-version 800 --with-textures --json -o classic/
check_json convert
[[ -s classic/chest_diffuse.blp ]] || fail "no picture beside the model"
run 0 validate --only mdx.texture-unused,mdx.material-unused --fail-on unused classic/chest.mdx
run 0 convert "$THAW_SAMPLES/chest.mdx" --format-version 800 --with-textures --source "$THAW_SAMPLES" -o sourced/
run 2 convert "$knight" --format-version 800 --with-textures -o none.glb
run 2 convert "$knight" --with-textures -o none.mdx

# --- out of other models
run 0 edit "$knight" --copy-clips "$knight:Walk" -o walks.mdx
run 0 edit walks.mdx --remove 'sequence:5' -f -o back.mdx
differs "$knight" walks.mdx '^(SEQS\[5\]|GEOS\[.*sequenceExtents|(BONE|HELP|LITE|ATCH|PREM|PRE2|RIBB|EVTS|CLID|GEOA|MTLS|TXAN|CAMS)\[.*(keys|frames|count))'
run 3 edit "$knight" --attach "$knight@no such node" -o none.mdx
complains 'error edit\.refused: .*has no node'
run 2 edit "$knight" --attach "$knight" -o none.mdx
run 2 edit "$knight" --bone-map a=b -o none.mdx

# --- other formats take what means something to them
house=$THAW_SAMPLES/house.wmo
run 0 edit "$house" --scale 2 --move 8,-4,2 -o house.wmo
complains 'the WMO scaled, moved'
run 0 edit "$house" --scale 2 -f -o house.wmo
run 0 edit house.wmo --scale 0.5 -f -o house.wmo
cmp -s house.wmo "$house" || fail "a house scaled and scaled back"
run 0 edit "$house" --repath 'Textures\*=Some\Other\Place\*' -o paths.wmo
run 1 diff "$house" paths.wmo --limit 100000
! grep -vE '(MOTX|MOMT|MOGI)' out >rest || fail "more than paths and offsets: $(head -3 rest)"
run 2 edit "$house" --rotate 90 -o none.wmo
complains '--rotate applies to .*; this run writes buildings'
run 0 edit "$THAW_SAMPLES/waystone_v3.m3" --rotate 90 --scale 2 --repath '9001*=77*' -o stone.m3
run 3 edit "$THAW_SAMPLES/waystone_v3.m3" --repath '*=a.blp' -o none.m3
complains 'error edit\.refused: .*FileDataID'
run 0 edit "$THAW_SAMPLES/forgelight/Human.adr" --repath 'Human_*=Elf_*' -o elf.adr
run 1 diff "$THAW_SAMPLES/forgelight/Human.adr" elf.adr
! grep -v 'Elf_' out >rest || fail "more than names: $(head -3 rest)"
run 0 edit "$THAW_SAMPLES/forgelight/human.mrn" --rename-sequence '*_walk=Stroll' -o elf.mrn
run 0 info --json elf.mrn
grep -q '"Stroll"' out || fail "the animation kept its name"
mkdir -p mixed
cp "$house" "$knight" mixed
run 0 edit -r mixed --rename-sequence "$name=Another" -o mixed2
complains 'warning edit\.nothing: --rename-sequence does not apply to buildings'

# --- what each step of optimize won, also of a folder
run 0 optimize "$knight" "$all" --json -o optimized
check_json optimize
grep -q '"bytes_before":.*"steps":\[{"step":"tracks"' out || fail "the summary has no steps"
run 0 optimize "$knight" "$all" -f -o optimized
complains 'keys +[0-9]+ removed, .* won'
run 0 optimize "$knight" --only curves --only nodes -f -o optimized
complains 'curves'

# --- text stays text; a folder keeps its tree; stdin and stdout; other formats are told
run 0 convert "$knight" -o knight.mdl
run 0 edit knight.mdl --scale 2 -o large.mdl
run 0 convert large.mdl -f -o large.mdx
run 0 edit "$knight" --scale 2 -f -o other.mdx
run 0 diff large.mdx other.mdx
mkdir -p tree/a
cp "$knight" tree/a/k.mdx
cp "$all" tree/e.mdx
echo hello >tree/readme.txt
run 0 edit -r tree --scale 2 -n -o out2
[[ ! -e out2 ]] || fail "a dry run wrote"
run 0 edit -r tree --scale 2 -o out2
cmp -s out2/a/k.mdx other.mdx || fail "of a folder another file"
"$THAW" edit - --scale 2 -q -o - <"$knight" | cmp - other.mdx || fail "edit in a pipe"
run 0 edit "$knight" --scale 2 -f -o twice.mdx
cp "$knight" own.mdx
run 4 edit own.mdx --scale 2
cmp -s own.mdx "$knight" || fail "written over without -f"
run 0 edit own.mdx --scale 2 -f
cmp -s own.mdx other.mdx || fail "in place"
run 3 edit files/broken.mdx --scale 2 -o none.mdx

finish
