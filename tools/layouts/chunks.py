"""Formats that are chunks: tag, size and content, as the tables of their readers join tags and types."""

from cpp import Type
from ir import HERE, Field, Scope, Set, binary, n
from recipe import SIZE
from values import Place, Root


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


def keeps_version(translator, place):
    translator.emit(Set("file_version", translator.scope.localize(
        translator.load(place.sub("value", None)))))


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
