"""The command line of scripts/layouts."""

import gc
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import hexpat
import markdown
from formats import RECIPES
from source import Source, Unknown


def made(root, recipe):
    gc.collect()  # the syntax trees of those before are large
    translator, field = recipe.translate(Source(root, recipe))
    notes = [name for name in recipe.notes or (f"{recipe.name}.md",) if (root / "docs" / "formats" / name).exists()]
    return {f"patterns/{recipe.name}.hexpat": hexpat.pattern(recipe, translator, field),
            f"docs/formats/layout/{recipe.name}.md": markdown.page(recipe, translator, field, notes)}


def tried(root, recipe):
    try:
        return made(root, recipe)
    except Unknown as error:
        print(f"layouts: {recipe.name}: {error}", file=sys.stderr)
        return None


MISSING = """\
Formats that have no description and therefore no tables here: MPQ, packs and CASC (their tables are read by hand, after
decryption, or are big-endian), MDL, ADR and XML (text); [their own pages](../README.md#pages) have all of it. JPEG and PNG
are published standards."""


def tell_left_over(root):
    """Files of formats that are no more."""
    names = {recipe.name for recipe in RECIPES} | {"README"}
    there = [*(root / "patterns").glob("*"), *(root / "docs" / "formats" / "layout").glob("*")]
    left = [path for path in there if path.stem not in names]
    for path in left:
        print(f"layouts: nothing makes {path.relative_to(root)}", file=sys.stderr)
    return bool(left)


def main(root, arguments):
    if "--help" in arguments or "-h" in arguments:
        print(sys.modules["__main__"].__doc__)
        return 0
    check = "--check" in arguments
    target = root
    if "--output" in arguments:
        at = arguments.index("--output")
        target = root.__class__(arguments[at + 1])
        del arguments[at:at + 2]
    wanted = [a for a in arguments if not a.startswith("-")]
    if check and tell_left_over(root):
        return 1
    with ThreadPoolExecutor(min(os.cpu_count(), 4)) as pool:  # most of the time is the compiler's
        results = list(pool.map(lambda recipe: tried(root, recipe),
                                [recipe for recipe in RECIPES if not wanted or recipe.name in wanted]))
    files = {name: text for result in results if result for name, text in result.items()}
    failed = None in results
    if not wanted:
        files["docs/formats/layout/README.md"] = markdown.index(RECIPES, MISSING)
    for name, text in files.items():
        path = target / name
        if check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                print(f"layouts: {name} is not what the descriptions say; run scripts/layouts", file=sys.stderr)
                failed = True
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if failed else 0
