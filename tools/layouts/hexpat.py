"""Scopes as a pattern of ImHex."""

from ir import Field, If, Let, Note, Seek, Set, every, expressions_of, negate

ORDER = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "<<": 8, ">>": 8,
         "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}


def expression(a, least=0):
    kind = a[0]
    if kind == "n":
        value = a[1]
        return str(value) if isinstance(value, float) or abs(value) < 0x10000 else f"0x{value:X}"
    if kind == "s":
        return '"' + a[1].replace("\\", "\\\\").replace("\0", "\\x00") + '"'
    if kind == "here":
        return "$"
    if kind == "bin":
        own = ORDER[a[1]]
        # Mixed operators get brackets even where the order would do.
        text = f"{expression(a[2], own)} {a[1]} {expression(a[3], own + 1)}"
        return f"({text})" if own < least or (least and own in (2, 3, 4, 5, 8)) else text
    if kind == "un":
        return a[1] + expression(a[2], 11)
    if kind == "cond":
        return f"({expression(a[1])} ? {expression(a[2], 1)} : {expression(a[3], 1)})"
    if kind == "field":
        text = ""
        for step in a[2]:
            text += ("." if text else "") + step if isinstance(step, str) else (
                f"[{step}]" if isinstance(step, int) else f"[{expression(step)}]")
        return text
    if kind in ("local", "param"):
        return a[2]
    if kind == "global":
        return a[1]
    if kind == "call":
        return f"{a[1]}({', '.join(map(expression, a[2]))})"
    if kind == "elem":
        return f"{expression(a[1])}[{expression(a[2])}]" + (f".{a[6]}" if a[6] else "")
    if kind == "addr":
        return f"addressof({expression(a[1])})"
    raise ValueError(f"not to be written: {a!r}")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def without_unused(items):
    """Variables that nothing refers to, and conditions of nothing, are left out."""
    used = {a[2] for a in expressions_of(items) if a[:1] == ("local",)}
    unused = next((item for item in every(items) if (isinstance(item, Let) and item.name not in used) or (
        isinstance(item, If) and not item.yes and not item.no)), None)
    while unused is not None and remove(items, unused):
        return without_unused(items)
    return items


def remove(items, unused):
    for i, item in enumerate(items):
        if item is unused:
            del items[i]
            return True
        if isinstance(item, If) and (remove(item.yes, unused) or remove(item.no, unused)):
            return True
    return False


class Writer:
    def __init__(self):
        self.lines = []

    def put(self, depth, text):
        self.lines.append("    " * depth + text if text else "")

    def comment(self, text):
        for line in wrapped(text) if text else []:
            self.put(0, "// " + line)

    def items(self, items, depth):
        for item in items:
            self.item(item, depth)

    def item(self, item, depth):
        if isinstance(item, Field):
            self.put(depth, self.field(item))
        elif isinstance(item, If):
            self.if_(item, depth)
        elif isinstance(item, Let):
            self.put(depth, f"{item.type} {item.name} = {expression(item.value)};")
        elif isinstance(item, Set):
            self.put(depth, f"{item.name} = {expression(item.value)};")
        elif isinstance(item, Seek):
            self.put(depth, f"$ = {expression(item.to)};")
        elif isinstance(item, Note):
            self.put(depth, "// " + item.text)

    def if_(self, item, depth):
        yes, no, cond = item.yes, item.no, item.condition
        yes = [i for i in yes if not isinstance(i, Note)]
        no = [i for i in no if not isinstance(i, Note)]
        if not yes and not no:
            return
        if not yes:
            yes, no, cond = no, yes, negate(cond)
        self.put(depth, f"if ({expression(cond)}) {{")
        self.items(yes, depth + 1)
        while len(no) == 1 and isinstance(no[0], If) and no[0].yes:
            self.put(depth, f"}} else if ({expression(no[0].condition)}) {{")
            self.items(no[0].yes, depth + 1)
            no = no[0].no
        if no:
            self.put(depth, "} else {")
            self.items(no, depth + 1)
        self.put(depth, "}")

    def field(self, field):
        kind = field.type
        if field.args:
            kind += "<" + ", ".join(expression(arg, 8) for arg in field.args) + ">"
        text = f"{kind} {field.name}"
        if field.until is not None:
            text += f"[while({expression(field.until)})]"
        elif field.count is not None:
            text += f"[{expression(field.count)}]"
        if field.at is not None:
            text += f" @ {expression(field.at)}"
        attributes = []
        if field.shown is not None:
            attributes.append(f"name({quoted(field.shown)})")
        if field.doc:
            attributes.append(f"comment({quoted(field.doc)})")
        if field.inline:
            attributes.append("inline")
        return text + (f" [[{', '.join(attributes)}]]" if attributes else "") + ";"

    def scope(self, scope):
        params = ", ".join(f"auto {name}" for name in scope.params.values())
        self.comment(scope.doc)
        self.put(0, f"struct {scope.name}{f'<{params}>' if params else ''} {{")
        self.items(scope.items, 1)
        self.put(0, "};")
        self.put(0, "")


