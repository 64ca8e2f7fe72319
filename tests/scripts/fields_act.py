#!/usr/bin/env python3
"""A field that differs alone changes what it stands for: an edit of a sample, and the member of the GLB made of it that has
to differ, beside what the GLB keeps of the file itself."""

import json
import os
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

THAW, SAMPLES = os.environ["THAW"], Path(os.environ["THAW_SAMPLES"])
OLD, NEW = "everything_v800.mdx", "everything_v1800.mdx"
LAYERS = "MTLS[*].layers[*]."
# File, path, value, and the end of the member of the GLB that changes.
EDITS = [
    ("knight.mdx", LAYERS + "shadingFlags", "1", "layers.unshaded"),
    ("knight.mdx", LAYERS + "shadingFlags", "2", "layers.sphereMap"),
    ("knight.mdx", LAYERS + "shadingFlags", "16", "materials.doubleSided"),
    ("knight.mdx", LAYERS + "shadingFlags", "32", "layers.unfogged"),
    ("knight.mdx", LAYERS + "shadingFlags", "64", "layers.noDepthTest"),
    ("knight.mdx", LAYERS + "shadingFlags", "128", "layers.noDepthWrite"),
    *[("knight.mdx", LAYERS + "filterMode", str(mode), "layers.blend") for mode in range(7)],
    (OLD, "PREM[*].longitude", "0.25", "emitters.longitude"),
    (OLD, "PREM[*].latitude", "0.25", "emitters.latitude"),
    (OLD, "PREM[*].gravity", "7.5", "emitters.gravity"),
    (OLD, "PREM[*].lifeSpan", "7.5", "emitters.lifeSpan"),
    (OLD, "PREM[*].emissionRate", "7.5", "emitters.rate"),
    (OLD, "PREM[*].speed", "7.5", "emitters.speed"),
    (OLD, "PRE2[*].speed", "7.5", "emitters.speed"),
    (OLD, "PRE2[*].variation", "0.75", "emitters.variation"),
    (OLD, "PRE2[*].latitude", "33", "emitters.latitude"),
    (OLD, "PRE2[*].gravity", "7.5", "emitters.gravity"),
    (OLD, "PRE2[*].lifeSpan", "7.5", "emitters.lifeSpan"),
    (OLD, "PRE2[*].emissionRate", "7.5", "emitters.rate"),
    (OLD, "PRE2[*].length", "7.5", "emitters.length"),
    (OLD, "PRE2[*].width", "7.5", "emitters.width"),
    (OLD, "PRE2[*].rows", "7", "emitters.rows"),
    (OLD, "PRE2[*].columns", "7", "emitters.columns"),
    (OLD, "PRE2[*].tailLength", "7.5", "emitters.tailLength"),
    (OLD, "PRE2[*].time", "0.75", "emitters.middle"),
    (OLD, "RIBB[*].heightAbove", "7.5", "ribbons.heightAbove"),
    (OLD, "RIBB[*].heightBelow", "7.5", "ribbons.heightBelow"),
    (OLD, "RIBB[*].alpha", "0.75", "ribbons.alpha"),
    (OLD, "RIBB[*].color", "[0.1, 0.2, 0.3]", "ribbons.color"),
    (OLD, "RIBB[*].lifeSpan", "7.5", "ribbons.lifeSpan"),
    (OLD, "RIBB[*].textureSlot", "3", "ribbons.textureSlot"),
    (OLD, "RIBB[*].emissionRate", "77", "ribbons.rate"),
    (OLD, "RIBB[*].rows", "7", "ribbons.rows"),
    (OLD, "RIBB[*].columns", "7", "ribbons.columns"),
    (OLD, "RIBB[*].gravity", "7.5", "ribbons.gravity"),
    (OLD, "LITE[*].intensity", "0.75", "KHR_lights_punctual.lights.intensity"),
    (OLD, "LITE[*].color", "[0.1, 0.2, 0.3]", "KHR_lights_punctual.lights.color"),
    (OLD, "LITE[*].ambientColor", "[0.1, 0.2, 0.3]", "lights.ambientColor"),
    (OLD, "LITE[*].ambientIntensity", "0.75", "lights.ambientIntensity"),
    (OLD, "LITE[*].attenuationStart", "33", "lights.attenuationStart"),
    (OLD, "LITE[*].attenuationEnd", "333", "lights.attenuationEnd"),
    (OLD, "CAMS[*].fieldOfView", "0.5", "cameras.perspective.yfov"),
    (OLD, "CAMS[*].farClip", "777", "cameras.perspective.zfar"),
    (OLD, "CAMS[*].nearClip", "7", "cameras.perspective.znear"),
    (OLD, "PIVT.points[0]", "[1, 2, 3]", "nodes.translation"),
    (NEW, "CORN[*].lifeSpan", "7.5", "emitters.lifeSpan"),
    (NEW, "CORN[*].emissionRate", "7.5", "emitters.rate"),
    (NEW, "CORN[*].speed", "7.5", "emitters.speed"),
    (NEW, "CORN[*].replaceableId", "2", "emitters.replaceableId"),
    (NEW, "CORN[*].color", "[0.1, 0.2, 0.3]", "emitters.color"),
    ("house.wmo", "MOMO.MOMT[*].sidnColor", "[9, 8, 7, 255]", "sidnColor"),
    ("house.wmo", "MOMO.MOMT[*].diffuseColor", "[9, 8, 7, 255]", "diffuseColor"),
    ("house.wmo", "MOMO.MOHD.ambientColor", "[9, 8, 7, 255]", "ambientColor"),
    ("house.wmo", "MOMO.MOLT[*].color", "[9, 8, 7, 255]", "KHR_lights_punctual.lights.color"),
    ("house.wmo", "MOMO.MODD[*].scale", "0.75", "nodes.scale"),
    ("banner.mrf", "header.frameDuration", "0.1", "accessors.max"),
    ("waystone_v4.m3", "M3XF.matrix[12]", "7", "nodes.translation"),
]


