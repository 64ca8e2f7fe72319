#!/usr/bin/env python3
"""What npm's gltfpack packs gives the models that the unpacked file gives, as near as its numbers are."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

THAW = os.path.realpath(os.environ["THAW"])
SAMPLES = Path(os.path.realpath(os.environ["THAW_SAMPLES"]))
PACK = Path(os.environ["THAW_ROOT"]) / "tools/node_modules/gltfpack/cli.js"
MODELS = ("knight.mdx", "chest.mdx", "everything_v1100.mdx", "everything_v800.mdx")


def run(*arguments) -> str:
    return subprocess.run(list(map(str, arguments)), capture_output=True, text=True, check=True).stdout


def geosets(glb: Path) -> list:
    """Of each its corners, its triangles, and the least and greatest of its coordinates on the picture."""
    model = glb.with_suffix(".mdx")
    run(THAW, "convert", glb, "-o", model, "-f", "-q")
    chunks = json.loads(run(THAW, "dump", model))["chunks"]
    found = next(chunk for chunk in chunks if chunk.get("tag") == "GEOS")
    return [(item["positions"], item["indices"],
             [end(uv[axis] for uv in item["uvSets"][0]["coordinates"]) for end in (min, max) for axis in (0, 1)])
            for item in found["items"]]


def furthest(one: list, other: list, cell: float) -> float:
    """How far a corner of one is from all of the other; they lie in cells of that size."""
    places = {}
    for point in other:
        places.setdefault(tuple(int(part // cell) for part in point), []).append(point)
    most = 0.0
    for point in one:
        x, y, z = (int(part // cell) for part in point)
        near = [p for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) for p in places.get((x + i, y + j, z + k), ())]
        most = max(most, min((sum((a - b) ** 2 for a, b in zip(point, p)) ** 0.5 for p in near), default=cell))
    return most


def main() -> int:
    if not PACK.exists():
        print("skipped: the tool gltfpack is not here")
        return 77
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for name in MODELS:
            source = work / f"{Path(name).stem}.glb"
            run(THAW, "convert", SAMPLES / name, "-o", source, "-q")
            plain = source.with_suffix(".plain.glb")
            run("node", PACK, "-i", source, "-noq", "-o", plain)
            expected = geosets(plain)
            extent = max(max(part) - min(part) for part in zip(*(p for corners, _, _ in expected for p in corners)))
            # With extras (-ke) materials are those of the original, and the packer's transforms of pictures theirs not.
            for options in ([], ["-c"], ["-cc"], ["-c", "-vpf"], ["-cc", "-kn"], ["-c", "-ke"], ["-cc", "-kn", "-ke"]):
                packed = source.with_suffix(f".{'_'.join(options) or 'quantized'}.glb")
                run("node", PACK, "-i", source, *options, "-o", packed)
                found = geosets(packed)
                bound = extent / 2**12
                off = [max(furthest(a[0], b[0], extent / 50), furthest(b[0], a[0], extent / 50)) for a, b in zip(expected, found)]
                turned = max(abs(x - y) for a, b in zip(expected, found) for x, y in zip(a[2], b[2]))
                faces = [sum(len(indices) for _, indices, _ in side) for side in (expected, found)]
                if len(expected) != len(found) or faces[0] != faces[1] or max(off) > bound or turned > 1e-3:
                    failures += 1
                    print(f"FAILED: {name} {options}: {len(found)} of {len(expected)} geosets, faces {faces}, off by {off} of {bound}, "
                          f"coordinates by {turned}")
    print(f"{len(MODELS)} models, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