def wrapped(text, width=110):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        line += (" " if line else "") + word
    return [*lines, line]


def called(scopes):
    """Names of functions that the scopes call."""
    return {a[1] for scope in scopes for a in expressions_of(scope.items) if a[:1] == ("call",)}


PRELUDE = {
    "min": "fn min(auto a, auto b) {\n    return a < b ? a : b;\n};\n",
    "max": "fn max(auto a, auto b) {\n    return a > b ? a : b;\n};\n",
    "next_is": "// Is this tag next?\nfn next_is(str tag, u64 end) {\n    if ($ + 4 > end)\n        return false;\n"
               "    return std::mem::read_string($, 4) == tag;\n};\n",
    "tag_at": "// Does this tag stand there?\nfn tag_at(u64 at, u64 end, str tag) {\n    if (at + 4 > end)\n"
              "        return false;\n    return std::mem::read_string(at, 4) == tag;\n};\n",
}


def table_function(name, doc, rows, default):
    lines = [f"// {line}" for line in wrapped(doc)] if doc else []
    lines.append(f"fn {name}(str tag) {{")
    groups = {}
    for labels, value in rows:
        groups.setdefault(value, []).extend(labels)
    for value, labels in groups.items():
        if value == default:
            continue
        for i in range(0, len(labels), 6):
            tests = " || ".join(f'tag == "{label}"' for label in labels[i:i + 6])
            lines.append(f"    if ({tests})")
            lines.append(f"        return {value};")
    lines.append(f"    return {default};")
    return "\n".join([*lines, "};", ""])


def pattern(recipe, translator, root_field):
    out = Writer()
    title = recipe.title
    out.put(0, f"#pragma description {title}")
    out.put(0, "#pragma endian little")
    for line in recipe.pragmas:
        out.put(0, line)
    out.put(0, "#pragma array_limit 0x1000000")
    out.put(0, "#pragma pattern_limit 0x10000000")
    out.put(0, "")
    out.put(0, f"// Made by scripts/layouts from {recipe.source}; do not edit.")
    out.comment(recipe.about)
    out.put(0, "")
    body = Writer()
    for name, enum in translator.enums.items():
        body.comment(enum.doc)
        body.put(0, f"enum {name} : {enum.base} {{")
        for i, (label, value) in enumerate(enum.values):
            body.put(1, f"{label} = {value}{',' if i + 1 < len(enum.values) else ''}")
        body.put(0, "};")
        body.put(0, "")
    for name, (members, _, doc) in translator.plain.items():
        body.comment(doc)
        body.put(0, f"struct {name} {{")
        for kind, member, count, comment in members:
            shown = f" [[comment({quoted(comment)})]]" if comment else ""
            body.put(1, f"{kind} {member}{f'[{count}]' if count is not None else ''}{shown};")
        body.put(0, "} [[static]];")
        body.put(0, "")
    for name, member in translator.globals.items():
        start = recipe.start_of(translator, name, member)
        if start is not None:
            kind = translator.type_name(member.type)[0] if member.type[0] in ("scalar", "enum") else "u32"
            if kind in translator.enums:
                kind = translator.enums[kind].base
            body.put(0, f"{kind} {name} = {start};")
    if translator.globals:
        body.put(0, "")
    for scope in translator.scopes:
        without_unused(scope.items)
    names = called(translator.scopes)
    texts = list(recipe.function_texts().values())
    everything = "\n".join(texts)
    for name, text in PRELUDE.items():
        if name in names or f"{name}(" in everything:
            body.lines.extend(text.split("\n"))
    for name, (doc, rows, default) in translator.table_texts.items():
        if name in names:
            body.lines.extend(table_function(name, doc, rows, default).split("\n"))
    for text in texts:
        body.lines.extend(text.strip("\n").split("\n") + [""])
    for scope in translator.scopes:
        body.scope(scope)
    body.put(0, out.field(root_field))
    text = "\n".join(body.lines)
    for module in ("std.mem", "std.core"):
        if module.replace(".", "::") in text:
            out.put(0, f"import {module};")
    out.put(0, "")
    return "\n".join(out.lines) + "\n" + text + "\n"
