#!/usr/bin/env python3
"""The extension for Blender: installed into a profile of its own, every step of docs/user/blender.md, and removed without a trace.

  blender_extension.py [--models N] [--only models|edits|looks|markers|poses|others|worlds|cancelling]

Models of the corpus go in and out unedited, and come back with their own bytes; the sample knight is edited in ten ways, each
of which is in the model that comes back, with what follows from it, and nothing else. Exit code 77 without Blender.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
ROOT = pathlib.Path(os.environ.get("THAW_ROOT", ".")).resolve()
THAW = pathlib.Path(os.environ.get("THAW", ROOT / "build/release/thaw")).resolve()
SAMPLES = pathlib.Path(os.environ.get("THAW_SAMPLES", ROOT / "build/release/sample-files")).resolve()
CORPUS = pathlib.Path(os.environ.get("THAW_CORPUS") or "/nonexistent") / "wc3"
SESSION = ROOT / "tests/tools/blender_session.py"
APART = 3e-3  # metres, and parts of axes
SHARE = 0.95  # of unedited models that are the same to the byte
# What follows from edits of what moves, and of what has a place.
EXTENTS = r"|xtent"

# Each with the lines of `thaw diff` that it may cause, and one that it has to.
EDITS = {
    "move_vertex": (r"GEOS\[0\]\.(positions|normals)" + EXTENTS, r"GEOS\[0\]\.positions"),
    "rename_clip": (r'SEQS\[1\]\.name: "Walk" → "Stroll"', r"SEQS\[1\]\.name"),
    "delete_clip": (r"SEQS|\.tracks\[\w+\]\.(count|keys)|EVTS\[\d+\]\.track|sequenceExtents", r"SEQS\[4\].*absent"),
    "copy_clip": (r"SEQS|\.tracks\[\w+\]\.(count|keys)|EVTS\[\d+\]\.track|sequenceExtents", r"SEQS\[5\].*bytes"),
    "lengthen_clip": (r"SEQS\[3\]\.(start|end)|\.tracks\[\w+\]\.(count|keys)|EVTS\[\d+\]\.track" + EXTENTS, r"SEQS\[3\]\.end"),
    "change_key": (r"BONE\[4\]\.node\.tracks\[KGRT\]" + EXTENTS, r"BONE\[4\]\.node\.tracks\[KGRT\]"),
    "change_picture": (r"TEXS|MTLS\[\d+\]\.layers\[\d+\]\.textureId", r"MTLS\[\d+\]\.layers\[\d+\]\.textureId"),
    "change_layer_picture": (r"TEXS\[5\]|MTLS\[1\]\.layers\[1\]\.textureId", r"MTLS\[1\]\.layers\[1\]\.textureId"),
    "change_layer": (r"MTLS\[2\]\.layers\[0\]\.(filterMode|shadingFlags)", r"MTLS\[2\]\.layers\[0\]\.filterMode: 3 → 4"),
    "change_team_color": (r"nothing", None),
    "move_event": (r"EVTS\[0\]\.track", r"EVTS\[0\]\.track\.frames"),
    "move_attachment": (r"PIVT\.points\[\d+\]", r"PIVT\.points"),
    "move_collision": (r"CLID\[0\]\.payload", r"CLID\[0\]\.payload"),
    "hide_collections": (r"nothing", None),
    "hide_mesh": (r"GEOA\[0\]\.tracks\[KGAO\]", r"GEOA\[0\]\.tracks\[KGAO\]"),
    "set_field": (r"PRE2\[0\]\.speed", r"PRE2\[0\]\.speed"),
    "second_model": (r"nothing", None),
    # Ids of what comes behind the bones are one higher.
    "add_bone_and_mesh": (r"GEOS\[4\]|BONE\[17\]|node\.(objectId|parentId)|PIVT" + EXTENTS, r"GEOS\[4\].*bytes"),
}


def thaw(*words):
    return subprocess.run([THAW, *map(str, words)], capture_output=True, text=True, check=False)


class Profile:
    """Settings of Blender for one run, which nobody else has."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("scripts", "config", "home"):
            (folder / name).mkdir(parents=True)

    def run(self, request):
        """What a session of Blender tells of a request, line by line."""
        path = self.folder / "request.json"
        path.write_text(json.dumps(request))
        # Blender takes the modules of the first Python there, which need not be the system's.
        environment = {**os.environ, "PATH": os.defpath, "HOME": str(self.folder / "home"),
                       "BLENDER_USER_SCRIPTS": str(self.folder / "scripts"), "BLENDER_USER_CONFIG": str(self.folder / "config")}
        result = subprocess.run(["blender", "--background", "--python-exit-code", "3", "--python", SESSION, "--", path],
                                capture_output=True, text=True, env=environment, check=False)
        told = [json.loads(line[2:]) for line in result.stdout.splitlines() if line.startswith("@@")]
        if result.returncode != 0:
            raise RuntimeError(f"{request}: {result.stdout[-2000:]}\n{result.stderr[-2000:]}")
        return told

    def files(self):
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
                if "thaw" in str(path.relative_to(self.folder)).lower()}


