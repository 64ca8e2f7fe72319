#!/usr/bin/env python3
"""The patterns of `scripts/generate layouts` against thaw itself, over all samples and what there is of the corpus.

Every value that `thaw dump` tells must be in the pattern's tree under the same names, every place that `thaw tree`
tells must be one of the pattern's, and the pattern must cover the file to its last byte but for the bytes that thaw
itself does not explain. The page of the format has every name that `thaw dump` tells, too.

Usage: patterns.py [-v] [FILE...]"""

import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import hexpat  # noqa: E402
import patterns_made  # noqa: E402

ROOT = Path(os.environ.get("THAW_ROOT", Path(__file__).resolve().parents[2]))
THAW = os.environ.get("THAW", "thaw")
DERIVED = {"tag", "magic", "size", "count", "inclusiveSize", "length", "statedSize"}
UNPLACED = {"gaps", "fill"}
# Of filling and of what is left over, which pages tell of once for all.
UNTOLD = UNPLACED | {"byte", "padding", "remainder", "statedSize"}
PER_FORMAT = int(os.environ.get("THAW_PATTERN_FILES", "12"))
LARGEST = 4 << 20


def is_unplaced(node):
    """Bytes between the parts, which a pattern leaves alone."""
    return node["name"] in UNPLACED or (node["name"] == "padding" and node["size"] == 0)


class Mismatch(Exception):
    pass


def thaw(*args):
    run = subprocess.run([THAW, *map(str, args)], capture_output=True, check=False)
    if run.returncode not in (0, 1):
        return None
    return run.stdout


class Pairs(list):
    """A JSON object whose names may occur more than once."""


def members(node):
    """The children as they are shown: what is inline stands for its own."""
    for child in node.children:
        if child.inline:
            yield from members(child)
        else:
            yield child


def scalars(value):
    """All in it, one behind the other."""
    if isinstance(value, Pairs):
        value = [item for _, item in value]
    elif not isinstance(value, list):
        return [value]
    if not any(isinstance(item, list) for item in value):
        return value
    return [one for item in value for one in scalars(item)]


def node_scalars(node):
    if node.flat is not None:
        yield from node.flat
    elif isinstance(node.value, bytes):
        yield from node.value
    elif node.value is not None:
        yield node.value
    else:
        for child in node.children:
            yield from node_scalars(child)


def same_number(told, found):
    if isinstance(told, str):
        if not isinstance(found, float):
            return False
        if told in ("inf", "-inf"):
            return found == float(told)
        return told.startswith("nan") and found != found
    if isinstance(found, float):
        if found == told:
            return True
        try:
            return struct.pack("<f", told) == struct.pack("<f", found)
        except OverflowError:
            return False
    return int(told) == int(found)


def packed10(row):
    """The bits of a U10N: three parts of ten bits, and two bits where they are not 0."""
    bits = [round(part * 1023) for part in row[:3]] + list(row[3:])
    return sum(part << 10 * i for i, part in enumerate(bits))


def as_held(told, found):
    """Numbers that a pattern shows as their bits, in its terms or in thaw's: U10N, then halves."""
    if len(told) == len(found) and all(isinstance(row, list) and len(row) in (3, 4) for row in told):
        return [packed10(row) for row in told], found
    flat = list(scalars(told))
    halves = all(isinstance(item, int) and 0 <= item < 65536 for item in found) and len(flat) == len(found)
    if halves and any(not same_number(a, b) for a, b in zip(flat, found)):
        return flat, [struct.unpack("<e", struct.pack("<H", item))[0] for item in found]
    return flat, found


