"""Runs patterns of ImHex over bytes: the part of the pattern language that patterns/ uses, as ImHex documents it.

Known: pragmas, imports, enums, structures with value parameters, functions, global and local variables, members
that are scalars, arrays (counted, or as long as a condition holds) and placed ones, if, while, match-free
expressions, attributes. A pattern that uses anything else is refused, as are reads beyond the end of the file."""

import re
import struct

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*)|(?P<pragma>\#pragma[^\n]*)|(?P<num>0x[0-9A-Fa-f]+|\d+\.\d+|\d+)|(?P<str>"(?:\\.|[^"\\])*")
  | (?P<name>[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)|(?P<op>\[\[|<<|<=|>=|==|!=|&&|\|\||[-+*/%<>=!&|^~?:;,.(){}\[\]@$])
""", re.VERBOSE)

SCALARS = {"u8": "B", "s8": "b", "u16": "H", "s16": "h", "u32": "I", "s32": "i", "u64": "Q", "s64": "q", "float": "f",
           "double": "d", "char": "c", "bool": "?"}
SIZES = {**{name: struct.calcsize("<" + code) for name, code in SCALARS.items()}, "u24": 3}
ORDER = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "<<": 8,
         ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
KEYWORDS = {"padding", "parent", "this", "in", "out", "match", "if", "else", "while", "for", "return", "break",
            "struct", "union", "enum", "bitfield", "using", "namespace", "fn", "be", "le", "auto", "str", "bool",
            "char", "float", "double", "true", "false", "null", "const", "reference", "ref", "import", "as", "from",
            "addressof", "sizeof", "typenameof", "signed", "unsigned", "try", "catch", "continue"}
ATTRIBUTES = {"name", "comment", "inline", "static"}
PRAGMAS = {"description", "endian", "magic", "array_limit", "pattern_limit", "author", "MIME"}


class PatternError(Exception):
    pass


class Node:
    """A piece of the file: a scalar or text (`value`), an array of plain elements (`flat`), or one with children."""

    __slots__ = ("name", "shown", "offset", "size", "value", "flat", "children", "inline", "type", "is_array", "at_end")

    def __init__(self, name, offset):
        self.name, self.offset, self.shown, self.size = name, offset, name, 0
        self.value = self.flat = None
        self.children = []
        self.inline = self.is_array = False
        self.type = ""

    def child(self, name):
        return next((c for c in self.children if c.name == name), None)


class Local:
    __slots__ = ("value", "kind")

    def __init__(self, value, kind="auto"):
        self.value, self.kind = value, kind


class Parser:
    def __init__(self, text):
        self.tokens = []
        at, line = 0, 1
        while at < len(text):
            found = TOKEN.match(text, at)
            if not found:
                raise PatternError(f"no token: {text[at:at + 30]!r}")
            if found.lastgroup != "space":
                self.tokens.append((found.lastgroup, found.group(), line))
            line += found.group().count("\n")
            at = found.end()
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def kind(self, ahead=0):
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else ""

    def fail(self, what):
        line = self.tokens[min(self.at, len(self.tokens) - 1)][2]
        raise PatternError(f"line {line}: {what}, found {self.peek()!r}")

    def take(self, text=None):
        if text is not None and self.peek() != text:
            self.fail(f"expected {text!r}")
        self.at += 1
        return self.tokens[self.at - 1][1]

    def accept(self, text):
        if self.peek() == text:
            self.at += 1
            return True
        return False

    def name(self):
        if self.kind() != "name" or self.peek() in KEYWORDS:
            self.fail("expected a name")
        return self.take()

    def program(self):
        program = {"structs": {}, "enums": {}, "functions": {}, "globals": [], "placed": [], "imports": set()}
        while self.at < len(self.tokens):
            if self.kind() == "pragma":
                words = self.take().split()
                if words[1] not in PRAGMAS or (words[1] == "endian" and words[2] != "little"):
                    self.fail("unknown pragma")
            elif self.accept("import"):
                module = self.take()
                while self.accept("."):
                    module += "::" + self.take()
                program["imports"].add(module)
                self.take(";")
            elif self.accept("enum"):
                self.enum(program)
            elif self.accept("struct"):
                self.struct(program)
            elif self.accept("fn"):
                self.function(program)
            else:
                statement = self.declaration(True)
                program["placed" if statement[0] == "field" else "globals"].append(statement)
        return program

    def enum(self, program):
        name = self.name()
        self.take(":")
        base = self.take()
        self.take("{")
        values = {}
        while not self.accept("}"):
            label = self.name()
            self.take("=")
            sign = -1 if self.accept("-") else 1
            values[label] = sign * int(self.take(), 0)
            if self.peek() != "}":
                self.take(",")
        self.take(";")
        program["enums"][name] = (base, values)

    def struct(self, program):
        name = self.name()
        params = []
        if self.accept("<"):
            while not self.accept(">"):
                self.take("auto")
                params.append(self.name())
                self.accept(",")
        self.take("{")
        body = self.block(False)
        attributes = self.attributes()
        self.take(";")
        if name in program["structs"] or name in program["enums"]:
            self.fail(f"{name} is defined twice")
        program["structs"][name] = (params, body, "static" in attributes)

    def function(self, program):
        name = self.name()
        self.take("(")
        params = []
        while not self.accept(")"):
            kind = self.take()
            if kind not in SCALARS and kind not in ("auto", "str"):
                self.fail("unknown type of a parameter")
            params.append(self.name())
            self.accept(",")
        self.take("{")
        program["functions"][name] = (params, self.block(True))
        self.take(";")

    def block(self, in_function):
        statements = []
        while not self.accept("}"):
            statements.append(self.statement(in_function))
        return statements

    def body(self, in_function):
        return self.block(in_function) if self.accept("{") else [self.statement(in_function)]

    def statement(self, in_function):
        if self.accept("if"):
            self.take("(")
            condition = self.expression()
            self.take(")")
            yes = self.body(in_function)
            no = self.body(in_function) if self.accept("else") else []
            return ("if", condition, yes, no)
        if self.accept("while"):
            self.take("(")
            condition = self.expression()
            self.take(")")
            return ("while", condition, self.body(in_function))
        if in_function and self.accept("return"):
            value = self.expression()
            self.take(";")
            return ("return", value)
        if self.peek() == "break":
            self.take()
            self.take(";")
            return ("break",)
        if self.peek() == "$" or (self.kind() == "name" and self.peek(1) == "="):
            name = self.take()
            self.take("=")
            value = self.expression()
            self.take(";")
            return ("set", name, value)
        return self.declaration(False)

    def declaration(self, at_top):
        line = self.tokens[self.at][2]
        kind = self.take()
        args = []
        if self.accept("<"):
            while not self.accept(">"):
                args.append(self.expression(8))
                self.accept(",")
        name = self.name()
        if self.accept("="):
            value = self.expression()
            self.take(";")
            return ("local", kind, name, value)
        if at_top and self.accept(";"):
            return ("local", kind, name, ("n", 0))
        count = until = at = None
        if self.accept("["):
            if self.accept("while"):
                self.take("(")
                until = self.expression()
                self.take(")")
            else:
                count = self.expression()
            self.take("]")
        if self.accept("@"):
            at = self.expression()
        attributes = self.attributes()
        self.take(";")
        return ("field", kind, args, name, count, until, at, attributes, line)

    def attributes(self):
        found = {}
        if self.accept("[["):
            while True:
                name = self.take()
                if name not in ATTRIBUTES:
                    self.fail(f"unknown attribute {name}")
                found[name] = True
                if self.accept("("):
                    found[name] = text(self.take())
                    self.take(")")
                if not self.accept(","):
                    break
            self.take("]")
            self.take("]")
        return found

    def expression(self, least=0):
        left = self.binary(max(least, 1))
        if least == 0 and self.accept("?"):
            yes = self.expression()
            self.take(":")
            return ("?", left, yes, self.expression())
        return left

    def operator(self):
        if self.peek() == ">" and self.peek(1) == ">":
            return ">>"
        return self.peek()

    def binary(self, least):
        left = self.unary()
        while ORDER.get(self.operator(), 0) >= least:
            op = self.operator()
            self.at += 2 if op == ">>" else 1
            left = (op, left, self.binary(ORDER[op] + 1))
        return left

    def unary(self):
        if self.peek() in ("!", "-", "~"):
            return ("un" + self.take(), self.unary())
        return self.postfix()

    def postfix(self):
        kind = self.kind()
        if self.accept("("):
            value = self.expression()
            self.take(")")
            return value
        if kind == "num":
            word = self.take()
            return ("n", float(word) if "." in word else int(word, 0))
        if kind == "str":
            return ("n", text(self.take()))
        if self.accept("$"):
            return ("$",)
        if kind != "name":
            self.fail("expected a value")
        name = self.take()
        if name in ("true", "false"):
            return ("n", name == "true")
        if name in ("addressof", "sizeof"):
            self.take("(")
            path = self.path(self.take())
            self.take(")")
            return (name, path)
        if self.accept("("):
            args = []
            while not self.accept(")"):
                args.append(self.expression())
                self.accept(",")
            return ("call", name, args)
        return self.path(name)

    def path(self, name):
        steps = [name]
        while True:
            if self.accept("."):
                steps.append(self.name())
            elif self.peek() == "[":
                self.take()
                steps.append(self.expression())
                self.take("]")
            else:
                return ("path", steps)


def text(token):
    return token[1:-1].encode("utf-8").decode("unicode_escape").encode("latin-1").decode("utf-8")


class Return(Exception):
    def __init__(self, value):
        self.value = value


class Break(Exception):
    pass


class Scope:
    __slots__ = ("node", "locals", "index")

    def __init__(self, node, values, index):
        self.node, self.locals, self.index = node, values, index


class Pattern:
    def __init__(self, source):
        self.program = Parser(source).program()
        self.plain = {}
        self.lines = set()  # of members that had bytes

    def members(self):
        """Lines of all members but those of plain elements."""
        found = set()

        def walk(statements):
            for statement in statements:
                if statement[0] == "field":
                    found.add(statement[8])
                elif statement[0] == "if":
                    walk(statement[2])
                    walk(statement[3])
                elif statement[0] == "while":
                    walk(statement[2])

        for _, body, static in self.program["structs"].values():
            if not static:
                walk(body)
        return found

    def run(self, data):
        """The tree of the one thing that is placed."""
        self.data = data
        self.here = 0
        self.globals = {}
        for _, kind, name, value in self.program["globals"]:
            self.globals[name] = Local(self.value(value, None))
        if len(self.program["placed"]) != 1:
            raise PatternError("one structure is to be placed")
        root = Node("", 0)
        self.field(self.program["placed"][0], Scope(root, {}, 0))
        return root.children[0]

    # --- reading

    def bytes(self, at, size):
        if at < 0 or size < 0 or at + size > len(self.data):
            raise PatternError(f"{size} bytes at {at} lie outside the file of {len(self.data)}")
        return self.data[at:at + size]

    def plain_code(self, kind):
        """The form of an element without decisions: codes of its scalars; None if it has any."""
        if kind in self.plain:
            return self.plain[kind]
        code = None
        if kind in SCALARS and kind != "char":
            code = SCALARS[kind]
        elif kind in self.program["enums"]:
            code = SCALARS[self.program["enums"][kind][0]]
        elif kind in self.program["structs"] and self.program["structs"][kind][2]:
            code = ""
            for statement in self.program["structs"][kind][1]:
                if statement[0] != "field" or statement[5] or statement[6] or statement[2]:
                    raise PatternError(f"{kind} is not as static as it says")
                inner = "B" if statement[1] == "char" else self.plain_code(statement[1])
                count = self.value(statement[4], None) if statement[4] else 1
                code += inner * count
        self.plain[kind] = code
        return code

    def field(self, statement, scope):
        _, kind, args, name, count, until, at, attributes, line = statement
        back = self.here
        if at is not None:
            self.here = self.value(at, scope)
        node = Node(name, self.here)
        node.shown = attributes.get("name", name)
        node.inline = "inline" in attributes
        node.type = kind
        values = [self.value(arg, scope) for arg in args]
        if count is None and until is None:
            self.one(node, kind, values, 0)
        else:
            node.is_array = True
            self.array(node, kind, values, count, until, scope)
        node.size = self.here - node.offset
        if node.size:
            self.lines.add(line)
        scope.node.children.append(node)
        if at is not None:
            self.here = back

    def one(self, node, kind, args, index):
        if kind == "u24":
            node.value = int.from_bytes(self.bytes(self.here, 3), "little")
            self.here += 3
        elif kind == "char":
            node.value = self.bytes(self.here, 1)
            self.here += 1
        elif kind in self.program["structs"]:
            self.struct(node, kind, args, index)
        else:
            code = self.plain_code(kind)
            if code is None:
                raise PatternError(f"unknown type {kind}")
            size = struct.calcsize("<" + code)
            node.value = struct.unpack("<" + code, self.bytes(self.here, size))[0]
            self.here += size

    def struct(self, node, kind, args, index):
        params, body, _ = self.program["structs"][kind]
        if len(params) != len(args):
            raise PatternError(f"{kind} wants {len(params)} values")
        scope = Scope(node, {p: Local(v) for p, v in zip(params, args)}, index)
        self.execute(body, scope)

    def array(self, node, kind, args, count, until, scope):
        if until is not None:
            while self.value(until, scope):
                self.element(node, kind, args, len(node.children))
            return
        count = self.value(count, scope)
        if not isinstance(count, int) or count < 0:
            raise PatternError(f"{node.name}: {count!r} elements")
        code = "s" if kind == "char" else self.plain_code(kind)
        if code == "s":
            node.value = self.bytes(self.here, count)
            self.here += count
        elif code is not None:
            size = struct.calcsize("<" + code)
            data = self.bytes(self.here, size * count)
            node.flat = struct.unpack("<" + (f"{count}{code}" if len(code) == 1 else code * count), data)
            node.at_end = len(code)
            self.here += size * count
        else:
            for i in range(count):
                self.element(node, kind, args, i)

    def element(self, node, kind, args, index):
        child = Node(f"[{index}]", self.here)
        child.type = kind
        self.one(child, kind, args, index)
        child.size = self.here - child.offset
        node.children.append(child)

    # --- statements

    def execute(self, statements, scope):
        for statement in statements:
            kind = statement[0]
            if kind == "field":
                if scope.node is None:
                    raise PatternError("a member in a function")
                self.field(statement, scope)
            elif kind == "if":
                self.inside(statement[2] if self.value(statement[1], scope) else statement[3], scope)
            elif kind == "local":
                if statement[2] in scope.locals:
                    raise PatternError(f"{statement[2]} is declared twice")
                scope.locals[statement[2]] = Local(self.value(statement[3], scope))
            elif kind == "set":
                self.set(statement[1], self.value(statement[2], scope), scope)
            elif kind == "while":
                try:
                    while self.value(statement[1], scope):
                        self.inside(statement[2], scope)
                except Break:
                    pass
            elif kind == "return":
                raise Return(self.value(statement[1], scope))
            elif kind == "break":
                raise Break

    def inside(self, statements, scope):
        """A block: its variables end with it."""
        outer = set(scope.locals)
        try:
            self.execute(statements, scope)
        finally:
            for name in set(scope.locals) - outer:
                del scope.locals[name]

    def set(self, name, value, scope):
        if name == "$":
            self.here = value
        elif name in scope.locals:
            scope.locals[name].value = value
        elif name in self.globals:
            self.globals[name].value = value
        else:
            raise PatternError(f"unknown variable {name}")

    # --- values

    def value(self, a, scope):
        kind = a[0]
        if kind == "n":
            return a[1]
        if kind == "$":
            return self.here
        if kind == "path":
            return self.content(self.find(a[1], scope))
        if kind == "?":
            return self.value(a[2] if self.value(a[1], scope) else a[3], scope)
        if kind == "&&":
            return bool(self.value(a[1], scope)) and bool(self.value(a[2], scope))
        if kind == "||":
            return bool(self.value(a[1], scope)) or bool(self.value(a[2], scope))
        if kind == "addressof":
            return self.find(a[1][1], scope).offset
        if kind == "sizeof":
            return self.find(a[1][1], scope).size
        if kind == "call":
            return self.call(a[1], [self.value(arg, scope) for arg in a[2]], scope)
        if kind.startswith("un"):
            inner = self.value(a[1], scope)
            return {"!": lambda: not inner, "-": lambda: -inner, "~": lambda: ~inner}[kind[2:]]()
        return self.operate(kind, self.value(a[1], scope), self.value(a[2], scope))

    def operate(self, op, left, right):
        if isinstance(left, str) != isinstance(right, str):
            raise PatternError(f"{left!r} {op} {right!r}")
        if op == "/":
            if right == 0:
                raise PatternError("a division by zero")
            return left // right if isinstance(left, int) and isinstance(right, int) else left / right
        return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
                "%": lambda: left % right, "==": lambda: left == right, "!=": lambda: left != right,
                "<": lambda: left < right, ">": lambda: left > right, "<=": lambda: left <= right,
                ">=": lambda: left >= right, "&": lambda: left & right, "|": lambda: left | right,
                "^": lambda: left ^ right, "<<": lambda: left << right, ">>": lambda: left >> right}[op]()

    def content(self, found):
        if isinstance(found, Local):
            return found.value
        if isinstance(found, Node):
            if isinstance(found.value, bytes):
                return found.value.decode("latin-1")
            if found.value is None:
                raise PatternError(f"{found.name} has no single value")
            return found.value
        return found

    def find(self, steps, scope):
        found = scope.node.child(steps[0]) if scope and scope.node else None
        if found is None and scope:
            found = scope.locals.get(steps[0])
        if found is None:
            found = self.globals.get(steps[0])
        if found is None:
            raise PatternError(f"unknown name {steps[0]}")
        for step in steps[1:]:
            found = self.step(found, step, scope)
        return found

    def step(self, found, step, scope):
        if isinstance(step, str):
            inner = found.child(step) if isinstance(found, Node) else None
            if inner is None:
                raise PatternError(f"no member {step}")
            return inner
        index = self.value(step, scope)
        if found.flat is not None and found.at_end == 1:
            if not 0 <= index < len(found.flat):
                raise PatternError(f"{found.name} has no element {index}")
            return found.flat[index]
        if found.flat is not None:
            return self.static_element(found, index)
        return found.children[index]

    def static_element(self, found, index):
        """An element of an array of static structures, read again."""
        size = found.size // (len(found.flat) // found.at_end)
        back, self.here = self.here, found.offset + index * size
        node = Node(f"[{index}]", self.here)
        self.struct(node, found.type, [], index)
        self.here = back
        return node

    def call(self, name, args, scope):
        if name in self.program["functions"]:
            params, body = self.program["functions"][name]
            if len(params) != len(args):
                raise PatternError(f"{name} wants {len(params)} values")
            try:
                self.execute(body, Scope(None, {p: Local(v) for p, v in zip(params, args)}, 0))
            except Return as found:
                return found.value
            raise PatternError(f"{name} returns nothing")
        if "::" in name and name.rsplit("::", 1)[0] not in self.program["imports"]:
            raise PatternError(f"{name} is not imported")
        if name == "std::mem::size":
            return len(self.data)
        if name == "std::mem::read_unsigned":
            return int.from_bytes(self.bytes(*args), "little")
        if name == "std::mem::read_signed":
            return int.from_bytes(self.bytes(*args), "little", signed=True)
        if name == "std::mem::read_string":
            return self.bytes(*args).decode("latin-1")
        if name == "std::core::array_index":
            return scope.index
        raise PatternError(f"unknown function {name}")
