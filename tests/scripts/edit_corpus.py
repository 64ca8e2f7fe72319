#!/usr/bin/env python3
"""edit_corpus.py [--models N] [--keep DIR]

Every verb of edits on real models: what `diff` tells is what was asked for, `validate` finds no more of errors and
severe things, and pictures are the same where nothing that is seen was asked for. Then portraits, disabled icons, --fix,
and models of HD for the classic game in one command each. Prints a table; exit code 1 where something is wrong, 77
without models.
"""

import argparse
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import pictures  # noqa: E402

THAW = os.environ["THAW"]
CORPUS = pathlib.Path(os.environ["THAW_CORPUS"]) / "wc3"
SIZE = "96"
ALIKE = 0.98  # of pictures that rounding and smoothing may change

# What a change of places may change: never names, materials, faces, bones, times.
PLACES = (r"payload|extent|Extents|positions|normals|points|poses|tracks|velocity|speed|Speed|gravity|variation|latitude|longitude|"
          r"segment|scaling|Scaling|length|width|height|tail|lifeSpan|target|Clip|vertices|radius|Radius|attenuation|position")
NODES = r"[oO]bjectId|parentId|PIVT|BPOS|matrixIndices|skin|attachmentId"


class Verb:
    def __init__(self, name, words, changes, camera=None, alike=None):
        self.name, self.words, self.changes = name, words, changes
        self.camera = camera  # of the picture afterwards, where the picture is compared
        self.alike = alike  # at least; None: no picture is compared


VERBS = [
    Verb("scale", ["--scale", "2"], PLACES, "0,20", ALIKE),
    Verb("rotate", ["--rotate", "90"], PLACES + "|keys", "90,20", ALIKE),
    Verb("move", ["--move", "64,-32,16"], PLACES, "0,20", ALIKE),
    Verb("rename", ["--rename-sequence", "CLIP=CLIP Again"], r"^SEQS\[\d+\]\.name", "0,20", 1),
    Verb("repath", ["--repath", "*=Elsewhere\\*"], r"^(TEXS|ATCH|PREM|FAFX|CORN|MODL).*([pP]ath|FileName)", "0,20", 1),
    Verb("remove", ["--remove", "emitter", "--remove", "ribbon"],
         r"^(PRE2|PREM|RIBB|CORN|MTLS|TEXS|TXAN|GLBS|chunks)|globalSequence|aterialId|extureId|" + NODES, "0,20", ALIKE),
    Verb("copy-clips", ["--copy-clips", "MODEL:CLIP"], r"^SEQS|sequenceExtents|keys|frames|count", "0,20", 1),
    Verb("add-attachment", ["--add-attachment", "Extra Ref:0,0,50"], r"^(ATCH|chunks)|" + NODES, "0,20", 1),
    Verb("attach", ["--attach", "OTHER@NODE"],
         r"^(GEOS|GEOA|MTLS|TEXS|TXAN|GLBS|BONE|HELP|ATCH|PRE2|PREM|RIBB|LITE|EVTS|CLID|CAMS|PIVT|chunks|MODL)"),
    Verb("team-color-layer", ["--team-color-layer", "0"], r"^(MTLS|TEXS)"),
    Verb("optimize", ["--optimize"], r".", "0,20", ALIKE),
]


def run(*words):
    return subprocess.run([THAW, *map(str, words)], capture_output=True, text=True)


def told(*words):
    """What --json tells of one file."""
    done = run(*words, "--json")
    return json.loads(done.stdout.splitlines()[0]) if done.stdout else {}


def grave(model):
    """How many errors and severe things `validate` finds."""
    counts = told("validate", "--ignore", "mdx.sequence-name-unknown", model).get("counts", {})
    return counts.get("error", 0) + counts.get("severe", 0)


def picture(model, camera, folder, name, clip="0", time="40%"):
    path = folder / f"{name}.png"
    done = run("render", model, "-q", "-f", "-s", SIZE, "--clip", clip, "--time", time, "--camera", camera, "--no-emitters", "-o",
               path)
    return path if done.returncode == 0 else None


def both(model, camera, clips, folder, name):
    """In its Stand and at rest. Where the camera of a clip stands depends on boxes along the axes and on loops that are
    there; at rest billboards do not turn by keys. What is seen is the same if one of the two pictures is."""
    return (picture(model, camera, folder, name, str(stand(clips))), picture(model, camera, folder, f"{name}-rest", "none", "0"))


def alike(ones, others):
    return max(map(one_alike, ones, others))


def one_alike(one, other):
    if one is None or other is None:
        return 0
    if one.read_bytes() == other.read_bytes():
        return 1
    return pictures.similarity(pictures.read_png(one), pictures.read_png(other))


