#!/usr/bin/env python3
"""m3_back.py [GLTF ...]: scenes of other programs as M3 models, read by the decoder of m3_decode.py: every corner has to
be where glTF's formula puts it at rest, with its coordinates, colours and bones, and each bone where its joint is. As
glTF again it stands there still, and from that a model with the same numbers is made. Without arguments, skins that are turned, scaled
and moved, the models of the corpus and of Debian's assimp-testmodels."""

import json
import math
import os
import pathlib
import struct
import sys
import tempfile

import m3_decode
import scenes

samples = pathlib.Path(os.environ["THAW_SAMPLES"])
MOST = 20000  # corners; what is larger is left to the other tests


def turned(v):
    """Y up to Z up."""
    return (v[0], -v[2], v[1])


def corners_of(model):
    found = []
    for name, istart, icount, vstart, vcount in model.geosets[: model.per_level]:
        for i in model.indices[istart : istart + icount]:
            assert vstart <= i < vstart + vcount, name
            found.append(i)
    return found


def bone_places(model):
    return [scenes.inverse(pose)[12:15] for pose in model.poses]


def compare(scene, wanted, model):
    corners = corners_of(model)
    assert len(corners) == len(wanted), ("corners", len(corners), len(wanted))
    size = max(max(abs(c) for c in corner[0]) for corner in wanted) or 1
    key = lambda p: tuple(math.floor(c / size * 2000) for c in p)
    near = {}
    for i in corners:
        near.setdefault(key(model.positions[i]), []).append(i)
    places = bone_places(model)
    joint_places = {}
    skins = any("skin" in node for node in scene.json["nodes"])
    assert bool(model.shares) == skins, "bones"
    worst = 0.0
    to_front = scenes.facing(scene, "+X")
    for position, uv, shares in wanted:
        position = turned(to_front(position))
        at = key(position)
        close = [
            i
            for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)
            for i in near.get((at[0] + x, at[1] + y, at[2] + z), ())
        ]  # fmt: skip
        for joint in shares:
            joint_places.setdefault(joint, turned(to_front(scene.world(joint)[12:15])))

        def hangs(i):
            if len(shares) > 4 or not shares:
                return True
            for joint, share in shares.items():
                there = [s for bone, s in model.shares[i].items() if math.dist(places[bone], joint_places[joint]) < 1e-4 * max(size, 1e-3)]
                if share > 1 / 255 and not any(abs(s / 255 - share) <= 1.01 / 255 or len(there) > 1 for s in there):
                    return False
            return True

        same = lambda i: not uv or not model.uvs or all(abs(a - b) <= 1e-6 * max(1, abs(a)) for a, b in zip(uv, model.uvs[0][i]))
        off = min((math.dist(position, model.positions[i]) for i in close if same(i) and hangs(i)), default=None)
        assert off is not None, ("no such corner", position, uv, shares)
        worst = max(worst, off / size)
    assert worst < 1e-5, worst
    return worst


def check(glb, folder):
    """How far the worst corner is away, of the model's size; None for what is left out here."""
    try:
        scene = scenes.Gltf(glb)
    except (FileNotFoundError, TypeError):  # of files that are broken on purpose
        return "refused"
    try:
        wanted = scenes.wanted_corners(scene, pictures_move=True)
    except (IndexError, KeyError, TypeError, struct.error):  # of files that are broken on purpose
        wanted = None
    model, again, second = folder / "a.m3", folder / "a.glb", folder / "b.m3"
    code, made = scenes.run("convert", "-f", glb, "-o", model)
    if code != 0:
        assert "write.unsupported" in made or "gltf." in made, (glb, made)
        return "refused"
    code, said = scenes.run("validate", "--fail-on", "error", model)
    assert code == 0, (glb, said)
    code, said = scenes.run("convert", "-f", model, "-o", again, "--lod", "all", "--collision")
    assert code == 0, (glb, said)
    code, said = scenes.run("convert", "-f", again, "-o", second)
    assert code == 0, (glb, said)
    decoded, later = (m3_decode.Model(path.read_bytes()) for path in (model, second))
    turned_around = "face against their normals" in made
    for part in ("positions", "uvs", "colors", "shares", "poses", "levels", "per_level", "box", "indices")[: 8 if turned_around else 9]:
        assert getattr(decoded, part) == getattr(later, part), "the second model has other " + part
    if not wanted or len(wanted) > MOST or not all(math.isfinite(c) for corner in wanted for c in corner[0]):
        return None
    worst = compare(scene, wanted, decoded)
    shown = scenes.wanted_corners(scenes.Gltf(again))
    return max(worst, stands(shown, decoded))


def stands(shown, model):
    """In the same order, because it was made of it."""
    corners = corners_of(model)
    size = max(max(abs(c) for c in model.positions[i]) for i in corners) or 1
    worst = max(math.dist(turned(p), model.positions[i]) for (p, *_), i in zip(shown, corners)) / size
    assert worst < 1e-5, ("as glTF again", worst)
    return worst


# --- skins that stand otherwise than they were bound


