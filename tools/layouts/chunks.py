"""Formats that are chunks: tag, size and content, as the tables of their readers join tags and types."""

from clang.cindex import CursorKind as Kind

from ir import HERE, Field, Scope, Set, binary, n, outer_ends
from recipe import SIZE
from source import Unknown, initial, number, place_of, rows, text_in
from values import Place, Root


def made_type(source, row):
    """What a row makes: the argument of a function template, or what a function without a name returns."""
    for part in row.walk_preorder():
        if part.kind == Kind.RETURN_STMT:
            types = (source.type(c.type) for c in part.walk_preorder() if c.kind.is_expression())
            what = next(what for what in types if what[0] in ("struct", "boxed"))
            return what if what[0] == "struct" else what[1]
        arguments = list(part.get_children()) if part.kind == Kind.DECL_REF_EXPR else []
        if arguments and arguments[-1].kind == Kind.TYPE_REF and Kind.TEMPLATE_REF not in [c.kind for c in arguments]:
            return source.type(arguments[-1].type)
    raise Unknown(f"{place_of(row)}: nothing is made here")


def kinds_in(source, name, function=None):
    """(tag, type, least size) of each row of a table that joins tags and types of chunks."""
    table = source.find(name, Kind.VAR_DECL) if function is None else next(
        c for c in source.find(function, Kind.FUNCTION_DECL).walk_preorder() if c.spelling == name)
    least = lambda row: next((number(c) for c in row.walk_preorder() if c.kind == Kind.INTEGER_LITERAL), 0)
    return [(text_in(row), made_type(source, row), least(row)) for row in rows(initial(table))]


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
        with tr.inside(scope, outer_ends(scope)):
            self.tag = tr.emit_field("char", "tag", n(4), role="tag")
            self.size = tr.emit_field("u32", "size", role="structure")
            self.places = {}
            if self.before:
                self.before(tr, self)
            tr.payload(self.size_of(tr, self) if self.size_of else self.size, lambda: self.bodies(0))
            if self.behind:
                self.behind(tr, self)
        return scope

    def is_tag(self, name):
        return binary("==", self.tag, ("s", name[::-1] if self.backwards else name))

    def bodies(self, index):
        tr = self.translator
        if index == len(self.kinds):
            tr.branch(binary("<", HERE, tr.end), lambda: tr.emit_field("u8", "bytes", binary("-", tr.end, HERE),
                                                                       role="opaque"), lambda: None)
            return
        name, kind, least = self.kinds[index]
        if kind[1].name == "Opaque":
            return self.bodies(index + 1)
        cond, following = self.is_tag(name), index + 1
        while self.by_type and following < len(self.kinds) and self.kinds[following][1] == kind:
            cond, following = binary("||", cond, self.is_tag(self.kinds[following][0])), following + 1
        if least:
            cond = binary("&&", cond, binary(">=", self.size, n(least)))
        tr.branch(cond, lambda: self.body(name, kind), lambda: self.bodies(following))

    def place(self, kind):
        if kind not in self.places:
            self.places[kind] = Place(Root(kind), (), kind)
        return self.places[kind]

    def body(self, name, kind):
        tr = self.translator
        place, what = self.place(kind), kind

        def inside():
            self.describe(tr, place)
            if what[1].name in self.after:
                self.after[what[1].name](tr, place)

        key = kind if self.by_type else name
        if key in self.known:
            scope, end = self.known[key]
            args = [tr.end if value == end else value for value in tr.arguments_of(scope)]
            tr.emit(Field(scope.name, tr.field_name("part"), None, None, tuple(map(tr.scope.localize, args)), None,
                          True, scope=scope))
            return
        doc = name if item_of(what) or not what[1].doc else (
            what[1].doc if what[1].doc.startswith(name) else f"{name}: {what[1].doc}")
        doc = what[1].doc if self.by_type else doc
        title = "Chunk" + (what[1].name if self.by_type else "".join(c for c in name if c.isalnum()))
        tr.in_group("", inside, inline=True, title=title, doc=doc)
        self.known[key] = (tr.scopes[-1], tr.end)


def chunk_file(translator, scope, magic=None, head=8):
    """A file of chunks, and what is left behind them."""
    tr = translator
    file = Scope(tr.free_name("File"))
    with tr.inside(file, (SIZE, n(0), SIZE)):
        if magic:
            tr.emit_field("char", "magic", n(4), role="structure", doc=f"`{magic}`")
        tr.emit_field(scope.name, "chunks", until=binary("<=", binary("+", HERE, n(head)), SIZE),
                      args=tr.arguments_of(scope), scope=scope)
        tr.branch(binary("<", HERE, SIZE), lambda: tr.emit_field("u8", "tail", binary("-", SIZE, HERE), role="opaque"),
                  lambda: None)
    return Field(file.name, "file", None, n(0), (), scope=file)


def item_of(what):
    """The name of what a list holds."""
    return what[1].item and what[1].item[1].name


def keeps_version(translator, place):
    translator.emit(Set("file_version", translator.scope.localize(
        translator.load(place.sub("value", None)))))
