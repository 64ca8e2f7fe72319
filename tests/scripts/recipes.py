#!/usr/bin/env python3
"""recipes.py [PAGE…]

Runs every command of the pages in docs/user that stands in a block of sh and begins with thaw, page by page, each page in
a folder of its own, as somebody would who tries them one after the other, and looks whether all that they name with -o is
there. What pages show after `$ thaw …` is compared with what the command prints: a line of … stands for any lines, and …
within a line for any text. The samples are there under the names of the pages.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from casc_make import Storage, numbered_root, tree

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
# `view` has a test of its own (cli/view), and register changes the desktop.
SKIPPED = ("thaw view", "thaw register")
GAME_FOLDER = "/games/mod"  # of what pages show: where the samples lie


def warcraft(folder):
    """A knight in two layers, as HD and classic units lie in an installation."""
    store = Storage(folder)

    def entry(name, content):
        _, key, size = store.add(content)
        return name, [(key, size, len(content))]

    def manifest(files):
        content = tree(files)
        key, encoded, size = store.add(content)
        return content, key, encoded, size

    model, texture = ((SAMPLES / name).read_bytes() for name in ("knight.mdx", "Textures/knight.blp"))
    files = [entry("units/human/footman/footman.mdx", model), entry("textures/knight.blp", texture)]
    inner, key, encoded, size = manifest(files)
    lines = [f"vfs-2 = {key.hex()} {encoded.hex()}"]
    base, key, base_encoded, base_size = manifest([*files, ("_hd.w3mod", [(encoded, size, len(inner))])])
    lines.append(f"vfs-3 = {key.hex()} {base_encoded.hex()}")
    outer, key, encoded, size = manifest([("war3.w3mod", [(base_encoded, base_size, len(base))])])
    store.finish([f"vfs-root = {key.hex()} {encoded.hex()}", f"vfs-root-size = {len(outer)} {size}", *lines])


def world(folder):
    """The textures of listfile.csv by their numbers."""
    store = Storage(folder)
    names = [line.split(";") for line in (SAMPLES / "listfile.csv").read_text().split()]
    rows = [(int(number), store.add((SAMPLES / name).read_bytes())[0], name) for number, name in names]
    root, _, _ = store.add(numbered_root("11.1", [(0, 0x1F3F6, rows)]))
    store.finish([f"root = {root.hex()}"], ("wow",), "11.2.7.99999")


def prepare(folder):
    """The knight is the footman, the chest the model of HD and, for the classic game, the crate."""
    for name in ("footman.mdx", "other.mdx", "Units/footman.mdx", "Units/Deep/guard.mdx"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLES / "knight.mdx", folder / name)
    shutil.copy(SAMPLES / "chest.mdx", folder / "hd.mdx")
    shutil.copy(SAMPLES / "waystone_v3.m3", folder / "lamp.m3")
    for name in ("house.wmo", "waystone_v3.m3"):
        shutil.copy(SAMPLES / name, folder / name.replace("_v3", ""))
    for path in (*(SAMPLES / "forgelight").iterdir(), *(SAMPLES / "World/Maps/Island").iterdir(), SAMPLES / "listfile.csv"):
        if path.is_file():
            shutil.copy(path, folder)
    for name in ("Creature", "Textures", "ReplaceableTextures"):
        shutil.copytree(SAMPLES / name, folder / name)
    warcraft(folder / "C:/Games/Warcraft III")
    world(folder / "C:/Games/World of Warcraft")
    run(folder, ["convert", "hd.mdx", "--format-version", "800", "-o", "crate.mdx"])
    run(folder, ["pack", "Units", "-o", "map.w3x"])


def run(folder, arguments):
    return subprocess.run([THAW, *arguments], cwd=folder, capture_output=True, text=True)


def commands(page):
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M):
        yield from (re.sub(r"\s{2,}#.*", "", line) for line in block.splitlines() if line.startswith("thaw "))


def shell(folder, command, errors):
    return subprocess.run(["bash", "-c", command.replace("thaw ", f'"{THAW}" ', 1)], cwd=folder, stdout=subprocess.PIPE,
                          stderr=errors, text=True)  # fmt: skip


def outputs(page):
    """Commands that a page shows with what they print."""
    for block in re.findall(r"^```\n(\$ thaw .*?)^```", page.read_text(encoding="utf-8"), re.S | re.M):
        command, shown = block[2:].split("\n", 1)
        if "$ " not in shown and not command.startswith(SKIPPED):
            yield command, shown


def shows(shown, printed):
    lines = [".*(?:\n.*)*?" if line.strip() == "…" else ".*?".join(map(re.escape, line.split("…"))) for line in shown.splitlines()]
    return re.fullmatch("\n".join(lines), printed.rstrip("\n")) is not None


def try_outputs(page, prepared):
    """How many outputs a page shows, and how many of them are others now."""
    failures = count = 0
    for command, shown in outputs(page):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            shutil.copytree(prepared, folder, dirs_exist_ok=True)
            run(folder, ["convert", "footman.mdx", "-o", "hero.glb"])
            run(folder, ["render", "footman.mdx", "-s", "64", "--camera", "portrait", "-o", "BTNFootman.png"])
            printed = shell(folder, command, subprocess.STDOUT).stdout.replace(str(folder), GAME_FOLDER)
            count += 1
            if not shows(shown, printed):
                failures += 1
                print(f"FAILED: {page.name}: {command} prints\n{printed}", file=sys.stderr)
    return count, failures


def try_commands(page, prepared):
    """The number of a page's commands, and how many did not do what they say."""
    failures = count = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copytree(prepared, folder, dirs_exist_ok=True)
        for command in commands(page):
            if command.startswith(SKIPPED):
                continue
            count += 1
            # What differs, or is found, ends with 1, and no other failure is meant.
            plain = command.removesuffix(" || true")
            fine = (0,) if plain == command else (0, 1)
            done = shell(folder, plain, subprocess.PIPE)
            output = re.search(r"-o (\S+)", command)
            made = output is None or (folder / output.group(1)).exists()
            if done.returncode not in fine or not made or "edit.nothing" in done.stderr:
                failures += 1
                print(f"FAILED: {page.name}: {command}: exit {done.returncode}\n{done.stderr}", file=sys.stderr)
    return count, failures


def main():
    pages = [pathlib.Path(name) for name in sys.argv[1:]] or sorted((ROOT / "docs/user").glob("*.md"))
    with tempfile.TemporaryDirectory() as prepared:
        prepare(pathlib.Path(prepared))
        count, failures = map(sum, zip(*(try_commands(page, prepared) for page in pages)))
        shown, others = map(sum, zip(*(try_outputs(page, prepared) for page in pages)))
    print(f"{count} commands and {shown} outputs of {len(pages)} pages")
    return 1 if failures or others or (len(sys.argv) == 1 and (count < 140 or shown < 18)) else 0


sys.exit(main())
