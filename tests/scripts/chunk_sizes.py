#!/usr/bin/env python3
"""chunk_sizes.py [SEEDS]: files in which one chunk states a wrong size, which the place of the next one contradicts.

For each of the files below and each seed one chunk, of any depth, states another size. What is read has to be the same as of
the sound file, a finding has to name both sizes, and what is written the same bytes as were read.
"""

import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"])
SEEDS = int(sys.argv[1]) if sys.argv[1:] else 20


def thaw(*words, code=0):
    done = subprocess.run([THAW, *map(str, words)], capture_output=True, env={**os.environ, "THAW_CONFIG": ""})
    assert code is None or done.returncode == code, f"{words}: {done.returncode}: {(done.stdout + done.stderr)[-2000:]}"
    return done.stdout.decode(), done.stderr.decode()


def chunks(data, begin, end, head, nested):
    """(Offset of the head, tag) of all chunks in a row, and of those within."""
    at = begin
    while at + head <= end:
        tag = data[at : at + 4]
        size = struct.unpack_from("<I", data, at + 4)[0]
        yield at, tag
        inner = nested.get(tag)
        if inner is not None:
            yield from chunks(data, at + head + inner(data[at + head : at + head + size]), at + head + size, head, nested)
        at += head + size


def wrong_size(chance, right, left):
    return chance.choice([0, right // 2, max(right - 20, 0), right + chance.randint(1, 500), left + chance.randint(1, 1 << 20), 0xFFFFFFFF, 4, 12])


def unsized(value):
    """A dump without what the sizes are stated in."""
    if isinstance(value, dict):
        return {key: unsized(one) for key, one in value.items() if key not in ("statedSize", "stated_size")}
    return [unsized(one) for one in value] if isinstance(value, list) else value


def content(file, folder):
    text, errors = thaw("dump", file, "-v")
    document = json.loads(text)
    (folder / "dump.json").write_text(text)
    thaw("build", folder / "dump.json", "-o", folder / f"built{file.suffix}", "-f")
    assert (folder / f"built{file.suffix}").read_bytes() == file.read_bytes(), "other bytes"
    document.pop("$layout", None)
    return unsized(document), errors


def group_header(body):
    return next(size for size in (68, 128) if body[size : size + 4] == b"YPOM")


FORMATS = {
    # The files, bytes of a chunk's head, and what holds others behind how many bytes of its own.
    "wmo": (["house.wmo", "house_000.wmo"], 8, {b"OMOM": lambda body: 0, b"PGOM": group_header}),
    "adt": ([], 8, {}),
    "m3": (["waystone_v4.m3", "waystone_v3.m3"], 16, {b"MES3": lambda body: 0}),
}


def made(folder):
    """A building of version 17, and a tile of the version after the alpha."""
    thaw("convert", SAMPLES / "house.wmo", "--to", "wmo-v17", "-o", folder / "later/house.wmo")
    island = SAMPLES / "World/Maps/Island/Island.wdt"
    thaw("convert", island, "--to", "adt-lk", "--tiles", "31,48", "-o", folder / "tiles/", code=None)
    return {"wmo": sorted((folder / "later").glob("*.wmo")), "adt": sorted((folder / "tiles").rglob("*.adt"))[:1], "m3": []}


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        others = made(folder)
        for name, (files, head, nested) in FORMATS.items():
            found = [SAMPLES / file for file in files if (SAMPLES / file).exists()] + others[name]
            assert found, name
            for file in found:
                data = file.read_bytes()
                places = [*chunks(data, 0, len(data), head, nested)]
                right, _ = content(file, folder)
                for seed in range(SEEDS):
                    chance = random.Random(f"{file.name} {seed}")
                    at, tag = chance.choice(places[1:])
                    stated = struct.unpack_from("<I", data, at + 4)[0]
                    wrong = wrong_size(chance, stated, len(data))
                    last = at + head + stated == len(data)
                    if wrong == stated or (last and 0 < wrong < stated and not nested.get(tag)):
                        continue  # of the last one in a file the rest may be another program's
                    broken = folder / f"broken{file.suffix}"
                    broken.write_bytes(data[: at + 4] + struct.pack("<I", wrong) + data[at + 8 :])
                    read, errors = content(broken, folder)
                    what = (file.name, seed, tag, at, stated, wrong)
                    assert read == right, what
                    said = "read.size" in errors and f"states {wrong} bytes" in errors and f"after {stated}" in errors
                    cut = "read.chunk-overrun" in errors and f"states a size of {wrong} bytes, but {stated} remain" in errors
                    assert said or cut, (what, errors)
                print(name, file.name, len(places), "chunks")


if __name__ == "__main__":
    main()
