#!/usr/bin/env python3
"""How glTF is written, by option: smaller, and with --onto the original's bytes again."""
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

THAW = os.path.realpath(os.environ["THAW"])
SAMPLES = Path(os.path.realpath(os.environ["THAW_SAMPLES"]))
MODELS = ("knight.mdx", "chest.mdx", "everything_v1100.mdx", "everything_v800.mdx")
failures = 0


def fail(text: str) -> None:
    global failures
    failures += 1
    print(f"FAILED: {text}", file=sys.stderr)


def run(expected: int, *arguments) -> str:
    done = subprocess.run([THAW, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != expected:
        fail(f"thaw {' '.join(map(str, arguments))}: exit {done.returncode}, expected {expected}: {done.stderr[-300:]}")
    return done.stdout + done.stderr


def document(path: Path) -> dict:
    content = path.read_bytes()
    return json.loads(content[20:20 + struct.unpack("<I", content[12:16])[0]])


def kept(path: Path) -> int:
    """Members of extras.thaw but for the file's own."""
    def count(part) -> int:
        if isinstance(part, list):
            return sum(map(count, part))
        if not isinstance(part, dict):
            return 0
        return sum(len(value.get("thaw", {})) if name == "extras" else count(value) for name, value in part.items())
    whole = document(path)
    whole["asset"].pop("extras", None)
    return count(whole)


def converted(model: str, *options) -> Path:
    """The GLB, after its way back was looked at."""
    glb = Path(f"{Path(model).stem}.glb")
    run(0, "convert", SAMPLES / model, "-o", glb, "-f", "-q", *options)
    run(0, "convert", glb, "--onto", SAMPLES / model, "-o", "back.mdx", "-f", "-q")
    if Path("back.mdx").read_bytes() != (SAMPLES / model).read_bytes():
        fail(f"{model} {options}: --onto does not give the original")
    return glb


def extras() -> None:
    for model in MODELS:
        sizes = []
        for level in ("full", "minimal", "none"):
            glb = converted(model, "--extras", level)
            sizes.append((kept(glb), glb.stat().st_size))
            if (stated := document(glb)["asset"]["extras"]["thaw"].get("options", {}).get("extras", "full")) != level:
                fail(f"{model}: {level} is stated as {stated}")
        if sizes != sorted(sizes, reverse=True) or len(set(sizes)) != 3 or sizes[2][0] != 0:
            fail(f"{model}: members and bytes of extras {sizes}")
    if "lacks" not in run(0, "convert", SAMPLES / "everything_v800.mdx", "-o", "lacks.glb", "--extras", "none", "-v"):
        fail("--extras none does not name what the way back lacks")
    run(2, "convert", SAMPLES / "knight.mdx", "-o", "no.glb", "--extras", "none", "--profile", "blender")
    run(2, "convert", SAMPLES / "knight.mdx", "-o", "no.glb", "--extras", "some")


def main() -> int:
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        extras()
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
