"""The dump of every sample against the schema of its format, as docs/schema/documents has it; and what a schema refuses."""
import copy
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from check_schema import Schema

sys.path.insert(0, "tools")
from more_samples import more_samples  # noqa: E402

FOLDER = Path("docs/schema/documents")
failures = 0


def check(good: bool, text: str) -> None:
    global failures
    if not good:
        failures += 1
        print(f"FAILED: {text}", file=sys.stderr)


def dump(path: Path):
    done = subprocess.run([os.environ["THAW"], "dump", "-q", str(path)], capture_output=True, check=False)
    return json.loads(done.stdout) if done.stdout.strip() else None


def errors(document) -> list:
    path = FOLDER / f"{document['$layout']['format']}.json"
    return list(Schema(path).errors(document, json.loads(path.read_text()), "$")) if path.exists() else [f"there is no {path}"]


def main() -> int:
    seen = {}
    samples = Path(os.environ["THAW_SAMPLES"])
    folder = tempfile.TemporaryDirectory()
    made = more_samples(os.environ["THAW"], samples, Path(folder.name))
    files = [path for path in samples.rglob("*") if path.is_file()] + made
    for path in sorted(files, key=lambda one: (one.stat().st_size, one.name)):
        document = dump(path)
        # Of a format's large documents the smallest is enough.
        if document and (len(json.dumps(document)) < 1_000_000 or document["$layout"]["format"] not in seen):
            seen.setdefault(document["$layout"]["format"], document)
            found = errors(document)
            check(not found, f"{path.name}: {found[:2]}")
    stale = {path.stem for path in FOLDER.glob("*.json")} - set(seen)
    check(not stale, f"schemas of no sample: {stale}; scripts/regenerate document-schemas")
    check(len(seen) >= 15, f"only {len(seen)} formats")
    knight = seen["mdx"]
    for change, word in ((lambda one: one["chunks"][0].update(version=-1), "a negative version"),
                         (lambda one: one["chunks"][0].update(edition=1), "a member that is not known"),
                         (lambda one: one["chunks"][0].pop("version"), "a member that is missing"),
                         (lambda one: one.pop("$layout"), "no layout")):
        wrong = copy.deepcopy(knight)
        change(wrong)
        layout = wrong.setdefault("$layout", knight["$layout"]) if word != "no layout" else None
        found = errors(wrong) if layout else list(Schema(FOLDER / "mdx.json").errors(wrong, json.loads((FOLDER / "mdx.json").read_text()), "$"))
        check(bool(found), f"{word} is not refused")
    folder.cleanup()
    print(f"{len(seen)} formats")
    return 1 if failures else 0


sys.exit(main())
