#!/usr/bin/env python3
"""field_kinds.py [--seeds N] [NAME...]: the kinds of faults of which field.py has one example each, made by the dozen.

Each check makes inputs of one kind by chance, with the right value known from how they were made. NAMEs choose checks.
"""

import argparse
import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zlib

import mpq_make

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"])
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def thaw(*words, code=0):
    """What the command prints to both streams; it has to end with the code, unless that is None."""
    done = subprocess.run([THAW, *map(str, words)], capture_output=True, env={**os.environ, "THAW_CONFIG": ""})
    output = (done.stdout + done.stderr).decode(errors="replace")
    assert code is None or done.returncode == code, f"exit code {done.returncode}, not {code}: {output[-2000:]}"
    return output


def files_in(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def some_files(chance, count):
    """Names and contents that become smaller by zlib."""
    sides = ["war3map.j", "units/one.txt", "sound/two.txt", "a.txt", "deep/er/b.txt", "c.slk"]
    return {name.replace("/", "\\").encode(): chance.randbytes(40) * chance.randint(3, 60) for name in chance.sample(sides, count)}


def spoiled_sum(data, chance):
    """The last four bytes of zlib's data, another sum."""
    wrong = bytes(byte ^ chance.choice([0, 0x01, 0x80, 0xFF]) for byte in data[-4:])
    return data[:-4] + (wrong if wrong != data[-4:] else bytes([data[-4] ^ 1]) + data[-3:])


def shown_path(name):
    return name.decode().replace("\\", "/")


@check
def zlib_with_a_wrong_sum_in_archives(folder, chance):
    files = some_files(chance, chance.randint(2, 5))
    spoiled = set(chance.sample(sorted(files), chance.randint(1, len(files))))
    archive = mpq_make.make(files)
    for name in spoiled:
        packed = zlib.compress(files[name])
        assert archive.count(packed) == 1
        archive = archive.replace(packed, spoiled_sum(packed, chance))
    (folder / "map.mpq").write_bytes(archive)
    output = thaw("extract", folder / "map.mpq", "-o", folder / "out", "-v")
    read = files_in(folder / "out")
    assert {name: read[shown_path(name)] for name in files} == files
    assert output.count("Adler-32 mismatch in") == len(spoiled), (len(spoiled), output)


def png(pixels, spoil):
    """Rows of colours as a PNG in some IDAT chunks; `spoil` changes the data of zlib."""
    def part(tag, data):
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    data = spoil(zlib.compress(b"".join(b"\0" + b"".join(bytes(color) for color in row) for row in pixels)))
    cut = len(data) // 2
    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 6, 0, 0, 0)) +
            part(b"IDAT", data[:cut]) + part(b"IDAT", data[cut:]) + part(b"IEND", b""))


@check
def zlib_with_a_wrong_sum_in_pictures(folder, chance):
    wide, high = chance.randint(1, 9), chance.randint(1, 9)
    pixels = [[[chance.randrange(256) for _ in range(4)] for _ in range(wide)] for _ in range(high)]
    (folder / "right.png").write_bytes(png(pixels, lambda data: data))
    (folder / "wrong.png").write_bytes(png(pixels, lambda data: spoiled_sum(data, chance)))
    outputs = [thaw("convert", folder / f"{name}.png", "-o", folder / f"{name}.tga", "-v") for name in ("right", "wrong")]
    assert (folder / "right.tga").read_bytes() == (folder / "wrong.tga").read_bytes()
    assert "Adler-32" in outputs[1] and "Adler-32" not in outputs[0], outputs
    thaw("convert", folder / "wrong.png", "-o", folder / "strict.tga", "--strict", code=3)


