#!/usr/bin/env python3
"""set_every.py [--seeds N]: every value of generated files can be set, and the dump of each builds the same bytes.

Of thirteen samples, which have every version of models, files are generated one of the other: all values at once become
arbitrary ones, and in one list an item goes or comes twice. Of each file

  - `dump | build` gives the same bytes, and so does setting every value to what it is
  - every value is set to another one; the dump of the result has all of these, and nothing else is other

That happens in one patch for each file, whose values are independent. What is refused alone is what counts or leads to other
parts, and has to say so; it is left out from then on (that it takes what it has is tried all the same). One generation of
each sample by default, as many as --seeds says otherwise."""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

THAW, SAMPLES = os.environ["THAW"], Path(os.environ["THAW_SAMPLES"])
FILES = [*(f"everything_v{version}.mdx" for version in (800, 900, 1000, 1100, 1200, 1300, 1400, 1600, 1800)),
         *(f"alpha_everything_v{version}.mdx" for version in (1300, 1400, 1500)), "chest.mdx"]
# What an edit may be refused for: the file would be another one when it is read again, and the message says so.
REFUSED = "would read differently"
MOST_REFUSED = 60  # kinds of values of one format
COUNTS = {"count", "interpolation", "variant"}  # members that are, in every version
LARGEST = {"u": lambda bits: 2 ** bits - 1, "i": lambda bits: 2 ** (bits - 1) - 1}


def thaw(*words, **more):
    return subprocess.run([THAW, *map(str, words)], capture_output=True, check=False, **more)


def dump_of(file):
    done = thaw("dump", "-q", file)
    if done.returncode != 0:
        raise RuntimeError(f"dump of {file.name}: {done.stderr.decode()}")
    return done.stdout


def read(text):
    """JSON, whose -0 is no whole number to Python."""
    return json.loads(text, parse_int=lambda digits: -0.0 if digits == "-0" else int(digits))


# --- the values of a dump, by what the layout says of them

def fitting(layouts, value):
    """Of the layouts of a list's items that of this one: the same tag, and every member that it has."""
    if not isinstance(value, dict):
        return next((one for one in layouts if isinstance(one, str)), None)
    for one in layouts:
        if not isinstance(one, dict):
            continue
        tag = one.get("tag", "")
        known = tag.removeprefix("tag ") if tag.startswith("tag ") else None
        if (known is None or known == value.get("tag")) and set(value) <= set(one):
            return one
    return None


def values_of(layout, value, path=""):
    """(pointer, type, value) of everything that holds a value."""
    if isinstance(layout, str):
        yield path, layout, value
    elif isinstance(layout, list) and isinstance(value, list):
        for index, item in enumerate(value):
            own = fitting(layout, item)
            if own is not None:
                yield from values_of(own, item, f"{path}/{index}")
    elif isinstance(layout, dict) and isinstance(value, dict):
        for name, own in layout.items():
            if name in value and not name.startswith("#"):
                yield from values_of(own, value[name], f"{path}/{name}")


def kind_of(path, chunks):
    """All values of the same member of chunks of the same tag."""
    tagged = re.sub(r"^/chunks/(\d+)", lambda found: f"/{chunks[int(found[1])]['tag']}", path)
    return re.sub(r"/\d+", "/*", tagged)


def number(chance, kind):
    bits = int(kind[1:])
    if kind[0] == "f":
        return chance.choice([0, 1, -1.5, 0.25, 7.5, chance.randrange(-2000, 2000) / 8])
    least = -LARGEST["i"](bits) if kind[0] == "i" else 0
    return chance.choice([0, 1, LARGEST[kind[0]](bits), chance.randrange(least, LARGEST[kind[0]](bits))])


def another(chance, kind, now):
    """Another value of the type, or nothing for what is no value of its own."""
    if kind.startswith("text "):
        return f"Name {chance.randrange(1000)}" if isinstance(now, str) else None
    found = re.fullmatch(r"(rows )?([uif]\d+)(x\d+)?(\[\])?", kind)
    if found is None:
        return None
    if found[1]:  # a frame, then numbers
        return [[number(chance, "i32"), *varied(chance, found[2], row[1:])] for row in now]
    return varied(chance, found[2], now)


def varied(chance, kind, now):
    if isinstance(now, list):
        return [varied(chance, kind, one) for one in now]
    new = number(chance, kind)
    return new if new != now else number(chance, kind)


def numbers_in(value):
    return sum(map(numbers_in, value)) if isinstance(value, list) else 1


# --- what is tried