class Comparison:
    def __init__(self, data):
        self.data = data
        self.values = 0

    def fail(self, path, what):
        raise Mismatch(f"{path or 'file'}: {what}")

    def any(self, told, node, path):
        if isinstance(told, Pairs):
            names = [name for name, _ in told]
            if names == ["raw"] or names == ["text", "raw"]:
                self.raw(dict(told)["raw"], node, path)
            else:
                self.object(told, node, path)
        elif isinstance(told, list):
            self.list(told, node, path)
        elif isinstance(told, str) and isinstance(node.value, bytes):
            content = node.value.split(b"\0")[0]
            if content != told.encode("utf-8"):
                if node.name != "tag" or content[::-1] != told.encode("utf-8"):
                    self.fail(path, f"thaw tells {told!r}, the pattern {node.value!r}")
            self.values += 1
        elif node.is_array and node.flat and node.at_end == 1 and set(node.flat) == {told}:
            self.values += 1  # a run of filling, told once
        else:
            self.numbers([told], node, path)

    def raw(self, told, node, path):
        if bytes.fromhex(told) != self.data[node.offset:node.offset + node.size]:
            self.fail(path, "other bytes than thaw tells")
        self.values += 1

    def object(self, told, node, path):
        children = list(members(node))
        at = 0
        for name, value in told:
            where = f"{path}.{name}" if path else name
            member = "size" if name == "statedSize" else name
            # Of bytes that may be text a pattern does not look which they are.
            same = {member, "strings"} if member == "bytes" else {member}
            found = next((i for i in range(at, len(children)) if children[i].shown in same), None)
            if found is None:
                zeros = name == "padding" and isinstance(value, list) and all(
                    isinstance(item, Pairs) and [key for key, _ in item] == ["zeros"] for item in value)
                if name in UNPLACED or zeros or value in ([], Pairs()) or name == "repeated" or name == "index":
                    continue
                self.fail(where, f"the pattern has none behind {[c.shown for c in children[max(0, at - 1):at + 3]]}")
            self.passed_over(children[at:found], path, children)
            at = found + 1
            self.any(value, children[found], where)
        self.passed_over(children[at:], path, children)

    def told_already(self, node, siblings):
        """thaw tells of bytes that several parts share once."""
        return any(other is not node and other.offset <= node.offset and
                   node.offset + node.size <= other.offset + other.size for other in siblings)

    def passed_over(self, children, path, siblings):
        """What only the pattern has must follow from the rest."""
        for child in children:
            derived = child.name in DERIVED or child.name.endswith("Count") or (
                child.shown.startswith("tag") and child.value == child.shown[3:].encode().ljust(4))
            if child.size and not derived and not self.told_already(child, siblings):
                self.fail(f"{path}.{child.shown}", "thaw does not tell of it")

    def list(self, told, node, path):
        if told and isinstance(told[0], (Pairs, dict)) and not (node.flat is not None):
            if len(told) != len(node.children):
                self.fail(path, f"thaw tells {len(told)} elements, the pattern {len(node.children)}")
            for i, (value, child) in enumerate(zip(told, node.children)):
                self.any(value, child, f"{path}[{i}]")
        elif told and all(isinstance(item, str) for item in told) and isinstance(node.value, bytes):
            content = "".join(item + "\0" for item in told).encode("utf-8")
            if node.value.rstrip(b"\0") != content.rstrip(b"\0"):
                self.fail(path, "other texts than thaw tells")
            self.values += len(told)
        elif isinstance(node.value, bytes) and any(isinstance(item, (str, Pairs)) for item in told):
            self.texts(told, node, path)
        else:
            self.numbers(told, node, path)

    def texts(self, told, node, path):
        content = b""
        for item in told:
            content += bytes.fromhex(dict(item)["raw"]) if isinstance(item, Pairs) else item.encode("utf-8") + b"\0"
        if content.rstrip(b"\0") != node.value.rstrip(b"\0"):
            self.fail(path, "other texts than thaw tells")
        self.values += len(told)

    def numbers(self, told, node, path):
        told, found = as_held(told, list(node_scalars(node)))
        if len(told) != len(found):
            self.fail(path, f"thaw tells {len(told)} numbers, the pattern {len(found)}")
        for i, (a, b) in enumerate(zip(told, found) if told != found else ()):  # most are equal
            if not same_number(a, b):
                self.fail(path, f"number {i}: thaw tells {a!r}, the pattern {b!r}")
        self.values += len(told)


def spans(node, found):
    found.setdefault((node.offset, node.size), set()).add(node.shown)
    for child in node.children:
        spans(child, found)


def covered(node, mask):
    if node.children:
        for child in node.children:
            covered(child, mask)
    elif node.size:
        mask[node.offset:node.offset + node.size] = b"\1" * node.size


def runs(mask):
    at = mask.find(0)
    while at >= 0:
        end = mask.find(1, at)
        end = len(mask) if end < 0 else end
        yield at, end
        at = mask.find(0, end)


def check_places(tree, root):
    known = {}
    spans(root, known)
    count = 0
    inside_gaps = None
    for node in tree["nodes"]:
        if inside_gaps is not None and node["depth"] > inside_gaps:
            continue
        inside_gaps = node["depth"] if is_unplaced(node) else None
        if is_unplaced(node) or node["size"] == 0:
            continue
        if (node["offset"], node["size"]) not in known:
            raise Mismatch(f"{node['name']}: no part of the pattern lies at {node['offset']} with {node['size']} bytes")
        count += 1
    return count


def unexplained(tree):
    """Places of bytes that thaw keeps without explaining them, or as filling."""
    places, gaps = [], None
    for node in tree["nodes"]:
        if gaps is not None and node["depth"] <= gaps:
            gaps = None
        if is_unplaced(node):
            gaps = node["depth"]
        if not node["understood"] or gaps is not None:
            places.append((node["offset"], node["offset"] + node["size"]))
    return places


def check_cover(tree, root, data):
    mask = bytearray(len(data))
    covered(root, mask)
    opaque = 0
    allowed = bytearray(len(data))
    for begin, end in unexplained(tree):
        allowed[begin:end] = b"\1" * (end - begin)
    for begin, end in runs(mask):
        if 0 in allowed[begin:end]:
            raise Mismatch(f"bytes {begin} to {end} are in no part of the pattern")
        opaque += end - begin
    return opaque


