#!/usr/bin/env python3
"""Models of Warcraft III to GLB and back: onto their original to the byte, alone as what they were, and edited in one
place as the original with that edit.

  way_back.py [--every N] [--json] [--edits N] [MODEL.mdx...]     without models: the corpus, every Nth of it

Prints one JSON line per model with --json. Exit code 1 if a model is another onto its original, has errors alone that the
original has not, is not where it was and no reason is known, or an edit changes something else; 77 without models.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import same_model  # noqa: E402

SKIP = 77
TIMES = 20
CLOSE = 1e-3  # of the model's size
SEVERE = ("error", "severe")
BUILD = pathlib.Path(os.environ.get("THAW_BUILD", "build/release"))
THAW = os.environ.get("THAW", str(BUILD / "thaw"))
DIFFERENCE = BUILD / "tests/thaw_pose_difference"

# A picture of one red pixel.
PIXEL = ("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSu"
         "QmCC")

# Why vertices of a model are elsewhere when it comes back alone, by the end of its path.
EXPLAINED = {
    "war3mapImported/B1_FB.mdx": "its sequences lie over each other, and get places of their own",
    "war3mdlx/test/geoset.mdx": "a parser's test of groups of faces of every kind, which come back as triangles",
    "war3mdlx/test/all.mdx": "a parser's test, whose vertices follow bones that are not there",
}
# Of what an edit changes, these follow: a node that clips move in another way inherits everything, a geoset that has more
# vertices than one can hold is divided.
FOLLOWS = r"|extent|Extent|node\.flags$|tracks\.order$"
DIVIDED = r"|GEOS"


def run(*words, accepted=(0,)):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if result.returncode not in accepted:
        raise RuntimeError(f"{' '.join(map(str, words))}: status {result.returncode}\n{result.stderr[-1000:]}")
    return result.stdout


def severe_codes(path):
    text = run(THAW, "validate", "--json", path, accepted=(0, 1, 3, 4, 5))
    return {finding["code"] for line in text.splitlines() if line.startswith("{")
            for finding in json.loads(line).get("diagnostics", []) if finding["severity"] in SEVERE}


# --- edits


class Glb:
    def __init__(self, path):
        content = path.read_bytes()
        size = struct.unpack("<I", content[12:16])[0]
        self.json = json.loads(content[20:20 + size])
        self.binary = bytearray(content[28 + size:])

    def save(self, path):
        text = json.dumps(self.json, ensure_ascii=False).encode()
        text += b" " * (-len(text) % 4)
        body = bytes(self.binary)
        head = struct.pack("<III", 0x46546C67, 2, 28 + len(text) + len(body))
        path.write_bytes(head + struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(body), 0x004E4942)
                         + body)

    def float_at(self, accessor, index):
        view = self.json["bufferViews"][self.json["accessors"][accessor]["bufferView"]]
        offset = view.get("byteOffset", 0) + self.json["accessors"][accessor].get("byteOffset", 0) + 4 * index
        return offset, struct.unpack_from("<f", self.binary, offset)[0]

    def add(self, accessor, index, amount):
        offset, value = self.float_at(accessor, index)
        struct.pack_into("<f", self.binary, offset, value + amount)


def move_vertex(glb):
    """Of a mesh whose positions no other shares."""
    used = [part["attributes"]["POSITION"] for mesh in glb.json.get("meshes", []) for part in mesh["primitives"]]
    alone = [accessor for accessor in used if used.count(accessor) == 1]
    if not alone:
        return None
    glb.add(alone[0], 0, 0.01)
    return r"GEOS\[\d+\]"


def move_key(glb):
    for animation in glb.json.get("animations", []):
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            if channel["target"].get("path") == "translation" and sampler.get("interpolation", "LINEAR") == "LINEAR" and \
                    "global" not in animation.get("extras", {}).get("thaw", {}):
                glb.add(sampler["output"], 0, 0.01)
                return r"\.tracks\[KGTR\]"  # the curve, which may need other keys now
    return None


def change_path(glb):
    for texture in glb.json["scenes"][0]["extras"]["thaw"].get("textures", []):
        if texture.get("path"):
            texture["path"] = "edited.blp"
            return r"TEXS\[\d+\]\.path"
    return None


def move_event(glb):
    for node in glb.json["nodes"]:
        for event in node.get("extras", {}).get("thaw", {}).get("events", []):
            if event["frames"]:
                event["frames"][0] += 1
                return r"EVTS\[\d+\]"
    return None


def material_of(glb):
    """One that shows one layer, of those that a mesh uses."""
    for mesh in glb.json.get("meshes", []):
        for part in mesh["primitives"]:
            material = glb.json["materials"][part["material"]] if "material" in part else {}
            if len(material.get("extras", {}).get("thaw", {}).get("layers", [])) == 1:
                return material
    return None


def turn_over(glb):
    material = material_of(glb)
    if material is None:
        return None
    material["doubleSided"] = not material.get("doubleSided", False)
    return r"MTLS\[\d+\]\.layers\[\d+\]\.shadingFlags"


def change_blending(glb):
    material = material_of(glb)
    if material is None:
        return None
    material["alphaMode"] = "MASK" if material.get("alphaMode", "OPAQUE") == "OPAQUE" else "OPAQUE"
    return r"MTLS\[\d+\]\.layers\[\d+\]\.filterMode"


def recolor(glb):
    material = material_of(glb)
    if material is None:
        return None
    surface = material.setdefault("pbrMetallicRoughness", {})
    surface["baseColorFactor"] = [0.5, 0.25, 0.75] + surface.get("baseColorFactor", [1, 1, 1, 1])[3:]
    return r"GEOA"


def change_picture(glb):
    material = material_of(glb)
    if material is None:
        return None
    glb.json.setdefault("images", []).append({"name": "another", "uri": PIXEL})
    glb.json.setdefault("textures", []).append({"source": len(glb.json["images"]) - 1})
    texture = material.setdefault("pbrMetallicRoughness", {}).setdefault("baseColorTexture", {})
    texture["index"] = len(glb.json["textures"]) - 1
    return r"MTLS\[\d+\]\.layers\[\d+\]\.textureId|TEXS"


EDITS = {"vertex": move_vertex, "key": move_key, "path": change_path, "event": move_event, "sides": turn_over,
         "blending": change_blending, "colour": recolor, "picture": change_picture}


def check_edits(model, sent, folder):
    told = {}
    for name, edit in EDITS.items():
        glb = Glb(sent)
        allowed = edit(glb)
        if allowed is None:
            continue
        glb.save(folder / "edited.glb")
        made = subprocess.run([THAW, "convert", "-f", folder / "edited.glb", "--onto", model, "-o", folder / "edited.mdx"],
                              capture_output=True, text=True, check=True).stderr
        allowed += FOLLOWS + (DIVIDED if "geosets because of the limits" in made else "")
        text = run(THAW, "diff", "--json", model, folder / "edited.mdx", accepted=(0, 1))
        paths = [path for line in text.splitlines() if line.startswith("{") for path in re.findall(r'"path":\s*"([^"]+)"', line)]
        beside = [path for path in paths if not re.search(allowed, path)]
        geosets = {found.group() for path in paths
                   if "xtent" not in path and (found := re.match(r"GEOS\[\d+\]", path))}
        if len(geosets) > 1 and DIVIDED not in allowed:
            beside += geosets
        if not paths:
            told[name] = "nothing differs"
        elif beside:
            told[name] = f"{beside[0]} differs, too"
    return told


# --- whole models


def check(model, edits):
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        sent, onto, alone = folder / "sent.glb", folder / "onto.mdx", folder / "alone.mdx"
        entry = {"model": str(model)}
        run(THAW, "convert", "-q", model, "-o", sent, accepted=(0, 1))
        if not sent.exists():
            return {**entry, "skipped": True}
        run(THAW, "convert", "-q", sent, "--onto", model, "-o", onto, accepted=(0, 1))
        entry["identical"] = onto.exists() and onto.read_bytes() == model.read_bytes()
        text = run(THAW, "convert", "-q", sent, "-o", alone, accepted=(0, 1, 3, 4, 5))
        if not alone.exists():
            return {**entry, "alone": text[:200] or "refused"}
        entry["new"] = sorted(severe_codes(alone) - severe_codes(model))
        before, after = same_model.dump(THAW, model), same_model.dump(THAW, alone)
        entry["fields"] = {tag: paths[:3] for tag, paths in same_model.field_differences(before, after).items()}
        worst = same_model.distances(DIFFERENCE, model, alone, TIMES)
        entry["clips"] = len(worst)
        entry["far"] = {name: error for name, error in worst if error > CLOSE}
        if edits:
            entry["edits"] = check_edits(model, sent, folder)
        return entry


def corpus(every):
    folder = pathlib.Path(os.environ.get("THAW_CORPUS", "")) / "wc3"
    models = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".mdx")
    return models[::every]


def faults(entry):
    name = entry["model"]
    explained = next((reason for end, reason in EXPLAINED.items() if name.endswith(end)), None)
    told = []
    if not entry.get("identical", True):
        told.append("is another onto its original")
    if entry.get("new"):
        told.append(f"alone has {', '.join(entry['new'])}")
    if entry.get("far") and not explained:
        told.append(f"is elsewhere: {entry['far']}")
    told += [f"edit of a {kind}: {what}" for kind, what in entry.get("edits", {}).items() if not explained]
    return [f"{name} {one}" for one in told]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--edits", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    models = arguments.models or corpus(arguments.every)
    if not models:
        print("skipped: no corpus")
        return SKIP
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        entries = list(pool.map(check, models, [i % arguments.edits == 0 for i in range(len(models))]))
    bad = [line for entry in entries for line in faults(entry)]
    if arguments.json:
        for entry in entries:
            print(json.dumps(entry))
    for line in bad:
        print(f"FAILED   {line}")
    identical = sum(entry.get("identical", False) for entry in entries)
    print(f"ok       {identical} of {len(entries)} models are themselves onto their original; "
          f"{sum('clips' in entry for entry in entries)} come back alone")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
