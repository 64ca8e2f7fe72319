#!/usr/bin/env bash
# thumb: where the pictures go, whatever their names are; what they look like is tried with `render`.
. tests/scripts/cli_common.sh
: "${THAW_SAMPLES:?the samples}"

knight=$THAW_SAMPLES/knight.mdx
is_png() { head -c 4 "$1" | grep -aq PNG || fail "$1 is no picture"; }

# File managers give a name of their own, mostly without an extension and often with a file there already.
there=$(mktemp -p .)
run 0 thumb -q -f -s 32 "$knight" -o "$there"
is_png "$there"
run 4 thumb -q -s 32 "$knight" -o "$there"
complains 'write\.exists'
run 0 thumb -q -s 32 "$knight" -o new.jpg
is_png new.jpg
# What is no picture is not written over, also not with -f.
cp "$knight" model.mdx
run 2 thumb -f -s 32 "$knight" -o model.mdx
complains 'model\.mdx exists and is not a PNG'
cmp "$knight" model.mdx || fail "a model was written over"

# Folders are those that are there, that end in / or that several pictures need.
mkdir folder
run 0 thumb -q -s 32 "$knight" -o folder
is_png folder/knight.mdx.png
run 0 thumb -q -s 32 "$knight" -o made/
is_png made/knight.mdx.png
run 0 thumb -q -s 32 -s 48 "$knight" -o sizes
is_png sizes/48/knight.mdx.png
run 0 thumb -q -s 32 "$knight" "$THAW_SAMPLES/chest.mdx" -o several
is_png several/chest.mdx.png

# What no model has is no matter of formats, and what is no time at all is one of the command line.
run 3 thumb "$knight" -s 32 --clip Nothing -o none/
complains 'error scene\.no-clip: clip Nothing: the model has no such clip; it has '
run 3 thumb "$knight" -s 32 --camera Nothing -o none/
complains 'error scene\.no-camera: camera Nothing: the model has no such camera; it has '
run 2 thumb "$knight" -s 32 --time noon -o none/
complains 'seconds, or a percentage of the clip'
[[ ! -e none/knight.mdx.png ]] || fail "a picture of what there is not"

# Ctrl-C: what was being drawn has not failed.
mkdir many
for i in $(seq 400); do cp "$knight" many/$i.mdx; done
interrupt '*.png' thumb -r many -s 256 --samples 16 -o interrupted -j 2
(($(find interrupted -name '*.png' | wc -l) < 400)) || fail "the interruption came too late to test anything"
grep -q error err && fail "interrupted, and a file failed of it: $(cat err)"
finish
