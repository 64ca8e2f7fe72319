#!/usr/bin/env python3
""".devcontainer has what it needs: its files name each other rightly, and scripts/setup, called as the image calls it,
asks for the packages of its sections. Nothing is installed."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(os.environ.get("THAW_ROOT", Path(__file__).resolve().parents[2])).resolve()
FOLDER = ROOT / ".devcontainer"
failures = []


def check(good, text):
    if not good:
        failures.append(text)


def asked_for(sections):
    """What scripts/setup would install on a machine that has nothing."""
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder)
        (image / "scripts").mkdir()
        (image / "bin").mkdir()
        shutil.copy(ROOT / "packages.txt", image)
        shutil.copy(ROOT / "scripts/setup", image / "scripts")
        for name in ("bash", "env", "cat", "dirname", "mkdir", "readlink", "sed", "stat"):
            (image / "bin" / name).symlink_to(shutil.which(name))
        for name, body in (("apt-get", f'echo "$@" >>{image}/log'), ("dpkg-query", "exit 1"), ("sudo", 'exec "$@"')):
            (image / "bin" / name).write_text(f"#!/bin/bash\n{body}\n")
            (image / "bin" / name).chmod(0o755)
        done = subprocess.run([image / "scripts/setup", *sections], env={"PATH": str(image / "bin")}, capture_output=True,
                              text=True, check=False)
        check(done.returncode == 0, f"scripts/setup: {done.stderr}")
        return (image / "log").read_text().split() if (image / "log").exists() else []


settings = json.loads((FOLDER / "devcontainer.json").read_text())
dockerfile = FOLDER / settings["build"]["dockerfile"]
context = FOLDER / settings["build"]["context"]
text = dockerfile.read_text().replace("\\\n", "")
for names in re.findall(r"^COPY (.*) \S+$", text, re.M):
    for name in names.split():
        check((context / name).exists(), f"{dockerfile.name} copies {name}")
sections = re.search(r"scripts/setup ([a-z ]+?) *&&", text)[1].split()
packages = asked_for(sections)
for section in sections:
    lines = re.search(rf"^\[{section}\]\n(.*?)(?=^\[|\Z)", (ROOT / "packages.txt").read_text(), re.S | re.M)
    for line in (lines[1] if lines else "").splitlines():
        if line.split("#")[0].strip():
            check(line.split()[0] in packages, f"scripts/setup {section} does not install {line.split()[0]}")
    check(lines, f"packages.txt has no section {section}")
command = ROOT / settings["postCreateCommand"].split()[0]
check(os.access(command, os.X_OK), f"{command} is no program")
clangd = settings["customizations"]["vscode"]["settings"]["clangd.path"]
check(re.search(rf"apt-get install .*\b{clangd}\b", text), f"nothing installs {clangd}")
for failure in failures:
    print(f"FAILED: {failure}", file=sys.stderr)
sys.exit(bool(failures))
