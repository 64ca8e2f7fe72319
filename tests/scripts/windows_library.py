#!/usr/bin/env python3
"""windows_library.py DLL: the library for Windows exports what thaw.h declares and nothing else; a program in C with it does
the ten jobs under wine as the command does them here, to the byte; and the wheel with it installs where Windows is stated.

No Python for Windows runs here: of the package, its files are looked at."""
import os
import re
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

COMPILER = ["x86_64-w64-mingw32-gcc-posix", "-std=c99", "-D__USE_MINGW_ANSI_STDIO=1", "-pedantic", "-Wall", "-Wextra", "-Werror", "-static-libgcc"]


def run(*arguments, **how):
    return subprocess.run([str(one) for one in arguments], check=True, capture_output=True, text=True, **how).stdout


def exports(dll: Path) -> None:
    listed = run("x86_64-w64-mingw32-objdump", "-p", dll)
    table = listed[listed.index("[Ordinal/Name Pointer] Table"):]
    exported = set(re.findall(r"^\s*\[ *\d+\] (?:\+base\[ *\d+\]\s+\w+ )?(\w+)$", table, re.MULTILINE))
    declared = set(interface.read().functions)
    assert exported == declared, f"only in the library: {sorted(exported - declared)}, only in thaw.h: {sorted(declared - exported)}"
    systems = {name.lower() for name in re.findall(r"DLL Name: (\S+)", listed)}
    foreign = {name for name in systems if re.match(r"lib|thaw", name)}
    assert not foreign, f"needs {sorted(foreign)}"
    print(f"ok       thaw.dll exports the {len(declared)} functions that thaw.h declares, and needs Windows alone")


def jobs(scratch: Path, dll: Path) -> None:
    program = scratch / "jobs.exe"
    run(*COMPILER, f"-I{ROOT / 'include'}", ROOT / "tests/capi/jobs.c", "-o", program, dll.with_name("libthaw.dll.a"))
    (scratch / dll.name).symlink_to(dll)
    packed = expected.archive(scratch)
    wanted, made = scratch / "expected", scratch / "made"
    wanted.mkdir()
    made.mkdir()
    expected.make(wanted, packed)
    loader = 'export WINEPREFIX="$1"; shift; . "$THAW_ROOT/tests/scripts/wine.sh"; "$wine_loader" "$@"'
    run("bash", "-c", loader, "jobs", Path(os.environ["THAW_WINE"]) / "prefix", program, SAMPLES, packed, made)
    different = expected.differences(wanted, made)
    assert not different, different
    print(f"ok       {len(list(made.iterdir()))} files of a program in C under wine are what the command makes")


def wheel(scratch: Path, dll: Path) -> None:
    print(run(ROOT / "scripts/package", "python", "--build", BUILD, "--dll", dll, "--out", scratch / "wheel").strip())
    package, = (scratch / "wheel").glob("thaw-*-py3-none-win_amd64.whl")
    run(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--platform", "win_amd64", "--only-binary=:all:",
        "--target", scratch / "installed", package)
    files = {path.name for path in (scratch / "installed/thaw").iterdir()}
    assert {"thaw.dll", "__init__.py", "_interface.py", "py.typed"} <= files and "_libraries" not in files, files
    print("ok       the wheel with it installs for Windows; skipped to run it, as no Python for Windows is here")


def main() -> None:
    dll = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        exports(dll)
        jobs(Path(folder), dll)
        wheel(Path(folder), dll)


main()
