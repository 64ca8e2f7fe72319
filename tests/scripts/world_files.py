#!/usr/bin/env python3
"""world_files.py DIR [TILES]: a small world as docs/formats/wdt.md has it, put together without the library.

Writes Test.wdt (tiles 31_31 and 32_31, or TILES around the map's middle, all alike), Test.wdl, lights.lit and two
ground textures.
"""

import math
import pathlib
import struct
import sys

MIDDLE = 32


def height(row, column):
    return 20 * math.sin(row / 17) + 12 * math.cos(column / 11)


def chunk(letters, payload):
    return letters[::-1] + struct.pack("<I", len(payload)) + payload


def terrain_chunk(tile_x, tile_y, slot, doodads):
    x, y = slot % 16, slot // 16
    row, column = tile_y * 128 + y * 8, tile_x * 128 + x * 8
    heights = [height(row + r, column + c) for r in range(9) for c in range(9)]
    heights += [height(row + r + 0.5, column + c + 0.5) for r in range(8) for c in range(8)]
    normals = bytearray()
    for i in range(145):
        r, c = divmod(i, 9) if i < 81 else (lambda a: (a[0] + 0.5, a[1] + 0.5))(divmod(i - 81, 8))
        south = 20 / 17 * math.cos((row + r) / 17) * 128 / (1600 / 3)
        east = -12 / 11 * math.sin((column + c) / 11) * 128 / (1600 / 3)
        size = math.sqrt(south * south + east * east + 1)
        normals += struct.pack("<3b", round(south / size * 127), round(east / size * 127), round(127 / size))
    layers = struct.pack("<3I2H", 0, 0, 0, 0xFFFF, 0) + struct.pack("<3I2H", 1, 0x100, 0, 0xFFFF, 0)
    references = struct.pack("<I", slot % 2) if slot in (3, 4) and doodads else b""
    shadow = bytes(0xF0 if (at // 8) % 16 < 4 else 0 for at in range(512))
    alpha = bytes(min(15, (at % 32) // 2) * 17 for at in range(2048))
    kinds = {20: 4, 21: 8, 22: 16, 23: 32}
    liquid = b""
    if slot in kinds:
        vertices = b"".join(struct.pack("<4Bf", 100, 0, 0, 0, 15.0) for _ in range(81))
        liquid = struct.pack("<2f", 15, 15) + vertices + bytes([4] * 60 + [15] * 4) + struct.pack("<I", 0) + bytes(80)
    sub = chunk(b"MCLY", layers) + chunk(b"MCRF", references)
    at_shadow = 1028 + len(sub)
    at_alpha = at_shadow + 512
    at_liquid = at_alpha + 2048
    end = at_liquid + len(liquid)
    radius = math.sqrt(23.570227**2 + ((max(heights) - min(heights)) / 2) ** 2)
    header = struct.pack("<3If2I", 1 | kinds.get(slot, 0), x, y, radius, 2, len(references) // 4)
    header += struct.pack("<8I", 0, 580, 1028, 1028 + 8 + 32, at_alpha, 2048, at_shadow, 512)
    header += struct.pack("<2HI2H", 12, 10, 0, 0x8001 if slot == 40 else 0, 0) + bytes(24)
    header += struct.pack("<3I", end, 0, at_liquid) + bytes(24)
    body = header + struct.pack("<145f", *heights) + bytes(normals) + bytes(13) + sub + shadow + alpha + liquid
    return chunk(b"MCNK", body)


def tile(start, x, y):
    textures = chunk(b"MTEX", b"Tileset\\Grass.blp\0Tileset\\Path.blp\0")
    places = []
    for i in range(2):
        west, north = (MIDDLE - x) * 1600 / 3 - 90 - 40 * i, (MIDDLE - y) * 1600 / 3 - 60
        edge = 51200 / 3
        position = (edge - west, 30, edge - north)
        places.append(struct.pack("<2I6f2H", i, y * 128 + 2 * x + i, *position, 0, 45 * i, 0, 1024, 0))
    doodads = chunk(b"MDDF", b"".join(places))
    objects = chunk(b"MODF", b"")
    head = struct.pack("<7I", 64, 4168, len(textures), 4168 + len(textures), len(doodads), 4168 + len(textures) + len(doodads), 0) + bytes(36)
    chunks = [terrain_chunk(x, y, slot, True) for slot in range(256)]
    first = 72 + 8 + 4096 + len(textures) + len(doodads) + len(objects)
    at, table = start + first, b""
    for data in chunks:
        table += struct.pack("<4I", at, len(data), 0, 0)
        at += len(data)
    return chunk(b"MHDR", head) + chunk(b"MCIN", table) + textures + doodads + objects + b"".join(chunks), first


def moved(data, first, start):
    """The same tile at another place of the file."""
    data = bytearray(data)
    for slot in range(256):
        at = 80 + slot * 16
        struct.pack_into("<I", data, at, struct.unpack_from("<I", data, at)[0] + start)
    return data, first


def wdt(path, places):
    models = b"World\\Post.mdx\0World\\Lost.mdx\0"
    names = chunk(b"MDNM", models) + chunk(b"MONM", b"")
    start = 12 + 136 + 8 + 65536 + len(names)
    entries = bytearray(65536)
    pattern = tile(0, *places[0]) if len(places) > 2 else None
    with open(path, "wb") as out:
        out.seek(start)
        for x, y in sorted(places, key=lambda place: (place[1], place[0])):
            at = out.tell()
            data, first = moved(*pattern, at) if pattern else tile(at, x, y)
            struct.pack_into("<2I", entries, (y * 64 + x) * 16, at, first)
            out.write(data)
        out.seek(0)
        header = struct.pack("<4I", 3, 65692, 0, 65692 + 8 + len(models)) + bytes(112)
        out.write(chunk(b"MVER", struct.pack("<I", 18)) + chunk(b"MPHD", header) + chunk(b"MAIN", bytes(entries)) + names)


def wdl(path, places):
    offsets, areas = bytearray(16384), b""
    for x, y in places:
        struct.pack_into("<I", offsets, (y * 64 + x) * 4, 12 + 8 + 16384 + len(areas))
        outer = [round(height(y * 128 + r * 8, x * 128 + c * 8)) for r in range(17) for c in range(17)]
        inner = [round(height(y * 128 + r * 8 + 4, x * 128 + c * 8 + 4)) for r in range(16) for c in range(16)]
        areas += chunk(b"MARE", struct.pack("<545h", *outer, *inner))
    path.write_bytes(chunk(b"MVER", struct.pack("<I", 18)) + chunk(b"MAOF", bytes(offsets)) + areas)


def lights(path):
    values = struct.pack("<18i", *[1] * 18)
    for track in range(18):
        values += struct.pack("<iI", 0, 0x804020 + track) + bytes(31 * 8)
    values += struct.pack("<f", 36 * 400) + bytes(124) + struct.pack("<f", 0.25) + bytes(124)
    path.write_bytes(struct.pack("<Ii", 0x80000004, -1) + values.ljust(0x1550, b"\0"))


def picture(path, color, spot):
    """BLP2 with plain pixels, 16 × 16, with a grain."""
    pixels = b"".join(struct.pack("<4B", *(spot if (x * 7 + y * 5) % 11 < 3 else color), 255) for y in range(16) for x in range(16))
    head = b"BLP2" + struct.pack("<I4B2I", 1, 3, 8, 8, 0, 16, 16)
    head += struct.pack("<16I", 1172, *[0] * 15) + struct.pack("<16I", len(pixels), *[0] * 15)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(head + bytes(1024) + pixels)


def main():
    root = pathlib.Path(sys.argv[1])
    root.mkdir(parents=True, exist_ok=True)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    side = math.isqrt(max(0, count - 1)) + 1
    places = [(MIDDLE - side // 2 + i % side, MIDDLE - side // 2 + i // side) for i in range(count)] or [(31, 31), (32, 31)]
    wdt(root / "Test.wdt", places)
    wdl(root / "Test.wdl", places + [(30, 31)])
    lights(root / "lights.lit")
    picture(root / "Tileset/Grass.blp", (40, 110, 60), (50, 130, 80))
    picture(root / "Tileset/Path.blp", (90, 130, 150), (70, 110, 130))


if __name__ == "__main__":
    main()
