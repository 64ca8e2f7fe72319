"""Scopes as a page of reference."""

import re

from hexpat import called, expression
from ir import Field, If, Let, Note, Seek, Set, negate, substitute

SIZES = {"u8": 1, "s8": 1, "char": 1, "bool": 1, "u16": 2, "s16": 2, "u24": 3, "u32": 4, "s32": 4, "float": 4, "u64": 8,
         "s64": 8, "double": 8}

LEGEND = """\
Fields stand in the order of the file, one behind the other, numbers little-endian. *at* is the offset from the start of
the structure, as far as everything before it has a fixed size; `@` gives the place of a part that stands elsewhere, from
the start of the file. `$` is the place that is reached. Names that end with `_` are values, not bytes: what a structure
is given, or what is computed on the way. A field with a condition (*when*) is there only if that holds. What begins with
an `inclusiveSize` (which counts itself) or a `tag` and a `size` (which do not count) ends where that says, at `end_`, and
so do its parts; bytes that are left there are kept as a remainder. `next_is("KMTF")` asks for the tag that is next."""

CITED = re.compile(r"(?<![\w/.-])([\w-]+)\.md#([\w-]+)")  # as comments cite pages of docs/formats
ENDS = re.compile(r"(start|end)_\d*$")


def code(a):
    text = expression(a)
    while text.startswith("(") and text.endswith(")") and balanced(text[1:-1]):
        text = text[1:-1]
    return "`" + text.replace("|", "\\|") + "`"


def balanced(text):
    depth = 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            return False
    return True


def cell(text):
    text = text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
    return CITED.sub(lambda cited: f"`{cited[1]}.md`, {cited[2].replace('-', ' ')}", text)


def compares(a, b):
    """Do both ask for a value of the same thing?"""
    while a[0] == "bin" and a[1] == "&&":
        a = a[2]
    while b[0] == "bin" and b[1] == "&&":
        b = b[2]
    return a[0] == b[0] == "bin" and a[1] == b[1] == "==" and a[2] == b[2]


def anchor(name):
    return name.lower()


