#!/usr/bin/env python3
"""mrn_back.py [GLTF ...]: animations of other programs as networks, and as glTF again: bones have to be where glTF's
formula puts them, within the error that thaw tells, which has to be that of quantising or be told as more; what is told
as more has to be that of quantising at a sample for each millisecond. Ten times around, nothing drifts. Clips of 35
lengths and rates keep their length, rate and samples, also those of the way of bone 0. Without arguments, the animated
scenes of the corpus and of Debian's assimp-testmodels, and models of Warcraft III by way of their glTF."""

import bisect
import collections
import json
import math
import pathlib
import re
import struct
import sys
import tempfile

import forgelight_back as forgelight
import scenes

MOMENTS = 12
MOST_BONES = 120
# Tried where usual ones leave a curve: keys at milliseconds are at samples of the first, those of 24, 25, 30, 48, 50, 60
# and 100 a second at samples of the second, too.
RATES = ["1000", "6000"]
MOST_SAMPLES = 1_000_000  # of all bones and clips at such a rate: a model then takes seconds
WARCRAFT_MODELS = 40  # every so manieth of the corpus
# Degrees: of a bone that turns all around each axis has 65,535 steps for tan(angle/4) from -1 to 1.
HALF_STEP = math.degrees(4 * math.sqrt(3) / 65535)


def slerp(a, b, t):
    dot = sum(x * y for x, y in zip(a, b))
    if dot < 0:
        b, dot = [-x for x in b], -dot
    angle = math.acos(min(1, dot))
    if angle < 1e-6:
        return [x + (y - x) * t for x, y in zip(a, b)]
    return [(x * math.sin((1 - t) * angle) + y * math.sin(t * angle)) / math.sin(angle) for x, y in zip(a, b)]


class Clip:
    """The channels of an animation by node and path."""

    def __init__(self, scene, animation):
        self.name, self.channels, self.duration = animation.get("name", ""), {}, 0
        for channel in animation["channels"]:
            node, path = channel["target"].get("node"), channel["target"]["path"]
            if node is None or path == "weights":
                continue
            sampler = animation["samplers"][channel["sampler"]]
            times = [t for (t,) in scene.values(sampler["input"])]
            self.channels[node, path] = times, scene.values(sampler["output"]), sampler.get("interpolation", "LINEAR")
            self.duration = max(self.duration, times[-1])
        # The last sample may lie behind the end.
        kept = animation.get("extras", {}).get("thaw", {})
        self.length = kept.get("mrn", {}).get("bodyDuration", kept.get("duration", self.duration))

    def at(self, node, path, time, rest):
        if (node, path) not in self.channels:
            return rest
        times, values, mode = self.channels[node, path]
        cubic = mode == "CUBICSPLINE"
        value = lambda i: values[i * 3 + 1] if cubic else values[i]
        right = bisect.bisect_right(times, time)
        if right == 0 or right == len(times):
            return value(max(0, right - 1))
        left, step = right - 1, times[right] - times[right - 1]
        t = (time - times[left]) / step
        if mode == "STEP":
            return value(left)
        if cubic:
            a, b, out, into = value(left), value(right), values[left * 3 + 2], values[right * 3]
            t2, t3 = t * t, t * t * t
            return [(2 * t3 - 3 * t2 + 1) * p + (t3 - 2 * t2 + t) * step * m + (3 * t2 - 2 * t3) * q + (t3 - t2) * step * n for p, m, q, n in zip(a, out, b, into)]
        return slerp(value(left), value(right), t) if path == "rotation" else [a + (b - a) * t for a, b in zip(value(left), value(right))]


def worlds(scene, clip, time):
    known = {}

    def world(node):
        if node not in known:
            n = scene.json["nodes"][node]
            moves = any((node, path) in clip.channels for path in ("translation", "rotation", "scale"))
            if "matrix" in n and not moves:
                own = n["matrix"]
            else:
                own = scenes.composed(*(clip.at(node, path, time, n.get(path, rest)) for path, rest in (("translation", [0, 0, 0]), ("rotation", [0, 0, 0, 1]), ("scale", [1, 1, 1]))))
            known[node] = scenes.mul(world(scene.parent[node]), own) if node in scene.parent else own
        return known[node]

    return world


def only(names):
    """Where each name is that only one node has."""
    places = {}
    for i, name in enumerate(names):
        places.setdefault(name.lower(), []).append(i)
    return {name: found[0] for name, found in places.items() if len(found) == 1 and name}


Result = collections.namedtuple("Result", "worst way degrees rate told")


