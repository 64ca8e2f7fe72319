"""What the formats are, and where data decides: which functions over bytes stand behind a decision, and what a pattern
does in their place. No layout stands here."""

from cpp import Type
from hexpat import pattern
from ir import HERE, Field, Scope, Set, binary, n
from translate import Env, Place, Root, Translator, camel

SIZE = ("call", "std::mem::size", ())


class Recipe:
    def __init__(self, name, title, source, space, about="", root="Document", files=(), decisions=None, tables=None,
                 functions=None, pragmas=(), presets=None, starts=None, build=None):
        self.name, self.title, self.source, self.space = name, title, source, space
        self.about, self.root, self.files = about, root, files
        self.decisions, self.tables = decisions or {}, tables or {}
        self.functions = functions or {}
        self.pragmas = pragmas
        self.presets, self.starts = presets or {}, starts or {}
        self.build = build

    def start_of(self, translator, name, member):
        if name in self.starts:
            return self.starts[name]
        init = member.init
        while init and init[0] == "init" and init[2]:
            init = init[2][0]
        if init is None or init[0] == "init":
            return 0
        struct = translator.lookup(translator.sources.structs, "Context", translator.space)
        return translator.value(translator.eval_constant((member.type, init), struct.space, struct))[1]

    def translate(self, sources):
        translator = Translator(sources, self.space, self.decisions, self.tables)
        if self.build:
            return translator, self.build(self, translator)
        what = translator.resolve(Type(self.root), self.space)
        translator.preset = lambda kind, root: {(root, path): value for path, value in
                                                self.presets.get(kind[1].name, {}).items()}
        return translator, root_field(translator, what)


def root_field(translator, what):
    scope, _, _ = translator.described(what, (SIZE, n(0), SIZE))
    return Field(scope.name, "file", None, n(0), (), scope=scope)


def path_size(translator, args, env):
    """MRF: the path ends with its NUL. That of a texture path is at `textureOffset`."""
    document = translator.eval(args[0], env)
    header = document.sub("header", translator.member_type(document.type, "header"))
    at = translator.load(header.sub("texture_offset", None))
    return ("call", "text_size", (at, SIZE))


# --- chunks


def kinds_in(sources, key):
    """(tag, type) of each row of a table that joins tags and types of chunks."""
    _, init = sources.constants[key]
    rows = init[2] if len(init[2]) > 1 else init[2][0][2]
    found = []
    for row in rows:
        if row[0] == "call":  # top<Body>(FourCC{...})
            found.append((row[2][0][2][0][1], row[1][2][0]))
        else:
            tag, make = row[2]
            found.append((tag[2][0][1], make[2][0]))
    return found


class Chunks:
    """Tag, size and content, one after the other."""

    def __init__(self, translator, kinds, describe, backwards=False, name="Chunk", after=None, before=None):
        self.translator, self.kinds, self.describe = translator, kinds, describe
        self.backwards, self.name = backwards, name
        self.after = after or {}
        self.before = before

    def scope(self):
        tr = self.translator
        scope = Scope(tr.free_name(self.name), doc="A tag, the size of what follows, and that.")
        outer = (tr.scope, tr.items, tr.end, tr.base, tr.region_end)
        tr.scope, tr.items = scope, scope.items
        tr.end, tr.base, tr.region_end = (("outer", scope, name) for name in ("end", "base", "regionEnd"))
        tag = tr.emit_field("char", "tag", n(4), role="tag")
        size = tr.emit_field("u32", "size", role="structure")
        if self.before:
            self.before(tr)
        tr.payload(size, lambda: self.bodies(tag, 0))
        tr.scope, tr.items, tr.end, tr.base, tr.region_end = outer
        tr.scopes.append(scope)
        return scope

    def bodies(self, tag, index):
        tr = self.translator
        if index == len(self.kinds):
            tr.branch(binary("<", HERE, tr.end), lambda: tr.emit_field("u8", "bytes", binary("-", tr.end, HERE),
                                                                       role="opaque"), lambda: None)
            return
        name, kind = self.kinds[index]
        if kind.name == "Opaque":
            return self.bodies(tag, index + 1)
        stored = name[::-1] if self.backwards else name
        tr.branch(binary("==", tag, ("s", stored)), lambda: self.body(name, kind),
                  lambda: self.bodies(tag, index + 1))

    def body(self, name, kind):
        tr = self.translator
        what = tr.resolve(kind, tr.space)
        place = Place(Root(what), (), what)
        title = "Chunk" + "".join(c for c in name if c.isalnum())

        def inside():
            self.describe(tr, place)
            if kind.name in self.after:
                self.after[kind.name](tr, place)

        if item_of(what):
            return tr.in_group("", inside, inline=True, title=title, doc=name)
        return tr.in_group("", inside, inline=True, title=title, doc=what[1].doc if what[1].doc.startswith(name) else
                    ": ".join(filter(None, (name, what[1].doc))))


