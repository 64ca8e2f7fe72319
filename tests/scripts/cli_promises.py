#!/usr/bin/env python3
"""cli_promises.py: what SECURITY.md says that commands write, run and open, by the system calls that they make.

Each command works on a sample in a folder of its own. It may open files for writing, make, rename and remove them below
its output alone, runs no program and makes no socket; what only reads writes nothing at all. Needs strace."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

THAW = os.path.realpath(os.environ["THAW"])
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"]).resolve()
CALLS = "execve,socket,connect,bind,openat,open,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat"
failures = []

READS = [["info", "{mdx}"], ["dump", "{mdx}"], ["tree", "{mdx}"], ["diff", "{mdx}", "{mdl}"], ["survey", "{mdx}"], ["ls", "{mpq}"], ["formats"],
         ["validate", "{mdx}"], ["deps", "{mdx}"], ["config"], ["completion", "bash"], ["help", "info"], ["world", "{wdt}", "--eye", "0,0,100"]]
WRITES = [["convert", "{mdx}", "-o", "{out}/a.glb"], ["convert", "{mdx}", "-o", "{out}/a.mdl"], ["convert", "{blp}", "-o", "{out}/a.png"],
          ["optimize", "{mdx}", "-o", "{out}/b.mdx"], ["edit", "{mdx}", "--move", "1,0,0", "-o", "{out}/c.mdx"], ["portrait", "{mdx}", "-o", "{out}/d.mdx"],
          ["render", "{mdx}", "--size", "32", "-o", "{out}/e.png"], ["thumb", "{mdx}", "-s", "32", "-o", "{out}/f.png"],
          ["set", "{mdx}", "MODL.blendTime=9", "-o", "{out}/g.mdx"], ["extract", "{mpq}", "-o", "{out}/h"], ["pack", "{folder}", "-o", "{out}/i.mpq"],
          ["add", "{mpq}", "{mdl}=x", "-o", "{out}/j.mpq"], ["bundle", "{mdx}", "-o", "{out}/k/"], ["validate", "--fix", "{mdx}", "-o", "{out}/l.mdx"]]


def traced(words, scratch):
    """The exit code and the lines of strace."""
    log = scratch / "trace"
    done = subprocess.run(["strace", "-f", "-qq", "-s", "4096", "-e", f"trace={CALLS}", "-o", log, THAW, *words], cwd=scratch, capture_output=True, text=True,
                          env={"PATH": os.environ["PATH"], "HOME": str(scratch / "home"), "TMPDIR": str(scratch / "tmp"), "NO_COLOR": "1"}, check=False)
    return done, [line.split(" ", 1)[1].strip() for line in log.read_text().splitlines() if " " in line]


def changes(line):
    """The paths that a call changes."""
    name = line.split("(")[0]
    if "= -1" in line or (name in ("open", "openat") and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", line)):
        return []
    return [path for path in re.findall(r'"([^"]*)"', line) if name not in ("execve", "socket", "connect", "bind")]


def check(words, scratch, out):
    done, lines = traced(words, scratch)
    label = f"{words[0]} …: "
    if done.returncode not in (0, 1):
        failures.append(f"{label}exit {done.returncode}: {done.stderr}")
    if sum(line.startswith("execve(") for line in lines) != 1:
        failures.append(label + "runs a program")
    failures.extend(label + line for line in lines if line.startswith(("socket(", "connect(", "bind(")))
    for line in lines:
        for path in changes(line):
            inside = out and (scratch / path).resolve().is_relative_to(out)
            if not inside and path not in ("/dev/null", "/dev/tty"):
                failures.append(f"{label}{line}")


def main():
    if not shutil.which("strace"):
        print("skipped: no strace")
        return 77
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name).resolve()
        out = scratch / "out"
        for folder in ("out", "home", "tmp", "folder"):
            (scratch / folder).mkdir()
        shutil.copy(SAMPLES / "knight.mdx", scratch / "knight.mdx")
        shutil.copytree(SAMPLES / "Textures", scratch / "Textures")
        shutil.copy(SAMPLES / "chest.mdx", scratch / "folder" / "chest.mdx")
        places = {"mdx": scratch / "knight.mdx", "mdl": scratch / "knight.mdl", "mpq": scratch / "a.mpq", "folder": scratch / "folder", "out": out,
                  "blp": next(iter(sorted((scratch / "Textures").glob("*.blp")))), "wdt": SAMPLES / "World/Maps/Island/Island.wdt"}
        for words in (["convert", places["mdx"], "-o", places["mdl"]], ["pack", places["folder"], "-o", places["mpq"]]):
            subprocess.run([THAW, *map(str, words)], check=True, capture_output=True)
        for words in READS + WRITES:
            filled = [word.format(**places) for word in words]
            check(filled, scratch, None if words in READS else out)
    for failure in failures:
        print("FAILED:", failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
