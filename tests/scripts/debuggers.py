#!/usr/bin/env python3
"""What debuggers show: GDB, in a program that holds a value of each kind; natvis, whose members must be there."""

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ["THAW"]).parent / "tests" / "thaw_debug_values"

SHOWN = {
    "tag": "MDLX",
    "text": '"Stand"',
    "full": '"Walk" (fills its field)',
    "findings": "1 findings and 1 not kept = {0 = read.truncated (error) at 0x10 GEOS[0]: the file ends}",
    "good": "a result = {value = MDLX}",
    "bad": "no result = {error = read.truncated (error) at 0x10 GEOS[0]: the file ends}",
    "track": "KGTR, thaw::mdx::Interpolation::none, global sequence -1, 4 words",
    "curve": "thaw::scene::CurveMode::linear, 2 keys of 1",
    "scene": 'scene "knight": 2 nodes, 1 clips',
    "document": "a document = {document = {chunks = ",
}


def check_gdb():
    done = subprocess.run(
        ["gdb", "-batch", "-nx", "-ex", "set startup-with-shell off", "-ex", f"source {ROOT}/tools/debug/gdb.py",
         "-ex", "break stop_here", "-ex", "run", "-ex", "up", "-ex", "info locals", str(PROGRAM)],
        capture_output=True, text=True, timeout=120)
    if "ptrace" in done.stderr and "not permitted" in done.stderr:
        print("skipped: the tool gdb may not trace a program here", file=sys.stderr)
        return 77
    shown = dict(line.split(" = ", 1) for line in done.stdout.splitlines() if " = " in line)
    wrong = [f"{name}: {shown.get(name)!r}, not {text!r}" for name, text in SHOWN.items()
             if not shown.get(name, "").startswith(text)]
    print("\n".join([*wrong, done.stderr] if wrong else [f"gdb shows {len(SHOWN)} values"]))
    return 1 if wrong else 0


def check_natvis():
    """Each type and each member that the file names stands in a public header."""
    public = ROOT / "include" / "thaw"
    wrong = []
    space = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"
    for kind in ElementTree.parse(ROOT / "tools" / "debug" / "thaw.natvis").getroot().iter(f"{space}Type"):
        *spaces, name = kind.get("Name").split("<")[0].split("::")
        headers = "\n".join(p.read_text() for p in public.glob(f"{spaces[1]}.hpp" if spaces[1:] else "*.hpp"))
        found = re.search(rf"^(?:struct|class) {name} \{{\n(.*?)^\}};", headers, re.MULTILINE | re.DOTALL)
        if not found:
            wrong.append(f"natvis: no type {name}")
            continue
        texts = re.findall(r"\{\*?([a-z_]+)", " ".join(e.text or "" for e in kind.iter(f"{space}DisplayString")))
        wrong += [f"natvis: {name} has no {member}" for member in texts
                  if not re.search(rf"\b{member}(\b|_)", found.group(1))]
    print("\n".join(wrong) if wrong else "natvis: all members are there")
    return 1 if wrong else 0


if check_natvis():
    sys.exit(1)
if not shutil.which("gdb"):
    print("skipped: the tool gdb is not here", file=sys.stderr)
    sys.exit(77)
sys.exit(check_gdb())
