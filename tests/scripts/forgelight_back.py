#!/usr/bin/env python3
"""What thaw makes of glTF for Forgelight, read by decoders of their own, written from docs/formats/mrn.md, nsa.md, dme.md
and dma.md: animations of a network against the keys of the GLB, models against vertices that are posed here. Scenes
are the samples and, where they are there, foreign ones."""

import math
import os
import pathlib
import struct
import sys
import tempfile

from scenes import Gltf, facing, foreign, product, run, wanted_corners

samples = pathlib.Path(os.environ["THAW_SAMPLES"])


# --- animations


def turn(r):
    s = sum(c * c for c in r)
    return [2 * r[0] / (1 + s), 2 * r[1] / (1 + s), 2 * r[2] / (1 + s), (1 - s) / (1 + s)]


class Nsa:
    """By channel its samples; of what stands still one."""

    def __init__(self, d):
        self.duration, self.rate, self.channels = struct.unpack_from("<ffI", d, 0x18)
        u64 = lambda at: struct.unpack_from("<Q", d, at)[0]
        self.data, self.moves, self.turns = d, {}, {}
        lists = [u64(0x28 + 8 * i) for i in range(6)]
        names = [struct.unpack_from("<%dH" % struct.unpack_from("<H", d, p)[0], d, p + 2) for p in lists]
        means = struct.unpack_from("<6f", d, 0x58)
        counts = struct.unpack_from("<3I", d, 0x78)
        sets = [[struct.unpack_from("<6f", d, u64(0x88 + 8 * k) + 24 * i) for i in range(counts[k])] for k in range(3)]
        still, moving, root = u64(0xA0), u64(0xA8), u64(0xB0)
        number = struct.unpack_from("<3I", d, still)
        for kind, (to, make) in enumerate(((self.moves, list), (self.turns, turn))):
            f = struct.unpack_from("<6f", d, still + 0x0C + 24 * kind)
            values = still + u64(still + 0x48 + 8 * kind)
            for i in range(number[kind]):
                q = struct.unpack_from("<3H", d, values + 6 * i)
                to[names[kind][i]] = [make([f[k] + f[3 + k] * q[k] for k in range(3)])]
        self.step = 0
        if moving:
            samples, *number = struct.unpack_from("<4I", d, moving)
            for i in range(number[0]):
                rows, info = (moving + u64(moving + 0x10 + 8 * k) for k in range(2))
                initial, which = struct.unpack_from("<3B", d, info + 6 * i), struct.unpack_from("<3B", d, info + 6 * i + 3)
                f = [(sets[0][which[k]][k], sets[0][which[k]][3 + k]) for k in range(3)]
                self.step = max(self.step, math.sqrt(sum(step * step for _, step in f)))
                track = self.moves[names[3][i]] = []
                for s in range(samples):
                    word = struct.unpack_from("<I", d, rows + 4 * (s * number[0] + i))[0]
                    q = word >> 21, word >> 10 & 2047, word & 1023
                    track.append([means[k] + means[3 + k] * initial[k] + f[k][0] + f[k][1] * q[k] for k in range(3)])
            width = 6 * number[1] + (2 if number[1] % 2 else 0)
            for i in range(number[1]):
                rows, info = (moving + u64(moving + 0x20 + 8 * k) for k in range(2))
                initial, which = struct.unpack_from("<3B", d, info + 6 * i), struct.unpack_from("<3B", d, info + 6 * i + 3)
                first = turn([c / 128 - 1 for c in initial])
                track = self.turns[names[4][i]] = []
                for s in range(samples):
                    q = struct.unpack_from("<3H", d, rows + s * width + 6 * i)
                    track.append(product(first, turn([sets[1][which[k]][k] + sets[1][which[k]][3 + k] * q[k] for k in range(3)])))
        self.root = None
        if root:
            rate, samples = struct.unpack_from("<fI", d, root + 0x18)
            f, places = struct.unpack_from("<6f", d, root + 0x20), u64(root + 0x50)
            self.root = rate, []
            self.step = max(self.step, math.sqrt(sum(step * step for step in f[3:])))
            for s in range(samples if places else 0):
                word = struct.unpack_from("<I", d, root + places + 4 * s)[0]
                q = word >> 21, word >> 10 & 2047, word & 1023
                self.root[1].append([f[k] + f[3 + k] * q[k] for k in range(3)])


