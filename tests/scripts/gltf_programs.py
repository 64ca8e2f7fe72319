#!/usr/bin/env python3
"""What other programs show of thaw's GLBs: clips by name and number, and which meshes are seen at three times of each clip.

  gltf_programs.py [--babylon FOLDER] [--only PROGRAM]... [MODEL.mdx...]     without models: the sample knight and some of the corpus

FOLDER has babylonjs and babylonjs-loaders of npm (node_modules). three.js is that of tools/, Godot 3 is godot3-server,
Blender's importer that of Debian. When meshes are seen is said by the keys of the file: the steps of morph targets and of
nodes that are scaled to nothing. Prints a row for each program. Exit code 1 if three.js, Babylon.js or Godot differs; 77
without any program.
"""

import argparse
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

SKIP = 77
ROOT = pathlib.Path(os.environ.get("THAW_ROOT", ".")).resolve()
THAW = pathlib.Path(os.environ.get("THAW", ROOT / "build/release/thaw")).resolve()
SAMPLES = pathlib.Path(os.environ.get("THAW_SAMPLES", ROOT / "build/release/sample-files")).resolve()
CORPUS = pathlib.Path(os.environ.get("THAW_CORPUS") or "/nonexistent") / "wc3"
TOOLS = ROOT / "tests/tools"
MODELS = 5
SHARES = (0.13, 0.52, 0.91)  # of a clip
PATIENCE = 90  # seconds; Godot's editor does not end by itself
MUST = ("three.js", "Babylon.js", "Godot 3")


