#!/usr/bin/env python3
"""The npm package, as `scripts/package npm` makes it of the module of `scripts/web npm`: the same inputs give the same package; in
an empty folder it does the ten jobs as the command does them, to the byte, and keeps what it promises
(tests/bindings/package_test.mjs); the programs of the pages run; in Chromium the jobs give the same, and three.js shows models of
three games as thaw draws them (build/npm-pictures); reading real models takes at most three times what C takes."""
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
MOST_TIMES = 3  # reading, compared with C
sys.path.insert(0, str(ROOT / "tests/bindings"))
import expected  # noqa: E402


def run(*arguments, **how):
    done = subprocess.run([str(one) for one in arguments], capture_output=True, text=True, check=False, **how)
    if done.returncode != 0:
        print(f"FAILED   {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
        sys.exit(1)
    return done.stdout


def package(scratch: Path) -> Path:
    made = []
    for name in ("first", "second"):
        told = run(ROOT / "scripts/package", "npm", "--build", BUILD, "--out", scratch / name).strip()
        made += (scratch / name).glob("*.tgz")
    assert made[0].read_bytes() == made[1].read_bytes(), "the package is another each time"
    print(f"ok       {told.rpartition('/')[2]}")
    return made[0]


def jobs(scratch: Path, where: Path, packed: Path) -> None:
    wanted, made = scratch / "expected", scratch / "made"
    wanted.mkdir()
    made.mkdir()
    expected.make(wanted, packed)
    run("node", ROOT / "tests/bindings/jobs_node.mjs", where, SAMPLES, packed, made)
    different = expected.differences(wanted, made)
    if different:
        print(f"FAILED   {different}")
        sys.exit(1)
    print(f"ok       {len(list(made.iterdir()))} files of node are what the command makes")


def browser(scratch: Path, where: Path, packed: Path) -> None:
    """The jobs in Chromium, and ThawLoader beside thaw's own pictures."""
    made = scratch / "browser"
    made.mkdir()
    told = run("node", ROOT / "tests/bindings/browser.mjs", where.parent, ROOT / "tools", SAMPLES, packed, made, ROOT / "build/npm-pictures")
    print(told.strip())
    different = expected.differences(scratch / "expected", made) if list(made.iterdir()) else []
    if different:
        print(f"FAILED   Chromium: {different}")
        sys.exit(1)


def programs(project: Path, packed: Path) -> None:
    """Those of the pages, as a newcomer copies them."""
    shutil.copy(SAMPLES / "knight.mdx", project)
    shutil.copy(packed, project / "game.mpq")
    shutil.copy(SAMPLES / "knight.mdx", project / "footman.mdx")
    pages = ("bindings/javascript/package/README.md", "README.md", "docs/library/javascript.md")
    found = [code for page in pages for code in re.findall(r"```js\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)]
    assert len(found) == 7
    for number, code in enumerate(found):
        assert len(code.splitlines()) <= 10
        (project / f"program{number}.mjs").write_text(code)
        run("node", f"program{number}.mjs", cwd=project)
    print(f"ok       {len(found)} programs of the pages")


def main() -> int:
    if not (ROOT / "build/web/npm/thaw.wasm").is_file():
        print("skipped  the npm package: scripts/web npm makes its module")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        project = scratch / "project"
        project.mkdir()
        (project / "package.json").write_text("{}")
        packed = expected.archive(scratch)
        run("npm", "install", "--offline", "--no-audit", "--no-fund", package(scratch), cwd=project)
        where = project / "node_modules/thaw/thaw.js"
        jobs(scratch, where, packed)
        print(run("node", ROOT / "tests/bindings/package_test.mjs", where, SAMPLES, packed).strip())
        programs(project, packed)
        browser(scratch, where, packed)
        expected.reading(scratch, "node", ["node", ROOT / "tests/bindings/read.mjs", where], MOST_TIMES)
    return 0


sys.exit(main())
