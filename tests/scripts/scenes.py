"""Scenes of other programs for tests of the ways back: where they are, a reader of glTF, and where its formula puts every
corner at rest."""

import base64
import json
import math
import os
import pathlib
import struct
import subprocess
import urllib.parse

CORPUS = pathlib.Path(os.environ.get("THAW_CORPUS") or "../shared/corpus")
ASSIMP = pathlib.Path("/usr/share/assimp/models")  # Debian's assimp-testmodels
KINDS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TYPES = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}


def run(*words):
    done = subprocess.run([os.environ["THAW"], *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stderr


def inverse(m):
    """Of an affine matrix, column by column."""
    a, b, c = m[0:3], m[4:7], m[8:11]
    cross = lambda u, v: (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    size = sum(x * y for x, y in zip(a, cross(b, c)))
    rows = [[x / size for x in row] for row in (cross(b, c), cross(c, a), cross(a, b))]
    moved = [-sum(r * t for r, t in zip(row, m[12:15])) for row in rows]
    return [rows[r][c] if r < 3 else 0 for c in range(3) for r in range(4)] + [*moved, 1]


def mul(a, b):
    """Written out: the tests spend most of their time here."""
    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15 = a
    found = []
    for c in (0, 4, 8, 12):
        x, y, z, w = b[c : c + 4]
        found += (
            a0 * x + a4 * y + a8 * z + a12 * w, a1 * x + a5 * y + a9 * z + a13 * w,
            a2 * x + a6 * y + a10 * z + a14 * w, a3 * x + a7 * y + a11 * z + a15 * w,
        )  # fmt: skip
    return found


def at(m, p):
    return [m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r] for r in range(3)]


def product(a, b):
    return [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]


def composed(t, q, s):
    n = math.sqrt(sum(c * c for c in q)) or 1
    x, y, z, w = (c / n for c in q)
    return [
        (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + z * w) * s[0], 2 * (x * z - y * w) * s[0], 0,
        2 * (x * y - z * w) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + x * w) * s[1], 0,
        2 * (x * z + y * w) * s[2], 2 * (y * z - x * w) * s[2], (1 - 2 * (x * x + y * y)) * s[2], 0,
        *t, 1,
    ]  # fmt: skip


class Gltf:
    def __init__(self, path):
        data = path.read_bytes()
        if path.suffix == ".gltf":
            self.json = json.loads(data)
            self.bins = [self.fetched(path, buffer["uri"]) for buffer in self.json.get("buffers", [])]
        else:
            size = struct.unpack_from("<I", data, 12)[0]
            self.json = json.loads(data[20 : 20 + size])
            self.bins = [data[28 + size :]]
        nodes = self.json.get("nodes", [])
        self.parent = {child: i for i, node in enumerate(nodes) for child in node.get("children", [])}
        self.name = [node.get("name", "") for node in nodes]

    @staticmethod
    def fetched(path, uri):
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        return (path.parent / urllib.parse.unquote(uri)).read_bytes()

    def values(self, index):
        a = self.json["accessors"][index]
        width, form = KINDS[a["type"]], TYPES[a["componentType"]]
        if "bufferView" not in a or "sparse" in a:
            return None
        view = self.json["bufferViews"][a["bufferView"]]
        size, start, data = struct.calcsize("<" + form) * width, view.get("byteOffset", 0) + a.get("byteOffset", 0), self.bins[view.get("buffer", 0)]
        stride = view.get("byteStride", size)
        if stride == size:
            rows = zip(*[iter(struct.unpack_from("<%d%s" % (width * a["count"], form), data, start))] * width)
        else:
            rows = [struct.unpack_from("<%d%s" % (width, form), data, start + i * stride) for i in range(a["count"])]
        most = {"B": 255, "H": 65535, "b": 127, "h": 32767}.get(form) if a.get("normalized") else None
        return [[v / most for v in row] for row in rows] if most else list(map(list, rows))

    def world(self, node):
        n = self.json["nodes"][node]
        own = n.get("matrix") or composed(n.get("translation", (0, 0, 0)), n.get("rotation", (0, 0, 0, 1)), n.get("scale", (1, 1, 1)))
        return mul(self.world(self.parent[node]), own) if node in self.parent else own


def moved_uv(scene, part, uv):
    """As KHR_texture_transform of the colours' picture has it: scaled, turned, moved."""
    material = scene.json["materials"][part["material"]] if "material" in part else {}
    use = material.get("pbrMetallicRoughness", {}).get("baseColorTexture", {})
    by = use.get("extensions", {}).get("KHR_texture_transform", {})
    (sx, sy), (x, y), turn = by.get("scale", (1, 1)), by.get("offset", (0, 0)), by.get("rotation", 0)
    if turn and sx != sy:
        return None  # a scene has the nearest
    u, v = uv[0] * sx, uv[1] * sy
    return [math.cos(turn) * u + math.sin(turn) * v + x, math.cos(turn) * v - math.sin(turn) * u + y]


def facing(scene, front):
    """What turns places of a scene so that its front is this axis, +X or +Z, as that of a game's models."""
    stated = scene.json["asset"].get("extras", {}).get("thaw")
    if stated is None:
        scenes_ = scene.json.get("scenes") or [{}]
        stated = scenes_[scene.json.get("scene", 0)].get("extras", {}).get("thaw", {}).get("file", {})
    own = "+X" if stated.get("front") == "+X" else "+Z"
    if own == front:
        return lambda place: tuple(place)
    return (lambda place: (-place[2], place[1], place[0])) if front == "+Z" else (lambda place: (place[2], place[1], -place[0]))


def wanted_corners(scene, pictures_move=False):
    """Every corner of every triangle, posed at rest."""
    found = []
    nodes = scene.json.get("nodes", [])
    for index, node in enumerate(nodes):
        if "mesh" not in node or not reached(scene, index):
            continue
        skin = scene.json["skins"][node["skin"]] if "skin" in node else None
        bind = scene.values(skin["inverseBindMatrices"]) if skin and "inverseBindMatrices" in skin else None
        bones = [mul(scene.world(j), bind[i]) if bind else scene.world(j) for i, j in enumerate(skin["joints"])] if skin else None
        world = scene.world(index)
        for part in scene.json["meshes"][node["mesh"]]["primitives"]:
            a = part["attributes"]
            if part.get("mode", 4) != 4 or "extensions" in part:
                return None
            positions = scene.values(a["POSITION"])
            order = [i for (i,) in scene.values(part["indices"])] if "indices" in part else range(len(positions))
            if positions is None:
                return None
            uvs = scene.values(a["TEXCOORD_0"]) if "TEXCOORD_0" in a else None
            uvs = [moved_uv(scene, part, uv) for uv in uvs] if uvs and pictures_move else uvs
            joints, weights = (scene.values(a[k]) if k in a else None for k in ("JOINTS_0", "WEIGHTS_0"))
            if skin and "JOINTS_1" in a:
                return None
            for i in order:
                m, shares = world, {}
                if skin and joints:
                    total = sum(weights[i]) or 1
                    m = [sum(w / total * bones[j][e] for j, w in zip(joints[i], weights[i])) for e in range(16)]
                    for j, w in zip(joints[i], weights[i]):
                        if w > 0:
                            shares[skin["joints"][j]] = shares.get(skin["joints"][j], 0) + w / total
                found.append((at(m, positions[i]), uvs[i] if uvs else None, shares))
    return found


def reached(scene, node):
    while node in scene.parent:
        node = scene.parent[node]
    return "scenes" not in scene.json or node in scene.json["scenes"][scene.json.get("scene", 0)].get("nodes", [])


# --- where they are


def foreign(*kinds):
    """Of the corpus and of Debian's assimp-testmodels, but for two thousand spheres of one, which these scripts do not know."""
    places = [CORPUS / "gltf", *(ASSIMP / kind for kind in kinds or ("glTF2",))]
    found = [path for place in places for path in sorted([*place.rglob("*.glb"), *place.rglob("*.gltf")])]
    return [path for path in found if b"EXT_mesh_gpu_instancing" not in path.read_bytes()]


def warcraft(folder, step=150):
    """Models of the corpus by way of their GLB, every one of them with a skin."""
    found = sorted((CORPUS / "wc3").rglob("*.mdx"))[::step]
    for number, path in enumerate(found):
        glb = folder / ("w%d.glb" % number)
        code, _ = run("convert", path, "-o", glb, "--no-default-sources")
        if code == 0:
            yield glb
