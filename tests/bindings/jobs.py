"""jobs.py SAMPLES ARCHIVE OUT: the ten jobs of tests/capi/jobs.c with the Python package."""
import json
import sys
from pathlib import Path

import thaw

SAMPLES, ARCHIVE, OUT = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])


def place(finding):
    offset = "-" if finding.offset is None else finding.offset
    return f"{finding.code} {('info', 'unused', 'warning', 'severe', 'error').index(finding.severity)} [{finding.path}] {offset}\n"


def facts():
    (OUT / "facts.json").write_text(json.dumps(thaw.open(SAMPLES / "knight.mdx").facts))


def fields():
    model = thaw.open(SAMPLES / "knight.mdx")
    (OUT / "fields.txt").write_text("".join(f"{clip.name} {clip.start} {clip.end}\n" for clip in model.sequences))


def set_and_save():
    model = thaw.open(SAMPLES / "knight.mdx")
    model.sequences[0].name = "Stand Ready"
    model.save(OUT / "set.mdx")


def validate_and_fix():
    model = thaw.open(SAMPLES / "everything_v800.mdx")
    (OUT / "validate.txt").write_text("".join(map(place, model.findings + model.validate())))
    (OUT / "fixes.txt").write_text("".join(f"{one.code} [{one.path}]\n" for one in model.fix()))
    model.save(OUT / "fixed.mdx")


def glb():
    thaw.open(SAMPLES / "knight.mdx").convert(OUT / "knight.glb", team_color=3, scale=0.02)


def picture():
    thaw.open(SAMPLES / "knight.mdx").render(size="96x64", clip="Walk", time="50%").save(OUT / "knight.png")


def batch():
    steps = []
    control = thaw.Control(lambda stage, done, total: steps.append(stage))
    for name in ("knight.mdx", "chest.mdx", "house.wmo", "waystone_v3.m3"):
        stem = name.split(".")[0].replace("_v3", "")
        with thaw.open(SAMPLES / name, control=control) as model:
            model.convert(OUT / f"batch-{stem}.glb", control=control)
    assert len(steps) > 3, steps


def cancel():
    control = thaw.Control(lambda *_: control.stop())
    try:
        thaw.open(SAMPLES / "knight.mdx").convert("glb", control=control)
    except thaw.Stopped as error:
        (OUT / "cancel.txt").write_text(error.code + "\n")


def damaged():
    data = (SAMPLES / "knight.mdx").read_bytes()
    half = data[: len(data) // 2]
    text = "".join(map(place, thaw.open(half, "half.mdx").findings))
    try:
        thaw.open(half, "half.mdx", strict=True)
    except thaw.Error as error:
        text += f"strict: {error.code} {error.offset}\n"
    (OUT / "damaged.txt").write_text(text)


def from_archive():
    with thaw.Archive(ARCHIVE) as archive:
        archive.open("units/knight.mdx").convert(OUT / "archive.glb")


for job in (facts, fields, set_and_save, validate_and_fix, glb, picture, batch, cancel, damaged, from_archive):
    job()
