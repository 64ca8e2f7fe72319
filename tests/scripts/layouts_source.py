#!/usr/bin/env python3
"""scripts/layouts follows the source: what changes in a description changes the pattern, and what it does not
understand is an error that names the place."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("THAW_ROOT", Path(__file__).resolve().parents[2]))
FAILURES = []


def copy(folder):
    for name in ("include", "src", "tools/layouts", "patterns", "docs/formats"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/layouts", folder / "scripts/layouts")


def layouts(folder, *args):
    return subprocess.run([sys.executable, str(folder / "scripts/layouts"), *args], capture_output=True, text=True,
                          check=False)


def expect(what, holds):
    if not holds:
        FAILURES.append(what)


def changed(folder, path, old, new, format_name):
    """Runs the script with one place of the source changed."""
    file = folder / path
    text = file.read_text(encoding="utf-8")
    expect(f"{path} has {old!r}", old in text)
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    checked = layouts(folder, "--check", format_name)
    made = layouts(folder, "--output", str(folder / "made"), format_name)
    pattern = folder / "made" / "patterns" / f"{format_name}.hexpat"
    result = pattern.read_text(encoding="utf-8") if pattern.exists() else ""
    page = folder / "made" / "docs/formats/layout" / f"{format_name}.md"
    told = page.read_text(encoding="utf-8") if page.exists() else ""
    shutil.rmtree(folder / "made", ignore_errors=True)
    file.write_text(text, encoding="utf-8")
    return checked, made, result, told


def main():
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        copy(folder)
        expect("the copy is as it should be", layouts(folder, "--check").returncode == 0)

        mdx, mdx_header = "src/formats/warcraft/mdx/document.hpp", "include/thaw/mdx.hpp"
        checked, made, pattern, page = changed(folder, mdx, "if (version >= 1100) {", "if (version >= 1150) {", "mdx")
        expect("a changed condition is noticed", checked.returncode == 1 and "mdx.hexpat" in checked.stderr)
        expect("a changed condition is in the pattern", made.returncode == 0 and "file_version >= 1150" in pattern)
        expect("a changed condition is on the page", "`file_version >= 1150`" in page)

        _, _, pattern, page = changed(folder, mdx, 'v.field("flags", texture.flags);',
                                      'v.field("flags", texture.flags); v.field("again", texture.flags);', "mdx")
        expect("a new field is in the pattern", "u32 again" in pattern and "`again`" in page)

        _, _, pattern, page = changed(folder, mdx_header, "///< s", "///< fortnights", "mdx")
        expect("a comment is carried over", 'comment("fortnights")' in pattern and "| fortnights |" in page)

        lit = "src/formats/wow/lit/document.cpp"
        _, made, pattern, _ = changed(folder, lit, 'v.field("chunkX", light.chunk_x);', "v.mystery(light.chunk_x);", "lit")
        expect("an unknown word is an error", made.returncode == 1 and "mystery" in made.stderr and lit in made.stderr)
        expect("and nothing is written", pattern == "")

        _, made, _, _ = changed(folder, lit, 'v.field("chunkX", light.chunk_x);',
                                'while (light.chunk_x > 0) { v.field("chunkX", light.chunk_x); }', "lit")
        expect("an unknown statement is an error", made.returncode == 1 and "while" in made.stderr)

        (folder / "patterns/old.hexpat").write_text("")
        expect("a left-over pattern is noticed", "old.hexpat" in layouts(folder, "--check").stderr)
    for failure in FAILURES:
        print(f"FAILED: {failure}")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