class Mrn:
    def __init__(self, d):
        self.animations, self.maps, self.events, place = [], {}, [], 0
        while place < len(d):
            version, platform, kind, asset = struct.unpack_from("<4I", d, place)
            size, alignment = struct.unpack_from("<2I", d, place + 0x20)
            assert (version, platform) == (26, 10), (version, platform)
            begin = (place + 0x28 + alignment - 1) // alignment * alignment
            begin = place + (0x28 + alignment - 1) // alignment * alignment
            body = d[begin : begin + size]
            u64 = lambda at: struct.unpack_from("<Q", body, at)[0]
            if kind == 0x10:
                self.animations.append(Nsa(body))
            elif kind == 0x01:
                self.bones = self.texts(body, u64(0x40))
            elif kind == 0x02:
                bits = struct.unpack_from("<I", body, u64(8))[0]
                count, at_map = struct.unpack_from("<I", body, u64(0x20))[0], u64(0x20)
                self.maps[count, bits] = struct.unpack_from("<%dH" % count, body, at_map + u64(at_map + 8))
            elif kind in (0x03, 0x04):
                count, at_name, at_events = struct.unpack_from("<I", body)[0], u64(8), u64(0x18)
                name = body[at_name : body.index(0, at_name)].decode()
                self.events.append((name, [struct.unpack_from("<ffI", body, at_events + 12 * i) for i in range(count)]))
            elif kind == 0x0E:
                self.takes = self.texts(body, u64(0x18))
            place = (begin + size + 15) // 16 * 16

    @staticmethod
    def texts(body, start):
        count = struct.unpack_from("<I", body, start)[0]
        offsets, strings = struct.unpack_from("<2Q", body, start + 8)
        found = []
        for i in range(count):
            at_text = start + strings + struct.unpack_from("<I", body, start + offsets + 4 * i)[0]
            found.append(body[at_text : body.index(0, at_text)].decode())
        return found


def check_network(glb, mrn):
    scene, network = Gltf(glb), Mrn(mrn.read_bytes())
    assert network.takes == [a["name"] for a in scene.json["animations"]], network.takes
    worst = [0, 0]
    for animation, source in zip(network.animations, scene.json["animations"]):
        bones = network.maps[animation.channels, len(network.bones)]
        channel_of = {network.bones[bone]: channel for channel, bone in enumerate(bones)}
        assert abs(animation.duration - source["extras"]["thaw"]["duration"]) < 1e-6
        for channel in source["channels"]:
            sampler = source["samplers"][channel["sampler"]]
            times, values = scene.values(sampler["input"]), scene.values(sampler["output"])
            bone, path = scene.name[channel["target"]["node"]], channel["target"]["path"]
            if path == "scale":
                continue
            if bone == network.bones[0]:
                rate, track = animation.root
                if path != "translation":
                    continue
            else:
                rate = animation.rate
                track = (animation.moves if path == "translation" else animation.turns)[channel_of[bone]]
            for (time,), wanted in zip(times, values):
                got = track[min(round(time * rate), len(track) - 1)]
                if path == "translation":
                    worst[0] = max(worst[0], math.dist(wanted, got) - animation.step / 2)
                else:
                    off = product([-wanted[0], -wanted[1], -wanted[2], wanted[3]], got)
                    worst[1] = max(worst[1], math.degrees(2 * math.asin(min(1, math.hypot(*off[:3])))))
    assert worst[0] < 1e-5 and worst[1] < 0.003, worst
    kept = scene.json["scenes"][0]["extras"]["thaw"]["mrn"]["eventTracks"]
    wanted = [(t["name"], [(e["start"], e["duration"], e["userData"]) for e in t["events"]]) for t in kept]
    assert network.events == wanted, network.events
    return worst


# --- models


def half(bits):
    return struct.unpack("<e", struct.pack("<H", bits))[0]


LAYOUTS = {20: "weights", 12: "plain"}


def name_hash(text):
    """Jenkins' one-at-a-time with signs."""
    signed = lambda h: (h & 0xFFFFFFFF ^ 0x80000000) - 0x80000000
    h = 0
    for c in text.encode():
        h = signed(h + (c ^ 0x80) - 0x80)
        h = signed(h + (h << 10))
        h = signed(h ^ h >> 6)
    h = signed(h + (h << 3))
    h = signed(h ^ h >> 11)
    return signed(h + (h << 15)) & 0xFFFFFFFF