def thaw(*words):
    done = subprocess.run([THAW, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr.strip()}")


def leaves(value, path=""):
    """The numbers and texts of a GLB by the names that lead to them, without what is kept of the file (members `mdx`)."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name != "mdx":
                yield from leaves(item, f"{path}.{name}")
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, path)
    else:
        yield path, value


def glb_of(file, folder, *options):
    out = folder / (file.name + ".glb")
    thaw("convert", file, "-o", out, "-f", "-q", "--source", SAMPLES, *options)
    data = out.read_bytes()
    found = {}
    for path, value in leaves(json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])):
        found.setdefault(path, []).append(value)
    return found


def changes(edit, number, folder, before):
    name, path, value, member = edit
    folder = folder / str(number)
    folder.mkdir()
    file = folder / name
    try:
        thaw("set", SAMPLES / name, f"{path}={value}", "-o", file, "-q")
        after = glb_of(file, folder)
    except RuntimeError as error:
        return str(error)
    told = {one for one in {*before, *after} if before.get(one) != after.get(one)}
    if any(one.endswith("." + member) for one in told):
        return None
    return f"{name}: {path}={value} changes {sorted(told)[:5]}, not {member}"


def swapped(folder):
    """With --swap-inheritance flag 0x2 of a bone is what 0x4 is without, and the reverse; so it is on the way back."""
    folder = folder / "swapped"
    folder.mkdir()
    found, back = {}, {}
    for flags in (0x2, 0x4):
        for options in ((), ("--swap-inheritance",)):
            file = folder / "knight.mdx"
            thaw("set", SAMPLES / "knight.mdx", f"BONE[3].node.flags={256 + flags}", "-o", file, "-q", "-f")
            found[flags, options] = glb_of(file, folder, *options)
            thaw("convert", folder / "knight.mdx.glb", "-o", folder / "back.mdx", "-f", "-q", *options)
            told = subprocess.run([THAW, "dump", "-q", folder / "back.mdx"], capture_output=True, text=True, check=True).stdout
            bones = next(chunk["items"] for chunk in json.loads(told)["chunks"] if chunk["tag"] == "BONE")
            back[flags, options] = sorted(bone["node"]["flags"] & 0x6 for bone in bones)[-1]
    swap = ("--swap-inheritance",)
    failures = []
    if found[0x2, ()] == found[0x4, ()] or found[0x2, ()] == found[0x2, swap]:
        failures.append("--swap-inheritance changes nothing")
    if found[0x2, ()] != found[0x4, swap] or found[0x4, ()] != found[0x2, swap]:
        failures.append("--swap-inheritance is not the other flag's meaning")
    if any(value != flags for (flags, _), value in back.items()):
        failures.append(f"flags come back as {back}")
    return failures


def main():
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = Path(scratch)
        before = {name: glb_of(SAMPLES / name, folder) for name in sorted({edit[0] for edit in EDITS})}
        # Of the modes of the knight's layers at least one is another than each.
        failures = [one for one in pool.map(lambda item: changes(item[1], item[0], folder, before[item[1][0]]), enumerate(EDITS)) if one]
        failures += swapped(folder)
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    print(f"{len(EDITS)} fields, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
