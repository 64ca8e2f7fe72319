#!/usr/bin/env bash
# growth.sh: work that grows with the number of parts and not with its square, counted in instructions (bench/growth).
# The kinds of parts whose work was quadratic once, and one of each usual kind.
set -euo pipefail

command -v valgrind >/dev/null || { echo "skipped: no valgrind"; exit 77; }
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
growth() { # sizes, first, what, more options
  "$root/bench/growth" --thaw "$THAW" --attacks "$THAW_BUILD/tests/thaw_mdx_attack" --sizes "$1" --first "$2" --limit 1.25 --only "$3" "${@:4}" || failed=1
}

failed=0
growth 3 500 "glTF, primitives of shared vertices: convert to dme"
growth 3 500 "glTF, meshes: convert to mdx"
growth 3 500 "glTF, nodes of one mesh: convert to wmo"
growth 2 500 "glTF, channels: convert to mrf"
growth 3 500 "mpq, files: ls"
growth 2 4000 "glTF, meshes, each below the last: convert to mdx"
growth 2 100000 "mdx of bytes, *: info" --factor 4
exit "$failed"