def textures_of(d):
    """The textures of each material of a list, by parameter."""
    assert d[:8] == b"DMAT\1\0\0\0"
    (size,) = struct.unpack_from("<I", d, 8)
    names = {name_hash(name.upper()): name for name in d[12 : 12 + size].decode().split("\0")[:-1]}
    known = {name_hash(name): name for name in ("BaseDiffuse", "Bump", "Spec")}
    (count,), at, found = struct.unpack_from("<I", d, 12 + size), 16 + size, []
    for _ in range(count):
        _, _, _, parameters = struct.unpack_from("<4I", d, at)
        at += 16
        found.append({})
        for _ in range(parameters):
            semantic, kind, form, width = struct.unpack_from("<4I", d, at)
            assert (kind, form, width) == (4, 5, 4)
            found[-1][known[semantic]] = names[struct.unpack_from("<I", d, at + 16)[0]]
            at += 16 + width
    assert at == len(d)
    return found


class Dme:
    def __init__(self, d):
        assert d[:8] == b"DMOD\4\0\0\0"
        place = 12 + struct.unpack_from("<I", d, 8)[0]
        self.materials = textures_of(d[12:place])
        self.box = struct.unpack_from("<6f", d, place)
        (count,) = struct.unpack_from("<I", d, place + 24)
        place += 28
        meshes = []
        for _ in range(count):
            first, calls, _, _, streams, width, indices, vertices = struct.unpack_from("<8I", d, place)
            place += 32
            data = []
            for _ in range(streams):
                (stride,) = struct.unpack_from("<I", d, place)
                data.append((stride, d[place + 4 : place + 4 + stride * vertices]))
                place += 4 + stride * vertices
            corners = struct.unpack_from("<%d%s" % (indices, {2: "H", 4: "I"}[width & 255]), d, place)
            place += (width & 255) * indices
            meshes.append((first, calls, vertices, data, corners))

        def records(form):
            nonlocal place
            (count,) = struct.unpack_from("<I", d, place)
            size = struct.calcsize("<" + form)
            found = [struct.unpack_from("<" + form, d, place + 4 + size * i) for i in range(count)]
            place += 4 + size * count
            return found

        calls, bone_map, self.binds = records("9I"), records("2H"), records("12f")
        bones = len(self.binds)
        self.hashes = struct.unpack_from("<%dI" % bones, d, place + 24 * bones)
        assert place + 28 * bones + 4 == len(d), "something is left"
        self.corners = []
        for first, count, vertices, data, corners in meshes:
            (a, one), (b, two) = data
            for call in calls[first : first + count]:
                palette = bone_map[call[1] : call[1] + call[2]]
                assert [place for _, place in palette] == list(range(len(palette)))
                for i in range(call[7], call[7] + call[8], 3):
                    for corner in (corners[i], corners[i + 2], corners[i + 1]):
                        assert call[5] <= corner < call[5] + call[6]
                        position = struct.unpack_from("<3f", one, corner * a)
                        weights = {}
                        if a == 20:
                            shares, places = one[corner * a + 12 : corner * a + 16], one[corner * a + 16 : corner * a + 20]
                            assert sum(shares) == 255
                            for share, place_ in zip(shares, places):
                                if share:
                                    bone = palette[place_][0]
                                    weights[bone] = weights.get(bone, 0) + share / 255
                        frame = [c / 127.5 - 1 for c in two[corner * b : corner * b + 8]]
                        t, side, n = frame[:3], (1 if frame[3] > 0 else -1), frame[4:7]
                        normal = [-side * (n[i - 2] * t[i - 1] - n[i - 1] * t[i - 2]) for i in range(3)]
                        uv = [half(h) for h in struct.unpack_from("<2H", two, corner * b + 8)]
                        self.corners.append((position, normal, uv, weights))


def check_model(glb, dme):
    scene, model = Gltf(glb), Dme(dme.read_bytes())
    try:
        wanted = wanted_corners(scene, pictures_move=True)
    except (IndexError, AttributeError):  # of files that are broken on purpose
        wanted = None
    if not wanted:
        return None
    # What is too large for a quick look is still looked at by validate.
    if len(wanted) > 20000 or not all(math.isfinite(c) for corner in wanted for c in corner[0]):
        return None
    size = max(max(abs(c) for c in corner[0]) for corner in wanted) or 1
    key = lambda p: tuple(round(c / size * 2000) for c in p)
    near = {}
    for position, normal, uv, weights in model.corners:
        near.setdefault(key(position), []).append((position, uv, weights))
    assert len(model.corners) == len(wanted), (len(model.corners), len(wanted))
    worst = 0
    to_front = facing(scene, "+Z")
    for position, uv, shares in wanted:
        position = to_front(position)
        k = key(position)
        close = [c for dx in (-1, 0, 1) for dy in (-1, 0, 1) for dz in (-1, 0, 1) for c in near.get((k[0] + dx, k[1] + dy, k[2] + dz), [])]
        same = lambda u: uv is None or all(abs(a - b) <= 1e-6 + max(abs(a), 1 / 16) / 1024 for a, b in zip(uv, u))
        hung = lambda w: sorted(round(s, 1) for s in w.values() if s > 0.15) == sorted(round(s, 1) for s in shares.values() if s > 0.15) or len(shares) > 1 or not shares
        off = min((math.dist(position, c[0]) for c in close if same(c[1]) and hung(c[2])), default=None)
        assert off is not None, ("no such corner", position, uv)
        worst = max(worst, off / size)
    assert worst < 1e-5, worst
    return worst


