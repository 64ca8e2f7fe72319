"""What a description says, as data: scopes (one per structure of a pattern) of items over expressions.

An expression is a tuple: ("n", number), ("s", text), ("bin", op, a, b), ("un", op, a), ("cond", c, a, b),
("field", scope, path), ("local", scope, name), ("param", scope, name), ("outer", scope, name), ("global", name),
("call", name, args), ("elem", array, index, stride, offset, size, member), ("addr", e) or ("here",). A path has names and indices."""

from dataclasses import dataclass

HERE = ("here",)
MOST = 0xFFFFFFFFFFFFFFFF
UNSET = ("unset",)


def n(value):
    return ("n", value)


def is_expression(value):
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], str) and value[0] in KINDS


KINDS = {"n", "s", "bin", "un", "cond", "field", "local", "param", "outer", "global", "call", "elem", "addr", "here",
         "unset"}

FOLDS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "%": lambda a, b: a % b,
    "/": lambda a, b: a // b if isinstance(a, int) and isinstance(b, int) else a / b,
    "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b), "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b), "<=": lambda a, b: int(a <= b), ">=": lambda a, b: int(a >= b),
}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def binary(op, a, b):
    if UNSET in (a, b):
        return UNSET
    known_a, known_b = a[0] == "n", b[0] == "n"
    if op == "&&":
        if known_a:
            return b if a[1] else n(0)
        if known_b:
            return a if b[1] else n(0)
        return a if a == b else ("bin", op, a, b)
    if op == "||":
        if known_a:
            return n(1) if a[1] else b
        if known_b:
            return n(1) if b[1] else a
        return a if a == b else ("bin", op, a, b)
    if known_a and known_b:
        return n(FOLDS[op](a[1], b[1]))
    if a[0] == "s" and b[0] == "s" and op in ("==", "!="):
        return n(int((a[1] == b[1]) == (op == "==")))
    if op in ("+", "-", "|", "<<", ">>") and b == n(0):
        return a
    if op in ("+", "|") and a == n(0):
        return b
    if op in ("*", "/") and b == n(1):
        return a
    if op == "*" and a == n(1):
        return b
    if op == ">" and b == n(MOST):
        return n(0)
    if op == "*" and n(0) in (a, b):
        return n(0)
    if op == "-" and a == b:
        return n(0)
    return ("bin", op, a, b)


def negate(a):
    if a[0] == "n":
        return n(int(not a[1]))
    if a[0] == "un" and a[1] == "!":
        return a[2]
    if a[0] == "bin" and a[1] in OPPOSITE:
        return ("bin", OPPOSITE[a[1]], a[2], a[3])
    if a[0] == "bin" and a[1] in ("&&", "||"):
        return binary("||" if a[1] == "&&" else "&&", negate(a[2]), negate(a[3]))
    return ("un", "!", a)


def unary(op, a):
    if a == UNSET:
        return UNSET
    if op == "!":
        return negate(a)
    if op == "+":
        return a
    if a[0] == "n":
        return n(-a[1] if op == "-" else ~a[1] & MOST)
    return ("un", op, a)


def condition(c, yes, no):
    if c[0] == "n":
        return yes if c[1] else no
    if yes == no:
        return yes
    if (yes, no) == (n(1), n(0)):
        return c
    if (yes, no) == (n(0), n(1)):
        return negate(c)
    if no == n(0) and truth(yes):
        return binary("&&", c, yes)
    if yes == n(1) and truth(no):
        return binary("||", c, no)
    return ("cond", c, yes, no)


def truth(a):
    return (a[0] == "bin" and a[1] in ("&&", "||", "==", "!=", "<", ">", "<=", ">=")) or (a[0] == "un" and a[1] == "!")


def parts_of(a):
    """An expression and all in it."""
    yield a
    for part in a:
        if isinstance(part, tuple):
            yield from parts_of(part)


def contains(a, what):
    return any(part == what for part in parts_of(a))


def every(items):
    """Items and all in them."""
    for item in items:
        yield item
        if isinstance(item, If):
            yield from every([*item.yes, *item.no])


