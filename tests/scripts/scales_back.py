#!/usr/bin/env python3
"""scales_back.py [GLB ...]: rigs with scales that the game has no rest pose for, as models and as glTF again. Both GLBs are
posed here by glTF's formula, at keys and between them: every vertex has to be where it was, and the deviation that thaw
states is the one that is measured. Without arguments, rigs with uniform, mirrored, unequal and animated scales on
armature, bones, leaves and meshes, turned and not, and those of the corpus."""

import bisect
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import scenes
from scenes import at, composed, mul, product

LOOKS = 40
MOST = 5e-5  # of the size, as --tolerance is
SLACK = 1e-5  # moments that are measured here are not those of thaw


# --- what glTF says


def turn(axis, degrees):
    size = math.sqrt(sum(c * c for c in axis))
    half = math.radians(degrees) / 2
    return [c / size * math.sin(half) for c in axis] + [math.cos(half)]


def slerp(a, b, share):
    cosine = sum(x * y for x, y in zip(a, b))
    b, cosine = ([-c for c in b], -cosine) if cosine < 0 else (b, cosine)
    if cosine > 1 - 1e-10:
        return [x + (y - x) * share for x, y in zip(a, b)]
    angle = math.acos(cosine)
    u, v = math.sin((1 - share) * angle) / math.sin(angle), math.sin(share * angle) / math.sin(angle)
    return [u * x + v * y for x, y in zip(a, b)]


def sampled(sampler, time):
    times, values, mode, turns = sampler
    step = 3 if mode == "CUBICSPLINE" else 1
    middle = 1 if step == 3 else 0
    if time <= times[0] or len(times) == 1:
        return values[middle]
    if time >= times[-1]:
        return values[step * (len(times) - 1) + middle]
    i = bisect.bisect_right(times, time) - 1
    span = times[i + 1] - times[i]
    s = (time - times[i]) / span
    if mode == "STEP":
        return values[i]
    if mode == "LINEAR":
        a, b = values[i], values[i + 1]
        return slerp(a, b, s) if turns else [x + (y - x) * s for x, y in zip(a, b)]
    p0, m0, m1, p1 = values[3 * i + 1], values[3 * i + 2], values[3 * i + 3], values[3 * i + 4]
    factors = (2 * s**3 - 3 * s**2 + 1, span * (s**3 - 2 * s**2 + s), 3 * s**2 - 2 * s**3, span * (s**3 - s**2))
    return [sum(f * v for f, v in zip(factors, row)) for row in zip(p0, m0, p1, m1)]


