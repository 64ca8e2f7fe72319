"""JSON schemas of dumps (`scripts/generate schemas`): made of the dumps of all samples, each takes those dumps, value by
value, and refuses what is none."""
import copy
import importlib.machinery
import importlib.util
import json
import os
import sys
import tempfile
from pathlib import Path

from check_schema import Schema

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("document_schemas_script", "scripts/document-schemas")
script = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(script)

failures = 0


def check(good: bool, text: str) -> None:
    global failures
    if not good:
        failures += 1
        print(f"FAILED: {text}", file=sys.stderr)


def errors(folder: Path, document) -> list:
    path = folder / f"{document['$layout']['format']}.json"
    schema = Schema(path)
    return list(schema.errors(document, schema.root, "$"))


def main() -> int:
    seen, layouts = {}, []
    samples = Path(os.environ["THAW_SAMPLES"])
    folder = tempfile.TemporaryDirectory()
    made = script.more_samples(os.environ["THAW"], samples, Path(folder.name))
    files = [path for path in samples.rglob("*") if path.is_file()] + made
    checked = []
    for path, document in script.dumps(os.environ["THAW"], sorted(files, key=lambda one: (one.stat().st_size, one.name))):
        layouts.append(document["$layout"])
        # Of a format's large documents the smallest is enough.
        if len(json.dumps(document)) < 1_000_000 or document["$layout"]["format"] not in seen:
            seen.setdefault(document["$layout"]["format"], document)
            checked.append((path, document))
    target = Path(folder.name) / "documents"
    script.write(script.schemas(layouts), target)
    for path, document in checked:
        found = errors(target, document)
        check(not found, f"{path.name}: {found[:2]}")
    check(len(seen) >= 20, f"only {len(seen)} formats")
    knight = seen["mdx"]
    for change, word in ((lambda one: one["chunks"][0].update(version=-1), "a negative version"),
                         (lambda one: one["chunks"][0].update(edition=1), "a member that is not known"),
                         (lambda one: one["chunks"][0].pop("version"), "a member that is missing"),
                         (lambda one: one.pop("$layout"), "no layout")):
        wrong = copy.deepcopy(knight)
        change(wrong)
        schema = Schema(target / "mdx.json")
        found = list(schema.errors(wrong, schema.root, "$"))
        check(bool(found), f"{word} is not refused")
    folder.cleanup()
    print(f"{len(seen)} formats")
    return 1 if failures else 0


sys.exit(main())
