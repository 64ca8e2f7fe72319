#!/usr/bin/env python3
"""The worked examples of docs/dev/examples.md as they stand there: every change is made in a copy of the sources, what it
touches is compiled and linked in front of what the build has, and what the examples promise is looked at.

A block of the page is a patch without numbers: "+++ FILE", then lines to keep, to add and to take away, "@@" between
two places. What is to be kept or taken away must stand in the file exactly once."""

import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(os.environ.get("THAW_ROOT", Path(__file__).resolve().parents[2])).resolve()
BUILD = Path(os.environ.get("THAW_BUILD", ROOT / "build/release")).resolve()
COPIED = ("docs", "include", "scripts", "src", "tests", "tools")
failures = []


def changes(page):
    """Files with what stands there and what is to."""
    for block in re.findall(r"^```diff\n(.*?)^```$", page, re.S | re.M):
        for part in re.split(r"^\+\+\+ ", block, flags=re.M)[1:]:
            name, body = part.split("\n", 1)
            for place in re.split(r"^@@\n", body, flags=re.M):
                lines = place.splitlines(keepends=True)
                yield (name, "".join(line[1:] for line in lines if line[0] != "+"),
                       "".join(line[1:] for line in lines if line[0] != "-"))


def apply(copy):
    """Makes the changes; the files that they are in."""
    touched = []
    for name, old, new in changes((ROOT / "docs/dev/examples.md").read_text()):
        path = copy / name
        text = path.read_text() if path.exists() else ""
        if name.endswith(".md"):  # of whose long lines a part is enough
            old, new = old.rstrip("\n"), new.rstrip("\n")
        found = text.count(old)
        if found != 1:
            failures.append(f"{name} has {found} places like this:\n{old}")
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace(old, new))
        touched += [name] if name not in touched else []
    return touched


def run(words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        failures.append(f"{' '.join(map(str, words))[:200]}: status {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def compile_words(source):
    """How the build compiles a source, in whichever batch."""
    if not (ROOT / source).exists():
        source = Path("src/formats/wow/lit/document.cpp")  # what is new is compiled as its neighbours are
    room = "_".join(source.parent.parts[1:])
    batch = re.compile(rf"/unity_{room}_\d+_cxx\.cxx$|/{re.escape(str(source))}$")
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        if batch.search(entry["file"]):
            words = entry["command"].split()
            return words[:words.index("-o")]
    sys.exit(f"{BUILD} does not compile {source}")


def compiled(copy, source):
    """A source, or all of a folder at once."""
    made = copy / "made" / ("_".join(source.with_suffix("").parts) + ".o")
    path = copy / source
    if path.is_dir():
        sources = sorted(path.glob("*.cpp"))
        path = made.with_suffix(".cpp")
        path.write_text("".join(f'#include "{one}"\n' for one in sources))
        source /= sources[0].name
    words = compile_words(source)
    includes = [f"-I{copy / 'include'}", f"-I{copy / 'src'}", f"-I{copy / 'tests'}"]
    run([words[0], *includes, *words[1:], "-o", made, "-c", path], cwd=BUILD)
    return made


def linked(target, made, objects, left_out):
    line = run(["ninja", "-C", BUILD, "-t", "commands", target]).splitlines()[-1]
    words = [word for word in line.removeprefix(": && ").removesuffix(" && :").split() if not re.search(left_out, word)]
    at = next(i for i, word in enumerate(words) if word.endswith(".o") or word == "-o")
    words[words.index("-o") + 1] = str(made)
    run([*words[:at], "-Wl,-z,muldefs", *objects, *words[at:]], cwd=BUILD)
    return made


def size_of_settings(copy):
    """What objects of the command that are not compiled again take for granted."""
    text = '#include "cli/arguments/settings.hpp"\nextern const char size[];\nconst char size[sizeof(thaw::cli::Settings)] = {};\n'
    compiler = compile_words(Path("src/cli/commands/tree.cpp"))[0]
    return run([compiler, "-std=c++20", f"-I{copy / 'src'}", "-S", "-x", "c++", "-", "-o", "-"], input=text)


def main():
    if not (BUILD / "build.ninja").exists():
        print("skipped: no build that ninja made")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("node_modules", "__pycache__", "images"))
        touched = apply(copy)
        if failures:
            return
        if size_of_settings(ROOT) != size_of_settings(copy):
            failures.append("the option's member moves others: take one that fits into a gap, or compile the whole command")
        if shutil.which("clang-format-19"):
            run(["clang-format-19", "--dry-run", "-Werror", f"--style=file:{ROOT / '.clang-format'}",
                 *(copy / name for name in touched if name.endswith((".cpp", ".hpp")))])
        (copy / "made").mkdir()
        lights = Path("src/formats/wow/lit")
        arguments = Path("src/cli/arguments")  # as a whole: its parser makes the settings, its help reads the table
        tree = Path("src/cli/commands/tree.cpp")
        shaders = Path("src/formats/wow/bls")
        formats = Path("src/formats/list.cpp")
        test = Path("tests/lit")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            layouts = pool.submit(run, [copy / "scripts/layouts", "-o", copy / "reference", "lit"])
            parts = [arguments, lights, tree, test, shaders, formats]
            objects = dict(zip(parts, pool.map(lambda part: compiled(copy, part), parts)))
            layouts.result()
        if failures:
            return
        tests = linked("thaw_tests_lit", copy / "made/tests", [objects[test], objects[lights]], r"thaw_tests_lit\.dir/.*\.o$")
        thaw = linked("thaw_cli", copy / "made/thaw", [objects[part] for part in parts if part != test], r"cli[_/]arguments.*\.o$")
        if failures:
            return
        run([tests, "--gtest_brief=1"], cwd=BUILD / "tests")
        run(["bash", "tests/scripts/cli_look.sh"], cwd=copy, env={**os.environ, "THAW": str(thaw)})
        look(copy, thaw)


def look(copy, thaw):
    rules = run([thaw, "validate", "--list-rules", "--format", "markdown"])
    before = run([BUILD / "thaw", "validate", "--list-rules", "--format", "markdown"])
    differences = [line for line in difflib.ndiff(before.splitlines(), rules.splitlines())
                   if line[0] in "+-"]
    if "+ ### lit.chunk-radius" not in differences or any(line[0] == "-" for line in differences):
        failures.append("the page of rules changes by more than the rule:\n" + "\n".join(differences))
    for name in ("reference/layout/lit.md", "reference/patterns/lit.hexpat"):
        if "fogDensity" not in (copy / name).read_text():
            failures.append(f"{name} made anew lacks the field")
    for words in (["tree", "--help"], ["completion", "bash"]):
        if "--unknown" not in run([thaw, *words]):
            failures.append(f"{' '.join(words)} lacks the option")
    shader = copy / "one.bls"
    shader.write_bytes(b"GXVS\1\0\0\0blocks")
    if "EXACT    100.00 %" not in run([thaw, "survey", shader]) or "version" not in run([thaw, "dump", shader]):
        failures.append("the new format is not read and written")


status = main()
for failure in failures:
    print(f"FAILED: {failure}", file=sys.stderr)
sys.exit(status if status else bool(failures))
