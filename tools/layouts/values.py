"""What an expression of a description may stand for while it is followed."""


class Place:
    """Something in the document: at a path from a root, with the member that it is (in) and what holds it."""

    def __init__(self, root, path, what, member=None, outer=None):
        self.root, self.path, self.type, self.member, self.outer = root, path, what, member, outer
        self.key = (root, path)

    @property
    def doc(self):
        """The comment of the member; of what is added to a list, the list's."""
        if "+" in self.path:
            return self.outer.doc
        return self.member.doc if self.member and isinstance(self.root, Root) else ""

    def sub(self, step, what, member=None):
        return Place(self.root, (*self.path, step), what, member or self.member, self)

    def inner(self):
        """What an optional or a box holds."""
        return Place(self.root, self.path, self.type[1], self.member, self.outer)


class Closure:
    def __init__(self, cursor, env):
        self.cursor, self.env = cursor, env


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


class Env:
    """Variables by name."""

    def __init__(self, outer=None, this=None):
        self.vars, self.outer = {}, outer
        self.this = this if this is not None else (outer.this if outer else None)

    def find(self, name):
        env = self
        while env is not None:
            if name in env.vars:
                return env
            env = env.outer
        return None


class Variable:
    """One that a word sets."""

    def __init__(self, env, name, what):
        self.env, self.name, self.type = env, name, what


class Arguments:
    """Of a call; each is followed when it is asked for."""

    def __init__(self, language, function, cursors, env):
        self.language, self.cursors, self.env = language, cursors, env
        self.params = list(function.get_arguments())

    def __getitem__(self, i):
        return self.language.argument(self.cursors[i], self.params[i], self.env)


class Returned:
    def __init__(self, value):
        self.value = value


class Root:
    def __init__(self, what):
        self.type = what


MISSING = object()
NOTHING = object()
