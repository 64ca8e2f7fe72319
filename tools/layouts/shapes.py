"""Types: how many bytes one takes, and what a pattern calls it."""

from source import Unknown

RESERVED = {"padding", "parent", "this", "in", "out", "match", "if", "else", "while", "for", "return", "break",
            "struct", "union", "enum", "bitfield", "using", "namespace", "fn", "be", "le", "auto", "str", "bool",
            "char", "float", "double", "true", "false", "null", "const", "reference", "ref", "import", "as", "from",
            "addressof", "sizeof", "typenameof", "signed", "unsigned", "try", "catch", "continue", "type", "section"}


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.replace("::", "_").split("_"))


class Shapes:
    def size(self, what):
        kind = what[0]
        if kind == "scalar":
            return what[2]
        if kind == "enum":
            return what[1].size
        if kind == "array":
            return what[2] * self.size(what[1])
        if kind == "text":
            return what[1]
        if kind == "fourcc":
            return 4
        if kind == "struct":
            return sum(self.size(m.type) for m in what[1].members)
        raise Unknown(f"no size of {what}")

    def type_name(self, what):
        """The name in the pattern, and how many of it."""
        kind = what[0]
        if kind == "scalar":
            return what[1], None
        if kind == "fourcc":
            return "char", 4
        if kind == "text":
            return "char", what[1]
        if kind == "enum":
            return (self.enum_name(what[1]) if what[1].values else what[1].base), None
        if kind == "array":
            inner, count = self.type_name(what[1])
            if count is None:
                return inner, what[2]
            return self.wrapped(inner, count, what[1]), what[2]
        if kind == "struct":
            return self.plain_struct(what), None
        raise Unknown(f"no plain type: {what}")

    def element_name(self, what):
        inner, count = self.type_name(what)
        return inner if count is None else self.wrapped(inner, count, what)

    def wrapped(self, inner, count, what):
        names = {"float": "Float", "char": "Char"}
        name = f"{names.get(inner, camel(inner))}{'x' if inner[-1].isdigit() else ''}{count}"
        self.plain.setdefault(name, ([(inner, "v", count, "")], self.size(what), ""))
        return name

    def enum_name(self, enum):
        name = camel(enum.name)
        if self.enums.setdefault(name, enum) is not enum:
            name = camel(enum.space) + name
            self.enums[name] = enum
        return name

    def plain_struct(self, what):
        struct = what[1]
        name = camel(struct.name)
        if name not in self.plain:
            members = []
            for member in struct.members:
                inner, count = self.type_name(member.type)
                members.append((inner, member.name if member.name not in RESERVED else member.name + "_", count,
                                member.doc))
            self.plain[name] = (members, self.size(what), struct.doc)
        return name
