"""Follows a description as its reader would, with expressions in place of values, and keeps what it says as scopes.

Both sides of a branch that depends on the file are followed. A branch that fails is taken as one that good files do
not take."""

from cpp import Function, Struct, Type, Unknown
from ir import (HERE, MOST, UNSET, Field, If, Let, Note, Scope, Seek, Set, binary, condition, contains, is_expression, n,
                negate, substitute, truth, unary)

SCALARS = {"uint8_t": ("u8", 1), "int8_t": ("s8", 1), "uint16_t": ("u16", 2), "int16_t": ("s16", 2),
           "uint32_t": ("u32", 4), "int32_t": ("s32", 4), "uint64_t": ("u64", 8), "int64_t": ("s64", 8),
           "char": ("char", 1), "float": ("float", 4), "double": ("double", 8), "size_t": ("u64", 8),
           "bool": ("bool", 1), "unsigned": ("u32", 4), "int": ("s32", 4), "unsigned char": ("u8", 1)}
RESERVED = {"padding", "parent", "this", "in", "out", "match", "if", "else", "while", "for", "return", "break",
            "struct", "union", "enum", "bitfield", "using", "namespace", "fn", "be", "le", "auto", "str", "bool",
            "char", "float", "double", "true", "false", "null", "const", "reference", "ref", "import", "as", "from",
            "addressof", "sizeof", "typenameof", "signed", "unsigned", "try", "catch", "continue", "type", "section"}
KINDS = {"f32": "float", "i32": "s32", "u32": "u32"}


class Place:
    """Something in the document."""

    def __init__(self, root, path, what):
        self.root, self.path, self.type = root, path, what

    @property
    def key(self):
        return (self.root, self.path)

    def sub(self, step, what):
        return Place(self.root, (*self.path, step), what)


class Closure:
    def __init__(self, params, body, env):
        self.params, self.body, self.env = params, body, env


class Aggregate:
    def __init__(self, fields):
        self.fields = fields

    def __eq__(self, other):
        return isinstance(other, Aggregate) and self.fields == other.fields


class Bytes:
    """A view of the file: from an address, of a size."""

    def __init__(self, at, size):
        self.at, self.size = at, size


class Places:
    """Parts that are found by looking at the bytes: how many, and what is known of one by its index."""

    def __init__(self, count, entry):
        self.count, self.entry, self.known = count, entry, {}

    def at(self, translator, index):
        key = (translator.scope, index)
        if key not in self.known:
            self.known[key] = self.entry(translator, index)
        return self.known[key]


class Choices:
    """Alternatives of which each may be there: (condition, value)."""

    def __init__(self, rows):
        self.rows = rows


class Pointer:
    def __init__(self, at):
        self.at = at


class Visitor:
    pass


class Context:
    pass


class TypeValue:
    def __init__(self, what):
        self.what = what


class Env:
    def __init__(self, outer=None, this=None, space=""):
        self.vars, self.types, self.outer = {}, {}, outer
        self.this = this if this is not None else (outer.this if outer else None)
        self.space = space or (outer.space if outer else "")
        self.returns = None

    def find(self, name):
        env = self
        while env is not None:
            if name in env.vars:
                return env
            env = env.outer
        return None

    def type_of(self, name):
        env = self
        while env is not None:
            if name in env.types:
                return env.types[name]
            env = env.outer
        return None


class Returned:
    def __init__(self, value):
        self.value = value


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.replace("::", "_").split("_"))


