#!/usr/bin/env python3
"""A second decoder of M3 models, written from docs/formats/m3.md: every geoset of every level, its names, materials
and colours, and the collision mesh, against the GLB that `thaw convert --lod all --collision` writes."""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile


def chunks(data, start, end, header):
    while start + header <= end:
        tag, size = struct.unpack_from("<4sI", data, start)
        a, b = struct.unpack_from("<II", data, start + 8) if header == 16 else (0, 0)
        yield tag.decode("latin-1"), a, b, start + header, size
        start += header + size


def vectors(data, at, size, form):
    return list(struct.iter_unpack("<" + form, data[at : at + size]))


class Model:
    def __init__(self, data):
        top = {tag: (at, size) for tag, a, b, at, size in chunks(data, 0, len(data), 16)}
        at, size = top["MES3"]
        self.part = {tag: (a, b, at, size) for tag, a, b, at, size in chunks(data, at, at + size, 16)}
        get = lambda tag, form: vectors(data, *self.part[tag][2:], form) if tag in self.part else []
        self.positions, self.normals = get("VPOS", "3f"), get("VNML", "3f")
        self.uvs = [get("VUV%d" % i, "2f") for i in range(6) if "VUV%d" % i in self.part]
        self.tangents, self.colors = get("VTAN", "4f"), get("VCL0", "4B")
        self.indices = [i for (i,) in get("VINX", {b"1U16": "H", b"1U32": "I"}[struct.pack("<I", self.part["VINX"][0])])]
        name_at = self.part["VSTR"][2]
        count, _, at, size = self.part["VGEO"]
        stride = size // count
        assert stride in (36, 76), stride
        self.geosets = []
        for g in range(count):
            _, ns, nc, istart, icount, vstart, vcount = struct.unpack_from("<7I", data, at + g * stride)
            name = data[name_at + ns : name_at + ns + nc].decode()
            self.geosets.append((name, istart, icount, vstart, vcount))
        self.levels, self.per_level = self.part["LODS"][0] + 1, self.part["LODS"][1]
        self.batches = [(geoset, material) for _, _, geoset, material in vectors(data, *self.part["RBAT"][2:], "4H")]
        self.material = dict(self.batches)
        at, size = top["M3SI"]
        self.samplers = self.instances(data[at : at + size])
        self.box = None
        if "M3CL" in top:
            at, size = top["M3CL"]
            inner = {tag: (at, size) for tag, _, _, at, size in chunks(data, at, at + size, 8)}
            self.box = vectors(data, *inner["CPOS"], "3f"), [i for (i,) in vectors(data, *inner["CINX"], "H")]
        self.shares, self.poses = [], []
        if "VWTS" in self.part and "VIBP" in self.part:
            numbers, weights = (struct.pack("<I", tag) for tag in self.part["VWTS"][:2])
            assert weights == b"4U8N", weights
            for row in vectors(data, *self.part["VWTS"][2:], {b"4U08": "4B", b"4U16": "4H"}[numbers] + "4B"):
                self.shares.append({bone: share for bone, share in zip(row[:4], row[4:]) if share})
            self.poses = get("VIBP", "16f")
            assert len(self.shares) == len(self.positions)

    @staticmethod
    def instances(blob):
        _, version, total, _, count, _ = struct.unpack_from("<4s5I", blob)
        assert total * 4 == len(blob)
        found = []
        for i in range(count):
            at = 24 + i * (96 if version == 4 else 88)
            samplers, _, textures = struct.unpack_from("<3i", blob, at + 0x40)
            blend = struct.unpack_from("<I", blob, at + 0x18)[0]
            found.append((blend, list(struct.unpack_from("<%di" % samplers, blob, textures * 4))))
        return found