def chunk_file(translator, scope, magic=None):
    """A file of chunks, and what is left behind them."""
    tr = translator
    file = Scope(tr.free_name("File"))
    tr.scope, tr.items = file, file.items
    tr.end, tr.base, tr.region_end = SIZE, n(0), SIZE
    if magic:
        tr.emit_field("char", "magic", n(4), role="structure", doc=f"`{magic}`")
    tr.emit_field(scope.name, "chunks", until=binary("<=", binary("+", HERE, n(8)), SIZE),
                  args=tr.arguments_of(scope), scope=scope)
    tr.branch(binary("<", HERE, SIZE), lambda: tr.emit_field("u8", "tail", binary("-", SIZE, HERE), role="opaque"),
              lambda: None)
    tr.scopes.append(file)
    return Field(file.name, "file", None, n(0), (), scope=file)


def item_of(what):
    """The name of what a list holds."""
    inner = dict(what[2]).get("T") if what[1].name == "List" else None
    return inner[1].name if inner else None


def call(name):
    """Runs a function of the description on what a chunk holds."""
    def run(translator, place):
        translator.call_function(name, None, [translator.visitor, place], Env(space=translator.space))
    return run


def keeps_version(translator, place):
    translator.emit(Set("file_version", translator.scope.localize(
        translator.load(place.sub("value", None)))))


def value_of(translator, ast, env):
    return translator.value(translator.eval(ast, env))


def over_rest(name, *arguments):
    """A decision over the bytes that are left: `name(from, ..., end)`."""
    def decide(translator, args, env):
        given = [value_of(translator, args[i], env) for i in arguments]
        return ("call", name, (HERE, *given, translator.end))
    return decide


def nothing(translator, args, env):
    return None


# --- Warcraft III


def mdx(recipe, translator):
    kinds = kinds_in(translator.sources, ("mdx", "kChunkKinds"))
    chunks = Chunks(translator, kinds, call("describe_body"), after={"Version": keeps_version})
    return chunk_file(translator, chunks.scope(), "MDLX")


MDX_DECISIONS = {
    "fresnel_fields_follow": over_rest("fresnel_fields_follow"),
    "event_has_global_sequence": over_rest("event_has_global_sequence", 1),
    "plan_collisions": nothing,
    "collision_floats": over_rest("collision_floats", 1),
}

PLAUSIBLE = """
// Could a node begin here, or does the chunk end?
fn plausible(u64 at, u64 end) {
    if (at == end)
        return true;
    if (at + 96 > end)
        return false;
    u64 size = std::mem::read_unsigned(at, 4);
    if (size < 96 || size > end - at)
        return false;
    if (size > 96 && !tag_at(at + 96, end, "KGTR") && !tag_at(at + 96, end, "KGRT") && !tag_at(at + 96, end, "KGSC"))
        return false;
    return std::mem::read_signed(at + 84, 4) >= -1 && std::mem::read_signed(at + 88, 4) >= -1;
};
"""

FRESNEL = """
// Version 900 may have the fields of version 1000: they are there if no track is next.
fn fresnel_fields_follow(u64 at, u64 end) {
    if (tag_at(at, end, "KMTF") || tag_at(at, end, "KMTA") || tag_at(at, end, "KMTE"))
        return false;
    if (tag_at(at, end, "KFC3") || tag_at(at, end, "KFCA") || tag_at(at, end, "KFTC"))
        return false;
    return at + 20 <= end;
};
"""

EVENTS = """
// Some writers leave the global sequence of events out; it is there if what follows makes sense with it.
fn event_has_global_sequence(u64 at, u64 count, u64 end) {
    u64 frames = count * 4;
    if (at + frames + 4 <= end) {
        if (plausible(at + frames + 4, end))
            return true;
    }
    if (at + frames <= end) {
        if (plausible(at + frames, end))
            return false;
    }
    return true;
};
"""

COLLISIONS = """
// Can a shape end behind so many bytes?
fn collision_fits(u64 at, u64 size, u64 end) {
    if (at + size > end)
        return false;
    return plausible(at + size, end);
};

// Floats of a collision shape: the first layout of its type that makes sense with what follows. (thaw looks at the
// whole chunk to choose.)
fn collision_floats(u64 at, u64 type, u64 end) {
    if (type == 0)
        return 6;
    if (type == 2)
        return 4;
    if (type == 1) {
        if (collision_fits(at, 24, end))
            return 6;
        if (collision_fits(at, 20, end))
            return 5;
        return 3;
    }
    if (type == 3) {
        if (collision_fits(at, 28, end))
            return 7;
        if (collision_fits(at, 8, end))
            return 2;
        return 4;
    }
    return 0;
};
"""


