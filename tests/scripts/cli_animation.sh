#!/usr/bin/env bash
# Skeletons and animations: info, convert with its options, and back from glTF.
. tests/scripts/cli_common.sh

human=$THAW_SAMPLES/forgelight/human.mrn
walk=$THAW_SAMPLES/forgelight/Human_Walk.nsa

run 0 info "$human"
says 'Forgelight animation network \(MRN\), version 26'
says 'skeletons +Human  22 bones'
says 'Human_Walk +1\.200 s  30 Hz  21 channels'
says 'Human_Nod +0\.800 s  30 Hz  11 channels'
run 0 info --json "$human"
check_json info
run 0 survey "$human" "$walk"
says '2 EXACT|EXACT.*2'
run 0 validate "$human" "$walk"

run 0 convert "$human" -o all.glb
complains '5 clips$'
run 0 convert "$human" --clip 'Walk|Nod' --skeleton human -o two.glb
complains '2 clips$'
run 0 convert "$human" --clip Walk --root-motion off --bones -o bones.glb
complains '1 clip$'
cmp -s two.glb bones.glb && fail "options without effect"
run 0 convert "$human" --clip 'walk|NOD' --skeleton human -o lower.glb
complains '2 clips$'
run 3 convert "$human" --clip Swim -o swim.glb
complains 'error scene\.no-clip: '
run 2 convert "$human" --clip '(' -o broken.glb
complains 'is not a valid regular expression'
run 3 convert "$human" --skeleton Vehicle -o none.glb
complains 'error mrn\.skeleton: no such skeleton: Vehicle; the skeletons are: Human'

run 3 convert "$walk" -o walk.glb
complains 'needs|--skeleton FILE'
run 0 convert "$walk" --skeleton "$human" -o first/walk.glb
run 0 convert "$walk" --skeleton "$human:HUMAN" -o second/walk.glb
cmp first/walk.glb second/walk.glb || fail "the same skeleton by name"

# Back: an animation of its own, and in the place of the one with its name.
run 0 convert two.glb --skeleton "$human" -o Walk.nsa
complains '21 channels · 37 samples · largest deviation [0-9.e-]+ units$'
complains 'largest error [0-9.e-]+ m, [0-9.e-]+ degrees'
[ -f Human_Nod.nsa ] || fail "the second animation does not lie beside the first"
run 0 convert two.glb --skeleton "$human" -o again.nsa --json
check_json convert
# The clip of a file of its own is known by that file, and finds its place again.
run 0 convert "$walk" --skeleton "$human" -o anything.glb
run 0 convert anything.glb --skeleton "$human" -o other.mrn --json
check_json convert
run 0 info Walk.nsa
says '1\.200 s  30 Hz  21 channels'
run 0 validate Walk.nsa
run 0 convert two.glb --skeleton "$human:Human" --clip Nod -o new.mrn
run 0 validate --only mrn.crc-list,nsa.crc --fail-on warning new.mrn
run 1 diff "$human" new.mrn
grep -Eq '^packets\[1\]' "$work/out" || fail "the animation was not replaced"
grep -Eq '^packets\[[2-6]\]' "$work/out" && fail "another packet was changed"
# All of them anew, without a template; what a network lacks is told. Others come behind those that are there.
run 0 convert all.glb -o made.mrn
complains '22 bones · 5 animations'
complains 'warning mrn\.no-definition: '
complains 'largest error [0-9.e-]+ m, [0-9.e-]+ degrees'
run 0 info made.mrn
says 'skeletons +Human  22 bones'
says 'Human_Sidestep +1\.000 s  30 Hz  21 channels'
run 0 validate --fail-on error made.mrn
run 0 survey made.mrn
says 'EXACT'
run 0 convert all.glb -o made.mrn -f --rate 60 --clip Walk --json
check_json convert
run 0 info made.mrn
says 'Human_Walk +1\.200 s  60 Hz'
run 0 convert all.glb --skeleton "$human" -o every.mrn
complains '5 animations'
printf 'Human_* = *\nwalker:* = *\n' >names.txt
run 0 convert all.glb --skeleton "$human" --bone-map names.txt --clip Nod -o named.mrn
run 3 convert all.glb --skeleton "$human" --bone-map nothing -o none.mrn
complains 'bone-map nothing'
printf 'head\n' >names.txt
run 3 convert all.glb --skeleton "$human" --bone-map names.txt -o none.mrn
complains 'names\.txt: line 1: expected NODE = BONE'
run 2 convert "$human" --rate 30 -o rate.glb

