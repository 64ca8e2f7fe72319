"""Maps and buildings of World of Warcraft."""

from chunks import Chunks, chunk_file, keeps_version, kinds_in
from ir import HERE, binary, condition, n
from recipe import SIZE, Recipe, nothing
from translate import Translator
from values import Aggregate, Place, Places


def found_places(function, *more):
    """Parts behind a table of offsets, in the table's order: `count_<function>s(table)` counts them, `next_<function>(table)`
    finds the next slot."""
    def decide(translator, args):
        table = translator.load(args[1])
        where = ("addr", table)
        translator.variable("file_next_" + function)
        extra = tuple(value(translator) for value in more)

        def entry(tr, index):
            at = tr.local("u64", "at", ("call", "next_" + function, (where, *extra)))
            return Aggregate({"at": at, "size": binary("-", SIZE, at), "index": n(0), "slot": n(0)})

        count = translator.local("u64", "count", ("call", f"count_{function}s", (where, *extra)))
        return Places(count, entry)
    return decide


def list_tiles(translator, args):
    tiles = args[0]
    table = translator.load(Place(tiles.root, ("map", "tiles"), None))
    translator.variable("file_next_tile")

    def entry(tr, index):
        return Aggregate({"index": tr.local("u64", "slot", ("call", "next_tile", (("addr", table),)))})

    count = translator.local("u64", "count", ("call", "count_tiles", (("addr", table),)))
    translator.assign(translator.bind, (tiles.root, (*tiles.path, "#")), count)
    translator.assign(translator.bind, tiles.key, Places(count, entry))


def tile_extents(translator, args):
    table = translator.load(args[0].sub("tiles", None))
    return Places(n(4096), lambda tr, index: ("call", "tile_size", (("addr", table), index)))


def wmo(recipe, translator):
    kinds = kinds_in(translator.source, "kChunkKinds")
    known, levels = {}, {}

    def describe(tr, place):
        tr.describe(place, "describe_body", n(0))

    def nested(tr, args):
        """Chunks in a chunk: a root's or a group's."""
        owner = args[1].root.type[1].name
        scope = levels[owner]
        tr.emit_field(scope.name, "chunks", until=binary("<=", binary("+", HERE, n(8)), tr.end),
                      args=tr.arguments_of(scope), scope=scope)

    translator.decisions = {**recipe.decisions, "describe_chunks": nested}
    without = lambda *names: [kind for kind in kinds if kind[1][1].name not in names]
    after = {"Version": keeps_version}
    make = lambda kinds, name, bodies: Chunks(translator, kinds, describe, True, name, after, bodies=bodies).scope()
    levels["Group"] = make(without("Root", "Group"), "ChunkOfGroup", known)
    in_root = dict(known)
    levels["Root"] = make(without("Root"), "ChunkOfRoot", in_root)
    return chunk_file(translator, make(kinds, "Chunk", in_root))


def has_wide_header(translator, args):
    return ("call", "has_wide_header", (HERE, translator.value(args[1]), translator.end))


def adt(recipe, translator):
    def terrain(tr, place):
        header = tr.member(place, "header")
        tr.structure("header", header)
        sizes = [tr.load(header.sub(name, None)) for name in ("alpha_size", "shadow_size", "liquid_size")]
        parts = Chunks(tr, kinds_in(tr.source, "kKinds", "part_body"), Translator.describe, True, "PartOfTerrain",
                       size_of=lambda tr, chunk: part_size(tr, chunk, *sizes), behind=padded)
        scope = parts.scope()
        tr.emit_field(scope.name, "chunks", until=binary("<=", binary("+", HERE, n(8)), tr.end),
                      args=tr.arguments_of(scope), scope=scope)

    def part_size(tr, chunk, alpha, shadow, liquid):
        """Of the sizes in a part's head and in the header the one that leads on; a liquid of size zero has the latter."""
        without_head = lambda tag, size, otherwise: condition(
            binary("&&", chunk.is_tag(tag), binary(">", size, n(8))), binary("-", size, n(8)), otherwise)
        other = without_head("MCAL", alpha, without_head(
            "MCLQ", liquid, condition(chunk.is_tag("MCSH"), shadow, n(0))))
        usual = binary("&&", chunk.is_tag("MCLQ"), binary("==", chunk.size, n(0)))
        better = ("call", "better_size", (HERE, tr.end, chunk.size, other))
        return tr.local("u64", "content", condition(usual, other, better))

    def padded(tr, chunk):
        size = ("call", "normals_pad", (HERE, tr.end))
        tr.branch(binary("&&", chunk.is_tag("MCNR"), binary(">", size, n(0))),
                  lambda: tr.emit_field("u8", "pad", size), lambda: None)

    def describe(tr, place):
        terrain(tr, place) if place.type[1].name == "TerrainChunk" else tr.describe(place)

    kinds = kinds_in(translator.source, "kChunkKinds")
    chunks = Chunks(translator, kinds, describe, True)
    return chunk_file(translator, chunks.scope())


RECIPES = [
    Recipe("wdt", "Maps of World of Warcraft's alpha (WDT)", "src/formats/wow/wdt/document.hpp", "wdt",
           files=["src/formats/wow/wdt/document.cpp"],
           decisions={"tile_extents": tile_extents, "list_tiles": list_tiles,
                      "chunk_places": found_places("chunk", lambda tr: tr.context_value("tile_offset"))},
           functions=["tiles"], fixed={"head_only": n(0)},
           starts={"file_next_tile": "0", "file_next_chunk": "0"}),
    Recipe("wdl", "Far terrain of World of Warcraft's alpha (WDL)", "src/formats/wow/wdl/document.cpp", "wdl",
           files=["src/formats/wow/wdl/document.cpp"],
           decisions={"area_extents": found_places("area"), "drop_overlaps": nothing},
           functions=["areas"], starts={"file_next_area": "0"}),
    Recipe("wmo", "Buildings of World of Warcraft (WMO, versions 14 to 17)", "src/formats/wow/wmo/document.hpp", "wmo",
           files=["src/formats/wow/wmo/document.cpp"], bodies=("ChunkBody",),
           body=("describe_body(v, x, Level::file)",), build=wmo,
           decisions={"has_wide_header": has_wide_header}, functions=["has_wide_header"],
           pragmas=["#pragma magic [52 45 56 4D] @ 0x00"]),
    Recipe("adt", "Tiles of World of Warcraft's maps (ADT, version 18)", "src/formats/wow/adt/document.cpp", "adt",
           files=["src/formats/wow/adt/document.cpp"], bodies=("PartBody", "Body", "TerrainChunk"),
           body=("describe_chunk_body(v, x)", "describe(v, x.header)"), build=adt,
           functions=["normals_pad", "better_size"]),
    Recipe("wdt-lk", "Maps of World of Warcraft beside their tiles (WDT, version 18)", "src/formats/wow/adt/document.cpp",
           "adt", root="Map", notes=["adt.md"],
           files=["src/formats/wow/adt/document.cpp"]),
]
