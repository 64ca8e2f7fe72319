"""What the formats are, and where data decides: which functions over bytes stand behind a decision, and what a pattern
does in their place. No layout stands here."""

from cpp import Type
from hexpat import pattern
from ir import HERE, MOST, Field, Note, Scope, Seek, Set, binary, condition, n, negate
from translate import Aggregate, Choices, Env, Place, Places, Root, Translator

SIZE = ("call", "std::mem::size", ())


class Recipe:
    def __init__(self, name, title, source, space, about="", root="Document", files=(), decisions=None, tables=None,
                 functions=None, pragmas=(), presets=None, starts=None, build=None, fixed=None,
                 root_function="describe", notes=(), first=()):
        self.first = first  # variables that are set before anything is read
        self.notes = notes  # pages of docs/formats that tell more
        self.name, self.title, self.source, self.space = name, title, source, space
        self.about, self.root, self.files = about, root, files
        self.decisions, self.tables = decisions or {}, tables or {}
        self.functions = functions or {}
        self.pragmas = pragmas
        self.presets, self.starts = presets or {}, starts or {}
        self.build, self.fixed, self.root_function = build, fixed or {}, root_function

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
        translator = Translator(sources, self.space, self.decisions, self.tables, self.fixed)
        if self.build:
            return translator, self.build(self, translator)
        what = translator.resolve(Type(self.root), self.space)
        translator.preset = lambda kind, root: {(root, path): value for path, value in self.presets.get(
            f"{kind[1].space}::{kind[1].name}", {}).items()}
        for name, _ in self.first:
            translator.context_value(name.removeprefix("file_"))
        return translator, root_field(translator, what, self.root_function, self.first)


def root_field(translator, what, function, first):
    scope, _, _ = translator.described(what, (SIZE, n(0), SIZE), function, first)
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

    def __init__(self, translator, kinds, describe, backwards=False, name="Chunk", after=None, before=None, behind=None,
                 size_of=None, bodies=None, by_type=False):
        self.by_type = by_type  # tags of one type share a body
        self.translator, self.kinds, self.describe = translator, kinds, describe
        self.backwards, self.name = backwards, name
        self.after = after or {}  # by type: what follows from a body
        self.before, self.behind, self.size_of = before, behind, size_of
        self.known = bodies if bodies is not None else {}  # bodies that several kinds of chunks share

    def scope(self):
        tr = self.translator
        scope = Scope(tr.free_name(self.name), doc="A tag, the size of what follows, and that.")
        outer = (tr.scope, tr.items, tr.end, tr.base, tr.region_end)
        tr.scope, tr.items = scope, scope.items
        tr.end, tr.base, tr.region_end = (("outer", scope, name) for name in ("end", "base", "regionEnd"))
        self.tag = tr.emit_field("char", "tag", n(4), role="tag")
        self.size = tr.emit_field("u32", "size", role="structure")
        self.places = {}
        if self.before:
            self.before(tr, self)
        size = self.size_of(tr, self) if self.size_of else self.size
        tr.payload(size, lambda: self.bodies(0))
        if self.behind:
            self.behind(tr, self)
        tr.scope, tr.items, tr.end, tr.base, tr.region_end = outer
        tr.scopes.append(scope)
        return scope

    def is_tag(self, name):
        return binary("==", self.tag, ("s", name[::-1] if self.backwards else name))

    def bodies(self, index):
        tr = self.translator
        if index == len(self.kinds):
            tr.branch(binary("<", HERE, tr.end), lambda: tr.emit_field("u8", "bytes", binary("-", tr.end, HERE),
                                                                       role="opaque"), lambda: None)
            return
        name, kind, *least = self.kinds[index]
        if kind.name == "Opaque":
            return self.bodies(index + 1)
        cond, following = self.is_tag(name), index + 1
        while self.by_type and following < len(self.kinds) and self.kinds[following][1].name == kind.name:
            cond, following = binary("||", cond, self.is_tag(self.kinds[following][0])), following + 1
        if least and least[0]:
            cond = binary("&&", cond, binary(">=", self.size, n(least[0])))
        tr.branch(cond, lambda: self.body(name, kind), lambda: self.bodies(following))

    def place(self, kind):
        if kind.name not in self.places:
            what = self.translator.resolve(kind, self.translator.space)
            self.places[kind.name] = Place(Root(what), (), what)
        return self.places[kind.name]

    def body(self, name, kind):
        tr = self.translator
        place = self.place(kind)
        what = place.type

        def inside():
            self.describe(tr, place)
            if kind.name in self.after:
                self.after[kind.name](tr, place)

        key = kind.name if self.by_type else name
        if key in self.known:
            scope, end = self.known[key]
            args = [tr.end if value == end else value for value in tr.arguments_of(scope)]
            tr.emit(Field(scope.name, tr.field_name("part"), None, None, tuple(map(tr.scope.localize, args)), None,
                          True, scope=scope))
            return
        doc = name if item_of(what) or not what[1].doc else (
            what[1].doc if what[1].doc.startswith(name) else f"{name}: {what[1].doc}")
        doc = what[1].doc if self.by_type else doc
        title = "Chunk" + (kind.name if self.by_type else "".join(c for c in name if c.isalnum()))
        tr.in_group("", inside, inline=True, title=title, doc=doc)
        self.known[key] = (tr.scopes[-1], tr.end)


