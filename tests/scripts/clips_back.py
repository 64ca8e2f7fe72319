#!/usr/bin/env python3
"""Clips that another program renamed, deleted, copied, made longer or cut, onto their original: that and nothing else. And a
file without extras, whose front is found.

The sample knight as a GLB of both profiles, edited in its JSON as programs do that keep or drop extras of animations.
"""

import copy
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from way_back import Glb  # noqa: E402

THAW = os.environ["THAW"]
KNIGHT = pathlib.Path(os.environ["THAW_SAMPLES"]) / "knight.mdx"
WALK, ATTACK = (3000, 3800), (4000, 5000)


def run(*words):
    result = subprocess.run([THAW, *map(str, words)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, (words, result.returncode, result.stderr)
    return result.stdout, result.stderr


def dump(model):
    return json.loads(run("dump", model)[0])


def items(document, tag):
    return [item for chunk in document["chunks"] if chunk["tag"] == tag for item in chunk.get("items", [])]


def sequences(document):
    return {one["name"]: (one["start"], one["end"]) for one in items(document, "SEQS")}


def tracks(value, path=""):
    """All tracks that follow the sequences, by where they stand."""
    found = {}
    if isinstance(value, dict):
        if "keys" in value and value.get("globalSequenceId", -1) == -1:
            found[path] = value["keys"]
        for name, member in value.items():
            found.update(tracks(member, f"{path}.{name}"))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            tag = item.get("tag", index) if isinstance(item, dict) else index
            found.update(tracks(item, f"{path}[{tag}]"))
    return found


def within(keys, span):
    return [key for key in keys if span[0] <= key[0] <= span[1]]


def outside(keys, span):
    return [key for key in keys if not span[0] <= key[0] <= span[1]]


def moved(keys, by):
    return [[key[0] + by, *key[1:]] for key in keys]


class Case:
    def __init__(self, folder, profile):
        self.folder, self.profile = folder, profile
        self.original = dump(KNIGHT)
        run("convert", "-qf", KNIGHT, "--profile", profile, "-o", folder / "sent.glb")

    def edited(self, edit):
        """The model with an edit, and what was said of it."""
        glb = Glb(self.folder / "sent.glb")
        edit(glb, {animation["name"]: animation for animation in glb.json["animations"]})
        glb.save(self.folder / "edited.glb")
        _, said = run("convert", "-f", self.folder / "edited.glb", "--onto", KNIGHT, "-o", self.folder / "back.mdx")
        return dump(self.folder / "back.mdx"), [line.split("scene.edited: ")[1] for line in said.splitlines()
                                                if "scene.edited" in line], said

    def differences(self):
        out = subprocess.run([THAW, "diff", KNIGHT, self.folder / "back.mdx"], capture_output=True, text=True, check=False)
        return out.stdout.splitlines()

    def same_tracks(self, back, expected):
        """Whether the model's keys are what `expected` makes of the original's."""
        was, now = tracks(self.original), tracks(back)
        assert was and {path: keys for path, keys in now.items() if keys} == \
            {path: expected(keys) for path, keys in was.items() if expected(keys)}, self.profile

    def rename(self):
        _, said, _ = self.edited(lambda _, clips: clips["Walk"].update(name="Stroll"))
        assert said == ["clip 'Walk' renamed to 'Stroll'"], said
        assert self.differences() == ['SEQS[1].name: "Walk" → "Stroll"'], self.differences()

    def delete(self):
        back, said, _ = self.edited(lambda glb, clips: glb.json["animations"].remove(clips["Walk"]))
        assert said == ["clip 'Walk' deleted"], said
        kept = {name: span for name, span in sequences(self.original).items() if name != "Walk"}
        assert sequences(back) == kept, sequences(back)
        self.same_tracks(back, lambda keys: outside(keys, WALK))

    def duplicate(self):
        def edit(glb, clips):
            glb.json["animations"].append({**copy.deepcopy(clips["Attack"]), "name": "Attack.001"})

        back, said, told = self.edited(edit)
        assert said == ["clip 'Attack.001' is a copy of 'Attack'"] and "time line" not in told, told
        added = sequences(back)
        start, end = added.pop("Attack.001")
        assert end - start == ATTACK[1] - ATTACK[0] and added == sequences(self.original), (start, end, added)
        self.same_tracks(back, lambda keys: keys + moved(within(keys, ATTACK), start - ATTACK[0]))
        heard = {item["node"]["name"]: item.get("track", {}).get("frames", []) for item in items(back, "EVTS")}
        was = {item["node"]["name"]: item.get("track", {}).get("frames", []) for item in items(self.original, "EVTS")}
        assert all(heard[name] == frames + [frame + start - ATTACK[0] for frame in frames if ATTACK[0] <= frame <= ATTACK[1]]
                   for name, frames in was.items()), (was, heard)

    def longer(self):
        """By a key behind the last, as an animator adds one."""
        def edit(glb, clips):
            clip = clips["Death"]
            channel = next(one for one in clip["channels"] if one["target"]["path"] == "rotation")
            sampler = clip["samplers"][channel["sampler"]]
            per_key = 3 if sampler.get("interpolation") == "CUBICSPLINE" else 1
            append_rows(glb, sampler, "input", 4, 1, 2.5)
            append_rows(glb, sampler, "output", 16, per_key)

        back, said, _ = self.edited(edit)
        assert said[:1] == ["clip 'Death' lasts 2.5 s instead of 1.5 s"], said
        was, now = sequences(self.original), sequences(back)
        start, end = now.pop("Death")
        assert end - start == 2500 and now == {name: span for name, span in was.items() if name != "Death"}, sequences(back)
        old = was["Death"]
        same = {path: outside(keys, old) for path, keys in tracks(self.original).items()}
        # What lies in another sequence has its keys still.
        now = {path: outside(keys, (start, end)) for path, keys in tracks(back).items()}
        assert now == same, [(path, keys, same.get(path)) for path, keys in now.items() if keys != same.get(path)]

    def new(self):
        def edit(glb, clips):
            fresh = copy.deepcopy(clips["Attack"])
            fresh["name"] = "Spell"
            fresh.pop("extras", None)
            fresh["channels"] = fresh["channels"][:1]
            glb.json["animations"].append(fresh)

        back, said, _ = self.edited(edit)
        assert said == ["new clip 'Spell'"], said
        assert set(sequences(back)) == {*sequences(self.original), "Spell"}, sequences(back)

    def without_extras(self):
        def edit(glb, _):
            drop_extras(glb.json)

        back, said, _ = self.edited(edit)
        assert said[0] == "the file does not state its front; the original's (+X) is used", said
        was, now = items(self.original, "GEOS"), items(back, "GEOS")
        assert [one["positions"] for one in was] == [one["positions"] for one in now], said


def drop_extras(value):
    if isinstance(value, dict):
        value.pop("extras", None)
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        drop_extras(item)


def append_rows(glb, sampler, name, size, count, time=None):
    """The sampler's last rows once more, or a time."""
    accessor = dict(glb.json["accessors"][sampler[name]])
    view = glb.json["bufferViews"][accessor["bufferView"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    rows = bytes(glb.binary[start:start + size * accessor["count"]])
    last = rows[-size * count:] if time is None else struct.pack("<f", time)
    glb.json["bufferViews"].append({"buffer": 0, "byteOffset": len(glb.binary), "byteLength": len(rows) + len(last)})
    glb.binary += rows + last
    glb.json["buffers"][0]["byteLength"] = len(glb.binary)
    accessor.update(bufferView=len(glb.json["bufferViews"]) - 1, byteOffset=0, count=accessor["count"] + count)
    if time is not None:
        accessor["max"] = [time]
    glb.json["accessors"].append(accessor)
    sampler[name] = len(glb.json["accessors"]) - 1


def main():
    for profile in ("compat", "blender"):
        with tempfile.TemporaryDirectory() as folder:
            case = Case(pathlib.Path(folder), profile)
            for edit in (case.rename, case.delete, case.duplicate, case.longer, case.new, case.without_extras):
                edit()
                print(f"ok       {profile}: {edit.__name__}")


main()
