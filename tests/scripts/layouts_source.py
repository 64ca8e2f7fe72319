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
    for name in ("include", "src", "tools/layouts", "docs/formats"):
        shutil.copytree(ROOT / name, folder / name)
    (folder / "scripts").mkdir()
    shutil.copy(ROOT / "scripts/layouts", folder / "scripts/layouts")


def layouts(folder, *args):
    return subprocess.run([sys.executable, str(folder / "scripts/layouts"), *args], capture_output=True, text=True,
                          check=False)


def expect(what, holds):
    if not holds:
        FAILURES.append(what)


def changed(folder, format_name, *places):
    """Runs the script with places of the source changed: (path, old, new)."""
    before = {}
    for path, old, new in places:
        file = folder / path
        text = file.read_text(encoding="utf-8")
        before.setdefault(file, text)
        expect(f"{path} has {old!r}", old in text)
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
    made = layouts(folder, "--output", str(folder / "made"), format_name)
    pattern = folder / "made" / "patterns" / f"{format_name}.hexpat"
    result = pattern.read_text(encoding="utf-8") if pattern.exists() else ""
    page = folder / "made/layout" / f"{format_name}.md"
    told = page.read_text(encoding="utf-8") if page.exists() else ""
    shutil.rmtree(folder / "made", ignore_errors=True)
    for file, text in before.items():
        file.write_text(text, encoding="utf-8")
    return made, result, told


def follows_the_source(folder):
    mdx = "src/formats/warcraft/mdx/document.hpp"
    _, pattern, page = changed(
        folder, "mdx", (mdx, "if (version >= 1100) {", "if (version >= 1150) {"),
        (mdx, 'v.field("flags", texture.flags);', 'v.field("flags", texture.flags); v.field("again", texture.flags);'),
        ("include/thaw/mdx.hpp", "///< s", "///< fortnights"))
    expect("a changed condition is in the pattern", "file_version >= 1150" in pattern)
    expect("a changed condition is on the page", "`file_version >= 1150`" in page)
    expect("a new field is in the pattern", "u32 again" in pattern and "`again`" in page)
    expect("a comment is carried over", 'comment("fortnights")' in pattern and "| fortnights |" in page)


def refuses_what_it_does_not_understand(folder):
    lit, chunk_x = "src/formats/wow/lit/document.cpp", 'v.field("chunkX", light.chunk_x);'
    line = (ROOT / lit).read_text(encoding="utf-8").split(chunk_x)[0].count("\n") + 1
    for what, code, told in (
            ("word", "if constexpr (V::kReads) { (void)v.failure(); }", "no word of descriptions: failure"),
            ("expression", "(void)new std::int32_t(light.chunk_x);", "not followed: cxx new expr"),
            ("statement", f"do {{ {chunk_x} }} while (light.chunk_x > 0);", "not followed: do"),
            ("loop", f"while (light.chunk_x > 0) {{ {chunk_x} }}", "not followed: while"),
            ("operator", "(void)(light.chunk_x, light.chunk_y);", "not followed: Comma"),
            ("function", "(void)std::labs(light.chunk_x);", "labs has no body here"),
            ("name: it does not compile", "v.mystery(light.chunk_x);", "no member named 'mystery'")):
        made, pattern, _ = changed(folder, "lit", (lit, chunk_x, code))
        expect(f"an unknown {what}: an error with its line, and nothing is written", made.returncode == 1
               and pattern == "" and f"{lit}:{line}: " in made.stderr and told in made.stderr)


def main():
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        copy(folder)
        unchanged, pattern, page = changed(folder, "lit")
        if unchanged.returncode == 77:
            print(f"skipped: {unchanged.stderr}")
            return 77
        # The same sources make the same, wherever they lie.
        made = Path(os.environ.get("THAW_BUILD", ROOT / "build/release")) / "reference"
        expect("the copy makes what the tree does", pattern == (made / "patterns/lit.hexpat").read_text(encoding="utf-8")
               and page == (made / "layout/lit.md").read_text(encoding="utf-8"))
        follows_the_source(folder)
        refuses_what_it_does_not_understand(folder)
    for failure in FAILURES:
        print(f"FAILED: {failure}")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