class Model:
    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.file = folder / name
        self.file.write_bytes((SAMPLES / name).read_bytes())
        self.chunks, self.refused, self.failures, self.count = [], {}, [], 0

    def fail(self, what):
        self.failures.append(f"{self.name}: {what}")

    def patched(self, edits, out):
        patch = self.folder / "patch.json"
        patch.write_text(json.dumps([{"op": "replace", "path": path, "value": value} for path, value in edits]))
        return thaw("set", self.file, "--patch", patch, "-o", out, "-f", "-q")

    def comes_back(self, text):
        built = self.folder / "built"
        done = thaw("build", "-", "-o", built, "-f", "-q", input=text)
        if done.returncode != 0 or built.read_bytes() != self.file.read_bytes():
            self.fail(f"dump and build give another file {done.stderr.decode().strip()}")

    def set_to_itself(self, values):
        out = self.folder / "same"
        done = self.patched([(path, value) for path, _, value in values], out)
        if done.returncode != 0 or out.read_bytes() != self.file.read_bytes():
            self.fail(f"setting everything to what it is gives another file {done.stderr.decode().strip()}")

    def set_all(self, edits, out):
        """Sets what can be set; gives what was set."""
        while edits:
            edits = [(path, value) for path, value in edits
                     if kind_of(path, self.chunks) not in self.refused and path.rpartition("/")[2] not in COUNTS]
            done = self.patched(edits, out)
            if done.returncode == 0:
                return edits
            found = self.alone_refused(edits)
            if found is None or len(self.refused) >= MOST_REFUSED:
                self.fail(f"refused: {done.stderr.decode().strip()}")
                return []
        return []

    def alone_refused(self, edits):
        """Halves until one edit is left that is refused, and remembers its kind."""
        out = self.folder / "tried"
        while len(edits) > 1:
            half = edits[:len(edits) // 2]
            edits = half if self.patched(half, out).returncode != 0 else edits[len(edits) // 2:]
        done = self.patched(edits, out)
        told = done.stderr.decode()
        if done.returncode == 0:
            return None
        if REFUSED not in told:
            self.fail(f"{edits[0][0]} = {edits[0][1]}: {told.strip()}")
        self.refused[kind_of(edits[0][0], self.chunks)] = told.strip()
        return edits[0]

    def generation(self, seed):
        chance = random.Random(f"{self.name} {seed}")
        text = dump_of(self.file)
        told = read(text)
        self.chunks = told["chunks"]
        layout = told["$layout"]["document"]
        values = list(values_of(layout, told))
        self.comes_back(text)
        self.set_to_itself(values)
        edits = [(path, another(chance, kind, now)) for path, kind, now in values]
        out = self.folder / "next"
        done = self.set_all([(path, value) for path, value in edits if value is not None], out)
        if not done:
            return
        self.count += sum(numbers_in(value) for _, value in done)
        now = {path: value for path, _, value in values_of(layout, read(dump_of(out)))}
        want = {path: value for path, _, value in values} | dict(done)
        others = [path for path in {*now, *want} if now.get(path) != want.get(path)]
        if others:
            self.fail(f"{len(others)} values are not what was set, {others[0]} is {now.get(others[0])!r:.60}, not "
                      f"{want.get(others[0])!r:.60}")
        out.replace(self.file)
        self.change_a_list(chance, told)

    def change_a_list(self, chance, told):
        """One of the lists of objects has an item less or twice."""
        lists = [path for path in lists_of(told["chunks"], "/chunks")]
        if not lists:
            return
        path, length = chance.choice(lists)
        item = f"{path}/{chance.randrange(length)}"
        edit = chance.choice([{"op": "remove", "path": item}, {"op": "copy", "from": item, "path": item}])
        patch, out = self.folder / "patch.json", self.folder / "next"
        patch.write_text(json.dumps([edit]))
        if thaw("set", self.file, "--patch", patch, "-o", out, "-f", "-q").returncode == 0:
            out.replace(self.file)


def lists_of(value, path):
    if isinstance(value, list):
        if path != "/chunks" and value and isinstance(value[0], dict):
            yield path, len(value)
        for index, item in enumerate(value):
            yield from lists_of(item, f"{path}/{index}")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from lists_of(item, f"{path}/{name}")


def run(name, seeds, scratch):
    folder = Path(scratch) / name
    folder.mkdir()
    model = Model(name, folder)
    for seed in range(seeds):
        model.generation(seed)
        if model.failures:
            model.failures[-1] += f" (seed {seed})"
            break
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--refused", action="store_true", help="tell what was refused")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        models = list(pool.map(lambda name: run(name, given.seeds, scratch), FILES))
    for model in models:
        for failure in model.failures:
            print(f"FAILED: {failure}", file=sys.stderr)
        if given.refused:
            print(f"{model.name}: {model.count} values", *(f"\n  {kind}: {told}" for kind, told in model.refused.items()))
    count = sum(model.count for model in models)
    if count < 500 * len(models) * given.seeds:
        print(f"FAILED: only {count} values were set", file=sys.stderr)
    print(f"{len(models)} files, {given.seeds} generations, {count} values set, "
          f"{sum(len(model.refused) for model in models)} kinds refused")
    return 1 if any(model.failures for model in models) or count < 500 * len(models) * given.seeds else 0


sys.exit(main())
