#!/usr/bin/env python3
"""recipes.py

Runs every command of docs/recipes.md in one folder, as somebody would who tries them one after the other, and looks
whether all that they name with -o is there. The samples are there under the names of the page.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"])
ROOT = pathlib.Path(__file__).resolve().parents[2]


def prepare(folder):
    """The knight is the footman, the chest the model of HD and, for the classic game, the crate."""
    for name in ("footman.mdx", "other.mdx", "Units/footman.mdx", "Units/Deep/guard.mdx"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLES / "knight.mdx", folder / name)
    shutil.copy(SAMPLES / "chest.mdx", folder / "hd.mdx")
    for name in ("house.wmo", "waystone_v3.m3", "forgelight/Human.adr", "forgelight/human.mrn"):
        shutil.copy(SAMPLES / name, folder / pathlib.Path(name).name.replace("_v3", ""))
    for name in ("Textures", "ReplaceableTextures"):
        shutil.copytree(SAMPLES / name, folder / name)
    run(folder, ["convert", "hd.mdx", "--format-version", "800", "-o", "crate.mdx"])
    run(folder, ["render", "footman.mdx", "-s", "64", "-o", "BTNFootman.png"])


def run(folder, arguments):
    return subprocess.run([THAW, *arguments], cwd=folder, capture_output=True, text=True)


def commands():
    page = (ROOT / "docs/recipes.md").read_text(encoding="utf-8")
    for block in re.findall(r"```sh\n(.*?)```", page, re.S):
        yield from (line for line in block.splitlines() if line.strip())


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        count = 0
        for command in commands():
            count += 1
            # What differs, or is found, ends with 1, and no other failure is meant.
            plain = command.removesuffix(" || true")
            fine = (0,) if plain == command else (0, 1)
            shell = plain.replace("thaw ", f'"{THAW}" ', 1)
            done = subprocess.run(["bash", "-c", shell], cwd=folder, capture_output=True, text=True)
            output = re.search(r"-o (\S+)", command)
            made = output is None or (folder / output.group(1)).exists()
            told = "edit.nothing" in done.stderr
            if done.returncode not in fine or not made or told:
                failures += 1
                print(f"FAILED: {command}: exit {done.returncode}\n{done.stderr}", file=sys.stderr)
    print(f"{count} commands")
    return 1 if failures or count < 15 else 0


sys.exit(main())