def expressions_of(items):
    """All expressions in items."""
    for item in every(items):
        said = {If: lambda: [item.condition], Field: lambda: [item.count, item.at, item.until, *item.args],
                Seek: lambda: [item.to], Note: list}.get(type(item), lambda: [item.value])()
        for expression in said:
            if expression is not None:
                yield from parts_of(expression)


def substitute(a, change):
    """`a` with `change(part)` for every part for which that is not None."""
    changed = change(a)
    if changed is not None:
        return changed
    if a[0] == "call":
        return ("call", a[1], tuple(substitute(arg, change) for arg in a[2]))
    if a[0] == "field":
        return ("field", a[1], tuple(substitute(p, change) if is_expression(p) else p for p in a[2]))
    return tuple(substitute(part, change) if is_expression(part) else part for part in a)


@dataclass
class Field:
    type: str
    name: str
    count: object = None  # an expression, for arrays
    at: object = None  # an expression, for what does not stand in sequence
    args: tuple = ()  # values for the type's parameters
    shown: str = None  # the name in thaw's own output, where it is another
    inline: bool = False
    until: object = None  # elements as long as this holds
    scope: object = None  # of a structure
    doc: str = ""
    role: str = ""


@dataclass
class If:
    condition: object
    yes: list
    no: list


@dataclass
class Let:
    type: str
    name: str
    value: object


@dataclass
class Set:
    name: str
    value: object


@dataclass
class Seek:
    to: object


@dataclass
class Note:
    text: str


def outer_ends(scope):
    """End, base and end of the region, as those give them who use a scope."""
    return tuple(("outer", scope, name) for name in ("end", "base", "regionEnd"))


class Scope:
    def __init__(self, name, parent=None, doc=""):
        self.name, self.parent, self.doc = name, parent, doc
        self.items = []
        self.params = {}  # expression outside -> name inside
        self.names = set()
        self.instance = None  # (scope, member) that holds it
        self.leaves_here = False

    def __repr__(self):
        return f"<{self.name}>"

    def unique(self, name):
        found, number = name, 2
        while found in self.names:
            found, number = f"{name}{number}", number + 1
        self.names.add(found)
        return found

    def localize(self, a):
        """`a` in the terms of this scope."""
        return substitute(a, self._local)

    def _local(self, a):
        kind = a[0]
        if kind == "elem" and not self._reachable(a[1]):
            array = self.parameter(("addr", a[1]))
            at = binary("+", binary("+", array, binary("*", self.localize(a[2]), n(a[3]))), n(a[4]))
            return ("call", "std::mem::read_unsigned", (at, n(a[5])))
        if kind == "addr":
            return a if self._reachable(a[1]) and a[1][1] is self else (
                ("addr", self._field(a[1])) if self._reachable(a[1]) else self.parameter(a))
        if kind == "field":
            return self._field(a)
        if kind in ("local", "param") and a[1] is not self:
            return self.parameter(a)
        if kind == "outer":
            return self.parameter(a)
        return None

    def _reachable(self, a):
        scope = a[1]
        while scope is not self and scope.instance:
            scope = scope.instance[0]
        return scope is self

    def _field(self, a):
        scope, path = a[1], a[2]
        while scope is not self and scope.instance:
            path = (scope.instance[1], *path)
            scope = scope.instance[0]
        if scope is self:
            return ("field", self, tuple(self.localize(p) if is_expression(p) else p for p in path))
        return self.parameter(("field", scope, path))

    def parameter(self, a):
        if a not in self.params:
            base = a
            while base[0] in ("addr", "elem"):
                base = base[1]
            name = base[2][-1] if base[0] == "field" else base[2]
            if not isinstance(name, str):
                name = next(p for p in reversed(base[2]) if isinstance(p, str)) + "Entry"
            if a[0] == "addr":
                name += "At"
            self.params[a] = self.unique(name.rstrip("_0123456789") + "_")
        return ("param", self, self.params[a])
