#!/usr/bin/env python3
"""own_rules.py [--every N] [TARGET...]: whatever the command makes of glTF, `validate` has nothing severe to say of it.
The glTF are those of the samples, of every Nth model of the corpus, of corpus/gltf and corpus/field. What a model says
itself it may say when it comes back; what no writer can make up stands in UNKNOWN. TARGETs choose among all. Exit code 77
without samples.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"])
CORPUS = pathlib.Path(os.environ.get("THAW_CORPUS", "/nonexistent"))
TARGETS = {
    **{f"mdx-{version}": ["--to", "mdx", "--format-version", str(version)] for version in (800, 1000, 1100, 1800)},
    "mdl": ["--to", "mdl"],
    "m3": ["--to", "m3"],
    "mrf": ["--to", "mrf"],
    "dme": ["--to", "dme"],
    "wmo": ["--to", "wmo"],
    "mdx-alpha": ["--to", "mdx-alpha"],
}
# The clips of a scene are those that it has: a Death is nobody's to invent (`--fix=all` adds a still one).
UNKNOWN = {"mdx.sequence-missing-death", "mdx.sequence-missing-stand"}
# What WoW Alpha's rules call the same in models of Warcraft III.
SAME = {"mdx-alpha.reference": "mdx.ribbon-material"}
# A mesh 10,000 times, which is a gigabyte of the same triangles in each target: 80 % of the time that all took.
LARGE = "24_gpu_instancing.gltf"


def thaw(*words):
    return subprocess.run([THAW, *map(str, words)], capture_output=True, env={**os.environ, "THAW_CONFIG": ""}).stdout


def models(every):
    for root, kinds in ((SAMPLES, (".mdx", ".m3", ".wmo")), (CORPUS / "wc3", (".mdx",)), (CORPUS / "m3", (".m3",))):
        found = sorted(path for path in root.rglob("*") if path.suffix in kinds)
        yield from found if root == SAMPLES else found[::every]


def severe(folder):
    """By file: the codes of what is severe, each with what it says first."""
    found = collections.defaultdict(dict)
    for line in thaw("validate", "-r", "--json", folder).splitlines():
        document = json.loads(line)
        for finding in document.get("findings", []):
            if finding["severity"] in ("error", "severe"):
                found[pathlib.Path(document["input"]).stem].setdefault(finding["code"], finding["message"])
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("targets", nargs="*", default=list(TARGETS))
    options = parser.parse_args()
    if not SAMPLES.is_dir():
        sys.exit(77)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "models").mkdir()
        for number, model in enumerate(models(options.every)):
            # By links, so that one run converts them all and each has a name of its own.
            (scratch / "models" / f"{number:04}_{model.name}").symlink_to(model)
        thaw("convert", *sorted((scratch / "models").iterdir()), "-o", scratch / "glb", "-q")
        before = severe(scratch / "models")
        folders = [scratch / "glb", *(root for root in (CORPUS / "gltf", CORPUS / "field/glb") if root.is_dir())]
        for target in options.targets:
            made = scratch / target
            for folder in folders:
                thaw("convert", "-r", folder, "--exclude", LARGE, "-o", made / folder.name, *TARGETS[target], "-q")
            files = sum(1 for path in made.rglob("*") if path.is_file())
            new = [(code, file, message) for file, codes in severe(made).items() for code, message in codes.items()
                   if not {code, SAME.get(code)} & (UNKNOWN | before[file].keys())]
            print(f"{target}: {files} files, {len(new)} with something severe that the model did not have")
            for code, file, message in new:
                print(f"  {code}: {file}: {message}")
            failed += len(new) + (files == 0)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