def drift(glb, folder):
    """Ten times around, or until nothing changes: how far the last network is from the first, in steps of an axis and in
    degrees."""
    first, network, again = folder / "1.mrn", folder / "2.mrn", folder / "1.glb"
    step, before = glb, b""
    for number in range(12):
        made = network if number > 1 else first  # the first time, channels go that only say how bones rest
        code, said = scenes.run("convert", "-f", step, "-o", made)
        assert code == 0, said
        if number > 1 and made.read_bytes() == before:
            break  # all that follow would be the same bytes
        before = made.read_bytes()
        code, said = scenes.run("convert", "-f", made, "-o", again)
        assert code == 0, said
        step = again
    first, last = (forgelight.Mrn(path.read_bytes()) for path in (first, network))
    assert first.takes == last.takes
    steps, degrees = 0, 0
    for a, b in zip(first.animations, last.animations):
        assert (a.duration, a.rate, a.moves.keys(), a.turns.keys()) == (b.duration, b.rate, b.moves.keys(), b.turns.keys())
        for channel, rows in a.moves.items():
            for axis, column in enumerate(zip(*rows)):
                size = (max(column) - min(column)) / (1023 if axis == 2 else 2047)
                off = max(abs(x - row[axis]) for x, row in zip(column, b.moves[channel]))
                steps = max(steps, off / max(size, 1e-6))
        for channel, rows in a.turns.items():
            for q, r in zip(rows, b.turns[channel]):
                off = scenes.product([-q[0], -q[1], -q[2], q[3]], r)
                degrees = max(degrees, math.degrees(2 * math.asin(min(1, math.hypot(*off[:3])))))
    return steps, degrees


def check(glb, folder, *rate):
    source = scenes.Gltf(glb)
    joints = sorted({joint for skin in source.json.get("skins", []) for joint in skin["joints"]})
    if not source.json.get("animations") or len(joints) > MOST_BONES:
        return None
    network, again = folder / "a.mrn", folder / "a.glb"
    code, said = scenes.run("convert", "-f", glb, "-o", network, *rate)
    if code != 0:
        assert re.search(r"write\.unsupported|scene\.no-clip|gltf\.|mrn\.", said), said
        return "refused"
    number = r"([\d.e+-]+)"
    found = re.search("largest error %s m, %s degrees(?:, scale %s)?" % (number, number, number), said)
    way, degrees, size = (float(x or 0) for x in found.groups())
    code, more = scenes.run("validate", "--fail-on", "error", network)
    assert code == 0, more
    code, more = scenes.run("convert", "-f", network, "-o", again)
    assert code == 0, more
    made = scenes.Gltf(again)
    clips = {clip.name: clip for clip in (Clip(made, a) for a in made.json["animations"])}
    here, there = only(source.name), only(made.name)
    bones = [(here[name], there[name]) for name in here if name in there and (here[name] in joints or not joints)]
    told = "between its samples" in said
    to_front = scenes.facing(source, "+Z")
    worst, compared = 0, 0
    for number, animation in enumerate(source.json["animations"]):
        clip = Clip(source, animation)
        # Names of networks are unique; a second of a name has a number.
        other = clips.get(clip.name) if clip.name else None
        if other is None or not clip.channels:
            continue
        assert abs(other.length - clip.length) < 1e-3 + 1e-5 * clip.length or told, (clip.name, clip.length, other.length)
        for i in range(MOMENTS):
            time = clip.duration * i / (MOMENTS - 1)
            wanted, got = worlds(source, clip, time), worlds(made, other, time)
            places = [(to_front(wanted(a)[12:15]), got(b)[12:15]) for a, b in bones]
            reach = max((math.dist(a, places[0][0]) for a, _ in places), default=0) + 1e-3
            for (a, b), (bone, _) in zip(places, bones):
                depth = 1
                while bone in source.parent:
                    bone, depth = source.parent[bone], depth + 1
                off = math.dist(a, b)
                allowed = 1e-5 * (reach + max(map(abs, a))) + depth * (way + (math.radians(degrees) + size) * reach)
                assert off <= allowed, (clip.name, time, source.name[bone], off, allowed, said)
                worst = max(worst, off / allowed)
                compared += 1
    if not compared:
        return None
    seconds = sum(Clip(source, animation).duration for animation in source.json["animations"])
    faster = [word for word in RATES if int(word) > float(rate[-1] if rate else 0) and seconds * int(word) * len(bones) <= MOST_SAMPLES]
    result = Result(worst, way, degrees, float(*rate[1:] or [0]), told)
    further = check(glb, folder, "--rate", faster[0]) if told and faster else None
    return further if isinstance(further, Result) else result  # an animation has no room for any number of samples


# --- lengths, rates and samples