class Posed:
    def __init__(self, path):
        self.scene = scenes.Gltf(path)
        self.front = scenes.facing(self.scene, "+X")
        self.clips = {}
        for animation in self.scene.json.get("animations", []):
            moved, length = {}, 0
            for channel in animation["channels"]:
                target, sampler = channel["target"], animation["samplers"][channel["sampler"]]
                if target["path"] not in ("translation", "rotation", "scale"):
                    continue
                times = [t for (t,) in self.scene.values(sampler["input"])]
                length = max(length, times[-1])
                moved[target["node"], target["path"]] = (
                    times, self.scene.values(sampler["output"]), sampler.get("interpolation", "LINEAR"), target["path"] == "rotation"
                )  # fmt: skip
            self.clips[animation["name"]] = (moved, length)

    def worlds(self, clip, time):
        moved = self.clips[clip][0] if clip else {}
        nodes = self.scene.json["nodes"]
        found = {}

        def world(i):
            if i not in found:
                n = nodes[i]
                part = lambda what, usual: sampled(moved[i, what], time) if (i, what) in moved else n.get(what, usual)
                own = n.get("matrix") or composed(part("translation", (0, 0, 0)), part("rotation", (0, 0, 0, 1)), part("scale", (1, 1, 1)))
                found[i] = mul(world(self.scene.parent[i]), own) if i in self.scene.parent else own
            return found[i]

        return [world(i) for i in range(len(nodes))]

    def vertices(self, clip, time):
        """By coordinates, which no two vertices of a rig share, or else by number."""
        worlds, found, places = self.worlds(clip, time), {}, []
        for index, node in enumerate(self.scene.json["nodes"]):
            if "mesh" not in node:
                continue
            skin = self.scene.json["skins"][node["skin"]] if "skin" in node else None
            bones = None
            if skin:
                bind = self.scene.values(skin["inverseBindMatrices"]) if "inverseBindMatrices" in skin else None
                bones = [mul(worlds[j], bind[i]) if bind else worlds[j] for i, j in enumerate(skin["joints"])]
            for part in self.scene.json["meshes"][node["mesh"]]["primitives"]:
                a = part["attributes"]
                if not hasattr(self, "cache"):
                    self.cache = {}
                key = (node["mesh"], id(part))
                if key not in self.cache:
                    self.cache[key] = [self.scene.values(a[k]) if k in a else None for k in ("POSITION", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0")]
                positions, uvs, joints, weights = self.cache[key]
                mixed = {}  # by joints and weights, which many vertices share
                for i, position in enumerate(positions):
                    m = worlds[index]
                    if bones and joints:
                        shares = tuple(joints[i]), tuple(weights[i])
                        if shares not in mixed:
                            total = sum(weights[i])
                            mixed[shares] = [sum(w / total * bones[j][e] for j, w in zip(*shares) if w) for e in range(16)]
                        m = mixed[shares]
                    name = tuple(math.floor(c * 64) for c in uvs[i]) if uvs else None
                    places.append(self.front(at(m, position)))
                    found[name] = places[-1]
        return found if len(found) > 1 else dict(enumerate(places))


def times_of(before, clip):
    moved, length = before.clips[clip]
    keys = sorted({t for times, *_ in moved.values() for t in times})
    between = [(a + b) / 2 for a, b in zip(keys, keys[1:])]
    return sorted({*keys[:LOOKS], *between[:LOOKS], *(length * i / LOOKS for i in range(LOOKS + 1))})


def measured(before, after):
    """The largest way between a vertex here and there, and how large the whole is; metres."""
    worst, size = 0, 0
    for clip in before.clips or [None]:
        name = clip if clip in after.clips else None
        for time in times_of(before, clip) if clip else [0]:
            here, there = before.vertices(clip, time), after.vertices(name, time)
            assert set(here) == set(there), (len(here), len(there))
            worst = max(worst, *(math.dist(here[k], there[k]) for k in here))
            size = max(size, *(max(v[i] for v in here.values()) - min(v[i] for v in here.values()) for i in range(3)))
    return worst, size


# --- rigs


class Glb:
    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": [], "skins": [],
                     "animations": [], "accessors": [], "bufferViews": []}  # fmt: skip
        self.data = b""

    def add(self, rows, kind, form="f"):
        flat = [v for row in rows for v in (row if isinstance(row, (list, tuple)) else (row,))]
        packed = struct.pack("<%d%s" % (len(flat), form), *flat)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(packed)})
        self.data += packed + b"\0" * (-len(packed) % 4)
        accessor = {"bufferView": len(self.json["bufferViews"]) - 1, "componentType": {"f": 5126, "B": 5121, "H": 5123}[form], "count": len(rows), "type": kind}
        if kind == "VEC3" or kind == "SCALAR" and form == "f":
            columns = list(zip(*[row if isinstance(row, (list, tuple)) else (row,) for row in rows]))
            accessor["min"], accessor["max"] = [min(c) for c in columns], [max(c) for c in columns]
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def node(self, name, parent=None, **what):
        self.json["nodes"].append({"name": name, **{k: v for k, v in what.items() if v is not None}})
        index = len(self.json["nodes"]) - 1
        (self.json["scenes"][0]["nodes"] if parent is None else self.json["nodes"][parent].setdefault("children", [])).append(index)
        return index

    def mesh(self, positions, faces, uv_row, joints=None, weights=None):
        uvs = [[(i % 64 + 0.5) / 64, (uv_row + i // 64 + 0.5) / 64] for i in range(len(positions))]
        attributes = {"POSITION": self.add(positions, "VEC3"), "TEXCOORD_0": self.add(uvs, "VEC2")}
        if joints:
            attributes |= {"JOINTS_0": self.add(joints, "VEC4", "B"), "WEIGHTS_0": self.add(weights, "VEC4")}
        self.json["meshes"].append({"primitives": [{"attributes": attributes, "indices": self.add(faces, "SCALAR", "H")}]})
        return len(self.json["meshes"]) - 1

    def write(self, path):
        self.json = {k: v for k, v in self.json.items() if v != []}
        self.json["buffers"] = [{"byteLength": len(self.data)}]
        text = json.dumps(self.json).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(self.data), 0x004E4942) + self.data
        path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks)


def box(low, high):
    corners = [[(low, high)[i >> a & 1][a] for a in range(3)] for i in range(8)]
    faces = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5]
    return corners, faces