def package(folder):
    subprocess.run([ROOT / "scripts/package", "blender", "--out", folder], check=True, capture_output=True)
    return next(folder.glob("*.zip"))


def corpus_models(count):
    models = sorted(CORPUS.rglob("*.mdx"))
    chosen = []
    for path in models[::max(1, len(models) * 4 // (5 * count or 1))]:
        content = path.read_bytes()
        if len(chosen) < count and b"SEQS" in content and b"GEOS" in content and thaw("info", "-q", "--strict", path).returncode == 0:
            chosen.append(path)
    return chosen


class Report:
    def __init__(self):
        self.failed = False

    def tell(self, good, text):
        self.failed = self.failed or not good
        print(f"{'ok' if good else 'FAILED':8} {text}", flush=True)


def one_action_each(entry):
    return entry["actions"] == entry["clips"] and not entry.get("misfits")


def check_models(profile, models, folder, report):
    """Unedited in and out."""
    trips = [{"in": str(path), "out": str(folder / f"{index:03}{path.suffix}")} for index, path in enumerate(models)]
    told = profile.run({"trips": trips})
    same = sum(pathlib.Path(trip["in"]).read_bytes() == pathlib.Path(trip["out"]).read_bytes()
               for trip in trips if os.path.exists(trip["out"]))
    actions = [entry for entry in told if not one_action_each(entry)]
    report.tell(not actions, f"{len(told) - len(actions)} of {len(models)} models have one action for each clip, with its name, length and rate")
    for entry in actions:
        print(f"         {entry['file']}: {entry['actions']} actions, {entry['clips']} clips {'; '.join(entry.get('misfits', []))[:200]}")
    for trip, entry in zip(trips, told):
        if entry.get("error") or pathlib.Path(trip["out"]).read_bytes() != pathlib.Path(trip["in"]).read_bytes():
            reason = entry.get("error") or thaw("diff", trip["in"], trip["out"]).stdout.splitlines()[0]
            print(f"         {pathlib.Path(trip['in']).relative_to(CORPUS) if CORPUS in pathlib.Path(trip['in']).parents else trip['in']}: {reason[:160]}")
    report.tell(len(models) > 0 and same >= SHARE * len(models), f"{same} of {len(models)} models come back with their own bytes")


def check_edits(profile, folder, report):
    knight = SAMPLES / "knight.mdx"
    told = profile.run({"edits": [{"in": str(knight), "edit": name, "out": str(folder / f"{name}.mdx")} for name in EDITS]})
    for (name, (allowed, wanted)), entry in zip(EDITS.items(), told):
        lines = thaw("diff", knight, folder / f"{name}.mdx").stdout.splitlines()
        beside = [line for line in lines if allowed and not re.search(allowed, line.split(": ")[0] if "name" not in allowed else line)]
        faults = thaw("validate", "-q", folder / f"{name}.mdx").returncode not in (0, 1)
        found = not lines if wanted is None else any(re.search(wanted, line) for line in lines)
        good = found and not beside and not faults
        report.tell(good, f"{name}: {len(lines)} differences; {'; '.join(entry['reports'])}")
        for line in beside[:5] if beside else [] if good else lines[:5]:
            print(f"         {line[:160]}")


def check_looks(profile, folder, report):
    """Materials as the game draws them: the cape and the plume in the team's colour."""
    told = profile.run({"looks": [{"in": str(SAMPLES / "knight.mdx"), "out": str(folder / "look.png")}]})[0]
    red, blue = told["shares"]["red"], told["shares"]["blue"]
    report.tell(told["active"] == told["materials"] == 4 and told["modes"] == ["OPAQUE", "OPAQUE", "BLEND", "BLEND"]
                and red[0] > 0.03 and blue[0] < 0.01 and blue[2] > red[2] + 0.03,
                f"{told['active']} of {told['materials']} materials as the game draws them; red {red[0]:.3f} → {blue[0]:.3f}, "
                f"blue {red[2]:.3f} → {blue[2]:.3f} of the pixels for another player")


def check_markers(profile, folder, report):
    """Empties of collision shapes, attachments and emitters, where they are in the game and as large."""
    models = [SAMPLES / "knight.mdx", SAMPLES / "everything_v800.mdx", *corpus_models(6)]
    for path, entry in zip(models, profile.run({"markers": [{"in": str(path)} for path in models]})):
        report.tell(entry["apart"] < 1e-4 and (path != models[0] or entry["collections"] == ["Attachments", "Cameras", "Collision", "Emitters", "Lights"]),
                    f"{path.name}: {entry['markers']} markers of {', '.join(entry['kinds'])} within {entry['apart']:.1e} {entry['worst']}")


def check_poses(profile, folder, report):
    """Bones are where Blender had them, also where that is no key of glTF."""
    poses = ("euler", "bezier", "constraint", "travel")
    told = profile.run({"poses": [{"in": str(SAMPLES / "knight.mdx"), "pose": name, "out": str(folder / f"{name}.mdx")} for name in poses]})
    for entry in told:
        report.tell(entry["apart"] <= APART and entry["bones"] > 100,
                    f"{entry['pose']}: bones at nine frames within {entry['apart']:.1e} of their matrices")


def check_others(profile, folder, report):
    """Other formats, in and out where they go out."""
    text = folder / "text.mdl"
    thaw("convert", "-q", SAMPLES / "knight.mdx", "-o", text)
    network = str(SAMPLES / "forgelight/human.mrn")
    files = [(text, True, {}), (SAMPLES / "waystone_v3.m3", True, {}), (SAMPLES / "banner.mrf", True, {}), (SAMPLES / "house.wmo", True, {}),
             (SAMPLES / "forgelight/Human_Walk.nsa", True, {"skeleton": network}), (SAMPLES / "forgelight/human.mrn", True, {}),
             (SAMPLES / "alpha_everything_v1500.mdx", False, {}), (SAMPLES / "forgelight/Human_LOD0.dme", False, {}),
             (SAMPLES / "forgelight/Human.adr", False, {})]
    (folder / "others").mkdir()
    trips = [{"in": str(path), **words, **({"out": str(folder / "others" / path.name)} if back else {})} for path, back, words in files]
    for (path, back, _), entry in zip(files, profile.run({"trips": trips})):
        written = folder / "others" / path.name
        sound = not back or (written.exists() and thaw("validate", "-q", written).returncode in (0, 1))
        same = back and sound and written.read_bytes() == path.read_bytes()
        report.tell(not entry.get("error") and sound and entry["objects"] > 0 and one_action_each(entry) and (same or path != text),
                    f"{path.name}: {entry['objects']} objects, {entry['clips']} clips{', and out again' if back else ''}"
                    f"{', the same bytes' if same else ''}{entry.get('error', '')}")


def check_worlds(profile, folder, report):
    """A tile of a map, chosen from a list, and textures."""
    island = SAMPLES / "World/Maps/Island/Island.wdt"
    told = profile.run({"tiles": [{"in": str(island), "tile": "31,48"}]})[0]
    report.tell(told["offered"] == ["31,48", "32,48"] and "2 tiles" in told["errors"][0] and "no tile 1,1" in told["errors"][1]
                and told["size"][:2] == [533, 533], f"a tile of {told['objects']} objects, {told['size']} yards; {'; '.join(told['errors'])}")
    maps = [path for path in (CORPUS.parent / "alpha/_derived/synth.wdt", CORPUS.parent / "alpha/_derived/Azeroth.wdt") if path.exists()]
    pictures = [SAMPLES / "Textures/knight.blp", SAMPLES / "Textures/chest_normal.dds"]
    for path, entry in zip([*maps, *pictures], profile.run({"trips": [{"in": str(path)} for path in [*maps, *pictures]]})):
        good = entry.get("packed") and entry["users"] and min(entry["image"]) > 0 if path in pictures else entry["objects"] > 0
        report.tell(good and not entry.get("error"), f"{path.name}: {entry.get('image') or entry['objects']} {entry.get('error', '')}")


SLOW = """#!/bin/sh
case $1 in cancelled) exec sleep 60;; fails) echo 'x: error input.unreadable: no'; exit 3;; esac
echo '{"schema":"thaw.convert.progress/2","jobs":[{"input":"x","stage":"read","done":3,"total":4}]}'
sleep 0.4
echo "x: info $2"
"""


def check_cancelling(profile, folder, report):
    """Esc ends a run, and nothing of it stays."""
    command = folder / "slow"
    command.write_text(SLOW)
    command.chmod(0o755)
    (folder / "cancelling").mkdir()
    ends, cancelled, fails = profile.run({"cancelling": [{"command": str(command), "folder": str(folder / "cancelling")}]})
    tidy = all(one["timers"] == 0 and one["handlers"] == (one is not fails) and not one["alive"] and not one["folder"] for one in (ends, cancelled))
    report.tell(tidy and ends["states"] == ["FINISHED"] and ends["got"] == [["x: info first"], ["x: info second"]] and 75 in ends["shares"]
                and any("75%" in text and "Esc" in text for text in ends["texts"]) and ends["last"] == "[None]",
                f"a long run ends: {ends['states']}, {ends['texts']}")
    report.tell(tidy and cancelled["states"] == ["CANCELLED"] and cancelled["reports"] == ["INFO: Cancelled."] and cancelled["got"] == [],
                f"Esc cancels: {cancelled['states']}, {cancelled['reports']}")
    report.tell(fails["states"] == ["CANCELLED"] and fails["timers"] == 0 and not fails["folder"] and "ERROR: x: error" in fails["reports"][0],
                f"failures end it, too: {fails['reports']}")


CHECKS = {"worlds": check_worlds, "cancelling": check_cancelling, "edits": check_edits, "looks": check_looks, "markers": check_markers, "poses": check_poses, "others": check_others}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--only", choices=["models", *CHECKS])
    arguments = parser.parse_args()
    if shutil.which("blender") is None:
        print("skipped: no blender (scripts/setup blender)")
        return SKIP
    report = Report()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        profile = Profile(scratch / "profile")
        (scratch / "out").mkdir()
        profile.run({"install": str(package(scratch)), "command": str(THAW)})
        report.tell(any("addons" in path for path in profile.files()), "installed from the zip, in a profile of its own")
        if arguments.only in (None, "models"):
            models = corpus_models(arguments.models)
            if not models:
                print("skipped  models of the corpus")
            check_models(profile, models or [SAMPLES / "knight.mdx", SAMPLES / "chest.mdx"], scratch / "out", report)
        for name, check in CHECKS.items():
            if arguments.only in (None, name):
                check(profile, scratch / "out", report)
        missing = profile.run({"missing": str(scratch / "nothing.mdx"), "sound": str(SAMPLES / "chest.mdx")})[0]
        report.tell("no such file" in missing["error"] and "no file" in missing["no_command"] and "not on PATH" in missing["nowhere"],
                    f"errors as Blender shows them: {missing['error']}")
        report.tell(missing["beside"], "the command is found beside the extension")
        registered = profile.run({"remove": True})[0]["left"]
        left = sorted(profile.files()) + ["an operator"] * registered
        if b"thaw" in (profile.folder / "config/userpref.blend").read_bytes():
            left.append("preferences")
        report.tell(not left, f"removed without a trace{': ' + ', '.join(left) if left else ''}")
    return report.failed


if __name__ == "__main__":
    sys.exit(main())
