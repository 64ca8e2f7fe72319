#!/usr/bin/env python3
"""What a dry run tells in outputs[] is what the run then writes: for models, folders, maps, worlds, archives and pictures."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

THAW = os.path.realpath(os.environ["THAW"])
SAMPLES = Path(os.path.realpath(os.environ["THAW_SAMPLES"]))
ISLAND = SAMPLES / "World/Maps/Island"
failures = 0


def fail(text: str) -> None:
    global failures
    failures += 1
    print(f"FAILED: {text}", file=sys.stderr)


def run(arguments: list, expected: int) -> list:
    """The objects of a run: those of its jobs, and the summary where it has outputs."""
    done = subprocess.run([THAW, *map(str, arguments), "--json"], capture_output=True, text=True, check=False)
    if done.returncode != expected:
        fail(f"thaw {' '.join(map(str, arguments))}: exit {done.returncode}, expected {expected}: {done.stderr[-300:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def paths_of(objects: list) -> list:
    return [os.path.normpath(output["path"]) for one in objects for output in one.get("outputs", [])]


def files_below(folder: str) -> set:
    return {os.path.join(base, name) for base, _, names in os.walk(folder) for name in names}


def compare(name: str, arguments: list, ready: dict | None = None, exits: int = 0) -> None:
    """`ready`: files that are there before, by their names."""
    shutil.rmtree("out", ignore_errors=True)
    for path, text in (ready or {}).items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")
    before = files_below("out")
    dry = run([*arguments, "-n"], exits)
    if files_below("out") != before:
        fail(f"{name}: the dry run writes")
    planned = paths_of(dry)
    real = run(arguments, exits)
    written = files_below("out")
    shape = [sorted(one.keys() & {"schema", "input", "ok", "format", "outputs", "status"}) for one in dry]
    if shape != [sorted(one.keys() & {"schema", "input", "ok", "format", "outputs", "status"}) for one in real]:
        fail(f"{name}: the dry run has another shape than the run")
    if len(set(planned)) != len(planned):
        fail(f"{name}: an output is planned twice")
    if set(planned) != set(paths_of(real)) or set(planned) != written:
        fail(f"{name}: planned {sorted(set(planned) ^ written)[:6]}, which is not what was written")
    for was, done in zip([one for one in dry if "status" in one], [one for one in real if "status" in one]):
        if was["status"] not in ("planned", "exists") or was["input"] != done["input"]:
            fail(f"{name}: {was['input']} is {was['status']}, then {done['input']} {done['status']}")
    print(f"{name}: {len(written)} files")


def archive() -> str:
    names = ["knight.mdx", "Textures/Knight.blp", "chest.mdx"]
    inside = [f"{name}=@{SAMPLES / name}" for name in names if (SAMPLES / name).exists()]
    subprocess.run([sys.executable, SCRIPTS / "mpq_make.py", "all.mpq", *inside], check=True)
    return "all.mpq"


def main() -> int:
    knight = SAMPLES / "knight.mdx"
    compare("a model", ["convert", knight, "-o", "out/"])
    compare("a model as .gltf", ["convert", knight, "-o", "out/", "--to", "gltf"])
    compare("a model as text", ["convert", knight, "-o", "out/knight.mdl"])
    compare("two models", ["convert", knight, SAMPLES / "chest.mdx", "-o", "out", "--to", "mdx"])
    compare("a building", ["convert", SAMPLES / "house.wmo", "-o", "out/house.wmo", "--to", "wmo-v17"])
    compare("a folder", ["convert", "-r", SAMPLES, "-o", "out"])
    compare("a folder, flat", ["convert", "-r", SAMPLES, "-o", "out", "--flat"])
    compare("a folder as .gltf", ["convert", "-r", SAMPLES, "-o", "out", "--to", "gltf"])
    compare("what is there already", ["convert", knight, SAMPLES / "chest.mdx", "-o", "out", "--skip-existing"],
            {"out/knight.glb": "mine"})
    for target in ("glb", "gltf", "heightmap", "maps", "minimap", "adt-lk"):
        compare(f"a map to {target}", ["convert", ISLAND / "Island.wdt", "-o", "out/", "--to", target])
    compare("a map in one file", ["convert", ISLAND / "Island.wdt", "-o", "out/all.glb"])
    compare("a map with alpha maps", ["convert", ISLAND / "Island.wdt", "-o", "out/", "--terrain", "splat"])
    compare("far terrain", ["convert", ISLAND / "Island.wdl", "-o", "out/", "--to", "heightmap"])
    run(["convert", ISLAND / "Island.wdt", "-o", "tiles/", "--to", "adt-lk"], 0)
    compare("tiles", ["convert", "tiles/Island.wdt", "-o", "out/", "--to", "wdt"])
    compare("the files of an archive", ["convert", "-r", f"{archive()}//", "-o", "out"])
    compare("an archive", ["extract", "all.mpq", "-o", "out"])
    compare("smaller models", ["optimize", "-r", SAMPLES, "-o", "out"])
    compare("changed models", ["edit", "-r", SAMPLES, "--scale", "2", "-o", "out"])
    compare("portraits", ["portrait", knight, "-o", "out/"])
    compare("a model with its pictures", ["convert", SAMPLES / "chest.mdx", "--format-version", "800", "--with-textures", "-o", "out/"])
    compare("fixed models", ["validate", "--fix", "-r", SAMPLES, "-o", "out"], exits=1)
    compare("thumbnails", ["thumb", "-r", SAMPLES, "-o", "out", "-s", "16", "-s", "32"])
    compare("a thumbnail", ["thumb", knight, "-o", "out/knight.png", "-s", "16"])
    compare("a picture", ["render", knight, "-s", "16", "-o", "out/"])
    compare("a picture of a map", ["render", ISLAND / "Island.wdt", "-s", "16", "-o", "out/map.gif"])
    compare("pictures", ["render", knight, "-s", "16", "--play", "--fps", "4", "-o", "out/frames/"])
    return 1 if failures else 0


if __name__ == "__main__":
    SCRIPTS = Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        sys.exit(main())
