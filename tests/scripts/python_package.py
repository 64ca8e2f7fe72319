#!/usr/bin/env python3
"""The Python package, as `scripts/package python` makes it: the same inputs give the same wheel; in an empty environment it does
the ten jobs as the command does them, to the byte, and keeps what it promises (tests/bindings/package_test.py), with NumPy and
without.

With --time also how long reading real models takes, against C."""
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
MOST_TIMES = 1.3  # reading, compared with C
sys.path.insert(0, str(ROOT / "tests/bindings"))
import expected  # noqa: E402


def run(*arguments, **how):
    done = subprocess.run([str(one) for one in arguments], capture_output=True, text=True, check=False, **how)
    if done.returncode != 0:
        sys.exit(f"FAILED   {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
    return done.stdout


def wheel(scratch: Path) -> Path:
    made = []
    for name in ("first", "second"):
        print(run(ROOT / "scripts/package", "python", "--build", BUILD, "--out", scratch / name).strip())
        made += (scratch / name).glob("*.whl")
    assert made[0].read_bytes() == made[1].read_bytes(), "the wheel is another each time"
    assert re.fullmatch(r"thaw-\d+\.\d+\.\d+-py3-none-\w+\.whl", made[0].name), made[0].name
    return made[0]


def environment(scratch: Path, package: Path) -> Path:
    """The Python of an environment with nothing but the package."""
    run(sys.executable, "-m", "venv", scratch / "empty")
    python = scratch / "empty/bin/python"
    run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", package)
    return python


def works(command: list, program: str) -> bool:
    return subprocess.run([*command, "-c", program], capture_output=True, check=False).returncode == 0


def others(python: Path) -> list:
    """Commands of other Pythons that see the package: one with NumPy, and what other versions are on the PATH."""
    packages = run(python, "-c", "import thaw, os; print(os.path.dirname(os.path.dirname(thaw.__file__)))").strip()
    found = [["env", f"PYTHONPATH={packages}", other] for other in (sys.executable, "/usr/bin/python3")]
    found = [command for command in found if works(command, "import numpy")][:1]
    if not found:
        print("skipped  no Python here has NumPy (python3-numpy)")
    versions = (f"python3.{minor}" for minor in range(8, 20) if minor != sys.version_info.minor)
    commands = [["env", f"PYTHONPATH={packages}", version] for version in versions if shutil.which(version)]
    return found + [command for command in commands if works(command, "")]


def jobs(scratch: Path, python: Path, packed: Path) -> None:
    wanted, made = scratch / "expected", scratch / "made"
    wanted.mkdir()
    made.mkdir()
    expected.make(wanted, packed)
    run(python, ROOT / "tests/bindings/jobs.py", SAMPLES, packed, made)
    different = expected.differences(wanted, made)
    assert not different, different
    print(f"ok       {len(list(made.iterdir()))} files are what the command makes")


def pages(scratch: Path, python: Path) -> None:
    """The programs of the pages, as a newcomer copies them."""
    for page in ("README.md", "bindings/python/README.md", "docs/library/python.md"):
        folder = scratch / page.replace("/", "-")
        folder.mkdir()
        for name in ("footman.mdx", "knight.mdx"):
            (folder / name).write_bytes((SAMPLES / "knight.mdx").read_bytes())
        code = re.search(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)[1]
        assert len(code.splitlines()) <= 12, f"{page}: the program has {len(code.splitlines())} lines"
        (folder / "program.py").write_text(code)
        run(python, "program.py", cwd=folder)
        assert (folder / "program.py").exists() and len(list(folder.iterdir())) > 3, page
        print(f"ok       the program of {page}")


def layout(scratch: Path, python: Path) -> None:
    """Sizes and offsets of the structs for ctypes are the C compiler's."""
    sys.path.insert(0, str(ROOT / "tools/bindings"))
    import interface
    structs = interface.read().structs.items()
    lines = [f'printf("{name} %zu\\n", sizeof({name}));' for name, _ in structs]
    lines += [f'printf("{name}.{one.name} %zu\\n", offsetof({name}, {one.name}));' for name, members in structs for one in members]
    source = scratch / "layout.c"
    source.write_text(f"#include <stddef.h>\n#include <stdio.h>\n#include <thaw.h>\nint main(void) {{ {' '.join(lines)} return 0; }}\n")
    run("cc", f"-I{ROOT / 'include'}", source, "-o", scratch / "layout")
    program = """import ctypes, thaw._interface as c
kinds = {name: kind for name, kind in vars(c).items() if name.startswith("thaw_") and hasattr(kind, "_fields_")}
for name, kind in kinds.items(): print(name, ctypes.sizeof(kind))
for name, kind in kinds.items():
    for member in kind._fields_: print(f"{name}.{member[0]}", getattr(kind, member[0]).offset)"""
    of_c, of_python = set(run(scratch / "layout").splitlines()), set(run(python, "-c", program).splitlines())
    assert of_c == of_python, sorted(of_c ^ of_python)
    print(f"ok       {len(of_c)} sizes and offsets are those of C")


def main() -> int:
    if not (BUILD / "src/libthaw.so").is_file():
        print("skipped: the build has no shared library")
        return 77
    if subprocess.run([sys.executable, "-c", "import venv, ensurepip"], capture_output=True, check=False).returncode != 0:
        print("skipped: this Python makes no environments (python3-venv)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        packed = expected.archive(scratch)
        (scratch / "help.json").write_bytes(expected.thaw("help", "--json"))
        python = environment(scratch, wheel(scratch))
        layout(scratch, python)
        jobs(scratch, python, packed)
        pages(scratch, python)
        for command in [[python], *others(python)]:
            print(f"with {command[-1]}")
            print(run(*command, ROOT / "tests/bindings/package_test.py", SAMPLES, packed, scratch / "help.json").strip())
        if "--time" in sys.argv:
            expected.reading(scratch, "Python", [python, ROOT / "tests/bindings/read.py"], MOST_TIMES)
    return 0


sys.exit(main())
