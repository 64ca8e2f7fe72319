"""Textures."""

from ir import HERE, MOST, binary, n
from recipe import SIZE, Recipe
from values import Aggregate, Choices


def level_extents(translator, args):
    """A picture has at most 16 levels; each stands where the header says."""
    document = args[0]

    def of(name, i):
        found = translator.load(document.sub(name, None))
        return ("field", found[1], (*found[2], i))

    rows = []
    for i in range(16):
        at, size = of("offsets", i), of("sizes", i)
        there = binary("&&", binary("!=", size, n(0)), binary("<", at, SIZE))
        rows.append((there, Aggregate({"begin": at, "end": ("call", "min", (binary("+", at, size), SIZE))})))
    return Choices(rows)


def block_name(translator, args):
    return ("s", f"level{translator.chosen}")


def palette_entries(translator, args):
    document = args[0]
    offsets, sizes = (translator.load(document.sub(name, None)) for name in ("offsets", "sizes"))
    return ("call", "palette_entries", (HERE, ("addr", offsets), ("addr", sizes)))


def stated_data_size(translator, args):
    """thaw computes it from the pixel format; a pattern takes what there is."""
    return n(MOST)


def packets_size(translator, args):
    document = args[0]
    width, height, depth = (translator.load(document.sub(name, None)) for name in ("width", "height", "depth"))
    return ("call", "packets_size", (HERE, binary("*", width, height), binary("/", binary("+", depth, n(7)), n(8))))


def find_appendix(translator, args):
    document = args[0]
    footer = binary("-", SIZE, n(26))
    for path, value in {("footer", "?"): ("call", "has_footer", ()), ("footer_offset",): footer,
                        ("extension", "?"): ("call", "has_extension", ()),
                        ("extension_offset",): ("call", "std::mem::read_unsigned", (footer, n(4)))}.items():
        translator.assign(translator.bind, (document.root, (*document.path, *path)), value)


RECIPES = [
    Recipe("blp", "Pictures of Warcraft III and World of Warcraft (BLP1, BLP2)", "src/formats/pictures/blp/document.hpp", "blp",
           files=["src/formats/pictures/blp/document.cpp"],
           presets={"blp::Document": {("variant",): ("bin", "-", ("call", "std::mem::read_unsigned", (n(3), n(1))), n(49))}},
           decisions={"level_extents": level_extents, "block_name": block_name, "palette_entries": palette_entries},
           functions=["palette_entries"]),
    Recipe("dds", "Pictures (DDS)", "src/formats/pictures/dds/document.hpp", "dds",
           files=["src/formats/pictures/dds/document.cpp"],
           decisions={"stated_data_size": stated_data_size}, pragmas=["#pragma magic [44 44 53 20] @ 0x00"]),
    Recipe("tga", "Pictures (TGA)", "src/formats/pictures/tga/document.hpp", "tga",
           files=["src/formats/pictures/tga/document.cpp"],
           decisions={"packets_size": packets_size, "find_appendix": find_appendix},
           functions=["tga"]),
]
