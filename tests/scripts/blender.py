#!/usr/bin/env python3
"""Models through Blender and back: MDX → GLB (--profile blender) → Blender's importer and exporter → MDX.

  blender.py [--folder DIR] [MODEL.mdx...]     without models: 30 spread over the corpus

Prints what became of each. DIR keeps all files, pictures before and after among them. Where vertices are is said by the
oracle of the tests, for the original and for what came back. Exit code 1 if more than one in twenty clips is not where
it was, or anything that the game knows by name is missing; 77 without Blender or models.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import pictures  # noqa: E402
import same_model  # noqa: E402

SKIP = 77
MODELS = 30
MOST_HD = 3
TIMES = 20
# Blender's exporter takes minutes for some that are larger, or have longer clips together.
LARGEST = 60_000  # bytes of a model
LONGEST = 60_000  # ms
USUAL, WORST = 1e-3, 1.5e-2  # of the model's size
SHARE = 0.95  # of clips that are within the usual
ALIKE = 0.97  # of pictures
SIDE = 256
LEVELS = 4  # folders above a model that have its textures
BATCH = 10  # models that one Blender takes

ROOT = pathlib.Path(os.environ.get("THAW_ROOT", "."))
BUILD = pathlib.Path(os.environ.get("THAW_BUILD", "build/release"))
THAW = os.environ.get("THAW", str(BUILD / "thaw"))
DIFFERENCE = BUILD / "tests/thaw_pose_difference"


def run(words, **options):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: status {result.returncode}\n{result.stdout[-1500:]}\n{result.stderr[-1500:]}")
    return result.stdout


def is_quick(path):
    content = path.read_bytes()
    damaged = subprocess.run([THAW, "info", "-q", "--strict", path], capture_output=True, check=False).returncode != 0
    if damaged or b"SEQS" not in content or b"GEOS" not in content:
        return False
    clips = same_model.items(same_model.dump(THAW, path), "SEQS")
    return 0 < sum(clip["end"] - clip["start"] for clip in clips) <= LONGEST


def corpus_models():
    folder = pathlib.Path(os.environ.get("THAW_CORPUS", "")) / "wc3"
    models = sorted(path for path in folder.rglob("*.mdx") if path.stat().st_size < LARGEST)
    chosen, hd = [], 0
    for path in models[:: max(1, len(models) // (MODELS * 3))]:
        is_hd = b"SKIN" in path.read_bytes()
        if len(chosen) < MODELS and hd + is_hd <= MOST_HD and is_quick(path):
            hd += is_hd
            chosen.append(path)
    return chosen


def through_blender(files, out):
    """What Blender tells of each file."""
    told = {}
    for first in range(0, len(files), BATCH):
        text = run(["blender", "--background", "--factory-startup", "--python-exit-code", 3, "--python",
                    ROOT / "tools/blender_round_trip.py", "--", out, *files[first:first + BATCH]],
                   # Blender takes the modules of the first Python there, which need not be the system's.
                   env={**os.environ, "PATH": os.defpath})
        for line in text.splitlines():
            if line.startswith("{"):
                entry = json.loads(line)
                told[pathlib.Path(entry["file"]).stem] = entry
    return told


def compare(model, back):
    fields = same_model.field_differences(same_model.dump(THAW, model), same_model.dump(THAW, back))
    return fields, same_model.distances(DIFFERENCE, model, back, TIMES)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    if shutil.which("blender") is None:
        print("skipped: no blender (scripts/setup blender)")
        return SKIP
    models = arguments.models or corpus_models()
    if not models:
        print("skipped: no corpus")
        return SKIP
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.folder or pathlib.Path(scratch)
        return check(models, folder)


class Result:
    def __init__(self, stem):
        self.stem, self.bad, self.notes = stem, [], []
        self.clips, self.within = 0, 0

    def compare(self, model, back, entry, alike):
        fields, worst = compare(model, back)
        self.clips, self.within = len(worst), sum(error <= USUAL for _, error in worst)
        self.notes = [f"{name} is {error:.1e} of the size off" for name, error in worst if error > USUAL]
        self.bad = [f"{name} is {error:.1e} of the size off" for name, error in worst if error > WORST]
        self.bad += [f"{tag}: {', '.join(paths[:4])}{' …' if len(paths) > 4 else ''}" for tag, paths in fields.items()]
        if alike < ALIKE:
            self.bad.append(f"pictures are {alike:.3f} alike")
        self.facts = (f"{len(worst)} clips, worst {max((error for _, error in worst), default=0):.1e}, pictures {alike:.3f} alike; Blender: "
                      f"{entry['import']} s in, {entry['export']} s out, {entry['actions']} actions, {entry['bones']} bones")

    def tell(self):
        print(f"{'FAILED' if self.bad else 'ok':8} {self.stem}: {self.facts}", flush=True)
        for line in self.bad + [note for note in self.notes if note not in self.bad]:
            print(f"         {line}", flush=True)


def picture(model, original, path):
    """With the textures that the original finds: beside it and above."""
    sources = [word for folder in reversed(original.parents[:LEVELS]) for word in ("--source", folder)]
    run([THAW, "render", "-q", "-f", model, *sources, "--size", SIDE, "-o", path])
    return pictures.read_png(path)


def check(models, folder):
    for name in ("out", "in"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    files = {f"{index:02}-{model.stem}": model for index, model in enumerate(models)}
    for stem, model in files.items():
        run([THAW, "convert", "-q", "-f", model, "--profile", "blender", "-o", folder / f"out/{stem}.glb"])
    told = through_blender([folder / f"out/{stem}.glb" for stem in files], folder / "in")
    results = []
    for stem, model in files.items():
        back = folder / f"in/{stem}.mdx"
        run([THAW, "convert", "-q", "-f", folder / f"in/{stem}.glb", "-o", back, "--format-version", version_of(model)])
        alike = pictures.similarity(picture(model, model, folder / f"{stem}-before.png"), picture(back, model, folder / f"{stem}-after.png"))
        results.append(Result(stem))
        results[-1].compare(model, back, told[stem], alike)
        results[-1].tell()
    clips, within = sum(one.clips for one in results), sum(one.within for one in results)
    enough = within >= SHARE * clips
    print(f"{'ok' if enough else 'FAILED':8} {within} of {clips} clips of {len(results)} models are within {USUAL} of the size")
    return 0 if enough and not any(one.bad for one in results) else 1


def version_of(model):
    return next(chunk["version"] for chunk in same_model.dump(THAW, model)["chunks"] if chunk.get("tag") == "VERS")


if __name__ == "__main__":
    sys.exit(main())
