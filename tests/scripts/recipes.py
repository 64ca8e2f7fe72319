#!/usr/bin/env python3
"""recipes.py [PAGE…]

Runs every command of the pages in docs/user that stands in a block of sh and begins with thaw, page by page, each page in
a folder of its own, as somebody would who tries them one after the other, and looks whether all that they name with -o is
there. The samples are there under the names of the pages.
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
    for name in ("house.wmo", "waystone_v3.m3"):
        shutil.copy(SAMPLES / name, folder / name.replace("_v3", ""))
    for path in (*(SAMPLES / "forgelight").iterdir(), *(SAMPLES / "World/Maps/Island").iterdir()):
        if path.is_file():
            shutil.copy(path, folder)
    for name in ("Creature", "Textures", "ReplaceableTextures"):
        shutil.copytree(SAMPLES / name, folder / name)
    run(folder, ["convert", "hd.mdx", "--format-version", "800", "-o", "crate.mdx"])
    run(folder, ["render", "footman.mdx", "-s", "64", "-o", "BTNFootman.png"])
    run(folder, ["pack", "Units", "-o", "map.w3x"])


def run(folder, arguments):
    return subprocess.run([THAW, *arguments], cwd=folder, capture_output=True, text=True)


def commands(page):
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M):
        yield from (re.sub(r"\s{2,}#.*", "", line) for line in block.splitlines() if line.startswith("thaw "))


def try_page(page):
    """The number of its commands, and how many did not do what they say."""
    failures = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        for command in commands(page):
            if command.startswith(("thaw view", "thaw register")):  # cli/view, and what changes the desktop
                continue
            count += 1
            # What differs, or is found, ends with 1, and no other failure is meant.
            plain = command.removesuffix(" || true")
            fine = (0,) if plain == command else (0, 1)
            shell = plain.replace("thaw ", f'"{THAW}" ', 1)
            done = subprocess.run(["bash", "-c", shell], cwd=folder, capture_output=True, text=True)
            output = re.search(r"-o (\S+)", command)
            made = output is None or (folder / output.group(1)).exists()
            if done.returncode not in fine or not made or "edit.nothing" in done.stderr:
                failures += 1
                print(f"FAILED: {page.name}: {command}: exit {done.returncode}\n{done.stderr}", file=sys.stderr)
    return count, failures


def main():
    pages = [pathlib.Path(name) for name in sys.argv[1:]] or sorted((ROOT / "docs/user").glob("*.md"))
    tried = {page.name: try_page(page) for page in pages}
    count, failures = (sum(numbers) for numbers in zip(*tried.values()))
    print(f"{count} commands of {len(pages)} pages")
    return 1 if failures or (len(sys.argv) == 1 and count < 60) else 0


sys.exit(main())
