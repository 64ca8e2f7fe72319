"""Types: what a name means, how many bytes it takes, and what a pattern calls it."""

from cpp import Type, Unknown
from values import Env, Place

SCALARS = {"uint8_t": ("u8", 1), "int8_t": ("s8", 1), "uint16_t": ("u16", 2), "int16_t": ("s16", 2),
           "uint32_t": ("u32", 4), "int32_t": ("s32", 4), "uint64_t": ("u64", 8), "int64_t": ("s64", 8),
           "char": ("char", 1), "float": ("float", 4), "double": ("double", 8), "size_t": ("u64", 8),
           "bool": ("bool", 1), "unsigned": ("u32", 4), "int": ("s32", 4), "unsigned char": ("u8", 1)}
RESERVED = {"padding", "parent", "this", "in", "out", "match", "if", "else", "while", "for", "return", "break",
            "struct", "union", "enum", "bitfield", "using", "namespace", "fn", "be", "le", "auto", "str", "bool",
            "char", "float", "double", "true", "false", "null", "const", "reference", "ref", "import", "as", "from",
            "addressof", "sizeof", "typenameof", "signed", "unsigned", "try", "catch", "continue", "type", "section"}


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.replace("::", "_").split("_"))


class Shapes:
    def spaces(self, space):
        found = [space]
        if space != self.space:
            found.append(self.space)
        return [*found, ""]

    def lookup(self, table, name, space, owner=None):
        if name.startswith("thaw::"):
            name = name[6:]
        if "::" in name:
            outer, inner = name.rsplit("::", 1)
            if (outer, inner) in table:
                return table[(outer, inner)]
            parts = outer.split("::")
            if len(parts) > 1 and (parts[0], "::".join([*parts[1:], inner])) in table:
                return table[(parts[0], "::".join([*parts[1:], inner]))]
        for where in self.spaces(space):
            if owner and (where, f"{owner.name}::{name}") in table:
                return table[(where, f"{owner.name}::{name}")]
            if (where, name) in table:
                return table[(where, name)]
        return None

    def resolve(self, what, space, owner=None, bound=None):
        name, args = what.name, what.args
        bound = bound or {}
        if name in bound:
            return bound[name]
        if name in SCALARS:
            return ("scalar", *SCALARS[name])
        if name == "As":
            return self.resolve(args[1], space, owner, bound)
        inner = [self.resolve(arg, space, owner, bound) if isinstance(arg, Type) else arg for arg in args
                 if isinstance(arg, Type) or arg is not None] if name in (
                     "Array", "vector", "optional", "Boxed", "array") else []
        if name in ("Array", "vector"):
            return ("dyn", inner[0])
        if name in ("optional", "Boxed"):
            return (name.lower(), inner[0])
        if name == "array" and len(args) < 2:
            return ("opaque", name)
        if name == "array":
            size = args[1]
            if isinstance(size, Type):
                size = ("name", str(size), None)
            value = self.constant(size, space, owner)
            return ("array", inner[0], value)
        if name == "FixedText":
            return ("text", self.constant(args[0], space, owner) if not isinstance(args[0], Type) else
                    self.constant(("name", str(args[0]), None), space, owner))
        if name == "FourCC":
            return ("fourcc",)
        if owner and name in owner.aliases:
            return self.resolve(owner.aliases[name], space, owner, bound)
        found = self.lookup(self.sources.enums, name, space, owner)
        if found:
            return ("enum", found)
        found = self.lookup(self.sources.structs, name, space, owner)
        if found:
            values = {p: self.resolve(a, space, owner, bound) for p, a in zip(found.template, args)}
            return ("struct", found, tuple(values.items()))
        found = self.lookup(self.sources.aliases, name, space, owner)
        if found:
            where = name.rsplit("::", 1)[0] if "::" in name else space
            return self.resolve(found, where, owner, bound)
        return ("opaque", str(what))

    def constant(self, ast, space, owner=None):
        env = Env(space=space)
        if owner:
            env.this = Place(object(), (), ("struct", owner, ()))
        value = self.value(self.eval(ast, env))
        if value[0] != "n":
            raise Unknown(f"no constant: {ast}")
        return value[1]

    def size(self, what):
        kind = what[0]
        if kind == "scalar":
            return what[2]
        if kind == "enum":
            return SCALARS[what[1].base][1]
        if kind == "array":
            return what[2] * self.size(what[1])
        if kind == "text":
            return what[1]
        if kind == "fourcc":
            return 4
        if kind == "struct":
            return sum(self.size(self.member_type(what, m.name)) for m in what[1].members)
        raise Unknown(f"no size of {what}")

    def member_type(self, what, name):
        struct = what[1]
        member = struct.member(name)
        if member is None:
            raise Unknown(f"{struct.name} has no {name}")
        return self.resolve(member.type, struct.space, struct, dict(what[2]))

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
            return self.enum_name(what[1]), None
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
                inner, count = self.type_name(self.member_type(what, member.name))
                members.append((inner, member.name if member.name not in RESERVED else member.name + "_", count,
                                member.doc))
            self.plain[name] = (members, self.size(what), struct.doc)
        return name
