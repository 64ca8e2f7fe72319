"""The pages that `scripts/generate` makes of the command: each says what the command says, and no link leads nowhere."""
import importlib.machinery
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
THAW, BUILD = os.environ["THAW"], os.environ["THAW_BUILD"]
# What is the same model, picture or map in another form, of samples.
LOSSLESS = {("blp1", "png"), ("blp2", "png"), ("dds", "png"), ("tga", "png"), ("mdl", "mdx"), ("mdl", "mdl"),
            ("mdx (wc3)", "mdx"), ("mdx (wc3)", "mdl"), ("mrf", "glb"), ("nsa", "glb"), ("nsa", "mrn"), ("wdl", "glb"),
            ("wdl", "heightmap"), ("wdt", "heightmap"), ("wdt", "maps"), ("wdt", "minimap"), ("`glb` of mrf", "mrf"),
            ("`glb` of nsa", "nsa"), ("`glb` of nsa", "mrn")}
LOSING = {("mdx (wc3)", "mdx --format-version 800"), ("mdx (wc3)", "mdx-alpha"), ("`glb` of mdx (wc3)", "mrf"),
          ("wdt", "adt-lk"), ("`glb` of wmo", "m3")}
failures = 0


def check(good: bool, text: str) -> None:
    global failures
    if not good:
        failures += 1
        print(f"FAILED: {text}", file=sys.stderr)


def thaw(*words: str):
    return subprocess.run([THAW, *words], capture_output=True, text=True, check=False)


def rules(page: str) -> None:
    told = json.loads(thaw("help", "rules", "--json").stdout)["rules"]
    sections = re.findall(r"^### (\S+)\n\n(.*?)(?: · \*fixable\*)?\n\n(?:`[^`\n]+`(?: · )?){3}\n\n(\S)", page, re.M)
    check([one["code"] for one in told] == [code for code, _, _ in sections], "rules.md has other rules than `thaw help rules`")
    check([one["title"] for one in told] == [title for _, title, _ in sections], "rules.md has other titles")
    check(len({one["code"] for one in told}) == len(told) > 300, f"{len(told)} rules, or one twice")


def losses(page: str) -> None:
    rows = {}
    for line in page.splitlines():
        found = re.match(r"\| (.+?) \| `(.+?)` \| (\d+) \| (.+) \|$", line)
        if found:
            check((found[1], found[2]) not in rows, f"losses.md has {found[1]} to {found[2]} twice")
            rows[found[1], found[2]] = found[4]
    for pair in LOSSLESS | LOSING:
        check((rows.get(pair) == "nothing") == (pair in LOSSLESS), f"{pair[0]} to {pair[1]} loses {rows.get(pair)}")
    formats = {one["format"]: one["converts_to"].split() for one in json.loads(thaw("formats", "--json").stdout)["formats"]}
    there = {source.split()[0] for source, _ in rows if not source.startswith("`")}
    wanted = {name for name, targets in formats.items() if targets} - {"glb", "gltf"}
    check(wanted - there <= {"wdt-lk"}, f"losses.md lacks {wanted - there}")
    for source in there:
        missing = set(formats[source]) - {"gltf"} - {target for name, target in rows if name.split()[0] == source}
        check(not missing, f"losses.md lacks {source} to {missing}")
    codes = set(re.findall(r"`([a-z0-9-]+\.[a-z0-9-]+)` \((?:info|warning|severe|error), ", page))
    check(len(codes) > 15, f"losses.md has {codes} alone")
    for code in codes:
        check(thaw("help", "rules", code).stdout.startswith(f"{code}: "), f"`thaw help rules {code}` says nothing")


def paths(page: str) -> None:
    sections = re.split(r"^## ", page, flags=re.M)[1:]
    check(len(sections) >= 20, f"paths.md has {len(sections)} formats")
    for section in sections:
        names = re.findall(r"^\| `(.+?)` \|", section, re.M)
        check(bool(names) and len(set(names)) == len(names), f"paths.md: the table of {section[:20]!r}")
        shown = re.search(r"`thaw set FILE '(.+?)=.*' -o OUT`", section)
        check(shown is None or shown[1].replace("[0]", "[*]") in names, f"paths.md: the example of {section[:20]!r}")


def links(folder: Path) -> None:
    loader = importlib.machinery.SourceFileLoader("citations", "scripts/citations")
    citations = importlib.util.module_from_spec(importlib.util.spec_from_loader("citations", loader))
    loader.exec_module(citations)
    looked = citations.Check(folder.resolve())
    for path in sorted(folder.rglob("*.md")):
        looked.page(path.resolve(), str(path.relative_to(folder)), path.read_text(encoding="utf-8"))
    for failure in looked.failures:
        check(False, failure)


def main() -> int:
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        subprocess.run(["scripts/generate", "rules", "paths", "losses", "--build", BUILD, "-o", folder], check=True)
        for name, look in (("rules", rules), ("paths", paths), ("losses", losses)):
            look((folder / f"{name}.md").read_text(encoding="utf-8"))
        links(folder)
    layouts = Path(BUILD) / "reference/layout"
    if layouts.is_dir():
        links(layouts.parent)
    return 1 if failures else 0


sys.exit(main())
