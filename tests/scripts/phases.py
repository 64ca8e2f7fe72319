#!/usr/bin/env python3
"""scripts/nightly and scripts/changed-rooms in a history made for it: what is due, since when, what comes first, what is
overdue; which tests a change is about; and that every phase of scripts/phases.tsv is one of ./test and watches what there is."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("THAW_ROOT", Path(__file__).resolve().parents[2]))
failures = []


def expect(found, wanted, what):
    if found != wanted:
        failures.append(f"{what}: {found!r} instead of {wanted!r}")


def run(folder, *words, status=0):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False)
    expect(done.returncode, status, " ".join(map(str, words)) + done.stderr[-500:])
    return done.stdout


class History:
    """A repository with the two scripts, a table of phases and files to change."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("scripts/nightly", "scripts/changed-rooms", "tests/CMakeLists.txt"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
        for room in ("mdx", "mdx_edit", "document", "formats", "edits", "gltf"):
            (folder / "tests" / room).mkdir()
            (folder / "tests" / room / "a_test.cpp").touch()
        (folder / "scripts/phases.tsv").write_text("# phases\nquick\t3\tsrc/a\nslow\t40\tsrc/b src/a\n")
        run(folder, "git", "init", "-q")
        for key, value in (("user.name", "test"), ("user.email", "test@thaw.invalid"), ("commit.gpgsign", "false")):
            run(folder, "git", "config", key, value)
        self.time = 1_000_000_000
        self.commit("README")

    def commit(self, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.read_text() + "x" if path.exists() else "x")
        self.time += 60
        environment = {**os.environ, "GIT_AUTHOR_DATE": f"{self.time} +0000", "GIT_COMMITTER_DATE": f"{self.time} +0000"}
        subprocess.run(["git", "add", "-A"], cwd=self.folder, check=True)
        subprocess.run(["git", "commit", "-qm", f"change {name}"], cwd=self.folder, check=True, env=environment)

    def passed(self, phase, result="passed"):
        (self.folder / "docs/results").mkdir(parents=True, exist_ok=True)
        head = run(self.folder, "git", "rev-parse", "HEAD").strip()
        (self.folder / f"docs/results/{phase}.json").write_text(json.dumps({"commit": head, "result": result}))

    def nightly(self, *words, status=0):
        return run(self.folder, "scripts/nightly", *words, status=status)


def check_due(history):
    expect(history.nightly("--next", "60"), "quick\n", "what never ran is due")
    history.nightly("--check")
    for phase in ("quick", "slow"):
        history.passed(phase)
    expect(history.nightly("--due"), "", "nothing is due after a result")
    history.commit("other/file")
    expect(history.nightly("--next", "60"), "\n", "what no phase watches makes none due")
    history.commit("src/b/file")
    history.commit("src/a/file")
    expect(history.nightly("--next", "60"), "slow\n", "what became due first comes first")
    expect(history.nightly("--next", "10"), "quick\n", "what does not fit is passed over")
    expect(re.findall(r"^(\w+) +due for +(\d+)", history.nightly("--due"), re.M), [("slow", "2"), ("quick", "1")], "--due")
    history.nightly("--check")
    for _ in range(59):
        history.commit("src/a/file")
    expect("OVERDUE" in history.nightly("--check", status=1), True, "60 commits are too many")
    history.passed("slow")
    history.passed("quick", "FAILED")
    expect(history.nightly("--next", "60"), "quick\n", "what failed is due")
    for _ in range(59):
        history.commit("src/a/file")
    expect(re.findall(r"^(\w+) .*OVERDUE", history.nightly("--check", status=1), re.M), ["quick"], "what failed, after 59 more commits")


def check_never(history):
    for _ in range(58):
        history.commit("src/b/file")
    history.nightly("--check")
    history.commit("src/b/file")
    expect(re.findall(r"^(\w+) .*OVERDUE", history.nightly("--check", status=1), re.M), ["slow"], "what never ran is overdue, too")


def check_rooms(history):
    def rooms(name):
        path = history.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("changed")
        found = run(history.folder, "scripts/changed-rooms").split()
        path.unlink()
        return set(found)

    expect({"mdx", "mdx_edit"} <= rooms("src/formats/warcraft/mdx/edit/new.cpp"), True, "a source of MDX")
    expect("gltf" in rooms("src/formats/warcraft/mdx/edit/new.cpp"), False, "a source of MDX is no business of glTF")
    expect({"describe", "formats", "patch"} <= rooms("src/describe/new.cpp"), True, "a visitor of descriptions")
    expect("cli" in rooms("src/cli/commands/new.cpp"), True, "a source of the command")
    expect(rooms("cmake/new.cmake"), {"all"}, "how it is built")


def check_table():
    test = (ROOT / "test").read_text()
    for line in (ROOT / "scripts/phases.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, paths = line.split("\t")
            expect(f"\nphase_{name}()" in test, True, f"./test has a phase {name}")
            for path in paths.split():
                expect((ROOT / path).exists(), True, f"{name} watches {path}")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        history = History(Path(scratch))
        check_due(history)
        check_rooms(history)
    with tempfile.TemporaryDirectory() as scratch:
        check_never(History(Path(scratch)))
    check_table()
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


sys.exit(main())