class Glb:
    def __init__(self, path):
        content = path.read_bytes()
        size = struct.unpack_from("<I", content, 12)[0]
        self.json, self._binary = json.loads(content[20:20 + size]), content[28 + size:]

    def floats(self, number):
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        return struct.unpack_from(f"<{accessor['count'] * width}f", self._binary, view.get("byteOffset", 0) + accessor.get("byteOffset", 0))

    def clips(self):
        return [clip["name"] for clip in self.json.get("animations", [])]

    def duration(self, clip):
        return max(self.floats(sampler["input"])[-1] for sampler in self.json["animations"][clip]["samplers"])

    def _state(self, clip, node, path, time, rest):
        animation = self.json["animations"][clip]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            # What hides is stepped; others shrink and grow.
            if channel["target"].get("node") == node and channel["target"]["path"] == path and sampler.get("interpolation") == "STEP":
                times, values = self.floats(sampler["input"]), self.floats(sampler["output"])
                key = max((number for number, at in enumerate(times) if at <= time), default=0)
                return values[key * (len(values) // len(times))]
        return rest

    def seen(self, clip, time):
        """Names of the nodes with meshes that are neither moved to a point nor below a node of no size."""
        nodes = self.json["nodes"]
        above = {child: number for number, node in enumerate(nodes) for child in node.get("children", [])}
        names = []
        for number, node in enumerate(nodes):
            if "mesh" not in node:
                continue
            mesh = self.json["meshes"][node["mesh"]]
            has_switch = "hidden" in mesh.get("extras", {}).get("targetNames", [])
            gone = has_switch and self._state(clip, number, "weights", time, mesh.get("weights", [0])[0]) > 0.5
            place = number
            while place is not None and "skin" not in node:
                gone = gone or self._state(clip, place, "scale", time, nodes[place].get("scale", [1])[0]) == 0
                place = above.get(place)
            if not gone:
                names.append(node["name"])
        return names


def plain(name):
    """Without what programs change in names."""
    return "".join(letter for letter in name if letter not in " _:.[]/\"@()")


def questions_of(glb):
    """Not of global loops, which play together with others."""
    found = []
    for number, name in enumerate(glb.clips()):
        if name.startswith("global:"):
            continue
        found += [{"clip": number, "name": name, "time": share * glb.duration(number)} for share in SHARES if glb.duration(number) > 0]
    return found


def run_node(program, folder, paths, questions, scratch):
    told = {}
    for path in paths:
        (scratch / "asked.json").write_text(json.dumps(questions[path]))
        result = subprocess.run(["node", TOOLS / "gltf_programs.mjs", program, folder, path, scratch / "asked.json"],
                                capture_output=True, text=True, check=False)
        told[path] = json.loads(result.stdout.splitlines()[-1]) if result.stdout else {"error": result.stderr[-200:]}
    return told


def lines_of(output, paths):
    told = [json.loads(line[2:]) for line in output.splitlines() if line.startswith("@@")]
    return {path: entry for path in paths for entry in told if pathlib.Path(entry["file"]).name == path.name}


def by_name(questions, rename=lambda name: name):
    return [{"clip": rename(question["name"]), "time": question["time"]} for question in questions]


def run_blender(paths, questions, scratch):
    (scratch / "blender.json").write_text(json.dumps({str(path): by_name(questions[path]) for path in paths}))
    result = subprocess.run(["blender", "--background", "--factory-startup", "--python", TOOLS / "gltf_blender.py", "--", scratch / "blender.json"],
                            capture_output=True, text=True, check=False, env={**os.environ, "PATH": os.defpath})
    return lines_of(result.stdout, paths)


def run_godot(paths, questions, scratch):
    project = scratch / "godot"
    project.mkdir()
    (project / "project.godot").write_text('[application]\nconfig/name="models"\n')
    for path in paths:
        shutil.copy(path, project / path.name)
    shutil.copy(TOOLS / "gltf_godot.gd", project)
    # Names of animations are properties there, which have no colon, bracket or comma.
    rename = str.maketrans("", "", ":[],")
    (project / "questions.json").write_text(json.dumps(
        {path.name: by_name(questions[path], lambda name: name.translate(rename)) for path in paths}))
    environment = {**os.environ, "HOME": str(scratch)}
    subprocess.run(["timeout", "-s", "KILL", str(PATIENCE), "godot3-server", "--path", project, "--editor", "--quit"],
                   capture_output=True, check=False, env=environment)
    result = subprocess.run(["timeout", "-s", "KILL", str(PATIENCE), "godot3-server", "--path", project, "-s", "gltf_godot.gd"],
                            capture_output=True, text=True, check=False, env=environment)
    return lines_of(result.stdout, paths)


def run_f3d(paths, _questions, scratch):
    """Its version here names animations; a picture is of the model at rest."""
    told = {}
    for path in paths:
        result = subprocess.run(["xvfb-run", "-a", "f3d", path, "--output", scratch / "f3d.png", "--verbose"], capture_output=True, text=True, check=False,
                                env={**os.environ, "LIBGL_ALWAYS_SOFTWARE": "1"})
        after = result.stdout.partition("Animation(s) available")[2]
        rows = [line.replace("\x1b[0m", "").partition(": ") for line in after.splitlines()[1:]]
        names = []
        for number, _, name in rows:
            if number != str(len(names)):
                break
            names.append(name)
        told[path] = {"clips": names}
    return told


def programs(arguments):
    """{name: function} of what is here."""
    three = ROOT / "tools/node_modules/three"
    found = {}
    if three.exists() and shutil.which("node"):
        found["three.js"] = lambda *words: run_node("three", three, *words)
    if arguments.babylon:
        found["Babylon.js"] = lambda *words: run_node("babylon", arguments.babylon, *words)
    for name, command, run in (("Godot 3", "godot3-server", run_godot), ("Blender's importer", "blender", run_blender), ("F3D", "f3d", run_f3d)):
        if shutil.which(command):
            found[name] = run
    return {name: run for name, run in found.items() if not arguments.only or name in arguments.only}


def corpus_models():
    """Some that hide meshes."""
    found = []
    for path in sorted(CORPUS.rglob("*.mdx"))[::7]:
        content = path.read_bytes()
        if b"KGAO" in content and b"SEQS" in content and len(content) < 400_000 and len(found) < MODELS:
            found.append(path)
    return found


def compare(name, told, files, questions):
    """The row of a program; whether all is right."""
    clips = names = states = right = wrong = 0
    for path, glb in files.items():
        entry = told.get(path, {"error": "nothing"})
        if "error" in entry:
            print(f"         {name}: {path.name}: {entry['error']}")
            wrong += 1
            continue
        clips += len(entry["clips"]) == len(glb.clips())
        names += sorted(map(plain, entry["clips"])) == sorted(map(plain, glb.clips()))
        for question, shown in zip(questions[path], entry.get("seen", [])):
            good = sorted(map(plain, shown)) == sorted(map(plain, glb.seen(question["clip"], question["time"])))
            states, right = states + 1, right + good
            if not good and states - right <= 3:
                print(f"         {name}: {path.name}: {question['name']} at {question['time']:.2f} s: {shown}, not {glb.seen(question['clip'], question['time'])}")
    seen = f"{right} of {states}" if states else "no times"
    print(f"{name:20} clips {clips} of {len(files)}, names {names} of {len(files)}, meshes seen as in the file at {seen}", flush=True)
    return not wrong and clips == names == len(files) and right == states


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--babylon", type=pathlib.Path)
    parser.add_argument("--only", action="append")
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    found = programs(arguments)
    if not found:
        print("skipped: none of the programs")
        return SKIP
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        files = {}
        for number, model in enumerate(arguments.models or [SAMPLES / "knight.mdx", *corpus_models()]):
            path = model if model.suffix == ".glb" else scratch / f"{number}.glb"
            if model.suffix != ".glb":
                subprocess.run([THAW, "convert", "-qf", model, "-o", path], check=False)
            files[path] = Glb(path)
        questions = {path: questions_of(glb) for path, glb in files.items()}
        hidden = sum(set(glb.seen(question["clip"], question["time"])) != {node["name"] for node in glb.json["nodes"] if "mesh" in node}
                     for path, glb in files.items() for question in questions[path])
        print(f"{len(files)} models, {sum(map(len, questions.values()))} times, something is hidden at {hidden}")
        for name, run in found.items():
            good = compare(name, run(list(files), questions, scratch), files, questions)
            failed = failed or (not good and name in MUST)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
