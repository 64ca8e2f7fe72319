#!/usr/bin/env python3
"""Does patterns.py see faults? Each pattern loses one member after the other, of those that had bytes in a sample; every
such loss must be found."""

import os
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import hexpat  # noqa: E402
import patterns  # noqa: E402
import patterns_made  # noqa: E402

PER_PATTERN = int(os.environ.get("THAW_PATTERN_FAULTS", "15"))
SMALL = 400 << 10


def smallest(work):
    """The smallest sample of each pattern, and its tree."""
    found = {}
    samples = os.environ["THAW_SAMPLES"]
    patterns_made.make(patterns.THAW, samples, work)
    for path in [*patterns.files_in(samples), *patterns.files_in(work)]:
        if path.stat().st_size > SMALL:
            continue
        tree = patterns.tree_of(path)
        if tree is None:
            continue
        source = patterns.pattern_of(tree)
        # One with everything is better than one with little.
        rank = (not path.name.split("_")[0] in ("everything", "alpha"), path.stat().st_size)
        if source not in found or rank < found[source][0]:
            found[source] = (rank, path, tree)
    return found


def survives(source, data, told, tree):
    try:
        patterns.compared(hexpat.Pattern(source), data, told, tree)
    except (patterns.Mismatch, hexpat.PatternError):
        return False
    return True


def main():
    if not patterns.FOLDER.is_dir():
        print(f"skipped: no {patterns.FOLDER}")
        return 77
    with tempfile.TemporaryDirectory() as work:
        return lose(smallest(work))


def lose(found):
    failed, total = 0, 0
    for source, (_, path, tree) in sorted(found.items()):
        text = source.read_text(encoding="utf-8")
        lines = text.split("\n")
        data = path.read_bytes()
        told = patterns.told_of(path)
        pattern = hexpat.Pattern(text)
        patterns.compared(pattern, data, told, tree)
        used = sorted(line for line in pattern.lines if line < len(lines) - 1)
        for line in patterns.evenly(used, PER_PATTERN):
            total += 1
            if survives("\n".join(lines[:line - 1] + lines[line:]), data, told, tree):
                print(f"{source.name}:{line}: nobody misses {lines[line - 1].strip()} in {path.name}")
                failed += 1
    print(f"{total - failed} of {total} losses are found")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
