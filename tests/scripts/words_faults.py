#!/usr/bin/env python3
"""scripts/words finds a gone word in each kind of literal, and only there."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

SOUND = {
    "src/a.cpp": '#include "kept words.hpp"\n// "losses are told" in a comment\n'
                 'auto a = "losses are reported", b = " is its own parent", c = "kept";\n/* "a mended part" */\n'
                 'const char d = \'"\';  // a mended part\n',
    "include/b.hpp": 'constexpr auto kText = "behindness and owner are other words";\n',
    "web/page/c.js": "// what was told\nsay(`read ${model.own} of ${kept} files`);\nconst url = 'http://host/kept';\n",
    "web/page/d.html": '<!-- a kept note -->\n<label title="Next to the first">Two words</label>\n',
    "docs/e.txt": "What is kept.\n",
    "blender/f.py": '"""Files that are kept."""\nreport("two meshes")  # kept\n',
}
# What is added to a file, and how the only line of output begins.
FAULTS = {
    "a literal": ("src/a.cpp", 'auto e = "the loss is told";\n', 'src/a.cpp:6: "told"'),
    "a capital letter": ("src/a.cpp", 'auto e = "Kept as it was";\n', 'src/a.cpp:6: "Kept"'),
    "two adjacent literals": ("src/a.cpp", 'auto e = "bytes are"\n    " not there";\n', 'src/a.cpp:6: "are not there"'),
    "a word after a comment mark in a text": ("src/a.cpp", 'auto e = "FOLDER//NAME is kept";\n', 'src/a.cpp:6: "kept"'),
    "a new text with an allowed word": ("src/a.cpp", 'auto e = "of its own parent";\n', 'src/a.cpp:6: "own"'),
    "a public header": ("include/b.hpp", 'constexpr auto kMore = "bytes behind the chunk";\n', 'include/b.hpp:2: "behind"'),
    "a template of the page": ("web/page/c.js", "say(`${count} files mended`);\n", 'web/page/c.js:4: "mended"'),
    "a label of the page": ("web/page/d.html", "<b>beside the first</b>\n", 'web/page/d.html:3: "beside"'),
    "a message of Python": ("blender/f.py", 'report("the file is kept")\n', 'blender/f.py:3: "kept"'),
    "an identifier": ("src/a.cpp", "int told_twice = 0;\n", "src/a.cpp:6: told_twice"),
    "a local variable": ("src/a.cpp", "int own = 0;\n", "src/a.cpp:6: own"),
    "a type": ("src/a.cpp", "struct ModelMaker {};\n", "src/a.cpp:6: ModelMaker"),
    "an attribute of the page": ("web/page/d.html", '<b title="files that are kept">A</b>\n', 'web/page/d.html:3: "kept"'),
}


def words(root):
    done = subprocess.run([sys.executable, str(ROOT / "scripts/words"), "--root", str(root)], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stderr


def main():
    failures = []
    for what, (name, text, line) in {"nothing": ("src/a.cpp", "", None), **FAULTS}.items():
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch)
            for path, content in SOUND.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content + (text if path == name else ""))
            status, output = words(root)
        if line is None and (status, output) != (0, ""):
            failures.append(f"sound files fail:\n{output}")
        elif line is not None and (status != 1 or not output.startswith(line) or output.count("\n") != 1):
            failures.append(f"{what}: exit status {status}:\n{output}")
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    print(f"{len(FAULTS)} faults planted, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