def rig(path, rest={}, scales={}, turns=True, binds=None, mode="LINEAR", no_clips=False):
    """An armature of three bones in a row with a leaf, boxes that follow one of them or two, and one that hangs at a bone.
    `rest`: rotation and scale by node; `scales`: keys by node; `binds`: another rest for the pose of the skin."""
    glb = Glb()
    places = {"Armature": (0, 0, 0), "a": (0, 0.2, 0), "b": (0.1, 1, 0), "c": (0, 1, 0.1), "leaf": (0, 0.5, 0), "prop": (0.3, 0.2, 0), "inner": (0, 0.1, 0)}
    above = {"a": "Armature", "b": "a", "c": "b", "leaf": "c", "prop": "b", "inner": "prop"}
    nodes, world = {}, {}

    def bound(name):
        rotation, scale = (binds or rest).get(name, (None, None))
        own = composed(places[name], rotation or (0, 0, 0, 1), scale or (1, 1, 1))
        return mul(bound(above[name]), own) if name in above else own

    for name, place in places.items():
        rotation, scale = rest.get(name, (None, None))
        nodes[name] = glb.node(name, nodes.get(above.get(name)), translation=list(place), rotation=rotation, scale=scale)
        world[name] = bound(name)
    bones = ["a", "b", "c", "leaf"]
    positions, faces, joints, weights = [], [], [], []
    for i, bone in enumerate(bones):
        middle = world[bone][12:15]
        for shift, shares in ((0, [1, 0, 0, 0]), (0.35, [0.5, 0.5, 0, 0])):
            corners, sides = box([c - 0.15 + shift * (k == 0) for k, c in enumerate(middle)], [c + 0.15 + shift * (k == 0) for k, c in enumerate(middle)])
            faces += [len(positions) + f for f in sides]
            positions += corners
            joints += [[i, min(i + 1, 3) if shares[1] else 0, 0, 0]] * 8
            weights += [shares] * 8
    inverse = [scenes.inverse(world[bone]) for bone in bones]
    glb.json["skins"].append({"joints": [nodes[b] for b in bones], "inverseBindMatrices": glb.add(inverse, "MAT4")})
    glb.node("Body", mesh=glb.mesh(positions, faces, 0, joints, weights), skin=0)
    glb.json["nodes"][nodes["inner"]]["mesh"] = glb.mesh(*box([-0.2, -0.1, -0.1], [0.2, 0.1, 0.1]), 32)
    for clip, axes in () if no_clips else (("Walk", ((1, 0, 0), (0, 1, 1), (1, 0, 1), (0, 0, 1))), ("Attack", ((0, 1, 0), (1, 0, 0), (0, 0, 1), (1, 1, 1)))):
        channels, samplers = [], []

        def add(name, what, times, values, kind):
            if mode == "CUBICSPLINE":
                still = [[0.0] * len(values[0])]
                values = [row for value in values for row in (*still, value, *still)]
            samplers.append({"input": glb.add(times, "SCALAR"), "output": glb.add(values, kind), "interpolation": mode})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": nodes[name], "path": what}})

        for bone, axis in zip(bones, axes):
            if turns:
                own = rest.get(bone, (None, None))[0] or [0, 0, 0, 1]
                add(bone, "rotation", [0.0, 0.5, 1.0], [product(own, turn(axis, d)) for d in (0, 50, -20)], "VEC4")
        for name, keys in scales.items():
            add(name, "scale", [0.0, 0.4, 1.0], keys, "VEC3")
        if not channels:
            add("a", "translation", [0.0, 1.0], [places["a"], (0.2, 0.2, 0)], "VEC3")
        glb.json["animations"].append({"name": clip, "channels": channels, "samplers": samplers})
    glb.write(path)
    return path