class Translator:
    def __init__(self, sources, space, decisions, tables=None, fixed=None):
        self.sources, self.space = sources, space
        self.decisions = decisions  # name of a function over bytes -> what to do instead of following it
        self.tables = tables or {}  # functions that are tables by tag
        self.table_texts = {}
        self.bind = {}
        self.done = {}  # described structures
        self.scopes, self.enums, self.plain = [], {}, {}
        self.globals = {}
        self.used = set()
        self.log = None
        self.scope = None
        self.items = None
        self.end = self.base = self.region_end = None
        self.fixed = dict(fixed or {})
        self.variant = ""  # of structures that differ by what is fixed
        self.visitor = Visitor()
        self.context = Context()
        self.depth = 0

    # --- types

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

    # --- emission

    def emit(self, item):
        self.items.append(item)

    def local(self, kind, name, value):
        """Keeps a value at this place of the pattern."""
        value = self.scope.localize(value)
        if value[0] in ("n", "local") or (value[0] == "param"):
            return value
        name = self.scope.unique(name.rstrip("_") + "_")
        self.emit(Let(kind, name, value))
        return ("local", self.scope, name)

    def keep(self, value, name):
        """What depends on the place where it is read, or is long, is kept in a variable."""
        if is_expression(value) and value != UNSET and (contains(value, HERE) or complexity(value) > 5):
            return self.local("bool" if truth(value) else "u64", name, value)
        return value

    def field_name(self, name):
        clean = "".join(c if c.isalnum() or c == "_" else "_" for c in name) or "items"
        if clean[0].isdigit():
            clean = "_" + clean
        if clean in RESERVED:
            clean += "_"
        return self.scope.unique(clean)

    def emit_field(self, kind, name, count=None, doc="", **more):
        if count is not None and contains(count, UNSET):
            raise Unknown(f"the number of {name} is not known")
        member = self.field_name(name)
        local = self.scope.localize
        if is_expression(more.get("at") or 0):
            more["at"] = local(more["at"])
        more["args"] = tuple(local(arg) for arg in more.get("args", ()))
        if is_expression(more.get("until") or 0):
            more["until"] = local(more["until"])
        if name and member != name and "shown" not in more:
            more["shown"] = name
        self.emit(Field(kind, member, local(count) if count is not None else None, doc=doc, **more))
        return ("field", self.scope, (member,))

    def branch(self, cond, yes, no):
        """Follows both; returns what they return."""
        if cond[0] == "n":
            return (yes if cond[1] else no)()
        cond = self.scope.localize(self.keep_condition(cond))
        outer_log, outer_items = self.log, self.items
        results, changes, lists = [], [], []
        before, after = set(self.scope.names), set()
        for follow in (yes, no):
            self.scope.names = set(before)  # one name may stand in both
            self.log, self.items = [], []
            results.append(follow())
            changed = {}
            for table, key, old in reversed(self.log):
                changed.setdefault((id(table), key), [table, old, None])[1] = old
            for (_, key), entry in changed.items():
                entry[2] = entry[0].get(key)
            for (_, key), entry in changed.items():
                if entry[1] is MISSING:
                    entry[0].pop(key, None)
                else:
                    entry[0][key] = entry[1]
            changes.append(changed)
            lists.append(self.items)
            after |= self.scope.names
        self.scope.names = after
        self.log, self.items = outer_log, outer_items
        for where in {**changes[0], **changes[1]}:
            table = (changes[0].get(where) or changes[1].get(where))[0]
            old = (changes[0].get(where) or changes[1].get(where))[1]
            a = changes[0][where][2] if where in changes[0] else old
            b = changes[1][where][2] if where in changes[1] else old
            if isinstance(where[1], tuple) and where[1][1][-1:] in (("?",), ("#",)):  # is it there, how many?
                a, b = (n(0) if side in (MISSING, None) else side for side in (a, b))
            self.assign(table, where[1], self.merge(cond, a, b))
        if lists[0] or lists[1]:
            self.emit(If(cond, lists[0], lists[1]))
        return self.merge_returns(cond, *results)

    def keep_condition(self, cond):
        return cond

    def merge(self, cond, a, b):
        if a is MISSING or a is None:
            return b
        if b is MISSING or b is None:
            return a
        if isinstance(a, Aggregate) and isinstance(b, Aggregate):
            if set(a.fields) != set(b.fields):
                raise Unknown("two aggregates of different kinds")
            return Aggregate({k: self.merge(cond, a.fields[k], b.fields[k]) for k in a.fields})
        if is_expression(a) and is_expression(b):
            if a == UNSET or b == UNSET:
                return b if a == UNSET else a
            if a[0] == "field" and b[0] == "field" and a[1] is b[1] and a[2] == b[2]:
                return a
            return condition(cond, a, b)
        return a

    def merge_returns(self, cond, a, b):
        if a is None or b is None:
            return None if a is None and b is None else (a or b)
        if a.value is None or b.value is None:
            return a if b.value is None else b
        return Returned(self.merge(cond, self.plain_value(a.value), self.plain_value(b.value)))

    def plain_value(self, value):
        if isinstance(value, Place):
            return self.value(value)
        return value

    def assign(self, table, key, value):
        if self.log is not None:
            self.log.append((table, key, table.get(key, MISSING)))
        table[key] = value

    # --- values

    def value(self, found):
        """The expression of a value."""
        if is_expression(found):
            return found
        if isinstance(found, Place):
            return self.load(found)
        if isinstance(found, bool):
            return n(int(found))
        if isinstance(found, str):
            return ("s", found)
        raise Unknown(f"no value: {found!r}")

    def load(self, place):
        if place.key in self.bind:
            return self.bind[place.key]
        for cut in range(len(place.path) - 1, -1, -1):
            found = self.bind.get((place.root, place.path[:cut]))
            rest = place.path[cut:]
            if isinstance(found, Places) and len(rest) == 2:
                return found.at(self, rest[0] if is_expression(rest[0]) else n(rest[0])).fields[rest[1]]
            if found is not None and is_expression(found) and found[0] == "field":
                if is_expression(rest[0]):
                    return self.array_element(place, cut, found, rest)
                return ("field", found[1], (*found[2], *rest))
        kind = place.type[0]
        if kind == "optional":
            return self.bind.get((place.root, (*place.path, "?")), n(0))
        if kind == "fourcc":
            inner = self.bind.get((place.root, (*place.path, "bytes")))
            if inner is not None:
                return inner
        return self.untouched(place)

    def untouched(self, place):
        """What a member is before anything is read into it."""
        if place.type is None or place.type[0] != "scalar" or not isinstance(place.root, Root):
            return UNSET
        names = [i for i, step in enumerate(place.path) if isinstance(step, str)]
        if not names:
            return UNSET
        owner = self.type_at(place.root.type, place.path[:names[-1]])
        if owner[0] != "struct" or owner[1].member(place.path[names[-1]]) is None:
            return UNSET
        init = owner[1].member(place.path[names[-1]]).init
        if init is None:
            return UNSET
        if init[0] == "init":
            return n(0)
        return self.value(self.eval_constant((Type(""), init), owner[1].space, owner[1]))

    def array_element(self, place, cut, found, rest):
        """An element, or a member of one, of an array of plain data at an index that is not known."""
        whole = self.type_at(place.root.type, place.path[:cut])[1]
        if len(rest) == 1:
            return ("elem", found, rest[0], self.size(whole), 0, self.size(whole), "")
        offset = 0
        for member in whole[1].members:
            if member.name == rest[1]:
                break
            offset += self.size(self.member_type(whole, member.name))
        return ("elem", found, rest[0], self.size(whole), offset, self.size(place.type), rest[1])

    def type_at(self, what, path):
        for step in path:
            while what[0] in ("optional", "boxed"):
                what = what[1]
            what = self.member_type(what, step) if isinstance(step, str) else what[1]
        while what[0] in ("optional", "boxed"):
            what = what[1]
        return what

    def store(self, place, value):
        self.assign(self.bind, place.key, value)

    def text_of(self, value):
        if is_expression(value) and value[0] == "s":
            return value[1]
        raise Unknown(f"no text: {value!r}")

    # --- expressions of the language

    def eval(self, ast, env):
        return getattr(self, "eval_" + ast[0])(ast, env)

    def eval_num(self, ast, env):
        return n(ast[1])

    def eval_str(self, ast, env):
        return ("s", ast[1])

    def eval_lambda(self, ast, env):
        return Closure(ast[1], ast[2], env)

    def eval_requires(self, ast, env):
        text = ast[1]
        if "structure" in text or "raw" in text:
            return n(0)
        words = text.replace(";", "").split()
        if "." in words:
            found = env.find(words[0])
            place = found.vars[words[0]] if found else None
            if isinstance(place, Place) and place.type[0] == "struct":
                return n(int(place.type[1].member(words[-1]) is not None))
            return n(0)
        if words[0] == "typename":
            words = words[1:]
        what = self.type_by_text([w for w in words if w != ";"], env)
        return n(int(what is not None))

    def type_by_text(self, words, env):
        """The type that a `using` names: of a parameter's elements or items."""
        text = "".join(words)
        for name in list(env_names(env)):
            place = env.find(name).vars[name]
            if not isinstance(place, (Place, TypeValue)):
                continue
        base = text.replace("typename", "").replace("std::", "")
        for cut in ("::value_type", "::Item::kRecordSize", "::Item"):
            if base.endswith(cut):
                inner = base[:-len(cut)]
                inner = inner.replace("remove_cvref_t<", "").replace("remove_const_t<", "").rstrip(">")
                what = env.type_of(inner)
                if what is None:
                    return None
                what = what.what if isinstance(what, TypeValue) else what
                if cut == "::value_type":
                    return what[1]
                if what[0] != "struct":
                    return None
                item = what[1].aliases.get("Item")
                if item is None:
                    return None
                item = self.resolve(item, what[1].space, what[1], dict(what[2]))
                if cut == "::Item":
                    return item
                return item if item[0] == "struct" and "kRecordSize" in item[1].constants else None
        inner = base.replace("remove_cvref_t<", "").replace("remove_const_t<", "").rstrip(">")
        return env.type_of(inner)

    def same_types(self, targs, env):
        found = []
        for what in targs:
            while what.name in ("remove_cvref_t", "remove_const_t", "decay_t"):
                what = what.args[0]
            known = env.type_of(what.name)
            if what.name == "decltype":
                raise Unknown("decltype")
            known = known.what if isinstance(known, TypeValue) else known
            found.append(known if known is not None else self.resolve(what, env.space))
        return n(int(found[0] == found[1]))

    def eval_name(self, ast, env):
        name, targs = ast[1], ast[2]
        if name == "is_same_v":
            return self.same_types(targs, env)
        found = env.find(name)
        if found:
            return found.vars[name]
        if name in ("true", "false"):
            return n(int(name == "true"))
        if name == "V::kReads":
            return n(1)
        if name == "kNowhere":
            return n(MOST)
        if env.this is not None and env.this.type[0] == "struct":
            struct = env.this.type[1]
            if struct.member(name):
                return env.this.sub(name, self.member_type(env.this.type, name))
            if name in struct.constants:
                return self.eval_constant(struct.constants[name], struct.space, struct)
        what = env.type_of(name)
        if what is not None and isinstance(what, TypeValue):
            return what
        return self.eval_global(name, targs, env)

    def eval_global(self, name, targs, env):
        found = self.lookup(self.sources.constants, name, env.space)
        if found:
            space = name.rsplit("::", 1)[0] if "::" in name and name.rsplit("::", 1)[0] in self.all_spaces() else env.space
            return self.eval_constant(found, space, None)
        if "::" in name:
            outer, inner = name.rsplit("::", 1)
            what = env.type_of(outer)
            what = what.what if isinstance(what, TypeValue) else what
            if what is None:
                what = self.resolve(Type(outer), env.space, env.this.type[1] if env.this is not None and
                                    env.this.type[0] == "struct" else None)
            if what[0] == "enum":
                for label, value in what[1].values:
                    if label == inner:
                        return n(value)
            if what[0] == "struct" and inner in what[1].constants:
                return self.eval_constant(what[1].constants[inner], what[1].space, what[1])
            if outer == "ScalarKind" or outer.endswith("::ScalarKind"):
                return ("s", inner)
        for (space, _), enum in self.sources.enums.items():
            if space in self.spaces(env.space) and name in dict(enum.values):
                return n(dict(enum.values)[name])
        functions = self.sources.functions.get(name.split("::")[-1])
        if functions:
            return TypeValue(("function", name))
        raise Unknown(f"unknown name {name} in {env.space}")

    def all_spaces(self):
        return {space for space, _ in self.sources.structs}

    def eval_constant(self, found, space, owner):
        what, init = found
        env = Env(space=space)
        if owner:
            env.this = Place(object(), (), ("struct", owner, ()))
        if init is None:
            return n(0)
        if init[0] == "init" and init[1] is None and what.name == "FourCC":
            return self.eval(init[2][0], env)
        if init[0] == "init" and init[1] is None and len(init[2]) == 1 and what.name != "array":
            return self.eval(init[2][0], env)
        return self.eval(init, env)

    def eval_init(self, ast, env):
        name = ast[1]
        args = [self.eval(arg, env) for arg in ast[2]]
        if name is None:
            return Aggregate({i: arg for i, arg in enumerate(args)})
        name = name[1]
        if name == "FourCC":
            return args[0] if args else ("s", "")
        if name in SCALARS:
            return self.value(args[0]) if args else n(0)
        if name == "ByteView":
            return args[0]
        if name == "Columns":
            return Aggregate({"scalars": self.value(args[0]), "kind": args[1]})
        what = self.local_struct(name, env) or self.lookup(self.sources.structs, name, env.space)
        if what is None:
            raise Unknown(f"cannot make {name}")
        names = what if isinstance(what, list) else [m.name for m in what.members]
        return Aggregate({names[i]: arg for i, arg in enumerate(args)})

    def local_struct(self, name, env):
        what = env.type_of("struct " + name)
        return what

    def eval_cond(self, ast, env):
        cond = self.truth(self.eval(ast[1], env))
        if cond[0] == "n":
            return self.eval(ast[2] if cond[1] else ast[3], env)
        return self.merge(cond, self.plain_value(self.eval(ast[2], env)), self.plain_value(self.eval(ast[3], env)))

    def truth(self, found):
        if isinstance(found, Place):
            if found.type[0] == "optional":
                return self.bind.get((found.root, (*found.path, "?")), n(0))
            return self.load(found)
        if found is None:
            return n(0)
        return self.value(found)

    def eval_bin(self, ast, env):
        op = ast[1]
        a = self.eval(ast[2], env)
        if op in ("&&", "||"):
            left = self.truth(a)
            if left[0] == "n" and bool(left[1]) == (op == "||"):
                return n(int(op == "||"))
            return binary(op, left, self.truth(self.eval(ast[3], env)))
        b = self.eval(ast[3], env)
        if isinstance(a, Pointer) or isinstance(b, Pointer):
            if op in ("+", "-") and isinstance(a, Pointer):
                return Pointer(binary(op, a.at, self.value(b)))
            raise Unknown("arithmetic of pointers")
        return binary(op, self.value(a), self.value(b))

    def eval_un(self, ast, env):
        op = ast[1]
        found = self.eval(ast[2], env)
        if op == "*":
            if isinstance(found, Place):
                return self.dereference(found)
            return found
        if op == "&":
            return found
        if op in ("++", "--"):
            return self.step(ast[2], op, env)
        if op == "!":
            return negate(self.truth(found))
        return unary(op, self.value(found))

    def eval_post(self, ast, env):
        old = self.value(self.eval(ast[2], env))
        self.step(ast[2], ast[1], env)
        return old

    def step(self, target, op, env):
        return self.eval_assign(("assign", op[0] + "=", target, ("num", 1)), env)

    def dereference(self, place):
        if place.type[0] in ("optional", "boxed"):
            return Place(place.root, place.path, place.type[1])
        return place

    def eval_comma(self, ast, env):
        self.eval(ast[1], env)
        return self.eval(ast[2], env)

    def eval_cast(self, ast, env):
        found = self.eval(ast[2], env)
        if isinstance(found, (Place, Bytes)) and not (isinstance(found, Place) and found.type[0] in (
                "scalar", "enum", "optional")):
            return found
        if isinstance(found, Place) and found.type[0] == "optional":
            return self.truth(found)
        return self.value(found)

    def eval_sizeof(self, ast, env):
        if isinstance(ast[1], Type):
            known = env.type_of(ast[1].name)
            if isinstance(known, TypeValue):
                return n(self.size(known.what))
            if isinstance(known, tuple):
                return n(self.size(known))
            found = env.find(ast[1].name)
            if found and isinstance(found.vars[ast[1].name], Place):
                return n(self.size(found.vars[ast[1].name].type))
            if ast[1].name.endswith("::value_type"):
                what = self.type_by_text([ast[1].name], env)
                if what:
                    return n(self.size(what))
            what = self.resolve(ast[1], env.space)
            if what[0] != "opaque":
                return n(self.size(what))
            ast = ("sizeof", ("name", ast[1].name, None))
        found = self.eval(ast[1], env)
        if isinstance(found, Place):
            return n(self.size(found.type))
        for_type = env.type_of(ast[1][1]) if ast[1][0] == "name" else None
        if for_type:
            return n(self.size(for_type))
        raise Unknown(f"no size of {ast[1]}")

    def eval_index(self, ast, env):
        found = self.eval(ast[1], env)
        index = self.value(self.eval(ast[2], env))
        return self.element(found, index)

    def element(self, found, index):
        if isinstance(found, Aggregate):
            if len(found.fields) == 1 and isinstance(found.fields.get(0), Aggregate):
                found = found.fields[0]
            if index[0] != "n":
                chosen = found.fields[len(found.fields) - 1]
                for i in range(len(found.fields) - 2, -1, -1):
                    chosen = self.merge(binary("==", index, n(i)), found.fields[i], chosen)
                return chosen
            return found.fields[index[1]]
        if isinstance(found, Places):
            return found.at(self, index)
        if isinstance(found, Bytes):
            return ("call", "std::mem::read_unsigned", (binary("+", found.at, index), n(1)))
        if isinstance(found, Place):
            what = found.type
            if what[0] in ("array", "dyn"):
                return found.sub(index if index[0] != "n" else index[1], what[1])
        raise Unknown(f"no elements of {found!r}")

    def eval_assign(self, ast, env):
        op, target, source = ast[1], ast[2], ast[3]
        found = self.eval(source, env)
        if found is None:
            return None
        if isinstance(found, Place) and found.type[0] in ("scalar", "enum"):
            found = self.load(found)
        if op != "=":
            found = binary(op[:-1], self.value(self.eval(target, env)), self.value(found))
        if target[0] == "name":
            where = env.find(target[1])
            if where and (not isinstance(where.vars[target[1]], Place) or isinstance(found, Places)):
                self.assign(where.vars, target[1], self.keep(found, target[1]))
                return found
        if target[0] == "member" and isinstance(self.eval(target[1], env), Context):
            if target[2] in self.fixed:
                return found
            name = self.context_value(target[2])[1]
            self.emit(Set(name, self.scope.localize(self.value(found))))
            return found
        place = self.eval(target, env)
        if isinstance(place, Place):
            if isinstance(found, (Place,)) and found.type[0] not in ("scalar", "enum", "optional"):
                return found
            if isinstance(found, Aggregate):
                return found
            self.store(place, self.value(found) if found is not None else UNSET)
            return found
        raise Unknown(f"cannot set {target}")

    def context_value(self, name):
        """What a description knows of the file around it is a variable of the pattern."""
        if name in self.fixed:
            return self.fixed[name]
        struct = self.lookup(self.sources.structs, "Context", self.space)
        member = struct.member(name)
        self.globals["file_" + name] = (self.resolve(member.type, struct.space, struct), member)
        return ("global", "file_" + name)

    # --- members and calls

    def eval_member(self, ast, env):
        found = self.eval(ast[1], env)
        return self.member(found, ast[2])

    def member(self, found, name):
        if isinstance(found, Place):
            found = self.dereference(found)
            what = found.type
            if what[0] == "fourcc" and name == "bytes":
                return found.sub("bytes", ("array", ("scalar", "char", 1), 4))
            if what[0] == "text" and name == "raw":
                return found
            if what[0] == "struct":
                struct = what[1]
                if struct.member(name):
                    return found.sub(name, self.member_type(what, name))
                if name in struct.constants:
                    return self.eval_constant(struct.constants[name], struct.space, struct)
            raise Unknown(f"{what[0]} {what[1].name if what[0] == 'struct' else what} has no {name}")
        if isinstance(found, Aggregate):
            return found.fields[name]
        if isinstance(found, Context):
            return self.context_value(name)
        if is_expression(found) and found[0] == "s" and name == "bytes":
            return found
        raise Unknown(f"no member {name} of {found!r}")

    def eval_call(self, ast, env):
        callee, args = ast[1], ast[2]
        try:
            if callee[0] == "member":
                return self.call_member(callee, args, env)
            if callee[0] == "name":
                return self.call_name(callee, args, env)
            found = self.eval(callee, env)
            return self.call_closure(found, [self.eval(arg, env) for arg in args])
        except Unknown as error:
            if not getattr(error, "placed", False):
                error.placed = True
                error.args = (f"line {ast[3]}: {error.args[0]}",)
            raise

    def call_member(self, callee, args, env):
        target = self.eval(callee[1], env)
        name = callee[2]
        if isinstance(target, Visitor):
            return getattr(self, "visit_" + name)(args, env)
        if isinstance(target, Bytes):
            return self.call_bytes(target, name, [self.eval(arg, env) for arg in args])
        if isinstance(target, Places):
            if name == "size":
                return target.count
            raise Unknown(f"places: {name}")
        if isinstance(target, Aggregate):
            if name == "at":
                return self.element(target, self.value(self.eval(args[0], env)))
            if name == "size":
                inner = target.fields.get(0)
                return n(len(inner.fields) if len(target.fields) == 1 and isinstance(inner, Aggregate) else
                         len(target.fields))
            if name == "old":
                raise Unknown("a method of an aggregate")
        if isinstance(target, Context):
            struct = self.lookup(self.sources.structs, "Context", self.space)
            method = struct.methods[name]
            inner = Env(space=self.space)
            inner.vars = {m.name: self.context_value(m.name) for m in struct.members}
            return self.run_function(method, inner)
        if isinstance(target, Place):
            return self.call_place(target, name, args, env)
        if is_expression(target):
            if name in ("data", "text", "c_str"):
                return target
            if name == "size" and target == UNSET:
                return UNSET
        raise Unknown(f"no call of {name} on {target!r}")

    def call_bytes(self, view, name, args):
        if name == "size":
            return view.size
        if name == "empty":
            return binary("==", view.size, n(0))
        if name == "data":
            return Pointer(view.at)
        if name == "subspan":
            start = self.value(args[0])
            return Bytes(binary("+", view.at, start), binary("-", view.size, start))
        raise Unknown(f"bytes: {name}")

    def call_place(self, place, name, args, env):
        what = place.type
        if name in ("emplace", "emplace_back"):
            if what[0] == "optional":
                self.assign(self.bind, (place.root, (*place.path, "?")), n(1))
                return Place(place.root, place.path, what[1])
            if name == "emplace_back":
                return place.sub("+", what[1])
            return place
        if name in ("has_value",):
            return self.truth(place)
        if what[0] == "optional":
            place = self.dereference(place)
            what = place.type
        if name == "size":
            if what[0] == "array":
                return n(what[2])
            return self.bind.get((place.root, (*place.path, "#")), UNSET)
        if name == "empty":
            count = self.bind.get((place.root, (*place.path, "#")), UNSET)
            return UNSET if count == UNSET else binary("==", count, n(0))
        if name in ("resize", "assign"):
            self.assign(self.bind, (place.root, (*place.path, "#")), self.keep(self.value(self.eval(args[0], env)), "count"))
            return None
        if name in ("push_back", "clear", "reserve"):
            return None
        if name == "front":
            return place.sub(0, what[1])
        if name == "data" or name == "text":
            return place
        if name == "at":
            return self.element(place, self.value(self.eval(args[0], env)))
        if what[0] == "struct" and name in what[1].methods:
            method = what[1].methods[name]
            inner = Env(this=place, space=what[1].space)
            for (kind, param), arg in zip(method.params, args):
                inner.vars[param] = self.eval(arg, env)
            return self.run_function(method, inner)
        raise Unknown(f"no method {name} of {what[0]} {what[1].name if what[0] == 'struct' else ''}")

    def call_closure(self, closure, args):
        if not isinstance(closure, Closure):
            raise Unknown(f"cannot call {closure!r}")
        env = Env(outer=closure.env)
        for (what, name), value in zip(closure.params, args):
            if name:
                env.vars[name] = value
        return self.run(closure.body, env)

    def run_function(self, function, env):
        if self.depth > 40:
            raise Unknown(f"{function.name} runs too deep")
        self.depth += 1
        try:
            env.returns = function.returns
            return self.run(function.statements(), env)
        except Unknown as error:
            if not getattr(error, "where", False):
                error.where = True
                error.args = (f"{function.path}, {function.name}: {error.args[0]}",)
            raise
        finally:
            self.depth -= 1

    def run(self, body, env):
        found = self.execute(body, env)
        return found.value if found else None

    def call_name(self, callee, args, env):
        name, targs = callee[1], callee[2]
        found = env.find(name)
        if found:
            return self.call_closure(found.vars[name], [self.eval(arg, env) for arg in args])
        short = name.split("::")[-1]
        if short in self.decisions:
            return self.decisions[short](self, args, env)
        if short in self.tables:
            return self.table(short, self.eval(args[0], env))
        own = getattr(self, "call_" + short, None)
        if own and short in CALLS:
            return own(args, env, targs)
        if short == "FourCC":
            return self.eval(args[0], env) if args else ("s", "")
        if env.this is not None and env.this.type[0] == "struct" and short in env.this.type[1].methods:
            return self.call_place(env.this, short, args, env)
        if name in SCALARS:
            return self.eval(args[0], env)
        return self.call_function(name, targs, [self.argument(arg, env) for arg in args], env)

    def argument(self, ast, env):
        """A value, and the variable that holds it, if one does."""
        found = self.eval(ast, env)
        return found

    def describe_for(self, what, space):
        """The description of a structure."""
        for function in self.sources.functions.get("describe", []):
            if len(function.params) == 2 and function.params[0][0].name == "V":
                kind = function.params[1][0]
                if kind.name == "As":
                    resolved = self.resolve(kind, function.space)
                    if resolved[0] == "struct" and resolved[1] is what[1]:
                        return function
        return None

    def call_function(self, name, targs, args, env):
        short = name.split("::")[-1]
        if short == "describe" and len(args) == 2 and isinstance(args[1], Place):
            function = self.describe_for(self.dereference(args[1]).type, env.space)
            if function is None:
                raise Unknown(f"no description of {args[1].type[1].name}")
        else:
            candidates = [f for f in self.sources.functions.get(short, []) if len(f.params) == len(args)]
            spaces = [name.rsplit("::", 1)[0]] if "::" in name else []
            spaces += self.spaces(env.space)
            candidates = [f for s in spaces for f in candidates if f.space == s] or candidates
            if not candidates:
                raise Unknown(f"no function {name}")
            function = candidates[0]
        inner = Env(space=function.space)
        for (kind, param), value in zip(function.params, args):
            if not param:
                continue
            if is_expression(value):
                value = self.keep(value, param)
            inner.vars[param] = value
            self.bind_types(kind, value, inner)
        if targs:
            explicit = [t for t in function.template if t != "V" or True]
            for template, arg in zip(explicit, targs):
                if isinstance(arg, Type) and arg.name != "V":
                    known = env.type_of(arg.name)
                    inner.types[template] = known if known else TypeValue(self.resolve(arg, env.space))
        return self.run_function(function, inner)

    def bind_types(self, kind, value, env):
        if not isinstance(value, Place):
            return
        what = self.dereference(value).type
        if kind.name == "As" and len(kind.args) > 1 and isinstance(kind.args[1], Type):
            kind = kind.args[1]
        if kind.name in ("Array", "vector") and kind.args and what[0] == "dyn":
            env.types.setdefault(kind.args[0].name, TypeValue(what[1]))
        elif not kind.args:
            env.types.setdefault(kind.name, TypeValue(what))

    # --- functions with a meaning of their own

    def call_min(self, args, env, targs):
        a, b = (self.value(self.eval(arg, env)) for arg in args)
        return self.least("min", a, b)

    def call_max(self, args, env, targs):
        if len(args) == 1:
            values = [self.value(v) for v in self.eval(args[0], env).fields.values()]
            found = values[0]
            for value in values[1:]:
                found = self.least("max", found, value)
            return found
        a, b = (self.value(self.eval(arg, env)) for arg in args)
        return self.least("max", a, b)

    def least(self, name, a, b):
        if UNSET in (a, b):
            return UNSET
        if a[0] == "n" and b[0] == "n":
            return n({"min": min, "max": max}[name](a[1], b[1]))
        if a == b or b == n(MOST):
            return a if name == "min" or a == b else b
        return ("call", name, (a, b))

    def call_forward(self, args, env, targs):
        return self.eval(args[0], env)

    call_move = call_forward

    def call_load_plain(self, args, env, targs):
        pointer = self.eval(args[0], env)
        what = self.resolve(targs[0], env.space)
        signed = what[1].startswith("s")
        return ("call", "std::mem::read_signed" if signed else "std::mem::read_unsigned",
                (pointer.at, n(self.size(what))))

    def call_memcmp(self, args, env, targs):
        pointer, text = self.eval(args[0], env), self.eval(args[1], env)
        return binary("!=", ("call", "std::mem::read_string", (pointer.at, n(len(text[1])))), text)

    def call_holds(self, args, env, targs):
        at, size = (self.value(self.eval(arg, env)) for arg in args[-2:])
        return binary("<=", binary("+", at, size), binary("-", self.region_end, self.base))

    call_reaches = call_holds

    def call_pointed(self, args, env, targs):
        return binary("+", *(self.value(self.eval(arg, env)) for arg in args))

    def call_product(self, args, env, targs):
        return binary("*", *(self.value(self.eval(arg, env)) for arg in args))

    def call_group(self, args, env, targs):
        return self.visit_group(args[1:], env)

    def call_padded_gaps(self, args, env, targs):
        return self.visit_gaps(args, env)

    def call_fill_bytes(self, args, env, targs):
        place = self.eval(args[2], env)
        self.bytes_field(self.text_of(self.eval(args[1], env)), place, self.value(self.eval(args[3], env)), "fill")

    def call_describe_raw(self, args, env, targs):
        place = self.eval(args[2], env)
        self.bytes_field(self.text_of(self.eval(args[1], env)), place, self.value(self.eval(args[3], env)), "opaque")

    def bytes_field(self, name, place, count, role):
        count = self.keep(count, name + "Size")
        yes = lambda: self.array_field(name, place, ("scalar", "u8", 1), count, role=role)
        self.branch(binary(">", count, n(0)), yes, lambda: None)

    def call_framed(self, args, env, targs):
        tag = self.eval(args[1], env)
        body = self.eval(args[-1], env)
        frame = self.eval(args[2], env)
        self.store(frame.sub("present", ("scalar", "bool", 1)), n(1))
        present = self.next_is(("s", tag[1][::-1]))
        self.branch(present, lambda: self.in_group(tag[1], lambda: self.framed_content(tag, body)), lambda: None)

    def call_framed_content(self, args, env, targs):
        self.framed_content(self.eval(args[1], env), self.eval(args[-1], env))

    def framed_content(self, tag, body):
        self.emit_field("char", "tag", n(4), role="structure")
        size = self.emit_field("u32", "size", role="structure")
        self.payload(size, lambda: self.call_closure(body, []))

    def call_bulk_to_end(self, args, env, targs):
        place = self.eval(args[2], env)
        what = place.type[1]
        count = binary("/", binary("-", self.end, HERE), n(self.size(what)))
        self.array_field(self.text_of(self.eval(args[1], env)), place, what, count)

    def call_strings_to_end(self, args, env, targs):
        place = self.eval(args[2], env)
        self.array_field(self.text_of(self.eval(args[1], env)), place, ("scalar", "char", 1),
                         binary("-", self.end, HERE), role="texts")

    def call_visit(self, args, env, targs):
        """Of a variant whose alternative is known."""
        place = self.eval(args[1], env)
        chosen = self.bind.get((place.root, (*place.path, "is")))
        if chosen is None:
            raise Unknown("a variant of an unknown kind")
        return self.call_closure(self.eval(args[0], env), [Place(place.root, place.path, chosen)])

    def call_holds_alternative(self, args, env, targs):
        place = self.eval(args[0], env)
        chosen = self.bind.get((place.root, (*place.path, "is")))
        name = targs[0].name.split("::")[-1]
        if chosen is None or chosen[0] == "opaque":
            return n(int(name in ("monostate", "Opaque") and chosen is not None))
        return n(int(chosen[0] == "struct" and chosen[1].name == name))

    # --- tables by tag

    def table(self, name, tag):
        functions = [f for f in self.sources.functions[name] if f.space in self.spaces(self.space)]
        function = functions[0]
        members = self.tables[name]
        rows, default = [], None
        switch = next(s for s in function.statements() if s[0] == "switch")
        env = Env(space=function.space)
        for labels, body in switch[2]:
            found = next(s[1] for s in body if s[0] == "return")
            value = self.eval(found, env)
            values = [value] if is_expression(value) else [value.fields[i] for i in range(len(value.fields))]
            if labels == [None]:
                default = values or [n(0)] * len(members)
            else:
                rows.append(([self.label(label) for label in labels], values))
        found = {}
        for i, member in enumerate(members):
            self.table_texts[name + ("_" + member if member else "")] = (
                function.doc, [(labels, values[i][1]) for labels, values in rows], default[i][1])
            found[member] = ("call", name + ("_" + member if member else ""), (self.value(tag),))
        return found[""] if list(found) == [""] else Aggregate(found)

    def label(self, ast):
        while ast[0] in ("call", "init"):
            ast = ast[2][0]
        return ast[1]

    # --- statements

    def execute(self, statements, env):
        for i, statement in enumerate(statements):
            kind = statement[0]
            if kind == "if":
                found = self.if_(statement, statements[i + 1:], env)
                if found is not NOTHING:
                    return found[0]
                continue
            if kind == "block":
                return self.execute([*statement[1], *statements[i + 1:]], Env(env))
            if kind == "return":
                return Returned(self.named(self.eval(statement[1], env), env) if statement[1] is not None else None)
            if kind == "switch":
                return self.switch(statement, statements[i + 1:], env)
            found = getattr(self, "do_" + kind)(statement, env)
            if isinstance(found, Returned):
                return found
        return None

    def named(self, value, env):
        """A returned aggregate, by the names of what the function returns."""
        while env is not None and env.returns is None:
            env = env.outer
        return value if env is None else self.with_names(value, env.returns, env)

    def with_names(self, value, kind, env):
        if not isinstance(value, Aggregate) or not all(isinstance(k, int) for k in value.fields):
            return value
        if kind.name == "Columns":
            return Aggregate({"scalars": self.value(value.fields[0]), "kind": value.fields[1]})
        what = self.resolve(kind, env.space)
        if what[0] != "struct":
            return value
        struct = what[1]
        fields = {}
        for i, member in enumerate(struct.members):
            default = (self.eval_constant((member.type, member.init), struct.space, struct))
            fields[member.name] = value.fields.get(i, default)
        return Aggregate(fields)

    def fails(self, statements):
        return any(self.calls_member(s, "fail") for s in statements)

    def calls_member(self, statement, name):
        return (statement[0] == "expr" and statement[1][0] == "call" and statement[1][1][0] == "member"
                and statement[1][1][2] == name)

    def returns(self, statements):
        return any(s[0] in ("return", "switch") or (s[0] == "if" and (self.returns(s[2]) or self.returns(s[3])))
                   or (s[0] == "block" and self.returns(s[1])) for s in statements)

    def if_(self, statement, rest, env):
        _, cond, yes, no, _ = statement
        if not no and all(self.calls_member(s, "note") for s in yes):
            return NOTHING
        if self.fails(yes):
            return (self.execute([*no, *rest], Env(env)),) if no else NOTHING
        found = self.truth(self.eval(cond, env))
        if found == UNSET:
            raise Unknown(f"a condition that is not known: {cond}")
        if found[0] == "n":
            return (self.execute([*(yes if found[1] else no), *rest], Env(env)),)
        if self.fails(no):
            return (self.execute([*yes, *rest], Env(env)),)
        if self.returns(yes) or self.returns(no):  # what follows belongs to the branches that come to it
            return (self.branch(found, lambda: self.execute([*yes, *rest], Env(env)),
                                lambda: self.execute([*no, *rest], Env(env))),)
        self.branch(found, lambda: self.execute(yes, Env(env)), lambda: self.execute(no, Env(env)))
        return NOTHING

    def switch(self, statement, rest, env):
        value = self.value(self.eval(statement[1], env))

        def case(index):
            if index == len(statement[2]):
                return self.execute(rest, env)
            labels, body = statement[2][index]
            if labels == [None] or None in labels:
                return self.execute(body, Env(env))
            cond = n(0)
            for label in labels:
                cond = binary("||", cond, binary("==", value, self.value(self.eval(label, env))))
            return self.branch(cond, lambda: self.execute(body, Env(env)), lambda: case(index + 1))

        return case(0)

    def do_expr(self, statement, env):
        self.eval(statement[1], env)

    def do_all(self, statement, env):
        for one in statement[1]:
            self.do_declare(one, env)

    def do_struct(self, statement, env):
        env.types["struct " + statement[1]] = [
            statement[2][i].text for i in range(len(statement[2])) if i + 1 < len(statement[2])
            and statement[2][i + 1].text == ";"]

    def do_using(self, statement, env):
        what = self.type_by_text(statement[2], env)
        if what is None:
            what = self.resolve(Type("".join(statement[2]).replace("std::", "")), env.space)
        if not isinstance(what, TypeValue) and what[0] == "opaque":
            raise Unknown(f"unknown type {' '.join(statement[2])}")
        env.types[statement[1]] = what if isinstance(what, TypeValue) else TypeValue(what)

    def do_bind(self, statement, env):
        value = self.eval(statement[2], env)
        for i, name in enumerate(statement[1]):
            env.vars[name] = self.element(value, n(i))

    def do_declare(self, statement, env):
        _, what, name, init = statement
        if what.name == "string":  # of a message
            env.vars[name] = UNSET
            return
        if what.name in ("vector", "Array") and (init is None or init[0] == "init"):
            env.vars[name] = Place(object(), (), self.resolve(what, env.space)) if what.args else UNSET
            if what.args and self.resolve(what, env.space)[1][0] == "opaque":
                env.vars[name] = UNSET
            return
        if init is not None and init[0] == "cast":
            env.types[name] = self.resolve(init[1], env.space)
        elif what.name != "auto":
            env.types[name] = self.resolve(what, env.space)
        if init is None:
            env.vars[name] = UNSET
            if what.name not in SCALARS and env.types[name][0] in ("struct", "fourcc"):
                env.vars[name] = Place(object(), (), env.types[name])
            return
        value = self.eval(init, env)
        if isinstance(value, Aggregate) and what.name in SCALARS:
            value = value.fields[0]
        value = self.with_names(value, what, env)
        if isinstance(value, Place) and value.type[0] in ("scalar", "enum") and what.name != "auto":
            value = self.load(value)
        if is_expression(value) and value != UNSET:
            value = self.keep(value, name)
        env.vars[name] = value

    def do_for(self, statement, env):
        inner = Env(env)
        getattr(self, "do_" + statement[1][0])(statement[1], inner)
        for _ in range(1000):
            cond = self.truth(self.eval(statement[2], inner))
            if cond[0] != "n":
                raise Unknown(f"a loop whose end is not known: {statement[2]}")
            if not cond[1]:
                return
            skip = self.execute_loop(statement[4], inner)
            self.eval(statement[3], inner)
        raise Unknown("an endless loop")

    def do_each(self, statement, env):
        """Alternatives one after the other."""
        over = self.eval(statement[2], env)
        if not isinstance(over, Choices):
            raise Unknown("a loop over something that is not known")
        for i, (cond, value) in enumerate(over.rows):
            inner = Env(env)
            inner.vars[statement[1]] = value
            self.chosen = i
            self.branch(cond, lambda: self.execute(statement[3], inner), lambda: None)

    def execute_loop(self, body, env):
        inner = Env(env)
        for i, statement in enumerate(body):
            if statement[0] == "if" and statement[2] and statement[2][-1][0] == "continue":
                cond = self.truth(self.eval(statement[1], inner))
                self.branch(cond, lambda: None, lambda: self.execute(body[i + 1:], inner))
                return
            found = self.execute([statement], inner)
            if found:
                raise Unknown("a return in a loop")

    # --- the visitor

    def visit_context(self, args, env):
        return self.context

    def visit_failed(self, args, env):
        return n(0)

    visit_strict = visit_failed

    def visit_fail(self, args, env):
        return None

    def visit_note(self, args, env):
        return None

    visit_expect_at = visit_note

    def visit_left(self, args, env):
        return binary("-", self.end, HERE)

    def visit_here(self, args, env):
        return HERE

    def visit_offset(self, args, env):
        return binary("-", HERE, self.base)

    def visit_rest(self, args, env):
        return Bytes(HERE, binary("-", self.end, HERE))

    def visit_region_bytes(self, args, env):
        return Bytes(self.base, binary("-", self.region_end, self.base))

    def member_doc(self, place):
        """The comment of the member that a place is."""
        if not isinstance(place, Place) or not place.path:
            return ""
        what = getattr(place.root, "type", None)
        doc = ""
        for step in place.path:
            while what is not None and what[0] in ("optional", "boxed", "dyn", "array") and isinstance(step, str):
                what = what[1]
            if not isinstance(step, str):
                continue
            if what is None or what[0] != "struct":
                break
            member = what[1].member(step)
            if member is None:
                break
            doc = member.doc
            what = self.member_type(what, step)
        return doc

    def visit_field(self, args, env):
        name = self.text_of(self.eval(args[0], env))
        target = args[1]
        if target[0] == "name":
            where = env.find(target[1])
            if where and not isinstance(where.vars[target[1]], Place):
                inner, count = self.type_name(env.type_of(target[1]))
                found = self.emit_field(inner, name, n(count) if count else None)
                self.assign(where.vars, target[1], found)
                return
        place = self.eval(target, env)
        if not isinstance(place, Place):
            raise Unknown(f"field {name} is no place: {place!r}")
        place = self.dereference(place)
        inner, count = self.type_name(place.type)
        found = self.emit_field(inner, name, n(count) if count else None, self.member_doc(place),
                                plain=self.in_words(place.type))
        self.store(place, found)
        if place.path and place.path[-1] == "bytes":
            self.assign(self.bind, (place.root, place.path[:-1]), found)

    def in_words(self, what):
        if what[0] == "array" and what[1][0] == "array":
            inner, _ = self.type_name(("array", what[1][1], 1))
            return f"{inner}[{what[2]}][{what[1][2]}]"
        return ""

    def visit_text(self, args, env):
        place = self.eval(args[1], env)
        found = self.emit_field("char", self.text_of(self.eval(args[0], env)), n(place.type[1]),
                                self.member_doc(place), role="text")
        self.store(place, found)

    def visit_tag(self, args, env):
        tag = self.eval(args[0], env)
        name = "tag" + "".join(c for c in tag[1] if c.isalnum()) if tag[0] == "s" else "tag"
        self.emit_field("char", name, n(4), role="structure")

    def array_field(self, name, place, what, count, **more):
        count = self.keep(count, (name or "items") + "Count")
        kind = self.element_name(what)
        found = self.emit_field(kind, name, count, self.member_doc(place), **more)
        if isinstance(place, Place):
            self.store(place, found)
            self.assign(self.bind, (place.root, (*place.path, "#")), count)
        return found

    def visit_bulk(self, args, env):
        name = self.text_of(self.eval(args[0], env))
        place = self.dereference(self.eval(args[1], env))
        count = self.value(self.eval(args[2], env))
        if place.type[0] == "opaque" or place.type[0] == "struct":
            self.array_field(name, place, ("scalar", "u8", 1), count)
            return
        self.array_field(name, place, place.type[1], count)

    def visit_counted(self, args, env):
        name = self.text_of(self.eval(args[0], env))
        place = self.dereference(self.eval(args[1], env))
        count = self.emit_field("u32", name + "Count", role="structure")
        self.array_field(name, place, place.type[1], count)

    def visit_strings(self, args, env):
        place = self.eval(args[1], env)
        self.array_field(self.text_of(self.eval(args[0], env)), place, ("scalar", "char", 1),
                         self.value(self.eval(args[2], env)), role="texts")

    def visit_rows(self, args, env):
        name = self.text_of(self.eval(args[0], env))
        place = self.eval(args[1], env)
        columns = self.eval(args[2], env)
        count = self.keep(self.value(self.eval(args[3], env)), "count")
        self.rows(name, place, columns.fields["scalars"], self.value(columns.fields["kind"]), count)

    def rows(self, name, place, scalars, kind, count):
        if kind[0] == "cond":
            names = set(self.scope.names)

            def follow(side):
                self.scope.names = set(names)
                self.rows(name, place, scalars, side, count)

            return self.branch(kind[1], lambda: follow(kind[2]), lambda: follow(kind[3]))
        element = {"f32": "FloatKey", "i32": "IntegerKey", "u32": "WordKey"}[kind[1]]
        if scalars[0] == "n":
            element += str(scalars[1])
            member = ("value" if scalars[1] == 1 else "values")
            self.plain.setdefault(element, ([("s32", "frame", None, ""),
                                             (KINDS[kind[1]], member, None if scalars[1] == 1 else scalars[1], "")],
                                            4 + 4 * scalars[1], "A keyframe."))
            args = ()
        else:
            scope = Scope(element, doc="A keyframe of so many scalars.")
            scope.items = [Field("s32", "frame"), Field(KINDS[kind[1]], "values", ("param", scope, "scalars_"))]
            scope.params = {("outer", scope, "scalars"): "scalars_"}
            if element not in self.done:
                self.done[element] = scope
                self.scopes.append(scope)
            args = (scalars,)
        self.emit_field(element, name, count, self.member_doc(place), args=args, scope=self.done.get(element),
                        plain="keys")
        return None

    # structures

    def described(self, what, ends=None, function="describe", first=()):
        """The scope of a structure that has a description, once for each type. The whole file has known ends."""
        key = (what[1].space, what[1].name, what[2], self.variant)
        if key in self.done:
            return self.done[key]
        root = Root(what)
        place = Place(root, (), what)
        name = camel(what[1].name) if self.space in (what[1].space, "") else self.foreign_name(what[1])
        scope = Scope(self.free_name(name + self.variant), doc=what[1].doc)
        saved = (self.scope, self.items, self.end, self.base, self.region_end, self.bind, self.log)
        self.scope, self.items, self.bind, self.log = scope, scope.items, dict(self.preset(what, root)), None
        self.end = ("outer", scope, "end")
        self.base = ("outer", scope, "base")
        self.region_end = ("outer", scope, "regionEnd")
        if ends:
            self.end, self.base, self.region_end = ends
        for variable, value in first:
            self.emit(Set(variable, value))
        self.call_function(function, None, [self.visitor, place], Env(space=what[1].space))
        bound = self.bind
        (self.scope, self.items, self.end, self.base, self.region_end, self.bind, self.log) = saved
        self.done[key] = (scope, root, bound)
        self.scopes.append(scope)
        return self.done[key]

    def foreign_name(self, struct):
        """Of another format: both may have one of that name."""
        taken = (self.space, struct.name) in self.sources.structs
        return camel(struct.space if taken else "") + camel(struct.name)

    def preset(self, what, root):
        return {}

    def free_name(self, name):
        taken = {scope.name for scope in self.scopes} | set(self.plain) | set(self.enums) | {
            s.name for s in getattr(self, "open_scopes", [])}
        found, number = name, 2
        while found in taken or found in self.names_taken():
            found, number = f"{name}{number}", number + 1
        self.reserved().add(found)
        return found

    def names_taken(self):
        return self.reserved()

    def reserved(self):
        if not hasattr(self, "_reserved"):
            self._reserved = set()
        return self._reserved

    def arguments_of(self, scope):
        """What a scope's parameters are, where it is used."""
        values = []
        for outside in scope.params:
            if outside[0] == "outer" and outside[1] is scope:
                values.append({"end": self.end, "base": self.base, "regionEnd": self.region_end}[outside[2]])
            else:
                values.append(outside)
        return tuple(values)

    def structure(self, name, place, count=None, **more):
        """A member, or a list of members, with a description of its own."""
        what = place.type if count is None and "until" not in more else place.type[1]
        if what[0] in ("optional", "boxed"):
            what = what[1]
        scope, root, bound = self.described(what)
        found = self.emit_field(scope.name, name, count, self.member_doc(place), args=self.arguments_of(scope),
                                scope=scope, **more)
        member = found[2][-1]
        if count is None and "until" not in more:
            for (inner_root, path), value in bound.items():
                if inner_root is root and is_expression(value):
                    moved = self.moved(value, scope, member)
                    if moved is not None:
                        self.assign(self.bind, (place.root, (*place.path, *path)), moved)
        else:
            self.store(place, found)
        return found

    def moved(self, value, scope, member):
        if contains_kind(value, ("local", "outer", "param", "here")):
            return None

        def change(a):
            if a[0] == "field" and a[1] is scope:
                return ("field", self.scope, (member, *a[2]))
            return None

        found = substitute(value, change)
        return None if contains_scope(found, scope) else found

    def visit_object(self, args, env):
        name = self.text_of(self.eval(args[0], env))
        place = self.dereference(self.eval(args[1], env))
        self.structure(name, place)

    def visit_list(self, args, env):
        place = self.eval(args[1], env)
        count = self.keep(self.value(self.eval(args[2], env)), "count")
        self.structure(self.text_of(self.eval(args[0], env)), place, count)
        self.assign(self.bind, (place.root, (*place.path, "#")), count)

    def visit_counted_list(self, args, env):
        name = self.text_of(self.eval(args[0], env))
        place = self.eval(args[1], env)
        count = self.emit_field("u32", (name or "item") + "Count", role="structure")
        self.structure(name, place, count)
        self.assign(self.bind, (place.root, (*place.path, "#")), count)

    def visit_array_of(self, args, env):
        place = self.eval(args[1], env)
        self.structure(self.text_of(self.eval(args[0], env)), place, n(place.type[2]))

    def visit_records(self, args, env):
        place = self.eval(args[1], env)
        size = place.type[1][1].constants.get("kRecordSize")
        record = self.value(self.eval_constant(size, place.type[1][1].space, place.type[1][1]))
        count = self.keep(binary("/", binary("-", self.end, HERE), record), "count")
        self.structure(self.text_of(self.eval(args[0], env)), place, count)
        self.assign(self.bind, (place.root, (*place.path, "#")), count)

    def visit_objects(self, args, env):
        place = self.eval(args[1], env)
        self.structure(self.text_of(self.eval(args[0], env)), place, until=binary("<", HERE, self.end))

    def visit_sized(self, args, env):
        self.sized(self.eval(args[2], env))

    def sized(self, body, high=None):
        start = self.local("u64", "start", HERE)
        if high is None:
            size = self.emit_field("u32", "inclusiveSize", role="structure")
        else:
            size = self.emit_field("u24", "inclusiveSize", role="structure")
            found = self.emit_field("u8", "variant", None, self.member_doc(high))
            self.store(high, found)
        self.limited(binary("+", start, size), lambda: self.call_closure(body, []))

    def visit_sized24(self, args, env):
        self.sized(self.eval(args[3], env), self.eval(args[1], env))

    def limited(self, end, body):
        """A part with an end of its own; what nobody described is its remainder."""
        outer = self.end
        self.end = self.local("u64", "end", end)
        body()
        self.remainder()
        self.end = outer

    def remainder(self):
        names = set(self.scope.names)
        left = binary("-", self.end, HERE)

        def rest():
            self.emit_field("u8", "remainder", left, role="opaque")

        self.branch(binary("<", HERE, self.end), rest, lambda: None)

    def visit_payload(self, args, env):
        size = self.value(self.eval(args[2], env))
        body = self.eval(args[3], env)
        self.payload(size, lambda: self.call_closure(body, []))

    def payload(self, size, body):
        self.limited(self.least("min", binary("+", HERE, size), self.end), body)

    def visit_choose(self, args, env):
        decide = self.eval(args[1], env)
        rest = Bytes(HERE, binary("-", self.end, HERE))
        return self.call_closure(decide, [rest] if decide.params else [])

    def visit_next_is(self, args, env):
        return self.next_is(self.eval(args[0], env))

    def next_is(self, tag):
        return self.local("bool", "has" + camel("".join(c for c in tag[1] if c.isalnum())),
                          ("call", "next_is", (tag, self.end)))

    def visit_group(self, args, env):
        name = self.text_of(self.eval(args[0], env))
        body = self.eval(args[1], env)
        self.in_group(name, lambda: self.call_closure(body, []))

    def in_group(self, name, body, at=None, inline=False, end=None, title=None, doc=""):
        scope = Scope(self.free_name(title or self.group_name(name)), self.scope, doc)
        member = self.field_name(name or "part")
        scope.instance = None
        outer = (self.scope, self.items, self.end, self.base, self.region_end)
        self.scope, self.items = scope, scope.items
        if end is not None:
            self.end = end
        body()
        inner_end = self.end
        (self.scope, self.items, self.end, self.base, self.region_end) = outer
        self.scopes.append(scope)
        local = self.scope.localize
        args = tuple(local(value) for value in self.arguments_of(scope))
        scope.instance = (self.scope, member)
        shown = name if name and member != name else None
        self.emit(Field(scope.name, member, None, local(at) if at is not None else None, args, shown,
                        inline or not name, scope=scope))

    def group_name(self, name):
        base = self.scope.name if self.scope else ""
        return base + camel("".join(c if c.isalnum() else "_" for c in name) or "Part")

    def visit_region(self, args, env):
        body = self.eval(args[0], env)
        outer = (self.base, self.region_end)
        self.base = self.local("u64", "base", HERE)
        self.region_end = self.end
        self.call_closure(body, [])
        self.emit(Seek(self.scope.localize(self.region_end)))
        (self.base, self.region_end) = outer

    def visit_block(self, args, env):
        name = self.text_of(self.eval(args[0], env))
        at = binary("+", self.base, self.value(self.eval(args[1], env)))
        size = self.value(self.eval(args[2], env))
        body = self.eval(args[3], env)
        self.in_group(name, lambda: self.block_body(body, size), at)

    def block_body(self, body, size):
        self.end = self.local("u64", "end", binary("+", HERE, size))
        self.call_closure(body, [])

    def visit_blocks(self, args, env):
        name = self.text_of(self.eval(args[0], env))
        count = self.value(self.eval(args[1], env))
        each = self.eval(args[2], env)
        if count[0] == "n":
            self.in_list(name, count[1], each)
            return
        scope = Scope(self.free_name(self.group_name(name)), self.scope)
        outer = (self.scope, self.items)
        self.scope, self.items = scope, scope.items
        index = self.local("u64", "index", ("call", "std::core::array_index", ()))
        self.call_closure(each, [index])
        self.scope, self.items = outer
        self.scopes.append(scope)
        args_ = self.arguments_of(scope)
        self.emit_field(scope.name, name, count, args=args_, scope=scope)

    def in_list(self, name, count, each):
        def body():
            for i in range(count):
                before = len(self.items)
                self.call_closure(each, [n(i)])
                for item in self.items[before:]:
                    if isinstance(item, Field) and (item.inline or len(self.items) - before == 1):
                        item.shown, item.inline = f"[{i}]", False
        if count == 0:
            return
        self.in_group(name, body)

    def visit_gaps(self, args, env):
        self.emit(Note("gaps"))

    def visit_list_of(self, args, env):
        raise Unknown("list_of when reading")


class Root:
    def __init__(self, what):
        self.type = what


MISSING = object()
NOTHING = object()
CALLS = {"min", "max", "forward", "move", "load_plain", "memcmp", "holds", "reaches", "pointed", "product", "group",
         "padded_gaps", "fill_bytes", "describe_raw", "framed", "framed_content", "bulk_to_end", "strings_to_end",
         "visit", "holds_alternative"}


def complexity(a):
    """Operators in an expression."""
    if not isinstance(a, tuple) or (a and a[0] in ("field", "local", "param")):
        return 0
    own = 1 if a and a[0] in ("bin", "un", "cond", "call") else 0
    return own + sum(complexity(part) for part in a)


def env_names(env):
    while env is not None:
        yield from env.vars
        env = env.outer


def contains_kind(a, kinds):
    if isinstance(a, tuple):
        if a and isinstance(a[0], str) and a[0] in kinds:
            return True
        return any(contains_kind(part, kinds) for part in a)
    return False


def contains_scope(a, scope):
    if a is scope:
        return True
    return isinstance(a, tuple) and any(contains_scope(part, scope) for part in a)