def posed(folder, number, armature, bones):
    """A tube of 24 vertices on three bones below an armature."""
    joints = [{"name": "joint %d" % i, **bone} for i, bone in enumerate(bones)]
    for i in range(len(joints) - 1):
        joints[i]["children"] = [i + 2]
    binary, views, accessors = b"", [], []

    def add(values, kind, form, component, **more):
        nonlocal binary
        data = b"".join(struct.pack("<" + form, *value) for value in values)
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": len(values), "type": kind, **more})
        binary += data + bytes(-len(data) % 4)
        return len(accessors) - 1

    around = [(math.cos(a * math.pi / 2), math.sin(a * math.pi / 2)) for a in range(4)]
    positions = [(x, ring * 0.7, z) for ring in range(6) for x, z in around]
    shares = [((ring % 3, (ring + 1) % 3, 0, 0), (0.5 + ring * 0.07, 0.5 - ring * 0.07, 0, 0)) for ring in range(6) for _ in around]
    faces = [
        (ring * 4 + a, ring * 4 + 4 + a, ring * 4 + (a + 1) % 4) for ring in range(5) for a in range(4)
    ]  # fmt: skip
    bound = [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1 * i, -0.5 * i, 0.2, 1] for i in range(3)]
    attributes = {
        "POSITION": add(positions, "VEC3", "3f", 5126, min=[-1, 0, -1], max=[1, 3.5, 1]),
        "JOINTS_0": add([j for j, _ in shares], "VEC4", "4B", 5121),
        "WEIGHTS_0": add([w for _, w in shares], "VEC4", "4f", 5126),
    }
    corners = add([(i,) for face in faces for i in face], "SCALAR", "H", 5123)
    gltf = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0, 4]}],
        "nodes": [{"name": "armature", "children": [1], **armature}, *joints, {"name": "tube", "mesh": 0, "skin": 0, "scale": [7, 7, 7]}],
        "skins": [{"joints": [1, 2, 3], "inverseBindMatrices": add(bound, "MAT4", "16f", 5126)}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": corners}]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary)}],
    }
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    path = folder / ("posed%d.glb" % number)
    path.write_bytes(
        struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)) + struct.pack("<I4s", len(text), b"JSON") + text
        + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    )  # fmt: skip
    return path


def skins(folder):
    half = math.sqrt(0.5)
    armatures = [
        {},
        {"scale": [0.01, 0.01, 0.01], "rotation": [-half, 0, 0, half]},
        {"scale": [100, 100, 100], "translation": [3, -4, 5]},
        {"scale": [-1, 2, 0.5], "rotation": [0.5, 0.5, 0.5, 0.5]},
        {"translation": [1000, 0, 0]},
    ]
    bones = [
        [{"translation": [0, 0.5, 0]}] * 3,
        [{"rotation": [0, 0, math.sin(0.3), math.cos(0.3)], "scale": [1, 2, 1]}, {"translation": [0.2, 0.5, 0], "rotation": [math.sin(0.5), 0, 0, math.cos(0.5)]}, {"scale": [0.5, 0.5, 3]}],
    ]
    return [posed(folder, a * 2 + b, armature, [dict(bone) for bone in chain]) for a, armature in enumerate(armatures) for b, chain in enumerate(bones)]


# --- levels that are made


def levels(glb, folder):
    """Triangles of each level; None for what has no triangles, or levels of its own. Every vertex is one of the finest."""
    model = folder / "levels.m3"
    code, said = scenes.run("convert", "-f", glb, "-o", model, "--lods", "3", "-v")
    if code != 0:
        assert "write.unsupported" in said or "gltf." in said, (glb, said)
        return None
    for check in (("validate", "--fail-on", "error"), ("survey",)):
        code, told = scenes.run(*check, model)
        assert code == 0, (glb, check, told)
    decoded = m3_decode.Model(model.read_bytes())
    assert len(decoded.geosets) == decoded.levels * decoded.per_level
    of_level = lambda k: decoded.geosets[k * decoded.per_level : (k + 1) * decoded.per_level]
    vertex = lambda i: (decoded.positions[i], *(uv[i] for uv in decoded.uvs), tuple(sorted(decoded.shares[i].items())) if decoded.shares else ())
    finest = {vertex(i) for _, _, _, first, count in of_level(0) for i in range(first, first + count)}
    counts = []
    for k in range(decoded.levels):
        for name, istart, icount, vstart, vcount in of_level(k):
            used = set(decoded.indices[istart : istart + icount])
            assert all(vstart <= i < vstart + vcount and vertex(i) in finest for i in used), (glb, k, name)
        counts.append(sum(geoset[2] for geoset in of_level(k)) // 3)
    assert all(a * 9 >= b * 10 for a, b in zip(counts, counts[1:])), (glb, counts)
    assert said.count("of the model's size") - ("instead of 3" in said) == decoded.levels - 1, (glb, said)
    assert ("instead of 3" in said) == (decoded.levels < 4), (glb, said)
    return counts


def knight(folder):
    """The samples' model, which has triangles enough for coarser levels."""
    glb = folder / "knight.glb"
    code, said = scenes.run("convert", samples / "knight.mdx", "-o", glb, "--no-default-sources")
    assert code == 0, said
    return glb


def main():
    named = [pathlib.Path(name) for name in sys.argv[1:]]
    counted, refused, worst = 0, 0, 0
    of_levels, with_levels = [0] * 4, [0] * 4
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = [] if named else [*skins(folder), knight(folder)]
        for glb in named or [*made, *scenes.warcraft(folder), *scenes.foreign()]:
            try:
                result = check(glb, folder)
                made_levels = levels(glb, folder)
            except (AssertionError, KeyError, IndexError) as error:
                raise AssertionError(str(glb)) from error
            if named:
                print(glb, result, made_levels)
            for level, count in enumerate(made_levels or []):
                of_levels[level] += count
                with_levels[level] += 1
            refused += result == "refused"
            if isinstance(result, float):
                counted, worst = counted + 1, max(worst, result)
    print("%d scenes, the worst corner off by %.2g of the model's size; refused: %d" % (counted, worst, refused))
    print("triangles of levels that were made: %s, of so many models: %s" % (of_levels, with_levels))
    assert named or (counted >= len(made) and with_levels[3] > 0), (counted, with_levels)
    if not named and counted < 30:
        print("fewer than 20 foreign scenes: the corpus of glTF files or assimp-testmodels is not there")


if __name__ == "__main__":
    sys.exit(main())