TILT = turn((1, 2, 3), 40)
QUARTER = turn((1, 0, 0), -90)
LONG = [1, 2, 1]
FLAT = [1.5, 0.5, 0.8]
PULSE = [[1, 1, 1], [1.4, 0.7, 1.1], [0.8, 1.2, 1]]
RIGS = {
    "plain": {},
    "uniform_armature": {"rest": {"Armature": (QUARTER, [0.01, 0.01, 0.01])}},
    "uniform_bone": {"rest": {"b": (TILT, [1.5, 1.5, 1.5])}},
    "uniform_animated": {"rest": {"a": (TILT, None)}, "scales": {"b": [[1, 1, 1], [2, 2, 2], [1, 1, 1]]}},
    "mirrored_armature": {"rest": {"Armature": (TILT, [-1, 1, 1])}},
    "mirrored_y": {"rest": {"Armature": (None, [1, -1, 1])}},
    "mirrored_bone": {"rest": {"b": (TILT, [1, 1, -1])}},
    "negative_uniform": {"rest": {"Armature": (QUARTER, [-1, -1, -1])}},
    "unequal_armature": {"rest": {"Armature": (None, LONG)}},
    "unequal_turned_armature": {"rest": {"Armature": (TILT, FLAT)}},
    "unequal_small_armature": {"rest": {"Armature": (QUARTER, [0.01, 0.02, 0.01])}},
    "unequal_large_armature": {"rest": {"Armature": (QUARTER, [100, 80, 100])}},
    "unequal_first_bone": {"rest": {"a": (None, LONG)}},
    "unequal_bone": {"rest": {"b": (TILT, FLAT)}},
    "unequal_two_bones": {"rest": {"a": (TILT, LONG), "c": (QUARTER, FLAT)}},
    "unequal_leaf": {"rest": {"leaf": (TILT, FLAT)}},
    "unequal_prop": {"rest": {"prop": (TILT, FLAT)}},
    "sheared_prop": {"rest": {"b": (None, LONG), "prop": (TILT, FLAT), "inner": (TILT, LONG)}},
    "mirrored_unequal": {"rest": {"Armature": (TILT, [-1, 2, 1]), "b": (QUARTER, None)}},
    "animated_bone": {"rest": {"b": (TILT, None)}, "scales": {"b": PULSE}},
    "animated_straight": {"scales": {"b": PULSE}},
    "animated_leaf": {"rest": {"c": (TILT, None)}, "scales": {"leaf": PULSE}},
    "animated_armature": {"rest": {"a": (TILT, None)}, "scales": {"Armature": PULSE}},
    "animated_prop": {"rest": {"b": (TILT, LONG)}, "scales": {"prop": PULSE}},
    "animated_mirrored": {"rest": {"Armature": (TILT, [1, 1, -1]), "b": (TILT, None)}, "scales": {"b": PULSE}},
    "animated_only": {"rest": {"a": (TILT, None)}, "scales": {"b": PULSE}, "turns": False},
    "cubic": {"rest": {"a": (TILT, LONG)}, "scales": {"b": PULSE}, "mode": "CUBICSPLINE"},
    "stepped": {"rest": {"a": (TILT, LONG)}, "scales": {"b": PULSE}, "mode": "STEP"},
    "bound_elsewhere": {"rest": {"a": (TILT, LONG)}, "binds": {"b": (TILT, None)}, "scales": {"b": PULSE}},
    "hidden": {"rest": {"a": (TILT, LONG), "prop": (None, [0, 0, 0])}, "scales": {"prop": [[0, 0, 0], [1, 1, 1], [1, 1, 1]]}},
    "still": {"rest": {"Armature": (TILT, LONG), "b": (TILT, FLAT)}, "no_clips": True},
}  # fmt: skip


