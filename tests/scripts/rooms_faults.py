#!/usr/bin/env python3
"""scripts/rooms sees what it is for: each fault is planted once in a copy of the sources, and told."""

import contextlib
import functools
import importlib.machinery
import importlib.util
import io
import os
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("THAW_ROOT", Path(__file__).resolve().parents[2]))


def add(name, text):
    def plant(root):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text() if path.exists() else "") + text)
    return plant


def replace(name, old, new):
    def plant(root):
        text = (root / name).read_text()
        assert old in text, f"{name} lacks {old}"
        (root / name).write_text(text.replace(old, new))
    return plant


def fill(root):
    folder = root / "src/cli/platform"
    for i in range(26 - sum(path.is_file() for path in folder.iterdir())):
        (folder / f"filler_{i}.hpp").write_text("#pragma once\n")


PAGE = "docs/dev/architecture.md"
FAULTS = {
    "an include that no row allows": (
        [add("src/bytes/text_encoding.cpp", '#include "describe/rules.hpp"\n')],
        "src/bytes/text_encoding.cpp: includes describe/rules.hpp, but docs/dev/architecture.md does not allow `bytes`"),
    "an arrow back that the table allows": (
        [add("src/bytes/text_encoding.cpp", '#include "describe/rules.hpp"\n'),
         replace(PAGE, "Every room may use it | – |", "Every room may use it | describe |")],
        "a cycle: bytes, describe"),
    "a public header that includes upwards": (
        [add("include/thaw/bytes.hpp", "#include <thaw/scene.hpp>\n")],
        "include/thaw/bytes.hpp: includes thaw/scene.hpp, but docs/dev/architecture.md does not allow `bytes`"),
    "a permission of which nobody makes use": (
        [replace(PAGE, "knows no format | bytes, frame, image |", "knows no format | bytes, frame, gltf, image |")],
        "allows `raster` to include `gltf`, which nobody does"),
    "a file without a room": ([add("src/attic/old.cpp", "")], "src/attic/old.cpp: no row"),
    "a format made of another, untold": (
        [add("src/formats/warcraft/mrf/rules.cpp", "#include <thaw/nsa.hpp>\n")],
        "does not allow `formats/warcraft/mrf` to include `formats/forgelight/nsa`"),
    "a public header that includes a private one": (
        [add("include/thaw/scene.hpp", '#include "scene/math.hpp"\n')], "which is not public"),
    "a public header that a shared library hides": (
        [replace("include/thaw/scene.hpp", "#pragma GCC visibility pop", "")],
        "include/thaw/scene.hpp: a shared library hides it"),
    "a header of the system": ([add("src/cli/main.cpp", "#include <unistd.h>\n")], "src/cli/main.cpp: unistd.h"),
    "a file of /proc": (
        [add("src/scene/math.cpp", 'const char* const kSelf = "/proc/self/exe";\n')], "src/scene/math.cpp: /proc"),
    "a type with two definitions": (
        [add("src/gltf/document.hpp", "namespace thaw::gltf {\n\nstruct Document {\n  int x = 0;\n};\n\n}  // namespace\n")],
        "thaw::gltf::Document is defined in include/thaw/gltf.hpp and in src/gltf/document.hpp"),
    "a folder with 26 files": ([fill], "src/cli/platform: 26 files"),
}


def script():
    """scripts/rooms as a module that looks at the same text once only."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("rooms", str(ROOT / "scripts/rooms"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("rooms", loader))
    loader.exec_module(module)
    types_of = module.types_of
    module.without_comments = functools.cache(module.without_comments)
    module.types_of = functools.cache(lambda code: list(types_of(code)))
    return module


def rooms(module, root):
    told = io.StringIO()
    with contextlib.redirect_stderr(told):
        status = module.main(["--root", str(root)])
    return status, told.getvalue()


def main():
    failures, module = [], script()
    with tempfile.TemporaryDirectory() as scratch:
        sound = Path(scratch, "sound")
        for name in ("src", "include/thaw", "web", PAGE):
            (sound / name).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, sound / name)
        status, told = rooms(module, sound)
        if status != 0:
            failures.append(f"what is sound is called faulty:\n{told}")
        for what, (plants, line) in FAULTS.items():
            faulty = Path(scratch, "faulty")
            shutil.copytree(sound, faulty)
            for plant in plants:
                plant(faulty)
            status, told = rooms(module, faulty)
            if status != 1 or line not in told:
                failures.append(f"{what} is not seen; exit status {status}:\n{told}")
            shutil.rmtree(faulty)
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    print(f"{len(FAULTS)} faults planted, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
