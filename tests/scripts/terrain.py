#!/usr/bin/env python3
"""New maps by `thaw terrain`, and tiles that are cut out and joined: read by a decoder of its own, after
docs/formats/wdt.md and wdl.md."""

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

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"])
CELL, TILE, MIDDLE = 4.1666667, 533.33333, 17066.666


def png(width, height, bits, values):
    """Grey, every row unfiltered."""
    form = ">%d%s" % (width, "H" if bits == 16 else "B")
    rows = b"".join(b"\0" + struct.pack(form, *values[y * width : (y + 1) * width]) for y in range(height))
    chunk = lambda tag, data: struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
    head = struct.pack(">2I5B", width, height, bits, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def grey16(path):
    """Of a PNG of 16 bits whose rows have the filters None or Up."""
    data, at, body = path.read_bytes(), 8, b""
    while at < len(data):
        size, tag = struct.unpack_from(">I4s", data, at)
        if tag == b"IHDR":
            width, height, bits, kind = struct.unpack_from(">2I2B", data, at + 8)
            assert (bits, kind) == (16, 0)
        body += data[at + 8 : at + 8 + size] if tag == b"IDAT" else b""
        at += size + 12
    rows, above, values = zlib.decompress(body), bytes(width * 2), []
    for y in range(height):
        kind, row = rows[y * (width * 2 + 1)], rows[y * (width * 2 + 1) + 1 : (y + 1) * (width * 2 + 1)]
        assert kind in (0, 2)
        above = row if kind == 0 else bytes((a + b) & 255 for a, b in zip(row, above))
        values += struct.unpack(">%dH" % width, above)
    return width, height, values


def run(*arguments, expect=0):
    done = subprocess.run([THAW, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == expect, (arguments, done.returncode, done.stderr)
    return done


# --- the decoder


def head(data, at):
    tag, size = struct.unpack_from("<4sI", data, at)
    return tag[::-1].decode(), size


def names(data, at):
    tag, size = head(data, at)
    return data[at + 8 : at + 8 + size].split(b"\0")[:-1], at + 8 + size


class Map:
    def __init__(self, path):
        self.data = data = path.read_bytes()
        assert head(data, 0) == ("MVER", 4) and head(data, 12) == ("MPHD", 128) and head(data, 148) == ("MAIN", 65536)
        doodads, at_doodads, buildings, at_buildings = struct.unpack_from("<4I", data, 20)
        assert head(data, at_doodads)[0] == "MDNM" and head(data, at_buildings)[0] == "MONM"
        self.doodads, end = names(data, at_doodads)
        assert end == at_buildings
        self.buildings, end = names(data, at_buildings)
        assert doodads == (len(self.doodads) + 1 if self.doodads else 0)
        assert buildings == (len(self.buildings) + 1 if self.buildings else 0)
        entries = list(struct.iter_unpack("<4I", data[156 : 156 + 65536]))
        self.tiles = {}
        for index, (offset, size, _, _) in enumerate(entries):
            if offset:
                assert offset == end, "tiles one behind the other"
                self.tiles[index % 64, index // 64] = tile = Tile(data, offset, size)
                end = tile.end
        assert end == len(data)

    def named(self, tile):
        """Placements with names for numbers."""
        return (
            [(self.doodads[d[0]], *d[2:]) for d in tile.doodads],
            [(self.buildings[b[0]], *b[2:]) for b in tile.buildings],
        )


class Tile:
    def __init__(self, data, at, size):
        base = at + 8
        assert head(data, at) == ("MHDR", 64)
        info, tex, tex_size, doo, doo_size, mob, mob_size = struct.unpack_from("<7I", data, base)
        assert head(data, base + info) == ("MCIN", 4096)
        tag, length = head(data, base + tex)
        assert tag == "MTEX" and tex_size == length + 8
        self.textures = names(data, base + tex)[0]
        table = lambda place, form: list(
            struct.iter_unpack(form, data[base + place + 8 : base + place + 8 + head(data, base + place)[1]])
        )
        self.doodads, self.buildings = table(doo, "<2I6f2H"), table(mob, "<2I12f4H")
        self.chunks, end = [], at + size
        for slot, (offset, length, _, _) in enumerate(struct.iter_unpack("<4I", data[base + info + 8 :][:4096])):
            assert offset == end and length < 15000
            self.chunks.append(Chunk(data, offset, slot))
            end = offset + length
        self.end = end
        self.body = b"".join(chunk.bytes for chunk in self.chunks)


class Chunk:
    def __init__(self, data, at, slot):
        tag, size = head(data, at)
        assert tag == "MCNK"
        self.bytes = data[at : at + 8 + size]
        base = at + 8
        h = struct.unpack_from("<3If10I2HI2H", data, base)
        self.flags, x, y, self.radius, self.layer_count, doodads = h[:6]
        assert (x, y) == (slot % 16, slot // 16)
        ofs_height, ofs_normal, ofs_layer, ofs_refs, ofs_alpha, size_alpha, ofs_shadow, size_shadow = h[6:14]
        self.area, self.zone, buildings, self.holes = h[14:18]
        emitters, count, liquid = struct.unpack_from("<3I", data, base + 92)
        end = base + 128
        assert (ofs_height, ofs_normal, ofs_layer) == (0, 580, 1028)
        self.heights = struct.unpack_from("<145f", data, end)
        self.normals = list(struct.iter_unpack("<3b", data[end + 580 : end + 580 + 435]))
        assert head(data, end + ofs_layer) == ("MCLY", 16 * self.layer_count)
        self.layers = list(struct.iter_unpack("<3I2H", data[end + ofs_layer + 8 :][: 16 * self.layer_count]))
        assert head(data, end + ofs_refs) == ("MCRF", 4 * (doodads + buildings))
        refs = struct.unpack_from("<%dI" % (doodads + buildings), data, end + ofs_refs + 8)
        self.refs = refs[:doodads], refs[doodads:]
        self.shadow = data[end + ofs_shadow :][:size_shadow]
        self.alpha = data[end + ofs_alpha :][:size_alpha]
        self.liquids = []
        for bit in (4, 8, 16, 32):
            if self.flags & bit:
                low, high = struct.unpack_from("<2f", data, end + liquid)
                vertices = list(struct.iter_unpack("<4Bf", data[end + liquid + 8 :][: 81 * 8]))
                self.liquids.append((bit, low, high, vertices, data[end + liquid + 656 :][:64]))
                liquid += 804
        assert end + liquid == end + emitters + 52 * count == at + 8 + size

    def alpha_at(self, layer, x, y):
        byte = self.alpha[self.layers[layer][2] + y * 32 + x // 2]
        return byte >> (x % 2 * 4) & 15


# --- tests


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def check_island(folder):
    """A land of 2 × 1 tiles with everything."""
    rand = random.Random(5)
    wide, high = 257, 129
    heights = [int(32768 + 20000 * math.sin(x / 31) * math.cos(y / 17) + rand.randrange(900)) for y in range(high) for x in range(wide)]
    (folder / "height.png").write_bytes(png(wide, high, 16, heights))
    (folder / "height.raw").write_bytes(struct.pack("<%dH" % len(heights), *heights))
    masks = {}
    for name, value in (
        ("rock", lambda x, y: (x * 7 + y * 3) % 256),
        ("sand", lambda x, y: 255 if x < 300 and y < 200 else 0),
        ("path", lambda x, y: 255 if x // 64 == 5 else 0),
    ):
        masks[name] = [value(x, y) for y in range(1024) for x in range(2048)]
        (folder / (name + ".png")).write_bytes(png(2048, 1024, 8, masks[name]))
    (folder / "shadow.png").write_bytes(png(2048, 1024, 8, [255 if x % 100 < 9 else 0 for y in range(1024) for x in range(2048)]))
    holes = [255 if (x, y) in ((40, 40), (41, 41), (130, 3)) else 0 for y in range(128) for x in range(256)]
    (folder / "holes.png").write_bytes(png(256, 128, 8, holes))
    (folder / "areas.png").write_bytes(png(32, 16, 16, [1000 + i for i in range(512)]))
    (folder / "lava.png").write_bytes(png(256, 128, 8, [255 if 16 <= x < 20 and y < 5 else 0 for y in range(128) for x in range(256)]))
    (folder / "house.wmo").write_bytes((SAMPLES / "house.wmo").read_bytes())
    north, west = MIDDLE - 48.503 * TILE, MIDDLE - 31.503 * TILE
    plan = {
        "tile": [31, 48],
        "size": [2, 1],
        "heights": "height.png",
        "range": [-20, 80],
        "layers": [{"texture": "Grass.blp"}, {"texture": "Rock.blp", "mask": "rock.png"}, {"texture": "Sand.blp", "mask": "sand.png"}, {"texture": "Path.blp", "mask": "path.png"}],
        "shadow": "shadow.png",
        "holes": "holes.png",
        "areas": "areas.png",
        "zone": 12,
        "liquids": [{"kind": "ocean", "level": 5}, {"kind": "magma", "level": 60, "mask": "lava.png"}],
        "doodads": [{"model": "Tree.mdx", "at": [north, west], "turn": 30, "scale": 1.5}, {"model": "Rock.mdx", "at": [north - 9, west - TILE, 7]}],
        "buildings": [{"model": "house.wmo", "at": [north, MIDDLE - 32 * TILE], "turn": 45, "doodadSet": 1}],
    }
    (folder / "island.json").write_text(json.dumps(plan))
    out = folder / "Island.wdt"
    run("terrain", folder / "island.json", "-o", out)
    land = Map(out)
    assert sorted(land.tiles) == [(31, 48), (32, 48)]
    yards = lambda v: -20 + 100 * v / 65535
    bounds = []
    for (tx, ty), tile in land.tiles.items():
        assert tile.textures == [b"Grass.blp", b"Rock.blp", b"Sand.blp", b"Path.blp"]
        for slot, chunk in enumerate(tile.chunks):
            left, top = (tx - 31) * 128 + slot % 16 * 8, slot // 16 * 8
            at = lambda r, c: heights[(top + r) * wide + left + c]
            for i in range(81):
                assert chunk.heights[i] == float32(yards(at(i // 9, i % 9))), "bit for bit"
            for i in range(64):
                r, c = divmod(i, 8)
                mean = (at(r, c) + at(r, c + 1) + at(r + 1, c) + at(r + 1, c + 1)) / 4
                assert abs(chunk.heights[81 + i] - yards(mean)) < 1e-5
            flat = max(chunk.heights) - min(chunk.heights)
            assert abs(chunk.radius - math.hypot(23.570227, flat / 2)) < 1e-4
            check_normals(chunk, left, top, lambda r, c: yards(heights[min(max(r, 0), high - 1) * wide + min(max(c, 0), wide - 1)]))
            check_layers(chunk, left * 8, top * 8, masks)
            assert chunk.area == 1000 + slot // 16 * 32 + (tx - 31) * 16 + slot % 16 and chunk.zone == 12
            wanted = 0
            for r in range(8):
                for c in range(8):
                    if holes[(top + r) * 256 + left + c]:
                        wanted |= 1 << (r // 2 * 4 + c // 2)
            assert chunk.holes == wanted
            check_liquids(chunk, left, top)
            bounds.append(chunk)
    check_objects(land, north, west)
    run("validate", out, "--target", "strict")
    assert "EXACT" in run("survey", out).stdout
    # Heights as a picture again, and from the values without a header: the same.
    run("convert", out, "--to", "heightmap", "--grid", "129", "--height-range=-20,80", "--scale", "1", "-o", folder / "back.png")
    assert grey16(folder / "back.png") == (wide, high, heights)
    plan["heights"] = {"file": "height.raw", "size": [wide, high]}
    (folder / "raw.json").write_text(json.dumps(plan))
    run("terrain", folder / "raw.json", "-o", folder / "Raw.wdt")
    assert (folder / "Raw.wdt").read_bytes() == out.read_bytes()
    # The same heights in two pictures that meet.
    for part in range(2):
        own = [heights[y * wide + x + part * 128] for y in range(high) for x in range(129)]
        (folder / ("part%d.png" % part)).write_bytes(png(129, 129, 16, own))
    plan["heights"] = [["part0.png", "part1.png"]]
    (folder / "parts.json").write_text(json.dumps(plan))
    run("terrain", folder / "parts.json", "-o", folder / "Parts.wdt")
    assert (folder / "Parts.wdt").read_bytes() == out.read_bytes()
    check_far(folder / "Island.wdl", heights, wide, yards)
    check_mistakes(folder, plan)


def check_normals(chunk, left, top, height):
    worst = 0
    for i in range(81):
        r, c = top + i // 9, left + i % 9
        north = (height(r - 1, c) - height(r + 1, c)) / (2 * CELL)
        west = (height(r, c - 1) - height(r, c + 1)) / (2 * CELL)
        size = math.sqrt(north * north + west * west + 1)
        wanted = (-north / size * 127, -west / size * 127, 127 / size)
        worst = max(worst, *(abs(a - b) for a, b in zip(chunk.normals[i], wanted)))
    assert worst <= 0.51, worst


def check_layers(chunk, left, top, masks):
    seen = [0] + [n for n, name in enumerate(("rock", "sand", "path"), 1) if any(masks[name][(top + y) * 2048 + left + x] >= 9 for y in range(64) for x in range(64))]
    assert [layer[0] for layer in chunk.layers] == seen
    assert chunk.layers[0][1] == 0 and all(layer[1] == 0x100 for layer in chunk.layers[1:])
    for number, layer in enumerate(chunk.layers[1:], 1):
        mask = masks[("rock", "sand", "path")[layer[0] - 1]]
        for y in range(0, 64, 7):
            for x in range(64):
                wanted = mask[(top + y) * 2048 + left + x] / 17
                assert abs(chunk.alpha_at(number, x, y) - wanted) <= 0.5
    if chunk.flags & 1:
        for y in range(0, 64, 9):
            for x in range(64):
                assert (chunk.shadow[y * 8 + x // 8] >> x % 8 & 1) == ((left + x) % 100 < 9)


def check_liquids(chunk, left, top):
    below = [min(chunk.heights[r * 9 + c], chunk.heights[r * 9 + c + 1], chunk.heights[r * 9 + c + 9], chunk.heights[r * 9 + c + 10], chunk.heights[81 + r * 8 + c]) < 5 for r in range(8) for c in range(8)]
    lava = [16 <= left + c < 20 and top + r < 5 for r in range(8) for c in range(8)]
    wanted = [(8, 5, 1, below)] if any(below) else []
    wanted += [(16, 60, 6, lava)] if any(lava) else []
    assert len(chunk.liquids) == len(wanted)
    for (bit, low, high, vertices, cells), (flag, level, kind, shown) in zip(chunk.liquids, wanted):
        assert bit == flag and low == high == level and all(v[4] == level for v in vertices)
        assert [cell & 15 for cell in cells] == [kind if there else 15 for there in shown]


def check_objects(land, north, west):
    assert land.doodads == [b"Tree.mdx", b"Rock.mdx"] and land.buildings == [b"house.wmo"]
    first, second = land.tiles[31, 48], land.tiles[32, 48]
    (tree,), (rock,) = first.doodads, second.doodads
    chunk = first.chunks[8 * 16 + 8]
    assert tree[0] == 0 and abs(tree[2] - (MIDDLE - west)) < 0.01 and abs(tree[4] - (MIDDLE - north)) < 0.01
    assert abs(tree[3] - chunk.heights[0]) < 1 and tree[6] == 30 and tree[8] == 1536
    assert rock[0] == 1 and rock[3] == 7 and {tree[1], rock[1]} == {1, 2}
    assert [slot for slot, c in enumerate(first.chunks) if c.refs[0]] == [8 * 16 + 8]
    # The house stands on the border: both tiles have it, under one id, and the chunks around it name it.
    (a,), (b,) = first.buildings, second.buildings
    assert a == b and a[1] == 3 and a[15] == 1
    west_slots = [slot for slot, c in enumerate(first.chunks) if c.refs[1]]
    east_slots = [slot for slot, c in enumerate(second.chunks) if c.refs[1]]
    assert west_slots and all(slot % 16 == 15 for slot in west_slots) and all(slot % 16 == 0 for slot in east_slots)


def check_far(path, heights, wide, yards):
    data = path.read_bytes()
    assert head(data, 0) == ("MVER", 4) and head(data, 12) == ("MAOF", 16384)
    offsets = struct.unpack_from("<4096I", data, 20)
    assert [i for i, offset in enumerate(offsets) if offset] == [48 * 64 + 31, 48 * 64 + 32]
    for part, offset in enumerate(offset for offset in offsets if offset):
        assert head(data, offset) == ("MARE", 1090)
        outer = struct.unpack_from("<289h", data, offset + 8)
        for i, value in enumerate(outer):
            exact = yards(heights[i // 17 * 8 * wide + part * 128 + i % 17 * 8])
            assert abs(value - exact) <= 0.5


def check_mistakes(folder, plan):
    for key, value, words in (
        ("tile", [64, 0], "tile: expected a whole number"),
        ("size", [64, 64], "are outside the map"),
        ("range", "high", "range: expected 2 numbers"),
        ("heights", "none.png", "heights: none.png"),
        ("liquids", [{"kind": "milk", "level": 1}], "liquids[0].kind: expected river"),
        ("layers", [{"texture": "a.blp"}] * 5, "layers[1].mask"),
        ("doodads", [{"model": "a.mdx", "at": [1, 2], "size": 3}], "doodads[0].size: unknown key"),
        ("hight", 1, "hight: unknown key"),
    ):
        (folder / "wrong.json").write_text(json.dumps({**plan, key: value}))
        done = run("terrain", folder / "wrong.json", "-o", folder / "Wrong.wdt", expect=4)
        assert words in done.stderr, (words, done.stderr)
        assert not (folder / "Wrong.wdt").exists() and not (folder / "Wrong.wdl").exists()
    run("terrain", folder / "parts.json", "-o", folder / "Parts.png", expect=2)


def check_joined(folder):
    """Sixteen tiles, cut into halves by columns, and joined again."""
    rand = random.Random(11)
    (folder / "big.png").write_bytes(png(129, 129, 16, [rand.randrange(65536) for _ in range(129 * 129)]))
    where = lambda x, y: [MIDDLE - (y + 0.3) * TILE, MIDDLE - (x + 0.6) * TILE]
    plan = {
        "tile": [10, 20],
        "size": [4, 4],
        "heights": "big.png",
        "range": [0, 50],
        "layers": [{"texture": "Grass.blp"}],
        "doodads": [{"model": "Tree%d.mdx" % (x % 3), "at": where(x, y)} for y in range(20, 24) for x in range(10, 14)],
        "buildings": [{"model": "Hut.wmo", "at": where(11, 21), "box": [-5, -5, 0, 5, 5, 9]}],
    }
    (folder / "big.json").write_text(json.dumps(plan))
    big = folder / "Big.wdt"
    run("terrain", folder / "big.json", "-o", big)
    whole = folder / "Whole.wdt"
    run("convert", big, "-o", whole)
    assert whole.read_bytes() == big.read_bytes()
    assert (folder / "Whole.wdl").read_bytes() == (folder / "Big.wdl").read_bytes()
    west, east, joined = folder / "West.wdt", folder / "East.wdt", folder / "Joined.wdt"
    run("convert", big, "-o", west, "--tiles", "10-11,20-23")
    run("convert", big, "-o", east, "--tiles", "12-13,20-23")
    run("convert", west, east, "--to", "wdt", "-o", joined)
    assert (folder / "Joined.wdl").read_bytes() == (folder / "Big.wdl").read_bytes()
    before, after, cut = Map(big), Map(joined), Map(west)
    assert sorted(cut.tiles) == [(x, y) for x in (10, 11) for y in (20, 21, 22, 23)]
    assert cut.doodads == [b"Tree1.mdx", b"Tree2.mdx"] and Map(east).buildings == []
    assert sorted(after.tiles) == sorted(before.tiles)
    ids = {}
    for place, tile in before.tiles.items():
        own = after.tiles[place]
        assert own.body == tile.body and own.textures == tile.textures and after.named(own) == before.named(tile)
        for d in own.doodads:
            assert ids.setdefault(d[1], place) == place, "unique ids stay apart"
    for path in (west, east, joined):
        run("validate", path, "--target", "strict")
    # The same tile in both: the later one counts. Ids that meet are moved.
    other = folder / "Other.wdt"
    run("terrain", folder / "island.json", "-o", other, "-f")
    both = folder / "Both.wdt"
    done = run("convert", big, east, other, "--to", "wdt", "-o", both)
    assert "replace" in done.stderr, done.stderr
    mixed = Map(both)
    found = [d[1] for tile in mixed.tiles.values() for d in tile.doodads]
    assert len(found) == len(set(found)) == 18, sorted(found)
    run("validate", both, "--target", "strict")
    check_moved(folder, big, before)
    check_chunks(folder, big, before)
    run("convert", big, "-o", big, "-f", expect=2)
    run("convert", big, SAMPLES / "house.wmo", "--to", "wdt", "-o", folder / "No.wdt", expect=2)
    run("convert", big, "-o", folder / "No.wdt", "--tiles", "1,1", expect=3)
    assert not (folder / "No.wdt").exists()


def check_moved(folder, big, before):
    """Tiles elsewhere, with what stands on them, and what is seen of them from far."""
    moved = folder / "Moved.wdt"
    run("convert", big, "-o", moved, "--move-tiles", "3,-2")
    after = Map(moved)
    assert sorted(after.tiles) == [(x + 3, y - 2) for x, y in sorted(before.tiles)]
    way = lambda place: (place[0] + 3 * TILE, place[1], place[2] - 2 * TILE)
    near = lambda a, b: all(abs(x - y) < 0.01 for x, y in zip(a, b))
    for (x, y), tile in before.tiles.items():
        own = after.tiles[x + 3, y - 2]
        assert own.body == tile.body and own.textures == tile.textures
        for a, b in zip(tile.doodads, own.doodads):
            assert a[:2] == b[:2] and a[5:] == b[5:] and near(way(a[2:5]), b[2:5])
        for a, b in zip(tile.buildings, own.buildings):
            assert near(way(a[2:5]), b[2:5]) and near(way(a[8:11]), b[8:11]) and near(way(a[11:14]), b[11:14])
    far = lambda path: struct.unpack_from("<4096I", path.read_bytes(), 20)
    assert [i for i, o in enumerate(far(moved.with_suffix(".wdl"))) if o] == [i + 3 - 2 * 64 for i, o in enumerate(far(big.with_suffix(".wdl"))) if o]
    run("validate", moved, "--target", "strict")
    back = folder / "MovedBack.wdt"
    run("convert", moved, "-o", back, "--move-tiles=-3,2")
    assert [tile.body for tile in Map(back).tiles.values()] == [tile.body for tile in before.tiles.values()]
    run("convert", big, "-o", folder / "No.wdt", "--move-tiles=-11,0", expect=4)
    run("convert", big, "-o", folder / "No.wdt", "--move-tiles", "1", expect=2)
    assert not (folder / "No.wdt").exists()


def far_heights(path):
    """Of each tile the 17 × 17 corners and 16 × 16 middles."""
    data = path.read_bytes()
    offsets = struct.unpack_from("<4096I", data, 20)
    return {(i % 64, i // 64): struct.unpack_from("<545h", data, at + 8) for i, at in enumerate(offsets) if at}


def same_chunk(map_a, tile_a, a, map_b, tile_b, b, way=(0, 0, 0)):
    """All that belongs to a chunk, whatever the numbers of names and placements are."""
    for part in ("heights", "normals", "alpha", "shadow", "liquids", "area", "zone", "holes", "flags", "radius"):
        assert getattr(a, part) == getattr(b, part), part
    shown = lambda tile, chunk: [(tile.textures[layer[0]], *layer[1:]) for layer in chunk.layers]
    assert shown(tile_a, a) == shown(tile_b, b)
    for kind, names_a, names_b in ((0, map_a.doodads, map_b.doodads), (1, map_a.buildings, map_b.buildings)):
        table = lambda tile: tile.buildings if kind else tile.doodads
        one = [(names_a[table(tile_a)[i][0]], table(tile_a)[i]) for i in a.refs[kind]]
        two = [(names_b[table(tile_b)[i][0]], table(tile_b)[i]) for i in b.refs[kind]]
        assert [name for name, _ in one] == [name for name, _ in two], (one, two)
        for (_, p), (_, q) in zip(one, two):
            corners = (2, 8, 11) if kind else (2,)
            for at in corners:
                assert all(abs(x + w - y) < 0.01 for x, w, y in zip(p[at : at + 3], way, q[at : at + 3])), (p, q)
            assert p[5:8] == q[5:8] and p[14 if kind else 8 :] == q[14 if kind else 8 :]


def check_chunks(folder, big, before):
    """Chunks of another map, and of the same elsewhere: in their new tile they are what they were, all others stay."""
    island = folder / "Island.wdt"
    source = Map(island)
    giver = source.tiles[31, 48]
    mixed = folder / "Mixed.wdt"
    # Columns 8 to 15 of 31_48, with a tree and half a house, come to lie in 12 to 19 of 11_21: in two tiles.
    done = run("convert", big, island, "--to", "wdt", "-o", mixed, "--chunks", "31,48:8-15,6-9", "--move-chunks=%d,%d" % ((11 - 31) * 16 + 4, (21 - 48) * 16 - 3))
    assert "terrain.edge" in done.stderr and "yards" in done.stderr, done.stderr
    assert "32 chunks into 16 tiles" in done.stderr + done.stdout, done.stdout
    after = Map(mixed)
    touched, way = {(11, 21), (12, 21)}, (((11 - 31) * 16 + 4) * TILE / 16, 0, ((21 - 48) * 16 - 3) * TILE / 16)
    assert after.doodads[: len(before.doodads)] == before.doodads and after.buildings[: len(before.buildings)] == before.buildings
    moved, seen = 0, {}
    for place, tile in before.tiles.items():
        own = after.tiles[place]
        assert own.textures[: len(tile.textures)] == tile.textures
        if place not in touched:
            assert own.body == tile.body and own.textures == tile.textures and own.doodads == tile.doodads and own.buildings == tile.buildings
        for d in [*own.doodads, *own.buildings]:
            assert seen.setdefault(d[1], place) == place or d[1] in (b[1] for b in own.buildings)
        for slot, (a, b) in enumerate(zip(tile.chunks, own.chunks)):
            x, y = (place[0] - 11) * 16 + slot % 16 - 4, slot // 16 + 3
            if place[1] == 21 and 8 <= x <= 15 and 6 <= y <= 9:
                same_chunk(source, giver, giver.chunks[y * 16 + x], after, own, b, way)
                moved += 1
            else:
                same_chunk(before, tile, a, after, own, b)
    assert moved == 32
    assert any(b"house.wmo" in name for name in after.buildings) and after.tiles[11, 21].buildings
    # Far terrain is as high as they are, at the edge of both tiles, and as before elsewhere.
    rounded = lambda height: math.floor(abs(height) + 0.5) * (1 if height >= 0 else -1)
    old, new = far_heights(big.with_suffix(".wdl")), far_heights(mixed.with_suffix(".wdl"))
    corner = giver.chunks[6 * 16 + 12].heights[0]
    assert new[11, 21][3 * 17 + 16] == new[12, 21][3 * 17] == rounded(corner)
    assert new[12, 21][289 + 3 * 16] == rounded(giver.chunks[6 * 16 + 12].heights[40])
    assert {place for place in old if old[place] != new[place]} == touched
    run("validate", mixed, "--target", "strict", "--ignore", "tile.edge")
    # A map's own chunks change nothing, to the byte.
    same = folder / "Same.wdt"
    run("convert", big, folder / "Whole.wdt", "--to", "wdt", "-o", same, "--chunks", "11,21")
    assert same.read_bytes() == big.read_bytes() and same.with_suffix(".wdl").read_bytes() == big.with_suffix(".wdl").read_bytes()
    # Elsewhere in the same map, what stands on them stands there once more, with an id of its own.
    twice = folder / "Twice.wdt"
    run("convert", big, "-o", twice, "--chunks", "11,21", "--move-chunks", "16,-16")
    copied = Map(twice)
    for a, b in zip(before.tiles[11, 21].chunks, copied.tiles[12, 20].chunks):
        same_chunk(before, before.tiles[11, 21], a, copied, copied.tiles[12, 20], b, (TILE, 0, -TILE))
    assert copied.tiles[11, 21].body == before.tiles[11, 21].body
    first, second = ({d[1] for d in [*tile.doodads, *tile.buildings]} for tile in (copied.tiles[11, 21], copied.tiles[12, 20]))
    assert first and second and not first & second
    run("validate", twice, "--target", "strict", "--ignore", "tile.edge")
    no = folder / "No.wdt"
    for expect, words, *options in (
        (2, "--move-chunks", "--chunks", "11,21:0-3,0-3"),
        (2, "31,48:4-7,0-3", "--chunks", "11,21:0-16,0", "--move-chunks", "1,1"),
        (2, "cannot be combined", "--chunks", "11,21", "--move-chunks", "1,1", "--move-tiles", "1,1"),
        (2, "--chunks", "--move-chunks", "1,1"),
        (4, "outside the map", "--chunks", "11,21", "--move-chunks", "0,-999"),
        (4, "10_5", "--chunks", "10,20:0,0", "--move-chunks", "0,-240"),
        (3, "1_1", "--chunks", "1,1:0,0", "--move-chunks", "0,1"),
    ):
        done = run("convert", big, "-o", no, *options, expect=expect)
        assert words in done.stderr, (options, done.stderr)
        assert not no.exists() and not no.with_suffix(".wdl").exists()


def glb(path, vertices, faces, **node):
    binary = b"".join(struct.pack("<3f", *v) for v in vertices) + b"".join(struct.pack("<3I", *f) for f in faces)
    size = 12 * len(vertices)
    gltf = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, **node}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3", "min": [min(v[i] for v in vertices) for i in range(3)], "max": [max(v[i] for v in vertices) for i in range(3)]},
            {"bufferView": 1, "componentType": 5125, "count": 3 * len(faces), "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": size}, {"buffer": 0, "byteOffset": size, "byteLength": 12 * len(faces)}],
        "buffers": [{"byteLength": len(binary)}],
    }
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)) + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def check_scenes(folder):
    """Ground out of meshes: that of a map comes back bit for bit, a slope of two triangles is one everywhere."""
    island = Map(folder / "Island.wdt")
    run("convert", folder / "Island.wdt", "-o", folder / "ground.glb", "--layers", "terrain")
    plan = {"tile": [31, 48], "size": [2, 1], "heights": "ground.glb", "layers": [{"texture": "Grass.blp"}]}
    (folder / "ground.json").write_text(json.dumps(plan))
    done = run("terrain", folder / "ground.json", "-o", folder / "Ground.wdt")
    assert "warning" not in done.stderr, done.stderr
    made = Map(folder / "Ground.wdt")
    for place, tile in island.tiles.items():
        for a, b in zip(tile.chunks, made.tiles[place].chunks):
            holes = [bool(a.holes >> (r // 2 * 4 + c // 2) & 1) for r in range(8) for c in range(8)]
            assert a.heights == b.heights or any(holes), "bit for bit"
            assert a.heights[:81] == b.heights[:81]
    # Steep towards north and west, half a tile beyond the land, its units three yards.
    north, west = MIDDLE - 40 * TILE, MIDDLE - 20 * TILE
    side, up = TILE * 1.5 / 3, lambda x, z: 10 + 0.25 * x - 0.5 * z
    corners = [(x, up(x, z), z) for x in (-side, side) for z in (-side, side)]
    glb(folder / "slope.glb", corners, [(0, 1, 2), (1, 3, 2)])
    plan = {"tile": [19, 39], "size": [2, 2], "heights": {"file": "slope.glb", "at": [north, west], "scale": 3}, "layers": [{"texture": "Grass.blp"}]}
    (folder / "slope.json").write_text(json.dumps(plan))
    run("terrain", folder / "slope.json", "-o", folder / "Slope.wdt")
    for (tx, ty), tile in Map(folder / "Slope.wdt").tiles.items():
        for slot, chunk in enumerate(tile.chunks):
            for i in range(145):
                r, c = (i // 9, i % 9) if i < 81 else ((i - 81) // 8 + 0.5, (i - 81) % 8 + 0.5)
                z = ((40 - ty) * TILE - (slot // 16 * 8 + r) * CELL) / 3
                x = ((20 - tx) * TILE - (slot % 16 * 8 + c) * CELL) / 3
                assert abs(chunk.heights[i] - 3 * up(x, z)) < 0.01, (slot, i, chunk.heights[i], 3 * up(x, z))
    run("validate", folder / "Slope.wdt", "--target", "strict")
    # Half of the land has no ground, and is told; all of it is refused.
    plan["size"] = [4, 2]
    (folder / "slope.json").write_text(json.dumps(plan))
    done = run("terrain", folder / "slope.json", "-o", folder / "Slope.wdt", "-f")
    assert "missing from the scene" in done.stderr, done.stderr
    for key, value, words in (("tile", [0, 0], "has no triangle"), ("range", [0, 1], "range:"), ("heights", "none.glb", "none.glb")):
        (folder / "wrong.json").write_text(json.dumps({**plan, key: value}))
        done = run("terrain", folder / "wrong.json", "-o", folder / "Wrong.wdt", expect=4)
        assert words in done.stderr, (words, done.stderr)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_island(folder)
        check_scenes(folder)
        check_joined(folder)
    print("heights, from pictures and meshes, layers, shadow, holes, areas, liquids, objects, far terrain, cut and joined, chunks put in")


main()
