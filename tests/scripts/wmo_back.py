#!/usr/bin/env python3
"""wmo_back.py [GLTF ...]: glTF of other programs as buildings, read by a second decoder that knows docs/formats/wmo.md
and one of glTF that knows the specification: every triangle has to be there with its corners, normals, coordinates and
colours, once in version 14 and once in 17; and back again as glTF. Without arguments, the models of the corpus, of
Debian's assimp-testmodels and the sample house."""

import base64
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import urllib.parse

from scenes import CORPUS, foreign

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ.get("THAW_SAMPLES", "."))


# --- glTF

FORMATS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
PARTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Unusual(Exception):
    """What this decoder does not do."""


class Gltf:
    def __init__(self, path):
        data = path.read_bytes()
        self.bin = b""
        if data[:4] == b"glTF":
            at = 12
            while at < len(data):
                size, kind = struct.unpack_from("<I4s", data, at)
                body = data[at + 8 : at + 8 + size]
                at += 8 + size
                if kind == b"JSON":
                    self.json = json.loads(body)
                elif kind[:3] == b"BIN":
                    self.bin = body
        else:
            self.json = json.loads(data)
        self.folder = path.parent
        self.buffers = {}

    def buffer(self, number):
        if number not in self.buffers:
            uri = self.json["buffers"][number].get("uri")
            if uri is None:
                self.buffers[number] = self.bin
            elif uri.startswith("data:"):
                self.buffers[number] = base64.b64decode(uri.split(",", 1)[1])
            else:
                self.buffers[number] = (self.folder / urllib.parse.unquote(uri)).read_bytes()
        return self.buffers[number]

    def accessor(self, number):
        accessor = self.json["accessors"][number]
        if "sparse" in accessor or "bufferView" not in accessor:
            raise Unusual("sparse")
        view = self.json["bufferViews"][accessor["bufferView"]]
        count, parts = accessor["count"], PARTS[accessor["type"]]
        form = "<%d%s" % (parts, FORMATS[accessor["componentType"]])
        stride = view.get("byteStride") or struct.calcsize(form)
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        data = self.buffer(view["buffer"])
        items = [struct.unpack_from(form, data, start + i * stride) for i in range(count)]
        if accessor.get("normalized"):
            most = {5120: 127, 5121: 255, 5122: 32767, 5123: 65535}[accessor["componentType"]]
            items = [tuple(max(-1, value / most) for value in item) for item in items]
        return items

    def worlds(self):
        nodes = self.json.get("nodes", [])
        scenes = self.json.get("scenes")
        if scenes:
            roots = scenes[self.json.get("scene", 0)].get("nodes", [])
        else:
            below = {child for node in nodes for child in node.get("children", [])}
            roots = [i for i in range(len(nodes)) if i not in below]
        found, open_nodes = {}, [(i, identity()) for i in roots]
        while open_nodes:
            number, above = open_nodes.pop()
            found[number] = product(above, local(nodes[number]))
            open_nodes += [(child, found[number]) for child in nodes[number].get("children", [])]
        return found

    def triangles(self):
        """Corners of (position, normal or None, uv or None, colour or None) in the axes of buildings."""
        result = []
        if self.json.get("skins") or self.json.get("extensionsRequired"):
            raise Unusual("skins or required extensions")
        for number, world in sorted(self.worlds().items()):
            node = self.json["nodes"][number]
            kept = node.get("extras", {}).get("thaw", {}).get("wmo", {})
            if "mesh" not in node or isinstance(kept.get("liquid"), str):
                continue
            if node.get("extensions"):
                raise Unusual("extensions of nodes")
            mesh = self.json["meshes"][node["mesh"]]
            for primitive in mesh["primitives"]:
                if primitive.get("mode", 4) != 4 or primitive.get("extensions"):
                    raise Unusual("mode or extensions")
                result += self.primitive(primitive, world)
        return result

    def primitive(self, primitive, world):
        attributes = primitive["attributes"]
        get = lambda name: self.accessor(attributes[name]) if name in attributes else None
        positions, normals, uvs, colors = get("POSITION"), get("NORMAL"), get("TEXCOORD_0"), get("COLOR_0")
        indices = (
            [i for (i,) in self.accessor(primitive["indices"])]
            if "indices" in primitive
            else list(range(len(positions)))
        )
        factor, transform = [1, 1, 1], None
        if "material" in primitive:
            material = self.json["materials"][primitive["material"]]
            shine = material.get("extensions", {}).get("KHR_materials_pbrSpecularGlossiness")
            pbr = material.get("pbrMetallicRoughness", {})
            factor = pbr.get("baseColorFactor", [1, 1, 1, 1])
            picture = pbr.get("baseColorTexture", {})
            if shine or picture.get("extensions") or picture.get("texCoord"):
                raise Unusual("other surfaces, or texture transforms")
        mirror = determinant(world) < 0
        turn = cofactors(world)
        result = []
        for i in range(0, len(indices) - 2, 3):
            corners = []
            for vertex in indices[i : i + 3]:
                place = turned(apply(world, positions[vertex], 1))
                normal = turned(unit(apply(turn, normals[vertex], 0))) if normals else None
                color = colors[vertex] if colors else None
                corners.append((place, normal, tuple(uvs[vertex]) if uvs else None, color, factor))
            if mirror:
                corners[1], corners[2] = corners[2], corners[1]
            result.append(corners)
        return result


