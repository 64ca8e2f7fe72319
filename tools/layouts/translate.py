"""Follows a description as its reader would, with expressions in place of values, and keeps what it says as scopes.

Both sides of a branch that depends on the file are followed. A branch that fails is taken as one that good files do
not take."""

from contextlib import contextmanager

from ir import HERE, UNSET, Field, If, Let, condition, contains, is_expression, n, truth
from language import Language
from shapes import RESERVED, Shapes
from source import Member, Unknown
from values import MISSING, Aggregate, Context, Place, Returned, Visitor
from vocabulary import Vocabulary


def complexity(a):
    """Operators in an expression."""
    if not isinstance(a, tuple) or (a and a[0] in ("field", "local", "param")):
        return 0
    own = 1 if a and a[0] in ("bin", "un", "cond", "call") else 0
    return own + sum(complexity(part) for part in a)


class Translator(Shapes, Language, Vocabulary):
    def __init__(self, source, decisions, tables, fixed):
        self.source, self.space = source, source.space
        self.decisions = decisions  # name of a function over bytes -> what to do instead of following it
        self.tables = tables  # functions that are tables by tag
        self.table_texts = {}
        self.bind = {}
        self.done = {}  # described structures
        self.scopes, self.enums, self.plain = [], {}, {}
        self.globals = {}
        self.names = set()  # of structures
        self.log = None
        self.scope = None
        self.items = None
        self.end = self.base = self.region_end = None
        self.fixed = dict(fixed)
        self.variant = ""  # of structures that differ by what is fixed
        self.visitor = Visitor()
        self.context = Context()
        self.depth = 0

    def variable(self, name, what=("scalar", "u64", 8)):
        """Declares a variable of the pattern."""
        self.globals[name] = Member(name, what, "", None)
        return name

    # --- emission

    @contextmanager
    def inside(self, scope, ends=None):
        """What is emitted belongs to a scope; `ends` are its end, base and regionEnd, if it has its own."""
        outer = (self.scope, self.items, self.end, self.base, self.region_end)
        self.scope, self.items = scope, scope.items
        if ends:
            self.end, self.base, self.region_end = ends
        yield
        (self.scope, self.items, self.end, self.base, self.region_end) = outer
        self.scopes.append(scope)

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
        cond = self.scope.localize(cond)
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