def changed(before, after):
    """Paths that `diff` tells."""
    out = run("diff", before, after, "--limit", "1000000").stdout
    return [line.split(": ", 1)[0] for line in out.splitlines() if ": " in line]


class Report:
    def __init__(self):
        self.failures = 0

    def wrong(self, text):
        self.failures += 1
        print(f"WRONG {text}")


def stand(clips):
    """The clip of which things that are no movement are taken for others."""
    return next((number for number, name in enumerate(clips) if name.lower().startswith("stand")), None)


def suitable(path):
    """Names of the clips of a classic model with a Stand and geosets, undamaged and not too large; else None."""
    if not 8000 < path.stat().st_size < 300000:
        return None
    info = told("info", path)
    clips = [clip["name"] for clip in info.get("clips", [])]
    sound = info.get("format_version") == 800 and not info.get("diagnostics") and len(clips) > 1 and len(set(clips)) == len(clips)
    return clips if sound and stand(clips) is not None and info.get("counts", {}).get("geoset", 0) > 0 else None


def models(wanted):
    every = sorted(CORPUS.rglob("*.[mM][dD][xX]"))
    step = max(1, len(every) // (wanted * 3))
    found = []
    for path in every[::step]:
        if len(found) == wanted:
            break
        clips = suitable(path)
        if clips:
            found.append((path, clips))
    return found


def first_node(model):
    names = [node for node in re.findall(r'"name": "([^"@]+)"', run("dump", model).stdout.split('"BONE"', 1)[-1])]
    return names[0] if names else None


def try_verbs(chosen, folder, report):
    worst = {verb.name: 1.0 for verb in VERBS}
    told_changes = dict.fromkeys(worst, 0)
    for number, (path, clips) in enumerate(chosen):
        other = chosen[(number + 1) % len(chosen)][0]
        # A copy by itself: no textures of the model are found, before or afterwards.
        model = folder / f"{number}.mdx"
        model.write_bytes(path.read_bytes())
        node = first_node(model)
        before = both(model, "0,20", clips, folder, f"{number}-before")
        for verb in VERBS:
            made = folder / f"{number}-{verb.name}.mdx"
            words = [word.replace("CLIP", clips[stand(clips)]).replace("MODEL", str(model)).replace("OTHER", str(other)).replace("NODE", node or "")
                     for word in verb.words]
            about = f"{path.relative_to(CORPUS)}: {verb.name}"
            done = run("edit", model, *words, "-f", "-o", made)
            if done.returncode != 0:
                report.wrong(f"{about}: exit {done.returncode}: {done.stderr.strip()[:200]}")
                continue
            paths = changed(model, made)
            told_changes[verb.name] += len(paths)
            strange = [at for at in paths if not re.search(verb.changes, at)]
            if strange:
                report.wrong(f"{about}: changed {strange[:3]}")
            if not paths and "edit.nothing" not in done.stderr and verb.name != "optimize":
                report.wrong(f"{about}: nothing changed, and nothing was told")
            if grave(made) > grave(model):
                report.wrong(f"{about}: validate finds {grave(made)} grave things in place of {grave(model)}")
            if verb.alike is not None:
                same = alike(before, both(made, verb.camera, clips, folder, f"{number}-{verb.name}"))
                worst[verb.name] = min(worst[verb.name], same)
                if same < verb.alike:
                    report.wrong(f"{about}: pictures are {same:.4f} alike")
    for verb in VERBS:
        seen = f"pictures at least {worst[verb.name]:.4f} alike" if verb.alike is not None else ""
        print(f"{verb.name:18} {told_changes[verb.name]:8} differences {seen}")


def try_copied(chosen, folder, report):
    """The copy of a clip looks as the clip does."""
    for number, (path, clips) in enumerate(chosen):
        made = folder / f"{number}-copy-clips.mdx"
        pair = [picture(made, "0,20", folder, f"{number}-{name}", str(clip))
                for name, clip in (("original", stand(clips)), ("copy", len(clips)))]
        if one_alike(*pair) < ALIKE:
            report.wrong(f"{path.relative_to(CORPUS)}: the copied clip is {one_alike(*pair):.4f} alike")


def try_fixes(chosen, folder, report):
    for option in ("--fix", "--fix=all"):
        worst, before, after = 1.0, 0, 0
        for number, (path, clips) in enumerate(chosen):
            model, made = folder / f"{number}.mdx", folder / f"{number}-fixed.mdx"
            run("validate", "-q", option, model, "-f", "-o", made)
            same = alike(*(both(one, "0,20", clips, folder, one.stem) for one in (model, made)))
            was, now = grave(model), grave(made)
            before, after, worst = before + was, after + now, min(worst, same)
            if now > was or same < ALIKE:
                report.wrong(f"{path.relative_to(CORPUS)}: {option}: {was} grave things become {now}, pictures {same:.4f} alike")
        print(f"{option:18} {before} grave things become {after}, pictures at least {worst:.4f} alike")


def try_portraits(chosen, folder, report):
    for number, (path, _) in enumerate(chosen):
        made = folder / f"{number}_portrait.mdx"
        done = run("portrait", folder / f"{number}.mdx", "-f", "-o", made)
        info = told("info", made) if done.returncode == 0 else {}
        clips = [clip["name"] for clip in info.get("clips", [])]
        if not clips or not all(name.lower().startswith("portrait") for name in clips) or not info.get("counts", {}).get("camera"):
            report.wrong(f"{path.relative_to(CORPUS)}: portrait: exit {done.returncode}, clips {clips[:3]}, {done.stderr.strip()[:200]}")
        elif picture(made, "portrait", folder, f"{number}-portrait") is None:
            report.wrong(f"{path.relative_to(CORPUS)}: the portrait has no picture")
    print(f"portrait           {len(chosen)} models")


def try_icons(count, folder, report):
    icons = sorted(path for path in CORPUS.rglob("*") if re.fullmatch(r"btn.*\.blp", path.name, re.I))[:count]
    for icon in icons:
        made = folder / f"DIS{icon.name}"
        done = run("convert", icon, "--disabled", "-f", "-o", made)
        sizes = [told("info", path).get("picture", {}).get("width") for path in (icon, made)] if done.returncode == 0 else [0]
        darker = done.returncode == 0 and brightness(made, folder) < brightness(icon, folder)
        if done.returncode != 0 or sizes[0] != sizes[-1] or not darker:
            report.wrong(f"{icon.relative_to(CORPUS)}: --disabled: exit {done.returncode}, {done.stderr.strip()[:200]}")
    print(f"DISBTN             {len(icons)} icons")


def brightness(image, folder):
    made = folder / "icon.png"
    run("convert", image, "-q", "-f", "-o", made)
    _, _, values = pictures.read_png(made)
    return sum(values) / len(values)


def version_of(path):
    head = path.read_bytes()[:64]
    at = head.find(b"VERS")
    return struct.unpack_from("<I", head, at + 8)[0] if 0 <= at <= 52 else 0


def try_classic(wanted, folder, report):
    """Models of HD in one command each."""
    chosen = [path for path in sorted(CORPUS.rglob("*.[mM][dD][xX]")) if version_of(path) >= 900 and b"HD" in path.read_bytes()]
    chosen = chosen[::max(1, len(chosen) // wanted)][:wanted]
    unused = "mdx.texture-unused,mdx.material-unused,mdx.texture-animation-unused,mdx.global-sequence-unused"
    similar = []
    for number, path in enumerate(chosen):
        made = folder / f"classic{number}" / f"{path.stem}.mdx"
        made.parent.mkdir(exist_ok=True)
        done = run("convert", path, "--format-version", "800", "--with-textures", "-f", "-o", made)
        about = str(path.relative_to(CORPUS))
        if done.returncode != 0:
            report.wrong(f"{about}: exit {done.returncode}: {done.stderr.strip()[:200]}")
            continue
        left = told("validate", "--only", unused, made).get("findings", [])
        if left:
            report.wrong(f"{about}: unused: {[finding['path'] for finding in left][:3]}")
        textures = [line for line in done.stderr.splitlines() if "convert.texture" in line and "not found in any source" not in line]
        if textures:
            report.wrong(f"{about}: {textures[0]}")
        # Sources are the same: the pictures that are not there are the same placeholder.
        pair = [picture(model, "0,20", folder, f"classic{number}-{name}", "0", "0") for name, model in (("hd", path), ("sd", made))]
        similar.append((one_alike(*pair), path.stem))
    similar.sort()
    if similar:
        middle = similar[len(similar) // 2][0]
        print(f"HD to 800          {len(similar)} models, pictures {similar[0][0]:.3f} ({similar[0][1]}) to {similar[-1][0]:.3f} alike, "
              f"the one in the middle {middle:.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--classic", type=int, default=20)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    if not CORPUS.is_dir():
        print(f"skipped: no corpus at {CORPUS} (set THAW_CORPUS to a directory of game files)")
        return 77
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.keep or pathlib.Path(name)
        folder.mkdir(exist_ok=True)
        chosen = models(arguments.models)
        try_verbs(chosen, folder, report)
        try_copied(chosen, folder, report)
        try_fixes(chosen, folder, report)
        try_portraits(chosen, folder, report)
        try_icons(arguments.models, folder, report)
        try_classic(arguments.classic, folder, report)
        if len(chosen) < arguments.models:
            report.wrong(f"{len(chosen)} models are suitable")
    return 1 if report.failures else 0


sys.exit(main())