def pattern_of(tree):
    name = {"blp1": "blp", "blp2": "blp"}.get(tree["format"], tree["format"])
    if name == "mdx" and tree["dialect"] == "wow-alpha":
        name = "mdx_alpha"
    path = FOLDER / f"{name}.hexpat"
    return path if path.exists() else None


FOLDER = Path(os.environ.get("THAW_BUILD", ROOT / "build/release")) / "reference/patterns"  # of scripts/generate layouts
PATTERNS = {}
ENDINGS = ("mdx", "mrf", "blp", "dds", "tga", "wdt", "wdl", "adt", "wmo", "lit", "dme", "dma", "m3", "mrn", "nsa")


def compared(pattern, data, told, tree):
    root = pattern.run(data)
    comparison = Comparison(data)
    comparison.any(told, root, "")
    places = check_places(tree, root)
    return comparison.values, places, check_cover(tree, root, data)


def told_of(path):
    """The document as `dump` has it, without what only `build` needs."""
    told = json.loads(thaw("dump", path), object_pairs_hook=Pairs)
    return Pairs(pair for pair in told if pair[0] != "$layout")


def names_of(told):
    """Of members, at any depth; objects that stand for bytes or a text have none."""
    if isinstance(told, Pairs) and [name for name, _ in told] not in (["raw"], ["text", "raw"], ["zeros"]):
        yield from (name for name, _ in told)
    for value in told if isinstance(told, list) else ():
        yield from names_of(value[1] if isinstance(told, Pairs) else value)


def check_page(told, source):
    page = (FOLDER.parent / "layout" / f"{source.stem}.md").read_text(encoding="utf-8")
    missing = {name for name in names_of(told) if f"`{name}`" not in page} - UNTOLD
    if missing:
        raise Mismatch(f"not on the page of the layout: {sorted(missing)}")


def check(path, tree):
    source = pattern_of(tree)
    if source not in PATTERNS:
        PATTERNS[source] = hexpat.Pattern(source.read_text(encoding="utf-8"))
    told = told_of(path)
    check_page(told, source)
    return compared(PATTERNS[source], Path(path).read_bytes(), told, tree)


def evenly(files, count):
    step = max(1, len(files) // count)
    return files[::step][:count]


def files_in(folder):
    return sorted(path for path in Path(folder).rglob("*") if path.is_file())


def candidates(work):
    """All samples, what can be made of them, and of the corpus some of each kind."""
    samples = os.environ["THAW_SAMPLES"]
    yield from files_in(samples)
    for failure in patterns_made.make(THAW, samples, work):
        raise SystemExit(failure)
    made = files_in(work)
    yield from [path for path in made if path.suffix != ".adt"]
    yield from evenly([path for path in made if path.suffix == ".adt"], 2)
    corpus = Path(os.environ.get("THAW_CORPUS") or "/nonexistent")
    if not corpus.is_dir():
        print("no corpus: only samples")
        return
    files = [path for path in files_in(corpus) if path.stat().st_size <= LARGEST]
    for ending in ENDINGS:
        yield from evenly([path for path in files if path.suffix.lower() == "." + ending], PER_FORMAT)


def tree_of(path):
    told = thaw("tree", "--json", path)
    tree = json.loads(told) if told else {}
    return tree if tree.get("ok") and pattern_of(tree) else None


def main():
    if not FOLDER.is_dir():
        print(f"skipped: no {FOLDER}; scripts/generate layouts makes it, with libclang for Python")
        return 77
    given = [Path(a) for a in sys.argv[1:] if not a.startswith("-")]
    with tempfile.TemporaryDirectory() as work:
        return check_all(given or candidates(work), bool(given), "-v" in sys.argv)


def check_all(files, given, verbose):
    seen, failures, damaged = {}, 0, 0
    for path in files:
        tree = tree_of(path)
        if tree is None:
            if given:
                print(f"{path}: no pattern")
            continue
        if not given and any(found["severity"] == "error" for found in tree["diagnostics"]):
            damaged += 1
            continue
        name = pattern_of(tree).stem
        try:
            numbers = check(path, tree)
        except (Mismatch, hexpat.PatternError) as error:
            print(f"{path}: {name}: {error}")
            failures += 1
            continue
        entry = seen.setdefault(name, [0, 0, 0, 0])
        for i, number in enumerate((1, *numbers)):
            entry[i] += number
        if verbose:
            print("{}: {}: {} values, {} places, {} bytes unexplained".format(path, name, *numbers))
    for name, (count, values, places, opaque) in sorted(seen.items()):
        pattern = PATTERNS[FOLDER / f"{name}.hexpat"]
        members = pattern.members()
        print(f"{name}: {count} files, {values} values and {places} places agree; {opaque} bytes are unexplained; "
              f"{len(members & pattern.lines)} of {len(members)} members of the pattern were seen")
    if damaged:
        print(f"damaged files left out: {damaged}")
    unseen = {path.stem for path in FOLDER.glob("*.hexpat")} - set(seen)
    if unseen and not given:
        print(f"no file for the patterns {sorted(unseen)}")
    return 1 if failures or not seen or (unseen and not given) else 0


if __name__ == "__main__":
    sys.exit(main())