@check
def entries_that_lie(folder, chance):
    """Protected maps: blocks that nobody can read, with names of nobody, in places of others and behind the end."""
    files = some_files(chance, chance.randint(2, 5))
    archive = bytearray(mpq_make.make(files))
    table, blocks_at, count, blocks = struct.unpack_from("<IIII", archive, 16)
    names = struct.unpack_from(f"<{count * 4}I", archive, table)
    places = mpq_make.cipher(names, mpq_make.hash_name("(hash table)", 3), False)
    entries = mpq_make.cipher(struct.unpack_from(f"<{blocks * 4}I", archive, blocks_at), mpq_make.hash_name("(block table)", 3), False)
    lies = chance.randint(1, count - blocks - 2)
    free = [at for at in range(count) if places[at * 4 + 3] == 0xFFFFFFFF]
    for at in chance.sample(free, lies):
        places[at * 4 : at * 4 + 4] = [chance.getrandbits(32), chance.getrandbits(32), 0, len(entries) // 4]
        size = chance.choice([0xFFFFFFF0, 0x7FFFFFFF, 1 << 30])
        where = chance.choice([chance.randrange(32, blocks_at), 0xFFFFFF00, len(archive) + chance.randrange(1 << 20)])
        # Sectors whose table would be as large as the archive, in front of bytes that are none.
        entries += [where, chance.choice([60, size]), size, 0x80000200]
    struct.pack_into("<I", archive, 28, len(entries) // 4)
    struct.pack_into("<I", archive, 20, len(archive))
    struct.pack_into(f"<{count * 4}I", archive, table, *mpq_make.cipher(places, mpq_make.hash_name("(hash table)", 3), True))
    archive += struct.pack(f"<{len(entries)}I", *mpq_make.cipher(entries, mpq_make.hash_name("(block table)", 3), True))
    (folder / "map.w3x").write_bytes(bytes(archive))
    output = thaw("extract", folder / "map.w3x", "-o", folder / "out", code=5)
    read = files_in(folder / "out")
    assert {name: read.get(shown_path(name)) for name in files} == files, (sorted(read), output)
    assert set(read) == {shown_path(name) for name in files} | {"(listfile)"}, sorted(read)
    assert f"{lies} failed" in output, (lies, output[-500:])
    assert f"{lies} unreadable" in thaw("ls", folder / "map.w3x"), lies


def rounded(text, width):
    """What the C library of Visual C++ makes of the digits of no number: it rounds them as if they were some."""
    digits = text[:width].ljust(width, "0")
    return digits[:-1] + chr(ord(digits[-1]) + 1) if width < len(text) and text[width] >= "5" else digits


def number_of_microsoft(chance):
    """A number as `printf` of Visual C++ writes it, and its value."""
    kind = chance.choice(["INF", "INF", "QNAN", "SNAN", "IND", "number"])
    if kind == "number":
        value = chance.randint(-4000, 4000) / 16
        return f"{value:.{chance.randint(4, 8)}f}", value
    # Of fewer digits infinity and the others are one spelling.
    text = "1." + rounded("#" + kind, chance.randint(4, 12))
    sign = "-" if kind == "IND" or chance.random() < 0.5 else ""
    exponent = chance.choice(["", "", "e+000"])
    return sign + text + exponent, float(sign + "inf") if kind == "INF" else math.nan


def same_number(a, b):
    value = float(a) if not isinstance(a, str) else math.nan if a.startswith("nan") else float(a)
    return value == b or (math.isnan(value) and math.isnan(b))


@check
def numbers_of_microsoft(folder, chance):
    count = chance.randint(4, 30)
    numbers = [[number_of_microsoft(chance) for _ in range(3)] for _ in range(count)]
    lines = "".join(f"\t\t{{ {', '.join(text for text, _ in row)} }},\n" for row in numbers)
    same = "".join("\t\t{ 0, 0, 1 },\n" for _ in range(count))
    (folder / "model.mdl").write_text(
        f'Version {{\n\tFormatVersion 800,\n}}\nModel "m" {{\n}}\nMaterials 1 {{\n\tMaterial {{\n\t\tLayer {{\n\t\t\tFilterMode None,\n'
        f'\t\t}}\n\t}}\n}}\nGeoset {{\n\tVertices {count} {{\n{lines}\t}}\n\tNormals {count} {{\n{same}\t}}\n\tMaterialID 0,\n}}\n')
    dump = json.loads(thaw("dump", folder / "model.mdl").partition("\n}\n")[0] + "\n}")
    geoset = next(chunk for chunk in dump["chunks"] if chunk["tag"] == "GEOS")["items"][0]
    for row, read in zip(numbers, geoset["positions"]):
        assert all(same_number(a, value) for a, (_, value) in zip(read, row)), (row, read)
    assert len(geoset["positions"]) == count and len(geoset["normals"]) == count


def glb(path):
    data = path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def vectors(document, binary, index, components):
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    at = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    step = view.get("byteStride", 4 * components)
    assert accessor["componentType"] == 5126
    return [struct.unpack_from(f"<{components}f", binary, at + i * step) for i in range(accessor["count"])]


@check
def second_sets_of_groups(folder, chance):
    """Groups of buildings with two sets of coordinates or of colours, or both."""
    thaw("convert", SAMPLES / "house.wmo", "-o", folder / "house.wmo", "--format-version", 17)
    coordinates, colors = chance.choice([(True, False), (False, True), (True, True)])
    path = folder / "house_001.wmo"
    data = bytearray(path.read_bytes())
    at = data.index(b"PGOM")
    end = at + 8 + struct.unpack_from("<I", data, at + 4)[0]
    sizes = {}
    inner = at + 8 + 68
    while inner < end:
        sizes[bytes(data[inner : inner + 4])] = struct.unpack_from("<I", data, inner + 4)[0]
        inner += 8 + sizes[bytes(data[inner : inner + 4])]
    points = sizes[b"TVOM"] // 12
    second = [(chance.randint(-64, 64) / 16, chance.randint(-64, 64) / 16) for _ in range(points)]
    added = b""
    if coordinates:
        added += struct.pack("<4sI", b"VTOM", 8 * points) + b"".join(struct.pack("<2f", *one) for one in second)
    if colors:
        added += struct.pack("<4sI", b"VCOM", 4 * points) + chance.randbytes(4 * points)
    data[end:end] = added
    struct.pack_into("<I", data, at + 4, end + len(added) - at - 8)
    flags = struct.unpack_from("<I", data, at + 16)[0]
    struct.pack_into("<I", data, at + 16, flags | 0x2000000 * coordinates | 0x1000000 * colors)
    path.write_bytes(bytes(data))
    output = thaw("convert", folder / "house.wmo", "-o", folder / "house.glb")
    assert ("second vertex colours" in output) == colors, (colors, output)
    document, binary = glb(folder / "house.glb")
    attributes = [part["attributes"] for mesh in document["meshes"] if mesh["name"] == "Room" for part in mesh["primitives"]]
    found = {one["TEXCOORD_1"] for one in attributes if "TEXCOORD_1" in one}
    read = {value for index in found for value in vectors(document, binary, index, 2)}
    assert bool(read) == coordinates and read <= {*second}, (coordinates, len(read))


def varied(chance, dump):
    """The document of a model with what exporters seldom write: groups of many bones, second coordinates, and more."""
    chunks = {chunk["tag"]: chunk for chunk in dump["chunks"]}
    for geoset in chunks["GEOS"]["items"]:
        bones = sorted(set(geoset["matrixIndices"]))
        groups = [chance.choices(bones, k=chance.randint(1, 7)) for _ in range(chance.randint(1, 6))]
        geoset["matrixGroups"] = [len(group) for group in groups]
        geoset["matrixIndices"] = [bone for group in groups for bone in group]
        geoset["vertexGroups"] = [chance.randrange(len(groups)) for _ in geoset["vertexGroups"]]
        if chance.random() < 0.5:
            geoset["uvSets"].append({"coordinates": [[chance.random(), chance.random()] for _ in geoset["positions"]]})
        if chance.random() < 0.3:
            geoset["normals"] = [[0, 0, 1] for _ in geoset["normals"]]
        geoset["selectionGroup"] = chance.randrange(5)
    for material in chunks["MTLS"]["items"]:
        for layer in material["layers"]:
            layer["coordId"] = chance.choice([0, 0, 1])
            layer["alpha"] = chance.choice([1, 0.5, 0.25])
        material["priorityPlane"] = chance.randint(-2, 3)
    for sequence in chunks["SEQS"]["items"]:
        sequence["moveSpeed"] = chance.choice([0, 120.5])
    return dump


@check
def unedited_onto(folder, chance):
    """Models of every version with what exporters seldom write, to GLB and back over themselves: the same bytes."""
    version = chance.choice([800, 900, 1000, 1100])
    dump = json.loads(thaw("dump", SAMPLES / "knight.mdx"))
    (folder / "varied.json").write_text(json.dumps(varied(chance, dump)))
    thaw("build", folder / "varied.json", "-o", folder / "built.mdx")
    original = folder / "original.mdx"
    thaw("convert", folder / "built.mdx", "-o", original, "--format-version", version, code=None)
    extras = chance.choice(["full", "minimal", "none"])
    thaw("convert", original, "-o", folder / "way.glb", "--extras", extras)
    thaw("convert", folder / "way.glb", "--onto", original, "-o", folder / "back.mdx", code=None)
    assert (folder / "back.mdx").read_bytes() == original.read_bytes(), (version, extras)


@check
def second_names_of_textures(folder, chance):
    """Textures of one name in several folders of a map become one picture each, which the model names. Those of the
    game are not written, which is told."""
    dump = json.loads(thaw("dump", SAMPLES / "knight.mdx"))
    textures = next(chunk for chunk in dump["chunks"] if chunk["tag"] == "TEXS")["items"]
    name = chance.choice(["skin", "texture0", "Gold"])
    wanted, games = [], []
    for number, texture in enumerate(one for one in textures if one["path"]):
        imported = number < 2 or chance.random() < 0.5
        root = "war3mapImported" if imported else "Textures"
        texture["path"] = f"{root}\\{'abcdefgh'[number]}\\{name}.blp"
        pixels = [[[chance.randrange(256) for _ in range(3)] + [255]] * 4] * 4
        picture = folder / "map" / root / "abcdefgh"[number] / f"{name}.png"
        picture.parent.mkdir(parents=True)
        picture.write_bytes(png(pixels, lambda data: data))
        thaw("convert", picture, "-o", picture.with_suffix(".blp"))
        (wanted if imported else games).append(texture["path"])
        picture.unlink()
    (folder / "dump.json").write_text(json.dumps(dump))
    thaw("build", folder / "dump.json", "-o", folder / "map/model.mdx")
    thaw("convert", folder / "map/model.mdx", "--source", folder / "map", "-o", folder / "model.glb")
    document, _ = glb(folder / "model.glb")
    names = [image.get("name") for image in document["images"]]
    assert len(names) >= len(wanted) + len(games), names
    output = thaw("convert", folder / "model.glb", "-o", folder / "back/model.mdx")
    told = [line for line in output.splitlines() if "scene.game-file" in line]
    assert len(told) == bool(games) and all(path in told[0] for path in games), (told, games)
    # One that the GLB has baked into another is reported as left out.
    lost = [line for line in output.splitlines() if "at which the map must contain them" in line]
    wanted = [path for path in wanted if not any(path in line for line in lost)]
    kept = [path for path in files_in(folder / "back") if path.endswith(".blp")]
    assert len(kept) == len(wanted), (kept, wanted, output)
    def color(path):
        thaw("convert", path, "-o", folder / "color.tga", "-f")
        return (folder / "color.tga").read_bytes()[18:21]

    # Those that glow are stored as colour and strength, which rounds.
    right = sorted(color(folder / "map" / path.replace("\\", "/")) for path in wanted)
    made = sorted(color(folder / "back" / path) for path in kept)
    assert all(abs(a - b) <= 1 for one, other in zip(made, right) for a, b in zip(one, other)), (made, right)
    assert output.count("because another texture has the same name") == len(wanted) - 1, output
    # Several models of a map in one run share its textures.
    (folder / "other.glb").write_bytes((folder / "model.glb").read_bytes())
    thaw("convert", folder / "model.glb", folder / "other.glb", "--to", "mdx", "-o", f"{folder}/both/")
    assert {path for path in files_in(folder / "both") if path.endswith(".blp")} == {*kept}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("checks", nargs="*")
    options = parser.parse_args()
    failed = 0
    for function in CHECKS:
        if options.checks and function.__name__ not in options.checks:
            continue
        faults = []
        for seed in range(options.seeds):
            with tempfile.TemporaryDirectory() as scratch:
                try:
                    function(pathlib.Path(scratch), random.Random(f"{function.__name__} {seed}"))
                except (AssertionError, KeyError, IndexError, ValueError) as fault:
                    faults.append(f"seed {seed}: {fault!r}")
        failed += bool(faults)
        print(f"FAILED: {function.__name__}: {len(faults)} of {options.seeds}, {faults[0]}" if faults else
              f"ok {function.__name__}: {options.seeds}")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
