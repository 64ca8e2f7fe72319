#!/usr/bin/env python3
"""Words that people type: checksums and copies in survey, dump of many, add -r, two names for convert, and what archives
answer without -r."""
import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

THAW = os.path.realpath(os.environ["THAW"])
SAMPLES = Path(os.path.realpath(os.environ["THAW_SAMPLES"]))
failures = 0


def fail(text: str) -> None:
    global failures
    failures += 1
    print(f"FAILED: {text}", file=sys.stderr)


def run(expected: int, *arguments) -> tuple:
    done = subprocess.run([THAW, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != expected:
        fail(f"thaw {' '.join(map(str, arguments))}: exit {done.returncode}, expected {expected}: {done.stderr[-300:]}")
    return done.stdout, done.stderr


def survey() -> None:
    for name, copy in (("a.mdx", "knight.mdx"), ("b.mdx", "chest.mdx"), ("sub/c.mdx", "knight.mdx")):
        Path("files/sub").mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLES / copy, Path("files", name))
    for kind in ("sha256", "md5"):
        lines = [json.loads(line) for line in run(0, "survey", "-r", "files", "--json", "--hash", kind, "--csv", f"{kind}.csv")[0].splitlines()]
        rows = {row["file"]: row[kind] for row in csv.DictReader(Path(f"{kind}.csv").open(encoding="utf-8"))}
        for line in lines[:-1]:
            expected = hashlib.new(kind, Path(line["input"]).read_bytes()).hexdigest()
            if line[kind] != expected or rows[line["input"]] != expected:
                fail(f"survey --hash {kind} of {line['input']}: {line[kind]}, {rows[line['input']]}, not {expected}")
        copies = [entry["files"] for entry in lines[-1]["duplicates"]]
        if copies != [["files/a.mdx", "files/sub/c.mdx"]]:
            fail(f"survey --hash {kind}: copies {copies}")
    # Of every length around the size of a block.
    for length in (0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1000):
        Path("files/odd.mdx").write_bytes(bytes(range(256)) * 4 if length == 1000 else b"MDLX" + b"x" * length)
        line = json.loads(subprocess.run([THAW, "survey", "--json", "--hash", "sha256", "files/odd.mdx"], capture_output=True,
                                         text=True, check=False).stdout.splitlines()[0])
        if line.get("sha256", "") not in ("", hashlib.sha256(Path("files/odd.mdx").read_bytes()).hexdigest()):
            fail(f"sha256 of {length} bytes: {line.get('sha256')}")
    Path("files/odd.mdx").unlink()
    text = run(0, "survey", "-r", "files", "--hash", "sha256")[0]
    if f"duplicates: 1, {(SAMPLES / 'knight.mdx').stat().st_size} bytes in total\n  files/a.mdx\n    = files/sub/c.mdx\n" not in text:
        fail(f"survey --hash: {text[-300:]}")
    run(2, "survey", "-r", "files", "--hash", "crc")
    if "duplicates" in run(0, "survey", "-r", "files")[0]:
        fail("survey: duplicates without --hash")


def dump() -> None:
    Path("files/broken.mdx").write_bytes(b"no model" * 20)
    out = run(5, "dump", "-r", "files")[0]
    lines = {line["input"]: line for line in map(json.loads, out.splitlines())}
    if sorted(lines) != ["files/a.mdx", "files/b.mdx", "files/broken.mdx", "files/sub/c.mdx"]:
        fail(f"dump -r: {sorted(lines)}")
    if lines["files/b.mdx"]["document"] != json.loads(run(0, "dump", "files/b.mdx")[0]) or lines["files/broken.mdx"]["document"] is not None:
        fail("dump -r: another document than dump's")
    Path("files/broken.mdx").unlink()
    if len(run(0, "dump", "files/a.mdx", "files/b.mdx")[0].splitlines()) != 2:
        fail("dump of two files")


def archives() -> None:
    run(0, "pack", "files", "-o", "map.mpq")
    run(0, "add", "-r", "map.mpq", "files=more", "-o", "new.mpq")
    names = run(0, "ls", "new.mpq")[0]
    if "more/sub/c.mdx" not in names:
        fail(f"add -r: {names}")
    for command in ("validate", "deps", "render"):
        more = ("-o", "out.png") if command == "render" else ()
        done = subprocess.run([THAW, command, "map.mpq", *more], capture_output=True, text=True, check=False)
        told = done.stdout + done.stderr
        if "-r" not in told:
            fail(f"{command} of an archive does not say that -r looks inside: {told}")


def names() -> None:
    run(0, "convert", "files/a.mdx", "two.glb")
    if Path("two.glb").read_bytes()[:4] != b"glTF":
        fail("convert a.mdx two.glb")


def main() -> int:
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        survey()
        dump()
        archives()
        names()
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
