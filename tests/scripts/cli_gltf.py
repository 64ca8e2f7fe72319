#!/usr/bin/env python3
"""glTF that cannot be read as it was meant: an error by name in every command, and nothing written."""
import base64
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

THAW = os.path.realpath(os.environ["THAW"])
SAMPLES = Path(os.path.realpath(os.environ["THAW_SAMPLES"]))
failures = 0


def fail(text: str) -> None:
    global failures
    failures += 1
    print(f"FAILED: {text}", file=sys.stderr)


def run(expected: int, *arguments: str) -> str:
    done = subprocess.run([THAW, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != expected:
        fail(f"thaw {' '.join(arguments)}: exit {done.returncode}, expected {expected}: {done.stderr[-300:]}")
    return done.stdout + done.stderr


def triangle() -> dict:
    corners = struct.pack("<9f3H", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2)
    return {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
        "buffers": [{"byteLength": 42, "uri": "data:;base64," + base64.b64encode(corners).decode()}],
    }


def save(name: str, change=lambda scene: None, **more) -> str:
    scene = triangle()
    change(scene)
    Path(name).write_text(json.dumps({**scene, **more}), encoding="utf-8")
    return name


def set_uri(uri: str):
    return lambda scene: scene["buffers"][0].update(uri=uri)


def sparse(scene: dict) -> None:
    scene["accessors"][0] = {"componentType": 5126, "count": 400000000, "type": "VEC3"}


def beyond(scene: dict) -> None:
    scene["accessors"][1].update(componentType=5121, count=3)
    scene["bufferViews"][1]["byteOffset"] = 12  # 0 0 128 of the first corner's number


def lines(scene: dict) -> None:
    scene["meshes"][0]["primitives"][0]["mode"] = 1


def cycle(scene: dict) -> None:
    scene["nodes"] = [{"mesh": 0, "children": [1]}, {"children": [0]}]


def refused_everywhere(name: str, word: str, validate: int) -> None:
    commands = [("convert", name, "-o", "out.mdx"), ("render", name, "-o", "out.png"),
                ("thumb", name, "-o", "out.png"), ("convert", name, "--onto", str(SAMPLES / "knight.mdx"), "-o", "out.mdx")]
    for command in commands:
        if word not in run(3, *command):
            fail(f"{' '.join(command)}: {word} is not named")
        for output in ("out.mdx", "out.png"):
            if Path(output).exists():
                fail(f"{' '.join(command)} wrote {output}")
                Path(output).unlink()
    if "error" not in run(validate, "validate", name):
        fail(f"validate {name}: no error")


def check_front() -> None:
    """--front: a vertex of the file lies in the game where that axis is X, its left side Y, and what is above Z."""
    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    corners = [[0, 0, 0], [1, 0, 0], [0, 2, 3]]
    scene = triangle()
    scene["buffers"][0]["uri"] = "data:;base64," + base64.b64encode(struct.pack("<9f3H", *sum(corners, []), 0, 1, 2)).decode()
    Path("front.gltf").write_text(json.dumps(scene), encoding="utf-8")
    axes = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1], "-x": [-1, 0, 0], "-y": [0, -1, 0], "-z": [0, 0, -1]}
    for name, front in axes.items():
        out = run(0, "convert", "front.gltf", f"--front={name}", "--scale", "1", "-o", "front.mdx", "-f", "-v")
        if "--front" in out:
            fail(f"--front {name}: the assumption is named all the same")
        above = {"y": [0, 0, -1], "-y": [0, 0, 1]}.get(name, [0, 1, 0])
        frame = (front, cross(above, front), above)
        expected = sorted([0.0 + round(sum(a * b for a, b in zip(axis, corner)), 4) for axis in frame] for corner in corners)
        document = json.loads(run(0, "dump", "front.mdx"))
        geoset = next(part for part in document["chunks"] if part["tag"] == "GEOS")["items"][0]
        made = sorted([round(value, 4) + 0.0 for value in vertex] for vertex in geoset["positions"])
        if made != expected:
            fail(f"--front {name}: {made}, not {expected}")
    if "--front" not in run(0, "convert", "front.gltf", "-o", "front.mdx", "-f", "-v"):
        fail("the assumed front is not named")


def main() -> int:
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        run(0, "convert", save("sound.gltf"), "-o", "sound.mdx")
        # What the JSON alone tells, info tells too.
        for name, word, change in (("cycle.gltf", "its own ancestor", cycle), ("sparse.gltf", "far more", sparse),
                                   ("away.gltf", "passwd", set_uri("/etc/passwd")),
                                   ("gone.gltf", "gone.bin", set_uri("gone.bin")),
                                   ("net.gltf", "external buffer", set_uri("https://example.org/a.bin"))):
            save(name, change)
            refused_everywhere(name, word, 1)
            if word not in run(3, "info", name):
                fail(f"info {name}: {word} is not named")
        refused_everywhere(save("beyond.gltf", beyond), "vertex 128; the count is 3", 1)
        for extension, help_with in (("KHR_texture_basisu", "gltf-transform ktxdecompress"), ("ACME_new", "is not supported")):
            name = save(f"{extension}.gltf", extensionsRequired=[extension])
            for word in (extension, help_with):
                refused_everywhere(name, word, 3)
                for command in ("info", "deps"):
                    if word not in run(3, command, name):
                        fail(f"{command} {name}: {word} is not named")
        # Used only: read, and told.
        run(0, "convert", save("used.gltf", extensionsUsed=["ACME_new"]), "-o", "used.mdx")
        if "missing" not in run(1, "deps", "gone.gltf"):
            fail("deps: the buffer is not told")
        # Nothing of what is seen would be in the model.
        for name, change in (("lines.gltf", lines), ("hidden.gltf", lambda scene: scene["nodes"][0].pop("mesh"))):
            save(name, change)
            status = 4 if name == "lines.gltf" else 3
            run(status, "convert", name, "-o", "none.mdx")
            if Path("none.mdx").exists():
                fail(f"{name} became a model without geosets")
        empty = save("empty.gltf", lambda scene: (scene.pop("meshes"), scene["nodes"][0].pop("mesh")))
        run(0, "convert", empty, "-o", "empty.mdx")
        if "the original would lose" not in run(4, "convert", empty, "--onto", str(SAMPLES / "knight.mdx"), "-o", "robbed.mdx"):
            fail("--onto: not told why")
        if Path("robbed.mdx").exists():
            fail("--onto threw the geosets away")
        # Keys in the order of their names: "asset" comes after 64 KiB of accessors.
        late = {**triangle(), "extras": None}
        late["accessors"] += [late["accessors"][0]] * 1500
        Path("late.gltf").write_text(json.dumps(late, sort_keys=True), encoding="utf-8")
        run(0, "convert", "late.gltf", "-o", "late.mdx")
        run(0, "info", "late.gltf")
        check_front()
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