# Out of a network and into one, to the byte.
run 3 convert "$human" --to nsa -o one.nsa
complains 'with --clip: Human_Walk, Human_Nod'
run 0 convert "$human" --clip Walk -o one.nsa --json
check_json convert
cmp one.nsa "$walk" || fail "the animation is another outside of its network"
cp one.nsa Human_Walk.nsa
run 0 convert Human_Walk.nsa --skeleton "$human" -o same.mrn
cmp same.mrn "$human" || fail "an animation in its own place changed the network"
cp one.nsa Another.nsa
run 0 convert Another.nsa --skeleton "$human" -o more.mrn
complains '6 animations'
run 0 info more.mrn
says 'Another +1\.200 s'
run 0 validate --fail-on error more.mrn

# A model on a skeleton, with a clip of its own, without an actor.
model=$THAW_SAMPLES/forgelight/Human_LOD0.dme
run 0 convert "$model" -o alone.glb
complains '0 clips$'
run 0 convert "$model" --skeleton "$human" --clip 'Nod|Another' --animation Another.nsa -o stands.glb
complains '2 clips$'
run 3 convert "$model" --animation Another.nsa -o none.glb
complains 'contains no skeleton'
run 3 convert "$model" --skeleton "$human" --animation "$human" -o none.glb
complains 'network \(MRN\); --animation needs an animation file'

# A model of a scene, with what an actor needs beside it.
run 0 convert stands.glb -o Figure.dme --json
check_json convert
run 0 convert stands.glb -o Figure.mrn
run 0 validate --fail-on warning Figure.dme Figure.dma Figure.adr
run 0 convert Figure.adr -o figure.glb
complains '2 clips'

# What refers to what, for Graphviz and as JSON: states of version 24, of others the packets.
python3 "$scripts/mrn_states.py" states.mrn
run 0 survey states.mrn
says 'EXACT'
run 0 info states.mrn
says '13 network nodes'
says '1 QSA animation'
run 0 convert states.mrn --to dot -o states.dot
complains '19 nodes, [0-9]+ edges$'
run 0 convert states.mrn -o other.dot
cmp -s states.dot other.dot && fail "the graph's name is not that of its file"
for part in '^digraph "states" ' 'label="Body\\nstate machine #1", shape=box, style="bold"' 'subgraph "cluster_n1"' \
  'label="Jump \\"high\\"\\nnode of type 999 #12"' 'label="Die\\nrequest #1"' 'n10 -> n6 \[style=dashed' 'label="plays"'; do
  grep -Eq -- "$part" states.dot || fail "states.dot has no $part"
done
run 0 convert states.mrn --to graph-json -o states.json --json
check_json convert
python3 - <<'PY' || fail "the graph as JSON"
import json
graph = json.load(open("states.json"))["graph"]
nodes = graph["nodes"]
assert graph["directed"] and graph["label"] == "states"
named = {node["metadata"]["name"]: key for key, node in nodes.items() if node["metadata"]["name"]}
edges = {(edge["source"], edge["relation"], edge["target"]) for edge in graph["edges"]}
assert all(edge["source"] in nodes and edge["target"] in nodes for edge in graph["edges"])
assert (named["Speed"], "input", named["Gait"]) in edges
assert (named["Go"], "tells", named["Moving"]) in edges
assert nodes[named["Gait"]]["metadata"]["parent"] == named["Moving"]
assert any(kind == "plays" for _, kind, _ in edges)
PY
if command -v dot >/dev/null; then
  dot -Tsvg states.dot -o states.svg || fail "Graphviz does not read states.dot"
fi
run 0 convert "$human" --to dot -o human.dot -v
complains 'mrn\.graph: the file has no state network'
grep -Eq 'n[0-9]+ -> n0 .*label="moves"' human.dot || fail "no animation moves the skeleton"
run 2 convert "$human" --to dot --clip Walk -o human.dot
run 3 convert "$walk" --to dot -o walk.dot

# Animations of other formats are known by their names alone.
head -c 100 "$scripts/mrn_states.py" >Run.qsa
cp Run.qsa Run.dwa
run 3 info Run.qsa
complains 'Morpheme animation \(QSA\)'
run 3 info --json Run.dwa
says '"format":"dwa"'
check_json info

run 3 convert two.glb -o lost.nsa
complains 'contains no skeleton'
run 3 convert two.glb --skeleton "$walk" -o lost.nsa
complains 'skeleton needs an animation network'

finish
