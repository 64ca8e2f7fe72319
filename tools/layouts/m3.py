"""M3 models of World of Warcraft."""

from chunks import Chunks, chunk_file, kinds_in
from cpp import Type
from ir import HERE, Note, Set, binary, n
from recipe import Recipe, call, value_of
from values import Place, Root
from vocabulary import GAPS


def with_properties(tr, chunks):
    """Two words behind tag and size, which the type of the content names."""
    types = {}
    for tag, kind, *_ in chunks.kinds:
        place = chunks.place(kind)
        types.setdefault(tr.member_type(place.type, "properties")[1].name, []).append((tag, kind))

    def follow(rows):
        if not rows:
            opaque = chunks.place(Type("Opaque"))
            return tr.structure("properties", opaque.sub("properties", tr.member_type(opaque.type, "properties")))
        cond, members = n(0), rows[0]
        for tag, kind in members:
            cond = binary("||", cond, chunks.is_tag(tag))

        def one():
            for kind in {kind.name: kind for _, kind in members}.values():
                place = chunks.place(kind)
                property_place = place.sub("properties", tr.member_type(place.type, "properties"))
                if kind is members[0][1] or kind.name == members[0][1].name:
                    found = tr.structure("properties", property_place)
                for member in property_place.type[1].members:
                    shown = tr.bind_names[property_place.type[1].name].get(member.name)
                    tr.store(property_place.sub(member.name, None), ("field", found[1], (*found[2], shown)))

        return tr.branch(cond, one, lambda: follow(rows[1:]))

    tr.bind_names = {}
    for name in types:
        what = tr.resolve(Type(name), tr.space)
        _, root, bound = tr.described(what)
        tr.bind_names[name] = {path[0]: value[2][0] for (owner, path), value in bound.items() if owner is root}
    follow(list(types.values()))


def m3(recipe, translator):
    sources = translator.sources
    chunk_type = {}

    def elements(tr, place):
        """A buffer: its format tells of what."""
        table = {row[2][1][1].split("::")[-1]: row[2][0][2][0][1] for row in
                 sources.constants[("m3", "kFormats")][1][2]}
        switch = next(s for s in sources.functions["prepare"][0].statements() if s[0] == "switch")
        tag = tr.load(Place(place.root, ("properties", "format"), None))
        rows = [([table[label[1].split("::")[-1]] for label in labels], body[0][1][1][3][0])
                for labels, body in switch[2] if labels != [None]]

        def follow(index):
            if index == len(rows):
                return
            cond = n(0)
            for name in rows[index][0]:
                cond = binary("||", cond, binary("==", tag, ("s", name)))
            what = tr.resolve(rows[index][1], "m3")
            count = binary("/", binary("-", tr.end, HERE), n(tr.size(what[1])))
            tr.branch(cond, lambda: tr.array_field("elements", Place(Root(what), (), what), what[1], count),
                      lambda: follow(index + 1))

        follow(0)

    def nested(tr, place):
        scope = chunk_type["mesh"]
        tr.globals["file_mesh_version"] = (("scalar", "u32", 4), None)
        tr.emit_field(scope.name, "chunks", until=binary("<=", binary("+", HERE, n(16)), tr.end),
                      args=tr.arguments_of(scope), scope=scope)

    def collision(tr, place):
        tr.globals["file_long_headers"] = (("scalar", "u32", 4), None)
        long = ("call", "collision_is_long", (HERE, tr.end))
        tr.emit(Set("file_long_headers", tr.scope.localize(long)))
        scope = chunk_type["collision"]
        tr.emit_field(scope.name, "chunks", until=binary("<", HERE, tr.end), args=tr.arguments_of(scope), scope=scope)

    def describe(tr, place):
        own = {"Buffer": elements, "Mesh": nested, "Collision": collision}.get(place.type[1].name, call("describe"))
        own(tr, place)

    def version(tr, place):
        tr.emit(Set("file_mesh_version", tr.scope.localize(
            tr.load(Place(place.root, ("properties", "version"), None)))))

    def short_properties(tr, chunks):
        what = tr.resolve(Type("Properties"), "m3")
        tr.branch(binary("!=", ("global", "file_long_headers"), n(0)),
                  lambda: tr.structure("properties", Place(Root(what), (), what)), lambda: None)

    mesh_kinds = kinds_in(sources, ("m3", "kMeshKinds"))
    chunk_type["mesh"] = Chunks(translator, mesh_kinds, describe, name="ChunkOfMesh", after={"MeshVersion": version},
                                before=with_properties, by_type=True).scope()
    collision_kinds = [("CINX", Type("Corners")), ("CPOS", Type("Points")), ("CNML", Type("Points"))]
    chunk_type["collision"] = Chunks(translator, collision_kinds, describe, name="ChunkOfCollision",
                                     before=short_properties, by_type=True).scope()
    chunks = Chunks(translator, kinds_in(sources, ("m3", "kKinds")), describe, before=with_properties)
    return chunk_file(translator, chunks.scope(), head=16)


def has_long_records(translator, args, env):
    """The size decides, as far as it can; then the mesh version."""
    geosets = translator.eval(args[0], env)
    count = translator.load(Place(geosets.root, ("properties", "count"), None))
    struct = translator.resolve(Type("Geoset"), "m3")[1]
    sizes = [translator.eval_constant(struct.constants[name], "m3", struct) for name in ("kMinSize", "kLongSize")]
    return ("call", "has_long_records", (count, value_of(translator, args[1], env), *sizes))


def known_data_size(translator, args, env):
    types = translator.eval(args[0], env)
    at = translator.load(Place(types.root, (*types.path[:-1], "uniform_types_at"), None))
    count = translator.load(Place(types.root, (*types.path[:-1], "uniform_count"), None))
    return ("call", "known_data_size", (binary("+", translator.base, binary("*", at, n(4))), count))


def gaps_only(translator, args, env):
    translator.emit(Note(GAPS))


RECIPES = [
    Recipe("m3", "Models of World of Warcraft (M3)", "src/formats/wow/m3/document.hpp", "m3",
           files=["include/thaw/m3.hpp", "src/formats/wow/m3/buffer.cpp", "src/formats/wow/m3/document.hpp",
                  "src/formats/wow/m3/document.cpp"], build=m3,
           decisions={"has_long_records": has_long_records, "known_data_size": known_data_size,
                      "describe_gaps": gaps_only},
           functions=["m3"], fixed={"claimed": n(0)},
           starts={"file_mesh_version": "0", "file_long_headers": "0"}),
]