def identity():
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def product(a, b):
    return [sum(a[k * 4 + r] * b[c * 4 + k] for k in range(4)) for c in range(4) for r in range(4)]


def local(node):
    if "matrix" in node:
        return node["matrix"]
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    size = math.sqrt(x * x + y * y + z * z + w * w) or 1
    x, y, z, w = x / size, y / size, z / size, w / size
    s, t = node.get("scale", [1, 1, 1]), node.get("translation", [0, 0, 0])
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return [rows[r][c] * s[c] if r < 3 else 0 for c in range(3) for r in range(4)] + [*t, 1]


def apply(m, v, w):
    return [m[r] * v[0] + m[4 + r] * v[1] + m[8 + r] * v[2] + m[12 + r] * w for r in range(3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def determinant(m):
    return sum(a * b for a, b in zip(m[0:3], cross(m[4:7], m[8:11])))


def cofactors(m):
    side = -1 if determinant(m) < 0 else 1
    x, y, z = m[0:3], m[4:7], m[8:11]
    columns = [cross(y, z), cross(z, x), cross(x, y)]
    return [side * v for column in columns for v in (*column, 0)] + [0, 0, 0, 1]


def unit(v):
    size = math.sqrt(sum(c * c for c in v))
    return [c / size for c in v] if size > 1e-12 else [0, 1, 0]


def turned(v):
    """Y up with north as +Z to X north, Y west, Z up."""
    return (v[2], v[0], v[1])


# --- buildings


def chunks(data, at, end):
    while at + 8 <= end:
        tag, size = struct.unpack_from("<4sI", data, at)
        yield tag[::-1].decode("latin-1"), at + 8, size
        at += 8 + size
    assert at == end, "chunks end where the file does"


def table(data, place, form):
    at, size = place
    assert size % struct.calcsize(form) == 0, form
    return list(struct.iter_unpack(form, data[at : at + size]))


class Building:
    """Of version 14; of 17 with its groups."""

    def __init__(self, path):
        data = path.read_bytes()
        top = list(chunks(data, 0, len(data)))
        assert top[0][0] == "MVER"
        (self.version,) = struct.unpack_from("<I", data, top[0][1])
        alpha = self.version == 14
        if alpha:
            at, size = next((at, size) for tag, at, size in top if tag == "MOMO")
            root = {tag: (at, size) for tag, at, size in chunks(data, at, at + size)}
            groups = [(data, at, size) for tag, at, size in top if tag == "MOGP"]
            for (_, at, size), info in zip(groups, table(data, root["MOGI"], "<3I6fi")):
                assert info[0] == at - 8 and info[1] == size + 8, "MOGI leads to the group"
        else:
            root = {tag: (at, size) for tag, at, size in top}
            groups = []
            for number in range(len(table(data, root["MOGI"], "<I6fi"))):
                own = path.with_name("%s_%03d.wmo" % (path.stem, number)).read_bytes()
                at, size = next((at, size) for tag, at, size in chunks(own, 0, len(own)) if tag == "MOGP")
                groups.append((own, at, size))
        counts = struct.unpack_from("<7I", data, root["MOHD"][0])
        self.materials = table(data, root["MOMT"], "<11I" if alpha else "<16I")
        assert counts[:2] == (len(self.materials), len(groups))
        assert counts[2] == len(table(data, root["MOPT"], "<2H4f"))
        self.names = data[root["MOTX"][0] : sum(root["MOTX"])]
        self.triangles = []
        for group in groups:
            self.triangles += self.group(*group, alpha)

    def group(self, data, at, size, alpha):
        head = 128 if alpha else 68
        flags, *box = struct.unpack_from("<I6f", data, at + 8)
        part = {tag: (start, length) for tag, start, length in chunks(data, at + head, at + size)}
        positions, normals = table(data, part["MOVT"], "<3f"), table(data, part["MONR"], "<3f")
        uvs = table(data, part["MOTV"], "<2f")
        indices = [i for (i,) in table(data, part["MOIN" if alpha else "MOVI"], "<H")]
        faces = table(data, part["MOPY"], "<4B" if alpha else "<2B")
        colors = table(data, part["MOCV"], "<4B") if flags & 4 else None
        assert ("MOCV" in part) == bool(flags & 4) and ("MOBN" in part) == bool(flags & 1)
        assert len(faces) * 3 == len(indices) and max(indices) < len(positions)
        for position in positions:
            assert all(box[a] <= position[a] <= box[a + 3] for a in range(3)), "vertices in the box"
        owner = {}
        for batch in table(data, part["MOBA"], "<2B6h4H2B" if alpha else "<6hI3H2B"):
            first, count, low, high = batch[8:12] if alpha else batch[6:10]
            material = batch[1] if alpha else batch[11]
            assert material < len(self.materials) and first % 3 == count % 3 == 0
            for i in range(first, first + count):
                assert low <= indices[i] <= high
                owner[i // 3] = material
        self.tree(data, part, faces)
        result = []
        for face, material in sorted(owner.items()):
            assert faces[face][2 if alpha else 1] == material
            corners = []
            for vertex in indices[face * 3 : face * 3 + 3]:
                color = tuple(colors[vertex][c] / 255 for c in (2, 1, 0)) if colors else None
                corners.append((positions[vertex], normals[vertex], uvs[vertex], color))
            result.append(corners)
        return result

    @staticmethod
    def tree(data, part, faces):
        if "MOBN" not in part:
            return
        nodes, listed = table(data, part["MOBN"], "<H2hHIf"), [f for (f,) in table(data, part["MOBR"], "<H")]
        met, reached, open_nodes = set(), 0, [0]
        while open_nodes:
            flags, low, high, count, first, _ = nodes[open_nodes.pop()]
            reached += 1
            if flags & 4:
                met.update(listed[first : first + count])
            else:
                open_nodes += [low, high]
        assert reached == len(nodes), "each node once"
        assert met == {i for i, face in enumerate(faces) if not face[0] & 4}, "all that is solid is in the tree"


# --- comparison


def near(a, b, slack):
    return all(abs(x - y) <= slack for x, y in zip(a, b))


def linear(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def same_corner(wanted, found, size):
    place, normal, uv, color, factor = wanted
    if not near(place, found[0], 2e-6 * size):
        return False
    if normal is not None and not near(normal, unit(found[1]), 2e-5):
        return False
    if uv is not None and not near(uv, found[2], 1e-5 * max(1, *map(abs, uv))):
        return False
    # Colours of vertices are linear in glTF and bytes as seen in a building: where both are the same ends is told.
    if color is not None and max(factor[:3]) == min(factor[:3]) == 1:
        stored = found[3] or (1, 1, 1)
        if not all(abs(linear(s) - min(1, c)) <= 0.0103 or abs(s - min(1, c)) <= 0.0021 for s, c in zip(stored, color)):
            return False
    return True


def compare(wanted, found, name):
    size = max(abs(c) for corners in wanted for corner in corners for c in corner[0]) or 1
    assert len(wanted) == len(found), "%s: %d triangles became %d" % (name, len(wanted), len(found))
    cell = size * 1e-3
    key = lambda corners: tuple(math.floor(sum(c[0][a] for c in corners) / 3 / cell) for a in range(3))
    places = {}
    for corners in found:
        places.setdefault(key(corners), []).append(corners)
    for corners in wanted:
        at = key(corners)
        around = [(at[0] + x, at[1] + y, at[2] + z) for x in (0, -1, 1) for y in (0, -1, 1) for z in (0, -1, 1)]
        for place in around:
            own = places.get(place, [])
            hit = next(
                (i for i, other in enumerate(own) if all(same_corner(a, b, size) for a, b in zip(corners, other))), None
            )
            if hit is not None:
                own.pop(hit)
                break
        else:
            raise AssertionError("%s: no triangle like %r" % (name, corners))


def run(*arguments, allowed=(0,)):
    done = subprocess.run([THAW, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode not in allowed:
        raise AssertionError("thaw %s: %d %s" % (" ".join(map(str, arguments)), done.returncode, done.stderr))
    return done


def check(path, folder):
    wanted = Gltf(path).triangles()
    if not wanted:
        raise Unusual("no triangles")
    if len(wanted) > 5000:
        raise Unusual("more triangles than a script is for")
    if not all(math.isfinite(c) for corners in wanted for corner in corners for c in corner[0]):
        raise Unusual("no numbers")
    alpha, later = folder / "alpha.wmo", folder / "later.wmo"
    run("convert", path, "-o", alpha, "-f", "-q")
    compare(wanted, Building(alpha).triangles, path.name)
    run("validate", alpha)
    assert "EXACT" in run("survey", alpha).stdout.upper()
    run("convert", path, "-o", later, "-f", "-q", "--format-version", "17")
    compare(wanted, Building(later).triangles, path.name + " (17)")
    run("validate", later)
    run("convert", alpha, "-o", folder / "again.glb", "-f", "-q", "--no-default-sources", allowed=(0, 1))
    compare(wanted, [[c[:4] for c in t] for t in Gltf(folder / "again.glb").triangles()], path.name + " (again)")
    return len(wanted)


# --- a portal that another program marked


def two_rooms(folder, source):
    """Two rooms of a foreign model's own mesh, side by side, and between them a quad with a custom property."""
    gltf = Gltf(source)
    worlds = gltf.worlds()
    shown = next(i for i in sorted(worlds) if "mesh" in gltf.json["nodes"][i])
    mesh = gltf.json["nodes"][shown]["mesh"]
    part = gltf.json["meshes"][mesh]["primitives"][0]
    low, high = (gltf.json["accessors"][part["attributes"]["POSITION"]][k] for k in ("min", "max"))
    size = max(h - l for l, h in zip(low, high))
    x = high[0] + 0.01 * size  # a portal leads to what is half a yard away
    corners = [(x, low[1], low[2]), (x, high[1], low[2]), (x, high[1], high[2]), (x, low[1], high[2])]
    data = b"".join(struct.pack("<3f", *corner) for corner in corners) + struct.pack("<6H", 0, 1, 2, 0, 2, 3)
    json_ = {key: value for key, value in gltf.json.items() if key not in ("animations", "skins", "cameras", "materials", "textures", "images", "samplers")}
    parts = [{k: v for k, v in p.items() if k != "material"} for p in gltf.json["meshes"][mesh]["primitives"]]
    buffers = [{"byteLength": len(gltf.buffer(i)), "uri": "data:application/octet-stream;base64," + base64.b64encode(gltf.buffer(i)).decode()} for i in range(len(gltf.json["buffers"]))]
    buffers.append({"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()})
    views = gltf.json["bufferViews"] + [{"buffer": len(buffers) - 1, "byteOffset": 0, "byteLength": 48}, {"buffer": len(buffers) - 1, "byteOffset": 48, "byteLength": 12}]
    accessors = gltf.json["accessors"] + [
        {"bufferView": len(views) - 2, "componentType": 5126, "count": 4, "type": "VEC3", "min": [min(c) for c in zip(*corners)], "max": [max(c) for c in zip(*corners)]},
        {"bufferView": len(views) - 1, "componentType": 5123, "count": 6, "type": "SCALAR"},
    ]
    quad = {"attributes": {"POSITION": len(accessors) - 2}, "indices": len(accessors) - 1}
    scale = 20 / size  # rooms of twenty yards
    json_.update(
        buffers=buffers, bufferViews=views, accessors=accessors, scene=0, scenes=[{"nodes": [0]}],
        meshes=[{"primitives": parts}, {"primitives": [quad]}],
        nodes=[
            {"name": "site", "children": [1, 2, 3], "scale": [scale] * 3},
            {"name": "West", "mesh": 0},
            {"name": "East interior", "mesh": 0, "translation": [high[0] - low[0] + 0.02 * size, 0, 0]},
            {"name": "door", "mesh": 1, "extras": {"wmo_portal": 1}},
        ],
    )  # fmt: skip
    path = folder / "rooms.gltf"
    path.write_text(json.dumps(json_))
    return path, [turned([c * scale for c in corner]) for corner in corners]


def portal(folder, source):
    """One portal in the plane of its corners, named by both rooms from their own sides."""
    path, corners = two_rooms(folder, source)
    made = folder / "rooms.wmo"
    run("convert", path, "-o", made, "-f", "-q", allowed=(0, 1))
    run("validate", made)
    data = made.read_bytes()
    top = list(chunks(data, 0, len(data)))
    at, size = next((at, size) for tag, at, size in top if tag == "MOMO")
    root = {tag: (at, size) for tag, at, size in chunks(data, at, at + size)}
    ((first, count, *plane),) = table(data, root["MOPT"], "<2H4f")
    stored = table(data, root["MOPV"], "<3f")[first : first + count]
    assert sorted(tuple(round(c, 3) for c in v) for v in stored) == sorted(tuple(round(c, 3) for c in v) for v in corners), stored
    for corner in stored:
        assert abs(sum(n * c for n, c in zip(plane, corner)) + plane[3]) < 1e-3, (plane, corner)
    sides = table(data, root["MOPR"], "<2HhH")
    groups = [(at, size) for tag, at, size in top if tag == "MOGP"]
    assert len(sides) == 2 and len(groups) == 2 and {other for _, other, _, _ in sides} == {0, 1}, sides
    for number, (at, _) in enumerate(groups):
        box = struct.unpack_from("<6f", data, at + 12)
        start, names = struct.unpack_from("<2I", data, at + 36)
        assert names == 1
        which, other, side, _ = sides[start]
        middle = [(low + high) / 2 for low, high in zip(box[:3], box[3:])]
        away = sum(n * c for n, c in zip(plane, middle)) + plane[3]
        assert which == 0 and other == 1 - number and side * away > 0, (number, sides, away)


def main():
    named = [pathlib.Path(name) for name in sys.argv[1:]]
    done, unusual = 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        house = folder / "house.glb"
        run("convert", SAMPLES / "house.wmo", "-o", house, "-q", "--doodad-set", "none", "--no-default-sources", allowed=(0, 1))
        boxes = [path for path in foreign("glTF2", "glTF") if path.stem in ("Box", "BoxTextured", "Cube")]
        for path in boxes[: 0 if named else 1]:
            portal(folder, path)
            print("a marked portal between rooms of", path.name)
        for path in named or [house, *foreign("glTF2", "glTF")]:
            if done == 30 and not named:
                break
            try:
                count = check(path, folder)
                done += 1
                if named:
                    print("%s: %d triangles" % (path, count))
            except (Unusual, OSError, UnicodeDecodeError, KeyError, IndexError, json.JSONDecodeError) as problem:
                if named:
                    print("%s: left out: %r" % (path, problem))
                unusual.append(path.name)
    print("%d files, every triangle; left out %d: %s" % (done, len(unusual), ", ".join(sorted(set(unusual)))))
    if not named and not (CORPUS / "gltf").is_dir():
        print("skipped: the corpus of glTF is not here")
        sys.exit(77 if done == 0 else 0)
    assert named or done >= 20, done


main()