class Glb:
    FORMATS = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}
    WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

    def __init__(self, data):
        size = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20 : 20 + size])
        self.bin = data[28 + size :]

    def values(self, accessor):
        a = self.json["accessors"][accessor]
        view = self.json["bufferViews"][a["bufferView"]]
        width, form = self.WIDTHS[a["type"]], self.FORMATS[a["componentType"]]
        item = width * struct.calcsize(form)
        stride = view.get("byteStride", item)
        start = view.get("byteOffset", 0) + a.get("byteOffset", 0)
        scale = {"B": 255, "H": 65535}.get(form, 1) if a.get("normalized") else 1
        rows = [struct.unpack_from("<%d%s" % (width, form), self.bin, start + i * stride) for i in range(a["count"])]
        return [tuple(v / scale for v in row) for row in rows] if scale != 1 else rows


def turned(v):
    return (v[0], v[2], -v[1]) + tuple(v[3:])


def same(what, ours, theirs, tolerance=0.0):
    assert len(ours) == len(theirs), (what, len(ours), len(theirs))
    for i, (a, b) in enumerate(zip(ours, theirs)):
        assert all(abs(x - y) <= tolerance for x, y in zip(a, b)) and len(a) == len(b), (what, i, a, b)


def linear(v):
    """Colours are stored for the eye; glTF wants light."""
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in v[:3]) + v[3:]


def compare(model, glb):
    meshes = {mesh["name"]: mesh for mesh in glb.json["meshes"]}
    compared = 0
    for g, (name, istart, icount, vstart, vcount) in enumerate(model.geosets):
        (primitive,) = meshes[name]["primitives"]
        attributes = {key: glb.values(at) for key, at in primitive["attributes"].items()}
        own = slice(vstart, vstart + vcount)
        same(name + " positions", [turned(v) for v in model.positions[own]], attributes["POSITION"])
        # Normals are made unit vectors where they are not.
        same(name + " normals", [turned(v) for v in model.normals[own]], attributes["NORMAL"], 2e-3)
        same(name + " tangents", [turned(v) for v in model.tangents[own]], attributes["TANGENT"], 2e-3)
        for i, uvs in enumerate(model.uvs):
            same("%s uvs %d" % (name, i), uvs[own], attributes["TEXCOORD_%d" % i])
        if model.colors:
            same(name + " colors", [linear(tuple(c / 255 for c in v)) for v in model.colors[own]], attributes["COLOR_0"], 1e-6)
        corners = [i - vstart for i in model.indices[istart : istart + icount]]
        assert corners == [i for (i,) in glb.values(primitive["indices"])], name + " indices"
        material = glb.json["materials"][primitive["material"]]
        blend, samplers = model.samplers[model.material[g]]
        known = glb.json["scenes"][0]["extras"]["thaw"]["materials"][material["extras"]["thaw"]["material"]]["m3"]
        assert known["blendMode"] == blend and [s["fileDataId"] for s in known["samplers"]] == samplers, name
        assert material.get("alphaMode", "OPAQUE") == {0: "OPAQUE", 1: "MASK"}.get(blend, "BLEND"), name
        compared += vcount
    (primitive,) = meshes["collision"]["primitives"]
    same("collision", [turned(v) for v in model.box[0]], glb.values(primitive["attributes"]["POSITION"]))
    assert model.box[1] == [i for (i,) in glb.values(primitive["indices"])], "collision indices"
    lods = [node["extensions"]["MSFT_lod"]["ids"] for node in glb.json["nodes"] if "MSFT_lod" in node.get("extensions", {})]
    assert len(lods) == model.per_level and all(len(ids) == model.levels - 1 for ids in lods), lods
    return compared


def main():
    thaw = os.environ["THAW"]
    files = sorted(pathlib.Path(os.environ["THAW_SAMPLES"]).glob("*.m3"))
    corpus = os.environ.get("THAW_CORPUS")
    if corpus:
        files += sorted((pathlib.Path(corpus) / "m3" / "synthetic").glob("*.m3"))
    assert len(files) >= 3, files
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            out = pathlib.Path(folder) / (path.stem + ".glb")
            subprocess.run([thaw, "convert", "-q", str(path), "-o", str(out), "--lod", "all", "--collision"], check=True, stderr=subprocess.DEVNULL)
            vertices = compare(Model(path.read_bytes()), Glb(out.read_bytes()))
            print("%s: %d vertices agree" % (path.name, vertices))
    return 0


if __name__ == "__main__":
    sys.exit(main())
