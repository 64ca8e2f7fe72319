"""M3 models of World of Warcraft."""

from chunks import Chunks, chunk_file, kinds_in
from clang.cindex import CursorKind as Kind

from ir import HERE, Note, Set, binary, n
from recipe import Recipe
from source import cases, find, initial, number, parts, rows, text_in
from translate import Translator
from values import Place, Root
from vocabulary import GAPS


def with_properties(tr, chunks):
    """Two words behind tag and size, which the type of the content names."""
    types = {}
    for tag, kind, *_ in chunks.kinds:
        types.setdefault(tr.member(chunks.place(kind), "properties").type, []).append((tag, kind))

    def follow(rows):
        if not rows:
            return tr.structure("properties", tr.member(chunks.place(tr.source.named_type("Opaque")), "properties"))
        cond, members = n(0), rows[0]
        for tag, kind in members:
            cond = binary("||", cond, chunks.is_tag(tag))

        def one():
            for kind in dict.fromkeys(kind for _, kind in members):
                property_place = tr.member(chunks.place(kind), "properties")
                if kind == members[0][1]:
                    found = tr.structure("properties", property_place)
                for member in property_place.type[1].members:
                    shown = tr.bind_names[property_place.type].get(member.name)
                    tr.store(property_place.sub(member.name, None), ("field", found[1], (*found[2], shown)))

        return tr.branch(cond, one, lambda: follow(rows[1:]))

    tr.bind_names = {}
    for what in types:
        _, root, bound = tr.described(what)
        tr.bind_names[what] = {path[0]: value[2][0] for (owner, path), value in bound.items() if owner is root}
    follow(list(types.values()))


def m3(recipe, translator):
    source, chunk_type = translator.source, {}

    def elements(tr, place):
        """A buffer: its format tells of what."""
        tags = {number(parts(row)[1]): text_in(row) for row in rows(initial(source.find("kFormats", Kind.VAR_DECL)))}
        switch = find(source.find("prepare", Kind.FUNCTION_DECL), Kind.SWITCH_STMT)
        tag = tr.load(Place(place.root, ("properties", "format"), None))
        formats = [([tags[number(label)] for label in labels], source.type(find(body[0], Kind.CALL_EXPR).type))
                   for labels, body in cases(switch) if labels]

        def follow(index):
            if index == len(formats):
                return
            cond = n(0)
            for name in formats[index][0]:
                cond = binary("||", cond, binary("==", tag, ("s", name)))
            what = formats[index][1]
            count = binary("/", binary("-", tr.end, HERE), n(tr.size(what[1])))
            tr.branch(cond, lambda: tr.array_field("elements", Place(Root(what), (), what), what[1], count),
                      lambda: follow(index + 1))

        follow(0)

    def nested(tr, place):
        scope = chunk_type["mesh"]
        tr.variable("file_mesh_version", ("scalar", "u32", 4))
        tr.emit_field(scope.name, "chunks", until=binary("<=", binary("+", HERE, n(16)), tr.end),
                      args=tr.arguments_of(scope), scope=scope)

    def collision(tr, place):
        tr.variable("file_long_headers", ("scalar", "u32", 4))
        long = ("call", "collision_is_long", (HERE, tr.end))
        tr.emit(Set("file_long_headers", tr.scope.localize(long)))
        scope = chunk_type["collision"]
        tr.emit_field(scope.name, "chunks", until=binary("<", HERE, tr.end), args=tr.arguments_of(scope), scope=scope)

    def describe(tr, place):
        own = {"Buffer": elements, "Mesh": nested, "Collision": collision}.get(place.type[1].name, Translator.describe)
        own(tr, place)

    def version(tr, place):
        tr.emit(Set("file_mesh_version", tr.scope.localize(
            tr.load(Place(place.root, ("properties", "version"), None)))))

    def short_properties(tr, chunks):
        what = source.named_type("Properties")
        tr.branch(binary("!=", ("global", "file_long_headers"), n(0)),
                  lambda: tr.structure("properties", Place(Root(what), (), what)), lambda: None)

    mesh_kinds = kinds_in(source, "kMeshKinds")
    chunk_type["mesh"] = Chunks(translator, mesh_kinds, describe, name="ChunkOfMesh", after={"MeshVersion": version},
                                before=with_properties, by_type=True).scope()
    collision_kinds = [(tag, source.named_type(name), 0)
                       for tag, name in (("CINX", "Corners"), ("CPOS", "Points"), ("CNML", "Points"))]
    chunk_type["collision"] = Chunks(translator, collision_kinds, describe, name="ChunkOfCollision",
                                     before=short_properties, by_type=True).scope()
    chunks = Chunks(translator, kinds_in(source, "kKinds"), describe, before=with_properties)
    return chunk_file(translator, chunks.scope(), head=16)


def has_long_records(translator, args):
    """The size decides, as far as it can; then the mesh version."""
    geosets = args[0]
    count = translator.load(Place(geosets.root, ("properties", "count"), None))
    struct = translator.source.named_type("Geoset")[1]
    sizes = [n(struct.constant(name)) for name in ("kMinSize", "kLongSize")]
    return ("call", "has_long_records", (count, translator.value(args[1]), *sizes))


def known_data_size(translator, args):
    types = args[0]
    at = translator.load(Place(types.root, (*types.path[:-1], "uniform_types_at"), None))
    count = translator.load(Place(types.root, (*types.path[:-1], "uniform_count"), None))
    return ("call", "known_data_size", (binary("+", translator.base, binary("*", at, n(4))), count))


def gaps_only(translator, args):
    translator.emit(Note(GAPS))


RECIPES = [
    Recipe("m3", "Models of World of Warcraft (M3)", "src/formats/wow/m3/document.hpp", "m3",
           files=["src/formats/wow/m3/buffer.cpp", "src/formats/wow/m3/document.cpp"], build=m3,
           bodies=("Body", "MeshBody", "std::variant<Points, Corners>", "Properties"),
           body=("describe(v, x)", "describe(v, x.properties)"),
           decisions={"has_long_records": has_long_records, "known_data_size": known_data_size,
                      "describe_gaps": gaps_only},
           functions=["m3"], fixed={"claimed": n(0)},
           starts={"file_mesh_version": "0", "file_long_headers": "0"}),
]