def many_clips(folder):
    """Two bones and 35 clips: of so many lengths, body and way each with keys of its own rate."""
    binary, views, accessors, animations = b"", [], [], []

    def add(rows, kind, form):
        nonlocal binary
        data = b"".join(struct.pack("<" + form, *row) for row in rows)
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        more = {"min": list(map(min, zip(*rows))), "max": list(map(max, zip(*rows)))} if kind == "SCALAR" else {}
        accessors.append({"bufferView": len(views) - 1, "componentType": 5126, "count": len(rows), "type": kind, **more})
        binary += data
        return len(accessors) - 1

    for number in range(35):
        body, root = (10, 15, 24, 30, 60)[number % 5], (30, 10, 15)[number % 3]
        samples, steps = 3 + number, 2 + number * 7 % 23
        samplers, channels = [], []
        for node, path, rate, count in ((1, "rotation", body, samples), (0, "translation", root, steps)):
            times = [(i / rate,) for i in range(count)]
            rows = [(0, math.sin(i * 0.1), 0, math.cos(i * 0.1)) if path == "rotation" else (i * 0.1, 0, i * i * 0.01) for i in range(count)]
            samplers.append({"input": add(times, "SCALAR", "f"), "output": add(rows, "VEC4" if path == "rotation" else "VEC3", "4f" if path == "rotation" else "3f")})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        animations.append({"name": "clip %d" % number, "samplers": samplers, "channels": channels})
    gltf = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "CharacterWorldSpaceTM", "children": [1]}, {"name": "HIPS", "translation": [0, 1, 0]}],
        "skins": [{"joints": [0, 1]}],
        "animations": animations,
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary)}],
    }
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    path = folder / "many.glb"
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)) + struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary)
    return path


def figures(network):
    """Of each clip the length, rate and samples of its body, and rate and samples of its way."""
    network = forgelight.Mrn(network.read_bytes())
    found = []
    for name, clip in zip(network.takes, network.animations):
        samples = max((len(track) for track in [*clip.moves.values(), *clip.turns.values()]), default=0)
        found.append((name, clip.duration, clip.rate, samples, (clip.root[0], len(clip.root[1])) if clip.root else None))
    return found


def lengths(folder):
    """Once around nothing changes: neither for new networks nor over an old one."""
    first, glb, second, over = (folder / name for name in ("1.mrn", "1.glb", "2.mrn", "3.mrn"))
    for source in (many_clips(folder), forgelight.samples / "forgelight" / "human.mrn"):
        if source.suffix == ".glb":
            code, said = scenes.run("convert", "-f", source, "-o", first)
            assert code == 0, said
        else:
            first = source
        for words in (("convert", "-f", first, "-o", glb), ("convert", "-f", glb, "-o", second), ("convert", "-f", glb, "-o", over, "--skeleton", first)):
            code, said = scenes.run(*words)
            assert code == 0, said
        before = figures(first)
        for other in (second, over):
            for a, b in zip(before, figures(other)):
                assert a == b, (a, b)
            assert len(before) == len(figures(other))
        print("%d clips keep length, rate and samples" % len(before))


def main():
    named = [pathlib.Path(name) for name in sys.argv[1:]]
    kept, raised, further, refused, worst, drifted = 0, 0, 0, 0, 0, (0, 0)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not named:
            lengths(folder)
        for glb in named or [*scenes.warcraft(folder, WARCRAFT_MODELS), *scenes.foreign()]:
            try:
                result = check(glb, folder)
                if isinstance(result, Result) and result.rate == 0 and not result.told:
                    drifted = tuple(map(max, drifted, drift(glb, folder)))
            except (json.JSONDecodeError, UnicodeDecodeError, IndexError, KeyError, TypeError, struct.error, OSError):
                continue  # broken on purpose
            except AssertionError as error:
                raise AssertionError(str(glb)) from error
            if named and isinstance(result, Result):
                print(glb, *("%s %s" % pair for pair in result._asdict().items()))
            refused += result == "refused"
            if isinstance(result, Result):
                kept, raised, further = kept + (not result.told), raised + (result.rate > 0 and not result.told), further + result.told
                worst = max(worst, result.worst)
                assert result.told or result.degrees <= HALF_STEP, result
    print("%d scenes within the error of quantising, %d of them at a higher rate; %d tell that they leave it, jumping or too long; %d refused" % (kept, raised, further, refused))
    print("bones off by at most %.2g of what is told; ten times around by %.2g steps, %.2g degrees" % (worst, *drifted))
    assert drifted[0] <= 1 and drifted[1] <= HALF_STEP, drifted
    if not named and kept < 20:
        print("fewer than 20 animated scenes: the corpus or assimp-testmodels is not there")


if __name__ == "__main__":
    sys.exit(main())
