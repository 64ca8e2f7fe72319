#!/usr/bin/env python3
"""The interface for C: the header compiles as C99 and C++ without a warning, the library exports what it declares and nothing
else of C, the example of docs/library/c.md runs, and ten jobs (tests/capi/jobs.c) give what the command gives, to the byte.

Under valgrind, where it is installed, they leave nothing behind."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ["THAW_ROOT"])
BUILD = Path(os.environ["THAW_BUILD"])
SAMPLES = Path(os.environ["THAW_SAMPLES"])
sys.path[:0] = [str(ROOT / "tests/bindings"), str(ROOT / "tools/bindings")]
import expected  # noqa: E402
import interface  # noqa: E402

C99 = ["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-g", f"-I{ROOT / 'include'}"]


def run(*arguments, **how):
    return subprocess.run([str(one) for one in arguments], check=True, capture_output=True, text=True, **how).stdout


def header(scratch: Path) -> None:
    for name, compiler in (("a.c", C99), ("a.cpp", ["c++", "-std=c++98", *C99[2:]])):
        (scratch / name).write_text("#include <thaw.h>\n#include <thaw.h>\n")
        run(*compiler, "-c", scratch / name, "-o", scratch / "a.o")


def symbols(library: Path) -> None:
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    exported = {line.split()[-1] for line in lines} - {""}
    plain = {name for name in exported if not name.startswith("_Z")}
    declared = set(interface.read().functions)
    assert plain == declared, f"only in the library: {sorted(plain - declared)}, only in thaw.h: {sorted(declared - plain)}"
    name = re.search(r"SONAME.*\[(.*)\]", run("readelf", "-d", library))[1]
    assert re.fullmatch(r"libthaw\.so\.(0\.\d+|[1-9]\d*)", name), name
    print(f"ok       the library exports the {len(declared)} functions that thaw.h declares, as {name}")


def compiled(source: Path, target: Path, library: Path) -> Path:
    run(*C99, source, "-o", target, library, f"-Wl,-rpath,{library.parent}")
    return target


def example(scratch: Path, library: Path) -> None:
    page = (ROOT / "docs/library/c.md").read_text()
    code = re.search(r"```c\n(.*?)```", page, re.DOTALL)[1]
    assert len(code.splitlines()) <= 60, "the example is longer than a page"
    (scratch / "example.c").write_text(code)
    program = compiled(scratch / "example.c", scratch / "example", library)
    told = run(program, SAMPLES / "knight.mdx", scratch / "example.png")
    assert "Warcraft III model (MDX) 800" in told and "Walk: 0.8 s" in told, told
    assert (scratch / "example.png").read_bytes().startswith(b"\x89PNG")
    failed = subprocess.run([program, scratch / "absent.mdx", "x.png"], capture_output=True, text=True, check=False)
    assert failed.returncode == 1 and "input.unreadable" in failed.stderr, failed


def first_page(scratch: Path, library: Path) -> None:
    """What README.md has, as the body of a program."""
    code = re.search(r"```c\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    assert len(code.splitlines()) <= 10, "the program of README.md has more than ten lines"
    source = scratch / "first.c"
    source.write_text(f"#include <stdio.h>\n#include <thaw.h>\nint main(void) {{\n{code}}}\n")
    (scratch / "footman.mdx").write_bytes((SAMPLES / "knight.mdx").read_bytes())
    run(compiled(source, scratch / "first", library), cwd=scratch)
    expected.thaw("convert", scratch / "footman.mdx", "-o", scratch / "command.glb")
    assert (scratch / "footman.glb").read_bytes() == (scratch / "command.glb").read_bytes()


def jobs(scratch: Path, library: Path) -> None:
    program = compiled(ROOT / "tests/capi/jobs.c", scratch / "jobs", library)
    packed = expected.archive(scratch)
    wanted, made = scratch / "expected", scratch / "made"
    wanted.mkdir()
    made.mkdir()
    expected.make(wanted, packed)
    checker = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full"] if shutil.which("valgrind") else []
    run(*checker, program, SAMPLES, packed, made)
    different = expected.differences(wanted, made)
    assert not different, different
    print(f"ok       {len(list(made.iterdir()))} files of programs in C are what the command makes{', under valgrind' if checker else ''}")


def main() -> int:
    library = BUILD / "src/libthaw.so"
    if not library.is_file():
        print("skipped: the build has no shared library")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        header(scratch)
        symbols(library.resolve())
        example(scratch, library)
        first_page(scratch, library)
        jobs(scratch, library)
    return 0


sys.exit(main())
