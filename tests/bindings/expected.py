"""What the ten jobs of tests/capi/jobs.c give, by the command."""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

THAW = os.environ["THAW"]
SAMPLES = Path(os.environ["THAW_SAMPLES"])
SEVERITIES = ("info", "unused", "warning", "severe", "error")


def thaw(*arguments, codes=(0,), folder=None):
    done = subprocess.run([THAW, *map(str, arguments)], capture_output=True, cwd=folder, check=False)
    assert done.returncode in codes, (arguments, done.returncode, done.stderr)
    return done.stdout


def place(finding):
    offset = "-" if finding["offset"] is None else finding["offset"]
    return f"{finding['code']} {SEVERITIES.index(finding['severity'])} [{finding['path']}] {offset}\n"


def archive(folder: Path) -> Path:
    """A model with its textures as an archive."""
    content = folder / "content"
    (content / "units").mkdir(parents=True)
    shutil.copy(SAMPLES / "knight.mdx", content / "units")
    shutil.copytree(SAMPLES / "Textures", content / "Textures")
    shutil.copytree(SAMPLES / "ReplaceableTextures", content / "ReplaceableTextures")
    thaw("pack", content, "-q", "-o", folder / "game.mpq")
    return folder / "game.mpq"


def make(out: Path, packed: Path) -> None:
    """Every file of the jobs, in `out`."""
    knight, everything = SAMPLES / "knight.mdx", SAMPLES / "everything_v800.mdx"
    told = json.loads(thaw("info", "--json", knight))
    head = ("schema", "tool", "version", "input", "ok", "format", "dialect", "format_version", "diagnostics", "size", "archive")
    facts = {name: value for name, value in told.items() if name not in head}
    for texture in facts["textures"]:
        del texture["found"], texture["where"]
    (out / "facts.json").write_text(json.dumps(facts))
    chunks = json.loads(thaw("dump", knight))["chunks"]
    clips = next(chunk["items"] for chunk in chunks if chunk["tag"] == "SEQS")
    (out / "fields.txt").write_text("".join(f"{clip['name']} {clip['start']} {clip['end']}\n" for clip in clips))
    thaw("set", knight, "SEQS[0].name=Stand Ready", "-o", out / "set.mdx")
    found = json.loads(thaw("validate", "--json", everything, codes=(0, 1)))["findings"]
    (out / "validate.txt").write_text("".join(map(place, found)))
    fixed = json.loads(thaw("validate", "--json", "--fix", everything, "-o", out / "fixed.mdx", codes=(0, 1)))["fixed"]
    (out / "fixes.txt").write_text("".join(f"{one['code']} [{one['path']}]\n" for one in fixed))
    thaw("convert", knight, "--team-color", "3", "--scale", "0.02", "-o", out / "knight.glb")
    thaw("render", knight, "--size", "96x64", "--clip", "Walk", "--time", "50%", "-o", out / "knight.png")
    for name, stem in (("knight.mdx", "knight"), ("chest.mdx", "chest"), ("house.wmo", "house"), ("waystone_v3.m3", "waystone")):
        thaw("convert", SAMPLES / name, "-o", out / f"batch-{stem}.glb")
    (out / "cancel.txt").write_text("limit.stopped\n")
    data = knight.read_bytes()
    (out / "half.mdx").write_bytes(data[: len(data) // 2])
    text = "".join(map(place, json.loads(thaw("info", "--json", out / "half.mdx"))["diagnostics"]))
    strict = json.loads(thaw("info", "--json", "--strict", out / "half.mdx", codes=(3,)))["diagnostics"][-1]
    (out / "damaged.txt").write_text(f"{text}strict: {strict['code']} {strict['offset']}\n")
    (out / "half.mdx").unlink()
    thaw("convert", f"{packed}//units/knight.mdx", "-o", out / "archive.glb")


def differences(expected: Path, made: Path) -> list:
    """What is not the same, to the byte; of JSON, not the same value."""
    names = {path.name for path in expected.iterdir()} | {path.name for path in made.iterdir()}
    found = []
    for name in sorted(names):
        if not (expected / name).exists() or not (made / name).exists():
            found.append(f"{name} is in one folder only")
            continue
        left, right = ((folder / name).read_bytes() for folder in (expected, made))
        same = json.loads(left) == json.loads(right) if name.endswith(".json") else left == right
        if not same:
            found.append(f"{name} differs")
    return found


def reading(scratch: Path, language: str, command: list, most: float) -> None:
    """How long a program takes for reading all real models, compared with one in C."""
    corpus = Path(os.environ.get("THAW_CORPUS", ""))
    models = sorted(path for path in corpus.rglob("*") if path.suffix.lower() == ".mdx") if corpus.is_dir() else []
    if not models:
        print(f"skipped  the time of reading in {language}: there are no real models")
        return
    root = Path(os.environ["THAW_ROOT"])
    library = Path(os.environ["THAW_BUILD"]) / "src/libthaw.so"
    (scratch / "list").write_text("".join(f"{path}\n" for path in models))
    subprocess.run(["cc", "-O2", f"-I{root / 'include'}", root / "tests/bindings/read.c", "-o", scratch / "read", library,
                    f"-Wl,-rpath,{library.parent}"], check=True)
    times = [float(subprocess.run([*map(str, one), str(scratch / "list")], check=True, capture_output=True, text=True).stdout)
             for one in ([scratch / "read"], command)]
    size, ratio = sum(path.stat().st_size for path in models) / 1e6, times[1] / times[0]
    verdict = "ok      " if ratio <= most else "FAILED  "
    print(f"{verdict} {len(models)} models of {size:.0f} MB are read in {times[1]} ms ({language}), in C {times[0]} ms: {ratio:.2f} times")
    if ratio > most:
        sys.exit(1)