def chunk_file(translator, scope, magic=None, head=8):
    """A file of chunks, and what is left behind them."""
    tr = translator
    file = Scope(tr.free_name("File"))
    tr.scope, tr.items = file, file.items
    tr.end, tr.base, tr.region_end = SIZE, n(0), SIZE
    if magic:
        tr.emit_field("char", "magic", n(4), role="structure", doc=f"`{magic}`")
    tr.emit_field(scope.name, "chunks", until=binary("<=", binary("+", HERE, n(head)), SIZE),
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

# --- pictures


def level_extents(translator, args, env):
    """A picture has at most 16 levels; each stands where the header says."""
    document = translator.eval(args[0], env)

    def of(name, i):
        found = translator.load(document.sub(name, None))
        return ("field", found[1], (*found[2], i))

    rows = []
    for i in range(16):
        at, size = of("offsets", i), of("sizes", i)
        there = binary("&&", binary("!=", size, n(0)), binary("<", at, SIZE))
        rows.append((there, Aggregate({"begin": at, "end": ("call", "min", (binary("+", at, size), SIZE))})))
    return Choices(rows)


def block_name(translator, args, env):
    return ("s", f"level{translator.chosen}")


def palette_entries(translator, args, env):
    document = translator.eval(args[0], env)
    offsets, sizes = (translator.load(document.sub(name, None)) for name in ("offsets", "sizes"))
    return ("call", "palette_entries", (HERE, ("addr", offsets), ("addr", sizes)))


PALETTE = """
// Entries in front of the first level; some writers store fewer than 256.
fn palette_entries(u64 at, u64 offsets, u64 sizes) {
    u64 room = min(std::mem::size() - at, 256 * 4);
    u64 level = 0;
    while (level < 16) {
        u64 offset = std::mem::read_unsigned(offsets + level * 4, 4);
        u64 size = std::mem::read_unsigned(sizes + level * 4, 4);
        if (size != 0 && offset >= at)
            room = min(room, offset - at);
        level = level + 1;
    }
    return room / 4;
};
"""


def stated_data_size(translator, args, env):
    """thaw computes it from the pixel format; a pattern takes what there is."""
    return n(MOST)


def packets_size(translator, args, env):
    document = translator.eval(args[0], env)
    width, height, depth = (translator.load(document.sub(name, None)) for name in ("width", "height", "depth"))
    return ("call", "packets_size", (HERE, binary("*", width, height), binary("/", binary("+", depth, n(7)), n(8))))


PACKETS = """
// Bytes of the run-length packets that hold so many pixels.
fn packets_size(u64 start, u64 pixels, u64 pixel_bytes) {
    u64 at = start;
    u64 missing = pixels;
    while (missing > 0 && at < std::mem::size()) {
        u64 head = std::mem::read_unsigned(at, 1);
        u64 count = head % 128 + 1;
        u64 size = 1 + count * pixel_bytes;
        if (head >= 128)
            size = 1 + pixel_bytes;
        if (size > std::mem::size() - at)
            break;
        at = at + size;
        missing = missing - min(missing, count);
    }
    return at - start;
};

fn has_footer() {
    if (std::mem::size() < 18 + 26)
        return false;
    return std::mem::read_string(std::mem::size() - 18, 16) == "TRUEVISION-XFILE";
};

fn has_extension() {
    if (!has_footer())
        return false;
    u64 at = std::mem::read_unsigned(std::mem::size() - 26, 4);
    return at >= 18 && at + 495 <= std::mem::size() - 26;
};
"""


def find_appendix(translator, args, env):
    document = translator.eval(args[0], env)
    footer = binary("-", SIZE, n(26))
    for path, value in {("footer", "?"): ("call", "has_footer", ()), ("footer_offset",): footer,
                        ("extension", "?"): ("call", "has_extension", ()),
                        ("extension_offset",): ("call", "std::mem::read_unsigned", (footer, n(4)))}.items():
        translator.assign(translator.bind, (document.root, (*document.path, *path)), value)


# --- maps


def found_places(function, *more):
    """Parts behind a table of offsets, in the table's order: `count_<function>s(table)` counts them, `next_<function>(table)`
    finds the next slot."""
    def decide(translator, args, env):
        table = translator.load(translator.eval(args[1], env))
        where = ("addr", table)
        translator.globals["file_next_" + function] = (("scalar", "u64", 8), None)
        extra = tuple(value(translator) for value in more)

        def entry(tr, index):
            at = tr.local("u64", "at", ("call", "next_" + function, (where, *extra)))
            return Aggregate({"at": at, "size": binary("-", SIZE, at), "index": n(0), "slot": n(0)})

        count = translator.local("u64", "count", ("call", f"count_{function}s", (where, *extra)))
        return Places(count, entry)
    return decide


def list_tiles(translator, args, env):
    tiles = translator.eval(args[0], env)
    table = translator.load(Place(tiles.root, ("map", "tiles"), None))
    translator.globals["file_next_tile"] = (("scalar", "u64", 8), None)

    def entry(tr, index):
        return Aggregate({"index": tr.local("u64", "slot", ("call", "next_tile", (("addr", table),)))})

    count = translator.local("u64", "count", ("call", "count_tiles", (("addr", table),)))
    translator.assign(translator.bind, (tiles.root, (*tiles.path, "#")), count)
    translator.assign(translator.bind, tiles.key, Places(count, entry))


def tile_extents(translator, args, env):
    table = translator.load(translator.eval(args[0], env).sub("tiles", None))
    return Places(n(4096), lambda tr, index: ("call", "tile_size", (("addr", table), index)))


AREAS = """
fn is_area(u64 at) {
    return at != 0 && tag_at(at, std::mem::size(), "ERAM");
};

// Slots of the table that lead to an area.
fn count_areas(u64 table) {
    u64 found = 0;
    u64 slot = 0;
    while (slot < 4096) {
        if (is_area(std::mem::read_unsigned(table + slot * 4, 4)))
            found = found + 1;
        slot = slot + 1;
    }
    return found;
};

// Where the next of them lies.
fn next_area(u64 table) {
    u64 at = 0;
    while (!is_area(at)) {
        at = std::mem::read_unsigned(table + file_next_area * 4, 4);
        file_next_area = file_next_area + 1;
    }
    return at;
};
"""

TILES = """
fn is_tile(u64 table, u64 slot) {
    u64 at = std::mem::read_unsigned(table + slot * 16, 4);
    return std::mem::read_unsigned(table + slot * 16 + 4, 4) != 0 && tag_at(at, std::mem::size(), "RDHM");
};

// Slots of the table that lead to a tile.
fn count_tiles(u64 table) {
    u64 found = 0;
    u64 slot = 0;
    while (slot < 4096) {
        if (is_tile(table, slot))
            found = found + 1;
        slot = slot + 1;
    }
    return found;
};

// The next of them.
fn next_tile(u64 table) {
    while (!is_tile(table, file_next_tile)) {
        file_next_tile = file_next_tile + 1;
    }
    file_next_tile = file_next_tile + 1;
    file_next_chunk = 0;
    return file_next_tile - 1;
};

// Up to the next tile, or to the end of the file.
fn tile_size(u64 table, u64 tile) {
    u64 at = std::mem::read_unsigned(table + tile * 16, 4);
    u64 end = std::mem::size();
    u64 slot = 0;
    while (slot < 4096) {
        u64 other = std::mem::read_unsigned(table + slot * 16, 4);
        if (other > at)
            end = min(end, other);
        slot = slot + 1;
    }
    return end - at;
};

fn is_chunk(u64 table, u64 slot) {
    return tag_at(std::mem::read_unsigned(table + slot * 16, 4), std::mem::size(), "KNCM");
};

// Slots of a tile's table that lead to a chunk.
fn count_chunks(u64 table, u64 tile) {
    u64 found = 0;
    u64 slot = 0;
    while (slot < 256) {
        if (is_chunk(table, slot))
            found = found + 1;
        slot = slot + 1;
    }
    return found;
};

// Where the next of them lies in its tile.
fn next_chunk(u64 table, u64 tile) {
    while (!is_chunk(table, file_next_chunk)) {
        file_next_chunk = file_next_chunk + 1;
    }
    file_next_chunk = file_next_chunk + 1;
    return std::mem::read_unsigned(table + file_next_chunk * 16 - 16, 4) - tile;
};
"""

# --- buildings and tiles


def wmo(recipe, translator):
    kinds = kinds_in(translator.sources, ("wmo", "kChunkKinds"))
    known, levels = {}, {}

    def describe(tr, place):
        tr.call_function("describe_body", None, [tr.visitor, place, n(0)], Env(space="wmo"))

    def nested(tr, args, env):
        """Chunks in a chunk: a root's or a group's."""
        owner = tr.eval(args[1], env).root.type[1].name
        scope = levels[owner]
        tr.emit_field(scope.name, "chunks", until=binary("<=", binary("+", HERE, n(8)), tr.end),
                      args=tr.arguments_of(scope), scope=scope)

    translator.decisions = {**recipe.decisions, "describe_chunks": nested}
    without = lambda *names: [kind for kind in kinds if kind[1].name not in names]
    after = {"Version": keeps_version}
    make = lambda kinds, name, bodies: Chunks(translator, kinds, describe, True, name, after, bodies=bodies).scope()
    levels["Group"] = make(without("Root", "Group"), "ChunkOfGroup", known)
    in_root = dict(known)
    levels["Root"] = make(without("Root"), "ChunkOfRoot", in_root)
    return chunk_file(translator, make(kinds, "Chunk", in_root))


def has_wide_header(translator, args, env):
    return ("call", "has_wide_header", (HERE, value_of(translator, args[1], env), translator.end))


WIDE_HEADER = """
// 128 bytes up to version 15 and 68 later; where the first chunk does not stand behind the head that the version asks
// for, but behind the other one, that one is meant.
fn has_wide_header(u64 at, u64 version, u64 end) {
    bool usual = version <= 15;
    u64 own = 68;
    u64 other = 128;
    if (usual) {
        own = 128;
        other = 68;
    }
    if (tag_at(at + other, end, "YPOM") && !tag_at(at + own, end, "YPOM"))
        return !usual;
    return usual;
};
"""


def local_kinds(sources, name):
    """(tag, type, least size) of the table in a function that joins tags and bodies."""
    function = sources.functions[name][0]
    table = next(s for s in function.statements() if s[0] == "declare" and s[2] == "kKinds")
    found = []
    for row in table[3][2]:
        tag, *least, make = row[2]
        made = make[2][0][1][2][0]
        kind = made[1][2][0] if made[0] == "call" else Type(made[1][1])
        found.append((tag[2][0][1], kind, least[0][1] if least else 0))
    return found


def adt(recipe, translator):
    sources = translator.sources

    def terrain(tr, place):
        header = place.sub("header", tr.member_type(place.type, "header"))
        tr.structure("header", header)
        liquid = tr.load(header.sub("liquid_size", None))
        parts = Chunks(tr, local_kinds(sources, "part_body"), call("describe"), True, "PartOfTerrain",
                       size_of=lambda tr, chunk: part_size(tr, chunk, liquid), behind=padded)
        scope = parts.scope()
        tr.emit_field(scope.name, "chunks", until=binary("<=", binary("+", HERE, n(8)), tr.end),
                      args=tr.arguments_of(scope), scope=scope)

    def part_size(tr, chunk, liquid):
        """A liquid whose size is zero has that of the header."""
        by_header = binary("&&", binary("&&", chunk.is_tag("MCLQ"), binary("==", chunk.size, n(0))),
                           binary(">", liquid, n(8)))
        return tr.local("u64", "content", condition(by_header, binary("-", liquid, n(8)), chunk.size))

    def padded(tr, chunk):
        size = ("call", "normals_pad", (HERE, tr.end))
        tr.branch(binary("&&", chunk.is_tag("MCNR"), binary(">", size, n(0))),
                  lambda: tr.emit_field("u8", "pad", size), lambda: None)

    def describe(tr, place):
        terrain(tr, place) if place.type[1].name == "TerrainChunk" else call("describe")(tr, place)

    kinds = local_kinds(sources, "chunk_body")
    chunks = Chunks(translator, kinds, describe, True)
    return chunk_file(translator, chunks.scope())


NORMALS_PAD = """
// Bytes behind the stated size of normals: they are there if no chunk begins at once.
fn normals_pad(u64 at, u64 end) {
    if (at + 4 <= end) {
        if (std::mem::read_string(at + 2, 2) == "CM")
            return 0;
    }
    return min(13, end - at);
};
"""

# --- M3


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


M3_FUNCTIONS = """
// Records of geosets have one of two sizes.
fn has_long_records(u64 count, u64 size, u64 usual, u64 extended) {
    if (size == count * usual)
        return false;
    if (size == count * extended)
        return true;
    if (file_mesh_version != 0)
        return file_mesh_version >= 4;
    return size % usual != 0 && size % extended == 0;
};

// Bytes of the values up to the first of an unknown type.
fn known_data_size(u64 types, u64 count) {
    u64 size = 0;
    u64 i = 0;
    while (i < count) {
        u64 kind = std::mem::read_unsigned(types + i * 2, 2);
        if (kind == 0 || kind == 14)
            size = size + 4;
        else if (kind >= 15 && kind <= 17)
            size = size + (kind - 13) * 4;
        else
            break;
        i = i + 1;
    }
    return size;
};

// Do headers of 8 bytes not lead from chunk to chunk up to the end? Then they have 16.
fn collision_is_long(u64 start, u64 end) {
    u64 at = start;
    while (at + 8 <= end) {
        if (!tag_at(at, end, "CPOS") && !tag_at(at, end, "CNML") && !tag_at(at, end, "CINX"))
            return true;
        u64 size = std::mem::read_unsigned(at + 4, 4);
        at = at + 8;
        if (size > end - at)
            return true;
        at = at + size;
    }
    return at != end;
};
"""


def gaps_only(translator, args, env):
    translator.emit(Note("gaps"))


# --- Forgelight


def over_segment(translator, args, env):
    """How many sets of factors a static segment has."""
    at = value_of(translator, args[1], env)
    return ("call", "factor_records", (binary("+", translator.base, at), translator.region_end))


def rotation_row(translator, args, env):
    segment = translator.eval(args[0], env)
    count = translator.load(segment.sub("counts", None))
    rows = translator.load(Place(segment.root, (*segment.path, "at", 1), None))
    of = lambda found, i: ("field", found[1], (*found[2], i))
    return ("call", "rotation_row", (of(count, 1), of(rows, 0), of(rows, 1),
                                     translator.load(segment.sub("samples", None))))


NSA_FUNCTIONS = """
fn align_up(u64 value, u64 alignment) {
    return (value + alignment - 1) / alignment * alignment;
};

// 0 for version 26, 1 for version 24: of the former the second 8 bytes are zero.
fn nsa_layout() {
    u64 alignment = std::mem::read_unsigned(0x14, 4);
    if (std::mem::read_unsigned(8, 8) == 0 && (alignment == 4 || alignment == 16))
        return 0;
    return 1;
};

// Does a static segment with so many sets of factors have pointers that make sense?
fn factors_fit(u64 at, u64 records, u64 end) {
    u64 size = 0x30 + 24 * records;
    if (at + size > end)
        return false;
    u64 kind = 0;
    while (kind < 2) {
        u64 count = std::mem::read_unsigned(at + kind * 4, 4);
        u64 pointer = std::mem::read_unsigned(at + size - 24 + kind * 8, 8);
        bool inside = pointer >= size && pointer <= end - at && count * 6 <= end - at - pointer;
        if (count == 0 && pointer != 0 && !inside)
            return false;
        if (count != 0 && !inside)
            return false;
        kind = kind + 1;
    }
    return true;
};

fn factor_records(u64 at, u64 end) {
    if (factors_fit(at, 2, end))
        return 2;
    if (factors_fit(at, 1, end))
        return 1;
    if (factors_fit(at, 0, end))
        return 0;
    return 2;
};

// Bytes of a row of rotations: six each, filled up as the pointers behind them tell.
fn rotation_row(u64 rotations, u64 rows_at, u64 infos_at, u64 samples) {
    u64 tight = 6 * rotations;
    u64 usual = align_up(tight, 4);
    if (infos_at <= rows_at)
        return usual;
    u64 space = infos_at - rows_at;
    if (samples * usual > space) {
        if (samples * tight <= space)
            return tight;
        return usual;
    }
    u64 wide = align_up(tight, 8);
    if (space - samples * usual >= 16 && samples * wide == space)
        return wide;
    return usual;
};
"""

def packet_kinds(sources, column):
    """Types of packets by what they hold, for one layout."""
    kinds = {}
    for row in sources.constants[("mrn", "kTypes")][1][2]:
        kinds.setdefault(row[2][column][1].split("::")[-1], []).append(row[2][0][1])
    kinds.pop("unknown")
    return kinds


def packet_bodies(sources):
    """What is made for each kind of packet."""
    switch = next(s for s in sources.functions["make_body"][0].statements() if s[0] == "switch")
    found = {}
    for labels, body in switch[2]:
        for label in labels:
            made = body[0]
            if made[0] == "block":
                made = made[1][0]
            if made[0] == "declare":
                found[label[1].split("::")[-1]] = made[1].args[0]
            elif made[0] == "return":
                found[label[1].split("::")[-1]] = made[1][1][2][0]
    return found


def packet_type(translator, env):
    packet = env.find("packet").vars["packet"]
    return translator.load(Place(packet.root, (*packet.path, "type"), None))


def known_packet(translator):
    """Is the content of a packet described, in its layout?"""
    def cond(kind):
        found = n(0)
        for layout, column in ((0, 1), (1, 2)):
            types = n(0)
            for numbers in packet_kinds(translator.sources, column).values():
                for number in numbers:
                    types = binary("||", types, binary("==", kind, n(number)))
            found = binary("||", found, binary("&&", binary("==", ("global", "file_layout"), n(layout)), types))
        return found
    return cond


def is_raw_packet(translator, args, env):
    return negate(translator.local("bool", "known", known_packet(translator)(packet_type(translator, env))))


def packet_body(translator, args, env):
    """The part that goes with the type, for each layout on its own."""
    tr = translator
    kind = packet_type(tr, env)
    bodies = packet_bodies(tr.sources)

    def follow(rows):
        if not rows:
            return
        name, numbers = rows[0]
        cond = n(0)
        for number in numbers:
            cond = binary("||", cond, binary("==", kind, n(number)))
        tr.branch(cond, lambda: of_kind(name), lambda: follow(rows[1:]))

    def of_kind(name):
        what = tr.resolve(bodies[name], "mrn")
        place = Place(Root(what), (), what)
        for path, value in tr.preset(what, place.root).items():
            tr.assign(tr.bind, path, value)

        def inside():
            tr.base = tr.local("u64", "base", HERE)
            tr.region_end = tr.end
            tr.call_function("describe", None, [tr.visitor, place], Env(space=what[1].space))
            tr.emit(Seek(tr.scope.localize(tr.end)))

        tr.in_group("data", inside, title="Data" + "".join(part.title() for part in name.split("_")) + tr.variant,
                    doc=what[1].doc)

    def of_layout(layout):
        tr.fixed["layout"], tr.variant = n(layout), ("", "V24")[layout]
        follow(list(packet_kinds(tr.sources, layout + 1).items()))
        del tr.fixed["layout"]
        tr.variant = ""

    tr.branch(binary("==", ("global", "file_layout"), n(0)), lambda: of_layout(0), lambda: of_layout(1))


def text_at(translator, args, env):
    at = value_of(translator, args[1], env)
    return ("call", "text_size", (binary("+", translator.base, at), translator.region_end))


def count_packets(translator, args, env):
    return ("call", "count_packets", ())


MRN_FUNCTIONS = """
// 0 for version 26, 1 for version 24, 2 for 32-bit machines, whose packets are only listed.
fn mrn_layout() {
    if ((std::mem::read_unsigned(4, 4) & 4) != 0)
        return 2;
    if (std::mem::read_unsigned(0, 4) <= 24)
        return 1;
    return 0;
};

// Packets that follow each other from the start: each has the version and the platform of the first.
fn count_packets() {
    u64 found = 0;
    u64 at = 0;
    u64 header = 0x28;
    u64 alignment_at = 0x24;
    if (file_layout == 1) {
        header = 0x30;
        alignment_at = 0x28;
    }
    while (at + header <= std::mem::size()) {
        if (std::mem::read_unsigned(at, 8) != std::mem::read_unsigned(0, 8))
            break;
        u64 alignment = std::mem::read_unsigned(at + alignment_at, 4);
        if (alignment == 0 || alignment > 4096)
            break;
        u64 end = align_up(header, alignment) + std::mem::read_unsigned(at + 0x20, 4);
        if (at + end > std::mem::size())
            break;
        if (file_layout == 0)
            alignment = 16;
        if (file_layout == 2)
            alignment = 4;
        at = at + align_up(end, alignment);
        found = found + 1;
    }
    return found;
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
           notes=["mdx_alpha.md"],
           files=["include/thaw/mdx.hpp", "include/thaw/mdx_alpha.hpp", "src/formats/mdx/chunk_file.hpp",
                  "src/formats/mdx/document.hpp", "src/formats/mdx_alpha/document.hpp",
                  "src/formats/mdx_alpha/document.cpp"],
           build=mdx_alpha, tables={"track_kind": ("",)},
           decisions={"plan_batches": plan_batches, "planned_vertices": planned_vertices},
           starts={"file_sections": "0"}, pragmas=["#pragma magic [4D 44 4C 58] @ 0x00"]),
    Recipe("blp", "Pictures of Warcraft III and World of Warcraft (BLP1, BLP2)", "src/formats/blp/document.hpp", "blp",
           files=["include/thaw/blp.hpp", "src/formats/blp/document.hpp", "src/formats/blp/document.cpp"],
           presets={"blp::Document": {("variant",): ("bin", "-", ("call", "std::mem::read_unsigned", (n(3), n(1))), n(49))}},
           decisions={"level_extents": level_extents, "block_name": block_name, "palette_entries": palette_entries},
           functions={"palette_entries": PALETTE}),
    Recipe("dds", "Pictures (DDS)", "src/formats/dds/document.hpp", "dds",
           files=["include/thaw/dds.hpp", "src/formats/dds/document.hpp", "src/formats/dds/document.cpp"],
           decisions={"stated_data_size": stated_data_size}, pragmas=["#pragma magic [44 44 53 20] @ 0x00"]),
    Recipe("tga", "Pictures (TGA)", "src/formats/tga/document.hpp", "tga",
           files=["include/thaw/tga.hpp", "src/formats/tga/document.hpp", "src/formats/tga/document.cpp"],
           decisions={"packets_size": packets_size, "find_appendix": find_appendix},
           functions={"packets": PACKETS}),
    Recipe("wdt", "Maps of World of Warcraft's alpha (WDT)", "src/formats/wdt/document.hpp", "wdt",
           notes=["wdt.md"],
           files=["include/thaw/chunk_frame.hpp", "include/thaw/wdt.hpp", "src/document/framed.hpp",
                  "src/formats/wdt/document.hpp", "src/formats/wdt/document.cpp"],
           decisions={"tile_extents": tile_extents, "list_tiles": list_tiles,
                      "chunk_places": found_places("chunk", lambda tr: tr.context_value("tile_offset"))},
           functions={"tiles": TILES}, fixed={"head_only": n(0)},
           starts={"file_next_tile": "0", "file_next_chunk": "0"}),
    Recipe("wdl", "Far terrain of World of Warcraft's alpha (WDL)", "src/formats/wdl/document.cpp", "wdl",
           notes=["wdt.md"],
           files=["include/thaw/chunk_frame.hpp", "include/thaw/wdt.hpp", "include/thaw/wdl.hpp", "src/document/framed.hpp",
                  "src/formats/wdl/document.cpp"],
           decisions={"area_places": found_places("area"), "drop_overlaps": nothing},
           functions={"areas": AREAS}, starts={"file_next_area": "0"}),
    Recipe("dma", "Materials of Forgelight (DMA)", "src/formats/dma/document.hpp", "dma",
           notes=["dme.md"],
           files=["include/thaw/dma.hpp", "src/formats/dma/document.hpp", "src/formats/dma/document.cpp"], root_function="describe_file"),
    Recipe("dme", "Models of Forgelight (DME)", "src/formats/dme/document.cpp", "dme",
           notes=["dme.md"],
           files=["include/thaw/dma.hpp", "include/thaw/dme.hpp", "src/formats/dma/document.hpp",
                  "src/formats/dme/document.cpp"], root_function="describe_document"),
    Recipe("wmo", "Buildings of World of Warcraft (WMO, versions 14 to 17)", "src/formats/wmo/document.hpp", "wmo",
           notes=["wmo.md"],
           files=["include/thaw/wmo.hpp", "src/formats/wmo/document.hpp", "src/formats/wmo/document.cpp"], build=wmo,
           decisions={"has_wide_header": has_wide_header}, functions={"wide_header": WIDE_HEADER},
           pragmas=["#pragma magic [52 45 56 4D] @ 0x00"]),
    Recipe("adt", "Tiles of World of Warcraft's maps (ADT, version 18)", "src/formats/adt/document.cpp", "adt",
           notes=["wdt.md"],
           files=["include/thaw/chunk_frame.hpp", "include/thaw/wdt.hpp", "include/thaw/adt.hpp",
                  "src/formats/wdt/document.hpp", "src/formats/adt/document.cpp"], build=adt,
           functions={"normals_pad": NORMALS_PAD}),
    Recipe("wdt-lk", "Maps of World of Warcraft beside their tiles (WDT, version 18)", "src/formats/adt/document.cpp",
           "adt", root="Map",
           notes=["wdt.md"],
           files=["include/thaw/chunk_frame.hpp", "include/thaw/wdt.hpp", "include/thaw/adt.hpp",
                  "src/formats/wdt/document.hpp", "src/formats/adt/document.cpp"]),
    Recipe("m3", "Models of World of Warcraft (M3)", "src/formats/m3/document.hpp", "m3", notes=["m3.md"],
           files=["include/thaw/m3.hpp", "src/formats/m3/buffer.cpp", "src/formats/m3/document.hpp",
                  "src/formats/m3/document.cpp"], build=m3,
           decisions={"has_long_records": has_long_records, "known_data_size": known_data_size,
                      "describe_gaps": gaps_only},
           functions={"m3": M3_FUNCTIONS}, fixed={"claimed": n(0)},
           starts={"file_mesh_version": "0", "file_long_headers": "0"}),
    Recipe("nsa", "Animations of Forgelight (NSA)", "src/formats/nsa/description.hpp", "nsa",
           notes=["mrn.md"],
           files=["include/thaw/nsa.hpp", "src/formats/nsa/description.hpp", "src/formats/nsa/document.cpp"],
           presets={"nsa::Document": {("layout",): ("call", "nsa_layout", ())}},
           decisions={"factor_records": over_segment, "rotation_row": rotation_row},
           functions={"nsa": NSA_FUNCTIONS}),
    Recipe("mrn", "Animation networks of Forgelight (MRN)", "src/formats/mrn/description.hpp", "mrn", notes=["mrn.md"],
           about="Of version 24 the attributes of nodes are left out.",
           files=["include/thaw/mrn.hpp", "include/thaw/nsa.hpp", "src/formats/nsa/description.hpp",
                  "src/formats/nsa/document.cpp", "src/formats/mrn/network.hpp", "src/formats/mrn/description.hpp",
                  "src/formats/mrn/packets.cpp", "src/formats/mrn/document.cpp"],
           presets={"mrn::Document": {("layout",): ("global", "file_layout")}, "nsa::Document": {("layout",): n(0)}},
           decisions={"factor_records": over_segment, "rotation_row": rotation_row, "make_body": nothing,
                      "describe_body": packet_body, "holds_alternative": is_raw_packet, "text_size": text_at,
                      "count_packets": count_packets, "describe_attributes": nothing},
           functions={"nsa": NSA_FUNCTIONS, "text_size": TEXT_SIZE, "mrn": MRN_FUNCTIONS},
           fixed={"attributes_left": n(MOST)}, first=[("file_layout", ("call", "mrn_layout", ()))]),
]