class Page:
    def __init__(self, recipe, translator, root, notes):
        self.recipe, self.translator, self.root, self.notes = recipe, translator, root, notes
        self.lines = []
        self.tests = {}  # variables of a structure that tell which tag is next
        self.structures = {scope.name for scope in translator.scopes} | set(translator.plain) | set(translator.enums)
        self.sizes = {name: size for name, (_, size, _) in translator.plain.items()}
        for name, enum in translator.enums.items():
            self.sizes[name] = enum.size
        for scope in translator.scopes:
            size = self.fixed_size(scope.items)
            if size is not None:
                self.sizes[scope.name] = size

    def put(self, *lines):
        self.lines.extend(lines)

    def field_size(self, field):
        """Bytes in sequence, or None if they vary."""
        if field.at is not None:
            return 0
        one = SIZES.get(field.type, self.sizes.get(field.type))
        if one is None or field.until is not None:
            return None
        if field.count is None:
            return one
        return one * field.count[1] if field.count[0] == "n" else None

    def fixed_size(self, items):
        total = 0
        for item in items:
            if isinstance(item, Field):
                size = self.field_size(item)
                if size is None:
                    return None
                total += size
            elif isinstance(item, If) and (item.yes or item.no):
                return None
            elif isinstance(item, Seek):
                return None
        return total

    def made(self):
        self.head()
        self.put("## Structures", "")
        ordered = sorted(self.translator.scopes, key=lambda scope: scope is not self.root.scope)
        for scope in ordered:
            self.structure(scope)
        self.plain_structures()
        self.enums()
        self.tables()
        self.functions()
        return "\n".join(self.lines).rstrip() + "\n"

    def head(self):
        recipe = self.recipe
        self.put(f"# {recipe.title}: layout", "",
                 f"Made by `scripts/layouts` from `{recipe.source}`. The same as a "
                 f"pattern for ImHex: [patterns/{recipe.name}.hexpat](../patterns/{recipe.name}.hexpat)."
                 + self.notes_line(), "", LEGEND, "")
        if recipe.about:
            self.put(recipe.about, "")
        variables = [name for name in self.translator.globals]
        if variables:
            self.put("What is known of the whole file: " + ", ".join(f"`{name}`" for name in variables) + ".", "")

    def notes_line(self):
        links = [f"`docs/formats/{name}`" for name in self.notes]
        return f" What is known beyond layout, and how: {', '.join(links)}." if links else ""

    def structure(self, scope):
        self.put(f"### {scope.name}", "")
        if scope.doc:
            self.put(cell(scope.doc), "")
        facts = []
        if scope.name in self.sizes:
            facts.append(f"{self.sizes[scope.name]} bytes")
        given = [f"`{name}`" for name in scope.params.values() if not ENDS.match(name)]
        if given:
            facts.append("given " + ", ".join(given))
        if facts:
            self.put("; ".join(facts)[0].upper() + "; ".join(facts)[1:] + ".", "")
        rows, self.tests = [], {}
        self.rows(scope.items, [], rows, 0)
        if not rows:
            self.put("Nothing of its own.", "")
            return
        self.put("| at | field | type | when | meaning |", "|---|---|---|---|---|")
        self.put(*rows, "")

    def rows(self, items, when, rows, at):
        for item in items:
            if isinstance(item, Field):
                if item.name != "remainder":
                    rows.append(self.field_row(item, when, at))
                size = self.field_size(item)
                at = None if at is None or size is None else at + size
            elif isinstance(item, If):
                at = self.branches(item, when, rows, at)
            elif isinstance(item, Let) and item.value[0] == "call" and item.value[1] == "next_is":
                self.tests[item.name] = ("call", "next_is", item.value[2][:1])
            elif isinstance(item, Let) and not ENDS.match(item.name):
                rows.append(self.row("", f"`{item.name}`", "", when, "= " + code(item.value)))
            elif isinstance(item, Set):
                rows.append(self.row("", f"`{item.name}`", "", when, "becomes " + code(item.value)))
            elif isinstance(item, Seek):
                rows.append(self.row("", "`$`", "", when, "moves to " + code(item.to)))
            elif isinstance(item, Note):
                rows.append(self.row("", "", "", when, item.text))
        return at

    def branches(self, item, when, rows, at):
        """What follows a part that may be missing has no fixed place."""
        start, others = at, []
        while True:
            others.append(item.condition)
            reached = self.rows(item.yes, [*when, item.condition], rows, start)
            at = at if reached == start else None
            chained = len(item.no) == 1 and isinstance(item.no[0], If) and compares(item.no[0].condition, item.condition)
            if not chained:
                break
            item = item.no[0]
        last = negate(others[0]) if len(others) == 1 else "none of these"
        reached = self.rows(item.no, [*when, last], rows, start)
        return at if reached == start else None

    def row(self, at, name, kind, when, meaning):
        conditions = " and ".join(cond if isinstance(cond, str) else code(self.spelled(cond)) for cond in when)
        return f"| {at} | {name} | {kind} | {conditions} | {meaning} |"

    def spelled(self, cond):
        return substitute(cond, lambda a: self.tests.get(a[2]) if a[0] == "local" else None)

    def field_row(self, field, when, at):
        kind = f"`{field.type}`" if field.type not in self.structures else (
            f"[{field.type}](#{anchor(field.type)})")
        if field.count is not None:
            kind += f" × {code(field.count)}" if field.count[0] != "n" else f" × {field.count[1]}"
        if field.until is not None:
            kind += f", while {code(field.until)}"
        args = [code(arg) for arg in field.args if not (arg[0] in ("local", "param") and ENDS.match(arg[2]))]
        if args:
            kind += " of " + ", ".join(args)
        place = f"0x{at:02X}" if at is not None else ""
        if field.at is not None:
            place = "@ " + code(field.at)
        shown = field.shown or field.name
        name = f"`{shown}`" if not field.inline else "its parts"
        meaning = cell(field.doc)
        if not meaning and field.role == "structure" and field.name.startswith("tag") and len(field.name) > 3:
            meaning = f"`{(field.shown or field.name)[3:]}`"
        if not meaning and field.role == "opaque":
            meaning = "kept, not understood"
        return self.row(place, name, kind, when, meaning)

    def plain_structures(self):
        if not self.translator.plain:
            return
        self.put("## Plain elements", "")
        for name, (members, size, doc) in self.translator.plain.items():
            self.put(f"### {name}", "")
            if doc:
                self.put(cell(doc), "")
            self.put(f"{size} bytes.", "", "| field | type | meaning |", "|---|---|---|")
            for kind, member, count, comment in members:
                shown = f"[{kind}](#{anchor(kind)})" if kind in self.structures else f"`{kind}`"
                self.put(f"| `{member}` | {shown}{f' × {count}' if count is not None else ''} | {cell(comment)} |")
            self.put("")

    def enums(self):
        if not self.translator.enums:
            return
        self.put("## Enumerations", "")
        for name, enum in self.translator.enums.items():
            self.put(f"### {name}", "")
            if enum.doc:
                self.put(cell(enum.doc), "")
            self.put(", ".join(f"{value} {label}" for label, value in enum.values) + ".", "")

    def tables(self):
        names = called(self.translator.scopes)
        wanted = [name for name in self.translator.table_texts if name in names]
        if wanted:
            self.put("## Tables", "")
        for name in wanted:
            doc, rows, default = self.translator.table_texts[name]
            self.put(f"### {name}", "")
            if doc:
                self.put(cell(doc), "")
            groups = {}
            for labels, value in rows:
                groups.setdefault(value, []).extend(labels)
            self.put("| value | tags |", "|---|---|")
            for value, labels in groups.items():
                self.put(f"| {value} | {' '.join(labels)} |")
            self.put(f"| {default} | all others |", "")

    def functions(self):
        if not self.recipe.functions:
            return
        self.put("## Decisions over bytes", "",
                 "Where the bytes decide, a pattern does as thaw does, or nearly so:", "", "```cpp")
        for text in self.recipe.function_texts().values():
            self.put(*text.strip("\n").split("\n"), "")
        while self.lines[-1] == "":
            self.lines.pop()
        self.put("```", "")


def page(recipe, translator, root, notes):
    return Page(recipe, translator, root, notes).made()


def index(recipes, missing):
    lines = ["# Layouts", "",
             "Every structure of the formats that thaw reads by description, made by `scripts/layouts` from the code that",
             "reads and writes them; and the same as patterns for [ImHex](https://imhex.werwolv.net), which packages install",
             "in `share/thaw/patterns`: open a file in ImHex, and the pattern in its pattern editor.", "",
             "| format | page | pattern |", "|---|---|---|"]
    for recipe in recipes:
        lines.append(f"| {recipe.title} | [{recipe.name}]({recipe.name}.md) | "
                     f"[{recipe.name}.hexpat](../patterns/{recipe.name}.hexpat) |")
    return "\n".join([*lines, "", missing, ""])