def mdx_alpha(recipe, translator):
    kinds = kinds_in(translator.sources, ("mdx_alpha", "kChunkKinds"))
    translator.context_value("version")

    def describe(tr, place):
        if item_of(place.type) == "Geoset":
            later = tr.resolve(Type("Sections"), tr.space)
            tr.branch(binary("<", ("global", "file_version"), n(1500)), lambda: listed(tr, place),
                      lambda: call("describe")(tr, Place(Root(later), (), later)))
        elif place.type[1].name == "List":
            listed(tr, place)
        else:
            call("describe")(tr, place)

    def listed(tr, place):
        items = place.sub("items", tr.member_type(place.type, "items"))
        count = tr.emit_field("u32", "itemCount", role="structure")
        tr.structure("", items, count)

    chunks = Chunks(translator, kinds, describe, after={"Version": keeps_version})
    return chunk_file(translator, chunks.scope(), "MDLX")


def plan_batches(translator, args, env):
    sections = translator.eval(args[1], env)
    translator.globals["file_sections"] = (("scalar", "u64", 8), None)
    translator.emit(Set("file_sections", ("addr", translator.scope.localize(translator.load(sections)))))


def planned_vertices(translator, args, env):
    """Of the section with the same index."""
    what = translator.resolve(Type("Section"), translator.space)
    scope = translator.described(what)[0]
    offset = size = 0
    for item in scope.items:
        if item.name == "vertexCount":
            offset = size
        size += {"u32": 4, "s32": 4, "float": 4, "char": 1, "u16": 2, "u8": 1}[item.type] * (
            item.count[1] if item.count else 1)
    at = binary("+", ("global", "file_sections"),
                binary("+", binary("*", ("call", "std::core::array_index", ()), n(size)), n(offset)))
    return ("call", "std::mem::read_unsigned", (at, n(4)))


TEXT_SIZE = """
// Bytes of a text with its NUL, or up to the end.
fn text_size(u64 at, u64 end) {
    u64 to = at;
    while (to < end) {
        to = to + 1;
        if (std::mem::read_unsigned(to - 1, 1) == 0)
            break;
    }
    return to - at;
};
"""

RECIPES = [
    Recipe("mrf", "Morph models of Warcraft III (MRF)", "src/formats/mrf/document.cpp", "mrf",
           files=["include/thaw/mrf.hpp", "src/formats/mrf/document.cpp"],
           decisions={"path_length": path_size}, functions={"text_size": TEXT_SIZE},
           pragmas=["#pragma magic [4D 6F 72 66] @ 0x00"]),
    Recipe("lit", "Light of a map of World of Warcraft's alpha (lights.lit)", "src/formats/lit/document.cpp", "lit",
           files=["include/thaw/lit.hpp", "src/formats/lit/document.cpp"]),
    Recipe("mdx", "Models of Warcraft III (MDX)", "src/formats/mdx/document.hpp", "mdx",
           files=["include/thaw/mdx.hpp", "src/formats/mdx/chunk_file.hpp", "src/formats/mdx/layout.cpp",
                  "src/formats/mdx/document.hpp", "src/formats/mdx/document.cpp"],
           build=mdx, decisions=MDX_DECISIONS, tables={"track_type": ("components", "integer")},
           functions={"plausible": PLAUSIBLE, "fresnel": FRESNEL, "events": EVENTS, "collisions": COLLISIONS},
           pragmas=["#pragma magic [4D 44 4C 58] @ 0x00"]),
    Recipe("mdx_alpha", "Models of World of Warcraft's alpha (MDX, versions 1300 to 1500)",
           "src/formats/mdx_alpha/document.hpp", "mdx_alpha",
           files=["include/thaw/mdx.hpp", "include/thaw/mdx_alpha.hpp", "src/formats/mdx/chunk_file.hpp",
                  "src/formats/mdx/document.hpp", "src/formats/mdx_alpha/document.hpp",
                  "src/formats/mdx_alpha/document.cpp"],
           build=mdx_alpha, tables={"track_kind": ("",)},
           decisions={"plan_batches": plan_batches, "planned_vertices": planned_vertices},
           starts={"file_sections": "0"}, pragmas=["#pragma magic [4D 44 4C 58] @ 0x00"]),
]
