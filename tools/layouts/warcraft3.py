"""Models and light of Warcraft III and of World of Warcraft's alpha."""

from chunks import Chunks, chunk_file, item_of, keeps_version, kinds_in
from ir import Set, binary, n
from recipe import SIZE, Recipe, nothing, over_rest
from values import Place, Root


def path_size(translator, args):
    """MRF: the path ends with its NUL. That of a texture path is at `textureOffset`."""
    document = args[0]
    at = translator.load(translator.member(translator.member(document, "header"), "texture_offset"))
    return ("call", "text_size", (at, SIZE))


def mdx(recipe, translator):
    kinds = kinds_in(translator.source, "kChunkKinds")
    chunks = Chunks(translator, kinds, lambda tr, place: tr.describe(place, "describe_body"),
                    after={"Version": keeps_version})
    return chunk_file(translator, chunks.scope(), "MDLX")


MDX_DECISIONS = {
    "fresnel_fields_follow": over_rest("fresnel_fields_follow"),
    "has_short_sound_tracks": over_rest("has_short_sound_tracks"),
    "event_has_global_sequence": over_rest("event_has_global_sequence", 1),
    "plan_collisions": nothing,
    "collision_floats": over_rest("collision_floats", 1),
}

def mdx_alpha(recipe, translator):
    kinds = kinds_in(translator.source, "kChunkKinds")
    translator.context_value("version")

    def describe(tr, place):
        if item_of(place.type) == "Geoset":
            later = tr.source.named_type("Sections")
            tr.branch(binary("<", ("global", "file_version"), n(1500)), lambda: listed(tr, place),
                      lambda: tr.describe(Place(Root(later), (), later)))
        elif place.type[1].name == "List":
            listed(tr, place)
        else:
            tr.describe(place)

    def listed(tr, place):
        items = tr.member(place, "items")
        count = tr.emit_field("u32", "itemCount", role="structure")
        tr.structure("", items, count)

    chunks = Chunks(translator, kinds, describe, after={"Version": keeps_version})
    return chunk_file(translator, chunks.scope(), "MDLX")


def plan_batches(translator, args):
    sections = args[1]
    translator.emit(Set(translator.variable("file_sections"), ("addr", translator.scope.localize(translator.load(sections)))))


def planned_vertices(translator, args):
    """Of the section with the same index."""
    scope = translator.described(translator.source.named_type("Section"))[0]
    offset = size = 0
    for item in scope.items:
        if item.name == "vertexCount":
            offset = size
        size += {"u32": 4, "s32": 4, "float": 4, "char": 1, "u16": 2, "u8": 1}[item.type] * (
            item.count[1] if item.count else 1)
    at = binary("+", ("global", "file_sections"),
                binary("+", binary("*", ("call", "std::core::array_index", ()), n(size)), n(offset)))
    return ("call", "std::mem::read_unsigned", (at, n(4)))


RECIPES = [
    Recipe("mrf", "Morph models of Warcraft III (MRF)", "src/formats/warcraft/mrf/document.cpp", "mrf",
           files=["src/formats/warcraft/mrf/document.cpp"],
           decisions={"path_length": path_size}, functions=["text_size"],
           pragmas=["#pragma magic [4D 6F 72 66] @ 0x00"]),
    Recipe("lit", "Light of a map of World of Warcraft's alpha (lights.lit)", "src/formats/wow/lit/document.cpp", "lit",
           files=["src/formats/wow/lit/document.cpp"]),
    Recipe("mdx", "Models of Warcraft III (MDX)", "src/formats/warcraft/mdx/document.hpp", "mdx",
           files=["src/formats/warcraft/mdx/document.cpp"], bodies=("ChunkBody",), body=("describe_body(v, x)",),
           build=mdx, decisions=MDX_DECISIONS, tables={"track_type": ("components", "integer")},
           functions=["count_named", "has_short_sound_tracks", "plausible", "fresnel_fields_follow", "event_has_global_sequence", "collision_floats"],
           pragmas=["#pragma magic [4D 44 4C 58] @ 0x00"]),
    Recipe("mdx_alpha", "Models of World of Warcraft's alpha (MDX, versions 1300 to 1500)",
           "src/formats/wow/mdx_alpha/document.hpp", "mdx_alpha",
           files=["src/formats/wow/mdx_alpha/document.cpp"], bodies=("ChunkBody", "Sections"),
           body=("describe(v, x)", 'v.counted_list("", x.items)'), build=mdx_alpha, tables={"track_kind": ("",)},
           decisions={"plan_batches": plan_batches, "planned_vertices": planned_vertices},
           starts={"file_sections": "0"}, pragmas=["#pragma magic [4D 44 4C 58] @ 0x00"]),
]
