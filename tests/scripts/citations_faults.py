#!/usr/bin/env python3
"""scripts/citations sees what it is for: each fault is planted once in a small tree, and told."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("THAW_ROOT", Path(__file__).resolve().parents[2]))
SIGN = "\N{SECTION SIGN}"

SOUND = {
    "README.md": "# Read\n\n[All](docs/formats/README.md#all-of-it), [bold](#read-1), [far](https://a.invalid/b.md#c).\n"
                 "\n## Read\n\n```\n# Not a heading [no](link.md)\n```\n\n`[nor](this.md)`\n",
    "docs/rules.md": "# Rules\n\n## Two words\n",
    "docs/formats/README.md": "# Formats\n\n## All of `it`\n\n[mdx](mdx.md#tracks) ![a picture](a.png)\n\n[ref]: ../rules.md#two-words\n",
    "docs/formats/mdx.md": "# MDX\n\n## Tracks\n\n<a id=\"keys\"></a>Keys.\n",
    "docs/formats/a.png": "",
    "src/mdx.cpp": "// Keys (mdx.md#tracks, mdx.md#keys), rules.md#two-words, docs/rules.md, docs/formats/mdx.md#tracks.\n"
                   "// Not cited: notes.md. A page of a format.\n",
    "tests/check.py": "# rules.md#two-words\n",
}
FAULTS = {
    "a section that is not there": (
        "src/mdx.cpp", "// Keys.\n// (mdx.md#track)\n", "src/mdx.cpp:4: docs/formats/mdx.md has no heading #track"),
    "a page that is not there": ("src/new.hpp", "/// (mdl.md#tracks)\n", "src/new.hpp:1: there is no mdl.md"),
    "a page of another folder": (
        "src/new.hpp", "/// docs/mdx.md#tracks\n", "src/new.hpp:1: there is no docs/mdx.md"),
    "a page without a section that is not there": (
        "CMakeLists.txt", "# See docs/formats/mdl.md.\n", "CMakeLists.txt:1: there is no docs/formats/mdl.md"),
    "a section by its number": ("tests/check.py", f"# ({SIGN}8.6)\n", f"tests/check.py:2: `{SIGN}` names no section"),
    "a page without a name": ("src/new.hpp", "// The format page says so.\n", "src/new.hpp:1: `page` names"),
    "one over two lines": ("src/new.hpp", "  /// Format\n  /// page five.\n", "src/new.hpp:1: `page` names"),
    "a script without an ending": ("scripts/all", "#!/bin/sh\n# mdx.md#nodes\n", "scripts/all:2: docs/formats/mdx.md has no"),
    "a link to nothing": ("docs/rules.md", "\n[gone](formats/gone.md)\n", "docs/rules.md:5: there is no formats/gone.md"),
    "a link to no heading": (
        "docs/rules.md", "\n[gone](formats/mdx.md#gone)\n", "docs/rules.md:5: docs/formats/mdx.md has no heading #gone"),
    "a link within a page to no heading": ("README.md", "[gone](#read-2)\n", "README.md has no heading #read-2"),
    "a link to a heading in code": ("README.md", "[gone](#not-a-heading-nolink)\n", "README.md has no heading #not"),
    "a picture that is not there": ("docs/rules.md", "![a](b.png)\n", "docs/rules.md:4: there is no b.png"),
    "a reference that leads nowhere": ("docs/rules.md", "[a]: gone.md\n", "docs/rules.md:4: there is no gone.md"),
    "a link out of the tree": ("docs/rules.md", "[a](../../..)\n", "docs/rules.md:4: there is no ../../.."),
    "a number in a page": ("docs/formats/mdx.md", f"As {SIGN}4 has it.\n", f"docs/formats/mdx.md:6: `{SIGN}` names"),
}


def plant(root, tree):
    for name, text in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + text)


def citations(root):
    done = subprocess.run([sys.executable, str(ROOT / "scripts/citations"), "--root", str(root)], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stderr


def main():
    failures = []
    for what, (name, text, line) in {"nothing": ("README.md", "", None), **FAULTS}.items():
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch)
            plant(root, SOUND)
            plant(root, {name: text})
            status, told = citations(root)
        if line is None and (status, told) != (0, ""):
            failures.append(f"what is sound is called faulty:\n{told}")
        elif line is not None and (status != 1 or line not in told or told.count("\n") != 1):
            failures.append(f"{what} is not seen, or something else is; exit status {status}:\n{told}")
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    print(f"{len(FAULTS)} faults planted, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