# --- there and back

TARGETS = {"mdx": [], "mdx-900": ["--format-version", "900"], "mdx-alpha": ["--to", "mdx-alpha"]}


def converted(source, target, folder):
    """The GLB of the model, the deviation that is stated in units, and what is reported."""
    model, back = folder / "made.mdx", folder / "back.glb"
    for words in ([source, *TARGETS[target], "-o", model], [model, "-o", back, "--no-default-sources"]):
        done = subprocess.run([os.environ["THAW"], "convert", *map(str, words), "--force", "--json"], capture_output=True, text=True)
        assert done.returncode == 0, (words, done.stderr)
        if words[0] == source:
            made = json.loads(done.stdout)
    return back, made["max_deviation"], [d["message"] for d in made["diagnostics"]]


def convert(*words):
    done = subprocess.run([os.environ["THAW"], "convert", *map(str, words), "--force", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return json.loads(done.stdout)


def others(path, folder, failed):
    """Formats without clips hold the rest pose, an animation what no shear is needed for."""
    before, back = Posed(path), folder / "other.glb"
    for ending in ("m3", "dme", "wmo"):
        stated = convert(path, "-o", folder / ("made." + ending))["max_deviation"]
        convert(folder / ("made." + ending), "-o", back, "--no-default-sources")
        here, there = before.vertices(None, 0), Posed(back).vertices(None, 0)
        worst = max(math.dist(here[k], there[k]) for k in here)
        if set(here) != set(there) or max(worst, stated) > 1e-5:
            failed.append("%s to %s: %.7f m, stated %.7f" % (path.stem, ending, worst, stated))
    made = convert(path, "-o", folder / "made.mrn")
    convert(folder / "made.dme", "--skeleton", folder / "made.mrn", "-o", back, "--no-default-sources")
    worst, size = measured(before, Posed(back))
    stated, told = made["max_deviation"], any("non-uniform scales" in d["message"] for d in made["diagnostics"])
    if abs(worst - stated) > 1e-3 * size + worst / 4 or told != (worst > 0.01 * size):
        failed.append("%s to mrn: %.7f m of %.3f, stated %.7f, %s" % (path.stem, worst, size, stated, told))
    # A frame at every key of the first clip, half a second apart, and halfway the mean of both.
    stated = convert(path, "-o", folder / "made.mrf")["max_deviation"] * 0.01
    worst, looks = 0, [before.vertices("Walk", i / 4) for i in range(5)]
    for a, middle, b in (looks[:3], looks[2:]):
        worst = max(worst, *(math.dist([(x + y) / 2 for x, y in zip(a[k], b[k])], middle[k]) for k in a))
    if abs(worst - stated) > 1e-5 * size:
        failed.append("%s to mrf: %.7f m, stated %.7f" % (path.stem, worst, stated))


def main():
    paths = [pathlib.Path(word) for word in sys.argv[1:]]
    failed, count, own = [], 0, not paths
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if own:
            paths = [rig(folder / (title + ".glb"), **what) for title, what in RIGS.items()]
            paths += sorted((scenes.CORPUS / "field" / "glb").glob("g0*.glb"))
        for path in paths:
            before = Posed(path)
            for target in TARGETS:
                back, stated, _ = converted(path, target, folder)
                stated *= 1 if target == "mdx-alpha" else 0.01
                worst, size = measured(before, Posed(back))
                count += 1
                if own and worst > MOST * size or abs(worst - stated) > SLACK * size + worst / 4:
                    failed.append("%s to %s: %.7f m of %.3f, stated %.7f" % (path.stem, target, worst, size, stated))
                elif not own:
                    print("%s to %s: %.7f m of %.3f, stated %.7f" % (path.stem, target, worst, size, stated))
        for title in ("plain", "uniform_bone", "mirrored_armature", "unequal_leaf", "unequal_first_bone", "unequal_turned_armature", "sheared_prop") if own else ():  # fmt: skip
            others(folder / (title + ".glb"), folder, failed)
    assert not failed, "\n".join(failed)
    print(f"{count} conversions, every vertex where it was")


if __name__ == "__main__":
    main()
