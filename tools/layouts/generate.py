"""The command line of scripts/layouts."""

import argparse
import gc
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import hexpat
import markdown
from formats import RECIPES
from source import Source, Unknown, precompiled


def made(root, recipe, common):
    gc.collect()  # the syntax trees of those before are large
    translator, field = recipe.translate(Source(root, recipe, common))
    notes = [name for name in recipe.notes or (f"{recipe.name}.md",) if (root / "docs" / "formats" / name).exists()]
    return {f"patterns/{recipe.name}.hexpat": hexpat.pattern(recipe, translator, field),
            f"layout/{recipe.name}.md": markdown.page(recipe, translator, field, notes)}


def tried(root, recipe, common):
    try:
        return made(root, recipe, common)
    except Unknown as error:
        print(f"layouts: {recipe.name}: {error}", file=sys.stderr)
        return None


MISSING = """\
Formats that have no description and therefore no tables here: MPQ, packs and CASC (their tables are read by hand, after
decryption, or are big-endian), MDL, ADR and XML (text); their own pages in `docs/formats` have all of it. JPEG and PNG are published
standards."""


def clear(target):
    """Formats may be no more."""
    for path in (*(target / "patterns").glob("*.hexpat"), *(target / "layout").glob("*.md")):
        path.unlink()


def main(root, arguments):
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=root / "build/release/reference", metavar="DIR")
    parser.add_argument("formats", nargs="*", choices=[[], *(recipe.name for recipe in RECIPES)], metavar="FORMAT")
    given = parser.parse_args(arguments)
    if not given.formats:
        clear(given.output)
    recipes = [recipe for recipe in RECIPES if not given.formats or recipe.name in given.formats]
    # Most of the time is the compiler's.
    with TemporaryDirectory() as folder, ThreadPoolExecutor(min(os.cpu_count(), 4)) as pool:
        common = precompiled(root, folder) if len(recipes) > 2 else ()
        results = list(pool.map(lambda recipe: tried(root, recipe, common), recipes))
    files = {name: text for result in results if result for name, text in result.items()}
    if not given.formats:
        files["layout/README.md"] = markdown.index(RECIPES, MISSING)
    for name, text in files.items():
        path = given.output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 1 if None in results else 0
