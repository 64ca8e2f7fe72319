#!/usr/bin/env bash
# Models of the alpha in three.js against the oracle: the sample, and the game's own model where it is there.
set -euo pipefail
models=("$THAW_SAMPLES/Creature/Beetle/Beetle.mdx")
real="$THAW_CORPUS/alpha/GrenderG+MDX-Parser/Boar.mdx"
[[ -f $real ]] && models+=("$real")
exec node tests/scripts/gltf_pose.mjs "${models[@]}"