def check_textures(dme):
    """Every texture that a material names lies beside the model, unless the scene had only its name."""
    model = Dme(dme.read_bytes())
    actor = dme.with_suffix(".adr").read_text()
    assert textures_of(dme.with_suffix(".dma").read_bytes()) == model.materials
    assert '<Base fileName="%s" paletteName="%s" />' % (dme.name, dme.with_suffix(".dma").name) in actor
    return sum((dme.parent / name).exists() for material in model.materials for name in material.values()), model


def check_levels(place):
    """Levels of detail are models of their own, which the actor puts together again."""
    glb, dme, again = place / "levels.glb", place / "levels" / "Thing.dme", place / "again.glb"
    code, said = run("convert", samples / "waystone_v4.m3", "-o", glb, "--lod", "all")
    assert code == 0, said
    code, said = run("convert", glb, "-o", dme)
    assert code == 0, said
    source = Gltf(glb)
    levels = max((n["extensions"]["MSFT_lod"]["ids"] for n in source.json["nodes"] if "MSFT_lod" in n.get("extensions", {})), key=len)
    actor = dme.with_suffix(".adr").read_text()
    files = [dme] + [dme.with_name("Thing_LOD%d.dme" % (i + 1)) for i in range(len(levels))]
    for number, path in enumerate(files[1:]):
        wanted = 'fileName="%s" paletteName="%s" distance="%d"' % (path.name, path.with_suffix(".dma").name, (35, 75, 200)[number])
        assert wanted in actor, (wanted, actor)
    counts = [len(Dme(path.read_bytes()).corners) for path in files]
    assert counts == sorted(counts, reverse=True) and counts[0] > counts[-1], counts
    code, said = run("convert", dme.with_suffix(".adr"), "-o", again, "--lod", "all")
    assert code == 0, said
    made = Gltf(again)
    shown = lambda scene: sorted(scene.json["accessors"][p["indices"]]["count"] for mesh in scene.json["meshes"] for p in mesh["primitives"])
    assert shown(made) == shown(source), (shown(made), shown(source))
    print("%d levels of detail, of %s corners" % (len(files), ", ".join(map(str, counts))))


def main():
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        human = samples / "forgelight"
        code, said = run("convert", human / "human.mrn", "-o", place / "all.glb")
        assert code == 0, said
        code, said = run("convert", place / "all.glb", "-o", place / "new.mrn")
        assert code == 0 and "mrn.no-definition" in said, said
        way, angle = check_network(place / "all.glb", place / "new.mrn")
        print("five clips: %.2g m beyond half a step, %.2g degrees" % (max(way, 0), angle))
        check_levels(place)
        tried, number, textures, told = 0, 0, 0, []
        knight = [samples / "knight.mdx"] if (samples / "knight.mdx").exists() else []
        for source in [human / "Human_LOD0.dme"] + knight + foreign():
            glb = source
            if source.suffix not in (".glb", ".gltf"):
                glb = place / (source.stem + ".glb")
                code, said = run("convert", source, "-o", glb)
                assert code == 0, said
            number += 1
            out = place / str(number) / "model.dme"
            code, said = run("convert", glb, "-o", out)
            if code != 0:
                told.append(source.name)
                assert "write.unsupported" in said or "gltf." in said, (source, said)
                continue
            try:
                worst = check_model(glb, out)
            except AssertionError as error:
                raise AssertionError(str(source)) from error
            tried += worst is not None
            code, said = run("validate", "--fail-on", "warning", out)
            assert code == 0, (source, said)
            textures += check_textures(out)[0]
            code, said = run("convert", "-f", out.with_suffix(".adr"), "-o", out.with_suffix(".glb"))
            assert code == 0, (source, said)
        print("%d models, their vertices where they are at rest, with %d textures; refused: %s" % (tried, textures, ", ".join(told) or "none"))
        if tried < 20:
            print("fewer than 20 models: the corpus of glTF files or assimp-testmodels is not there")


if __name__ == "__main__":
    sys.exit(main())
