"""Reads the C++ that descriptions are written in: enough of declarations, statements and expressions to follow a
`describe` function. What it does not know is an error with its line, never a guess."""

import re
from dataclasses import dataclass, field
from pathlib import Path

TOKEN = re.compile(r"""
    (?P<doc>///<?[^\n]*)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<pre>\#[^\n]*(?:\\\n[^\n]*)*)|(?P<space>\s+)
  | (?P<num>0[xX][0-9a-fA-F']+[uUlL]*|\d[\d']*\.?\d*(?:[eE][-+]?\d+)?[uUlLfF]*|\.\d+[fF]?)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<str>"(?:\\.|[^"\\])*")|(?P<char>'(?:\\.|[^'\\])*')
  | (?P<op>\.\.\.|::|->|<<=|<<|<=|>=|==|!=|&&|\|\||\+\+|--|\+=|-=|\*=|/=|\|=|&=|[-+*/%<>=!&|^~?:;,.(){}\[\]])
""", re.VERBOSE | re.DOTALL)


class Unknown(Exception):
    """Something that this reader does not follow."""


@dataclass
class Token:
    kind: str
    text: str
    line: int
    end: int = 0  # offset behind it, to see whether two tokens touch
    start: int = 0


def tokens_of(text, path):
    tokens, docs, at, line = [], [], 0, 1
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise Unknown(f"{path}:{line}: {text[at:at + 20]!r}")
        kind, piece = found.lastgroup, found.group()
        if kind == "doc":
            docs.append((line, piece))
        elif kind not in ("comment", "pre", "space"):
            tokens.append(Token(kind, piece, line, found.end(), at))
        line += piece.count("\n")
        at = found.end()
    return tokens, docs


@dataclass
class Type:
    name: str
    args: tuple = ()

    def __str__(self):
        return self.name + ("<" + ", ".join(map(str, self.args)) + ">" if self.args else "")

    def __hash__(self):
        return hash(str(self))


@dataclass
class Member:
    name: str
    type: Type
    doc: str = ""
    init: object = None


@dataclass
class Struct:
    name: str
    space: str
    doc: str = ""
    template: tuple = ()
    members: list = field(default_factory=list)
    constants: dict = field(default_factory=dict)
    methods: dict = field(default_factory=dict)
    aliases: dict = field(default_factory=dict)
    path: str = ""

    def member(self, name):
        return next((m for m in self.members if m.name == name), None)


@dataclass
class Enum:
    name: str
    space: str
    base: str
    values: list
    doc: str = ""


@dataclass
class Function:
    name: str
    space: str
    template: tuple
    params: list  # (Type, name)
    body: list  # tokens
    doc: str
    path: str
    line: int
    returns: object = None
    parsed: object = None

    def statements(self):
        if self.parsed is None:
            self.parsed = Parser(self.body, self.path).block_content()
        return self.parsed


PRECEDENCE = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
              "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "|=", "&="}
DECLARATORS = {"const", "constexpr", "static", "inline", "auto", "typename", "mutable", "unsigned"}


class Parser:
    def __init__(self, tokens, path):
        self.tokens, self.path, self.at = tokens, path, 0

    def peek(self, ahead=0):
        index = self.at + ahead
        return self.tokens[index].text if index < len(self.tokens) else ""

    def kind(self, ahead=0):
        index = self.at + ahead
        return self.tokens[index].kind if index < len(self.tokens) else ""

    def line(self):
        return self.tokens[min(self.at, len(self.tokens) - 1)].line if self.tokens else 0

    def fail(self, what):
        raise Unknown(f"{self.path}:{self.line()}: {what} at {self.peek()!r}")

    def take(self, text=None):
        if text is not None and self.peek() != text:
            self.fail(f"expected {text!r}")
        self.at += 1
        return self.tokens[self.at - 1].text

    def accept(self, text):
        if self.peek() == text:
            self.at += 1
            return True
        return False

    # --- types

    def qualified(self):
        name = self.take()
        while self.peek() == "::" and self.kind(1) == "name":
            self.take()
            name += "::" + self.take()
        return name

    def type(self):
        while self.peek() in DECLARATORS and self.peek() not in ("auto", "unsigned"):
            self.take()
        if self.kind() != "name":
            self.fail("expected a type")
        name = self.qualified()
        if name == "unsigned" and self.peek() in ("char", "int", "short", "long"):
            name += " " + self.take()
        args = []
        if self.peek() == "<":
            self.take()
            while self.peek() != ">":
                args.append(self.template_argument())
                self.accept(",")
            self.take(">")
            while self.peek() == "::":
                self.take()
                self.accept("template")
                name += "::" + self.take()
        while self.peek() in ("&", "*", "const") or (self.peek() == "&&"):
            self.take()
        return Type(name.replace("std::", ""), tuple(args))

    def template_argument(self):
        start = self.at
        try:
            if self.kind() == "name":
                found = self.type()
                if self.peek() in (",", ">"):
                    return found
        except Unknown:
            pass
        self.at = start
        return self.binary(9)  # above <, > and >>

    def skip_balanced(self, opening, closing):
        start = self.at
        depth = 0
        while True:
            text = self.take()
            depth += (text == opening) - (text == closing)
            if depth == 0:
                return self.tokens[start + 1:self.at - 1]

    # --- expressions

    def expression(self):
        left = self.ternary()
        if self.peek() in ASSIGNMENTS:
            op = self.take()
            return ("assign", op, left, self.expression())
        return left

    def ternary(self):
        condition = self.binary(1)
        if self.accept("?"):
            yes = self.expression()
            self.take(":")
            return ("cond", condition, yes, self.expression())
        return condition

    def operator(self):
        text = self.peek()
        if text == ">" and self.peek(1) == ">" and self.tokens[self.at].end == self.tokens[self.at + 1].start:
            return ">>"
        return text

    def binary(self, least):
        left = self.unary()
        while PRECEDENCE.get(self.operator(), 0) >= least:
            op = self.operator()
            self.at += 2 if op == ">>" else 1
            left = ("bin", op, left, self.binary(PRECEDENCE[op] + 1))
        return left

    def unary(self):
        if self.peek() in ("!", "-", "~", "*", "&", "++", "--", "+"):
            op = self.take()
            return ("un", op, self.unary())
        return self.postfix()

    def postfix(self):
        value = self.primary()
        while True:
            if self.peek() in (".", "->"):
                self.take()
                self.accept("template")
                name = self.take()
                targs = self.template_arguments()
                value = ("member", value, name, targs)
            elif self.peek() == "(":
                value = ("call", value, self.arguments("(", ")"), self.line())
            elif self.peek() == "[":
                self.take()
                index = self.expression()
                self.take("]")
                value = ("index", value, index)
            elif self.peek() == "{" and value[0] == "name" and value[1] not in ("requires",):
                value = ("init", value, self.arguments("{", "}"))
            elif self.peek() in ("++", "--"):
                value = ("post", self.take(), value)
            else:
                return value

    def arguments(self, opening, closing):
        self.take(opening)
        args = []
        while self.peek() != closing:
            args.append(self.arguments_init() if self.peek() == "{" else self.expression())
            if self.peek() == "...":
                self.take()
            if not self.accept(","):
                break
        self.take(closing)
        return args

    def arguments_init(self):
        return ("init", None, self.arguments("{", "}"))

    def template_arguments(self):
        """Those of a name, if what follows `<` can only be them."""
        if self.peek() != "<":
            return None
        start = self.at
        depth, at = 0, self.at
        while at < len(self.tokens):
            text = self.tokens[at].text
            depth += (text == "<") - (text == ">")
            if depth == 0:
                break
            if text in ("&&", "||", ";", "{", "}", "(", ")", "?", "=", "==") and text != "{":
                return None
            at += 1
        after = self.tokens[at + 1].text if at + 1 < len(self.tokens) else ""
        if after not in ("(", "{", "}", "::", ";", ">", ")", ","):
            return None
        self.take("<")
        args = []
        while self.peek() != ">":
            args.append(self.template_argument())
            if not self.accept(","):
                break
        if self.peek() != ">":
            self.at = start
            return None
        self.take(">")
        return args

    def primary(self):
        kind, text = self.kind(), self.peek()
        if kind == "num":
            self.take()
            return ("num", number(text))
        if kind == "str":
            value = ""
            while self.kind() == "str":
                value += unescape(self.take()[1:-1])
            return ("str", value)
        if kind == "char":
            return ("num", ord(unescape(self.take()[1:-1])))
        if text == "(":
            self.take()
            value = self.expression()
            self.take(")")
            return value
        if text == "[":
            return self.lambda_()
        if text == "{":
            return self.arguments_init()
        if text == "requires":
            return self.requires()
        if text == "sizeof":
            self.take()
            if self.accept("("):
                inner = self.sizeof_operand()
                self.take(")")
                return ("sizeof", inner)
            return ("sizeof", self.unary())
        if text in ("static_cast", "const_cast"):
            self.take()
            self.take("<")
            to = self.type()
            self.take(">")
            self.take("(")
            value = self.expression()
            self.take(")")
            return ("cast", to, value)
        if kind == "name":
            if text == "typename":
                self.take()
            name = self.qualified()
            targs = self.template_arguments()
            while self.peek() == "::":
                self.take()
                self.accept("template")
                name += "::" + self.take()
            return ("name", name.replace("std::", ""), targs)
        return self.fail("expected an expression")

    def sizeof_operand(self):
        start = self.at
        try:
            found = self.type()
            if self.peek() == ")":
                return found
        except Unknown:
            pass
        self.at = start
        return self.expression()

    def requires(self):
        self.take("requires")
        if self.peek() == "(":
            self.skip_balanced("(", ")")
        inside = self.skip_balanced("{", "}")
        return ("requires", " ".join(token.text for token in inside))

    def lambda_(self):
        self.skip_balanced("[", "]")
        params = []
        if self.peek() == "(":
            params = parameters(self.skip_balanced("(", ")"), self.path)
        while self.peek() != "{":  # mutable, -> type
            self.take()
        return ("lambda", params, self.block())

    # --- statements

    def block(self):
        self.take("{")
        found = []
        while self.peek() != "}":
            found.append(self.statement())
        self.take("}")
        return found

    def block_content(self):
        found = []
        while self.at < len(self.tokens):
            found.append(self.statement())
        return found

    def attributes(self):
        while self.peek() == "[" and self.peek(1) == "[":
            self.skip_balanced("[", "]")

    def body(self):
        self.attributes()
        return self.block() if self.peek() == "{" else [self.statement()]

    def statement(self):
        text, line = self.peek(), self.line()
        if text == "{":
            return ("block", self.block())
        if text == ";":
            self.take()
            return ("block", [])
        if text == "if":
            return self.if_()
        if text == "for":
            return self.for_()
        if text == "while":
            self.take()
            self.take("(")
            condition = self.expression()
            self.take(")")
            return ("while", condition, self.body())
        if text == "switch":
            return self.switch()
        if text == "return":
            self.take()
            value = None if self.peek() == ";" else self.expression()
            self.take(";")
            return ("return", value)
        if text in ("break", "continue"):
            self.take()
            self.take(";")
            return (text,)
        if text in ("using", "struct"):
            return self.local_type(text)
        if text == "(" and self.peek(1) == "void":
            self.at += 3
        found = self.declaration()
        if found:
            return found
        value = self.expression()
        self.take(";")
        return ("expr", value, line)

    def local_type(self, what):
        self.take()
        name = self.take()
        if what == "using":
            self.take("=")
            rest = []
            while self.peek() != ";":
                rest.append(self.take())
            self.take(";")
            return ("using", name, rest)
        inside = self.skip_balanced("{", "}")
        self.take(";")
        return ("struct", name, inside)

    def if_(self):
        self.take("if")
        constant = self.accept("constexpr")
        self.take("(")
        start = None
        declared = self.declaration(ending=";") if self.declares_in_condition() else None
        if declared:
            start = declared
        condition = self.expression()
        self.take(")")
        yes = self.body()
        no = []
        if self.accept("else"):
            no = [self.if_()] if self.peek() == "if" else self.body()
        found = ("if", condition, yes, no, constant)
        return ("block", [start, found]) if start else found

    def declares_in_condition(self):
        depth, at = 1, self.at
        while depth:
            text = self.tokens[at].text
            depth += (text in "({[") - (text in ")}]") if text in "(){}[]" else 0
            if text == ";" and depth == 1:
                return True
            at += 1
        return False

    def for_(self):
        self.take("for")
        self.take("(")
        start = self.at
        try:  # for (type name : range)
            self.accept("const")
            self.type()
            name = self.take()
            if self.kind(-1) == "name" and self.peek() == ":":
                self.take()
                over = self.expression()
                self.take(")")
                return ("each", name, over, self.body())
        except Unknown:
            pass
        self.at = start
        first = self.statement()
        condition = self.expression()
        self.take(";")
        step = None if self.peek() == ")" else self.expression()
        while self.accept(","):
            step = ("comma", step, self.expression())
        self.take(")")
        return ("for", first, condition, step, self.body())

    def switch(self):
        self.take("switch")
        self.take("(")
        value = self.expression()
        self.take(")")
        self.take("{")
        cases, labels = [], []
        while self.peek() != "}":
            if self.accept("case"):
                labels.append(self.ternary())
                self.take(":")
            elif self.accept("default"):
                self.take(":")
                labels.append(None)
            else:
                body = []
                while self.peek() not in ("case", "default", "}"):
                    body.append(self.statement())
                cases.append((labels, body))
                labels = []
        self.take("}")
        return ("switch", value, cases)

    def declaration(self, ending=";"):
        start = self.at
        try:
            marked = self.peek() in ("const", "constexpr", "static", "auto", "unsigned")
            while self.peek() in ("const", "constexpr", "static"):
                self.take()
            if self.kind() != "name":
                raise Unknown("")
            what = self.type()
            if self.peek() == "[" and marked:
                self.take()
                names = [self.take()]
                while self.accept(","):
                    names.append(self.take())
                self.take("]")
                self.take("=")
                value = self.expression()
                self.take(";")
                return ("bind", names, value)
            if self.kind() != "name":
                raise Unknown("")
            name = self.take()
            if self.peek() not in ("=", "{", ";", "(", ","):
                raise Unknown("")
            if self.peek() == "(" and not marked and what.name not in ("vector", "Array"):
                raise Unknown("")
        except (Unknown, IndexError):
            self.at = start
            return None
        value = None
        if self.accept("="):
            value = self.arguments_init() if self.peek() == "{" else self.expression()
        elif self.peek() == "{":
            value = self.arguments_init()
        elif self.peek() == "(":
            value = ("init", None, self.arguments("(", ")"))
        others = []
        while self.accept(","):
            other = self.take()
            self.take("=")
            others.append(("declare", what, other, self.expression()))
        self.take(ending)
        found = ("declare", what, name, value)
        return ("all", [found, *others]) if others else found


def number(text):
    text = text.replace("'", "")
    if text[:2].lower() == "0x":
        return int(text.rstrip("uUlL"), 16)
    if "." in text or (("e" in text or "E" in text)):
        return float(text.rstrip("fFlL"))
    return int(text.rstrip("uUlL"))


def unescape(text):
    return text.encode("utf-8").decode("unicode_escape").encode("latin-1").decode("utf-8", "replace")


def parameters(tokens, path):
    """(type, name) of each."""
    parser = Parser(tokens, path)
    found = []
    while parser.peek():
        what = parser.type()
        parser.accept("...")
        name = parser.take() if parser.kind() == "name" else ""
        if parser.accept("="):
            parser.expression()
        found.append((what, name))
        parser.accept(",")
    return found


class Sources:
    """The declarations of some files."""

    def __init__(self):
        self.structs, self.enums, self.aliases, self.constants = {}, {}, {}, {}
        self.functions = {}
        self.files = set()

    def read(self, path, root):
        if path in self.files:
            return
        self.files.add(path)
        text = (Path(root) / path).read_text(encoding="utf-8")
        tokens, docs = tokens_of(text, path)
        Declarations(self, tokens, docs, path).items("", len(tokens))


def inherit(struct, base, named):
    """Members of a base, with its parameters replaced."""
    values = dict(zip(base.template, named.args))

    def replaced(what):
        if not isinstance(what, Type):
            return what
        return values.get(what.name, Type(what.name, tuple(map(replaced, what.args))))

    struct.members = [Member(m.name, replaced(m.type), m.doc, m.init) for m in base.members]
    struct.aliases = {name: replaced(what) for name, what in base.aliases.items()}
    struct.methods, struct.constants = dict(base.methods), dict(base.constants)


class Declarations:
    def __init__(self, sources, tokens, docs, path):
        self.sources, self.path = sources, path
        self.parser = Parser(tokens, path)
        self.lines = {}
        for line, text in docs:
            self.lines[line] = text

    def doc_above(self, line):
        """The comment block that ends on the line before."""
        found = []
        line -= 1
        while line in self.lines and not self.lines[line].startswith("///<"):
            found.insert(0, self.lines[line][3:].strip())
            line -= 1
        return " ".join(found)

    def doc_beside(self, line):
        text = self.lines.get(line, "")
        if not text.startswith("///<"):
            return ""
        return text[4:].strip()

    def items(self, space, end, owner=None):
        parser = self.parser
        while parser.at < end:
            self.item(space, owner)

    def item(self, space, owner):
        parser = self.parser
        line = parser.line()
        if parser.accept(";"):
            return
        template = ()
        if parser.peek() == "template":
            template = self.template()
        if parser.peek() == "inline" and parser.peek(1) == "namespace":
            parser.take()
        if parser.peek() == "namespace":
            self.namespace(space)
        elif parser.peek() in ("struct", "class") and parser.kind(1) == "name":
            self.struct(space, template, line, owner)
        elif parser.peek() == "enum":
            self.enum(space, line, owner)
        elif parser.peek() == "using":
            self.using(space, owner)
        elif parser.peek() in ("public", "private", "protected") and parser.peek(1) == ":":
            parser.at += 2
        else:
            self.other(space, template, line, owner)

    def template(self):
        parser = self.parser
        parser.take("template")
        names = []
        for token in parser.skip_balanced("<", ">"):
            if token.kind == "name" and token.text not in ("class", "typename", "size_t", "std", "bool"):
                names.append(token.text)
        while parser.peek() == "requires":
            parser.take()
            if parser.peek() == "(":
                parser.skip_balanced("(", ")")
        return tuple(names)

    def namespace(self, space):
        parser = self.parser
        parser.take("namespace")
        name = parser.qualified() if parser.kind() == "name" else ""
        name = name.removeprefix("thaw").removeprefix("::")
        if parser.accept("="):
            while parser.take() != ";":
                pass
            return
        start = parser.at
        inside = parser.skip_balanced("{", "}")
        end = parser.at
        parser.at = start + 1
        self.items("::".join(filter(None, (space, name))), start + 1 + len(inside))
        parser.at = end

    def struct(self, space, template, line, owner):
        parser = self.parser
        parser.take()
        name = parser.take()
        if parser.peek() == "<" or parser.peek() == ";" or parser.kind() == "name":
            while parser.take() not in (";", "{"):
                pass
            if parser.tokens[parser.at - 1].text == "{":
                parser.at -= 1
                parser.skip_balanced("{", "}")
                parser.accept(";")
            return
        base = parser.type() if parser.accept(":") else None
        start = parser.at
        inside = parser.skip_balanced("{", "}")
        end = parser.at
        qualified = (owner.name + "::" if owner else "") + name
        found = Struct(qualified, space, self.doc_above(line) or self.doc_beside(line), template, path=self.path)
        if base and (space, base.name) in self.sources.structs:
            inherit(found, self.sources.structs[(space, base.name)], base)
        parser.at = start + 1
        self.items(space, start + 1 + len(inside), found)
        parser.at = end
        parser.accept(";")
        self.sources.structs[(space, qualified)] = found

    def enum(self, space, line, owner):
        parser = self.parser
        parser.take("enum")
        parser.accept("class")
        name = (owner.name + "::" if owner else "") + parser.take()
        base = "int32_t"
        if parser.accept(":"):
            base = parser.type().name
        values, following = [], 0
        if parser.peek() == "{":
            inner = Parser(parser.skip_balanced("{", "}"), self.path)
            while inner.peek():
                label = inner.take()
                if inner.accept("="):
                    value = inner.ternary()
                    following = value[1] if value[0] == "num" else following
                values.append((label, following))
                following += 1
                inner.accept(",")
        parser.accept(";")
        self.sources.enums.setdefault((space, name), Enum(name, space, base, values, self.doc_above(line)))

    def using(self, space, owner):
        parser = self.parser
        parser.take("using")
        name = parser.qualified()
        if parser.peek() == ";" and "::" in name and not owner:
            self.sources.aliases[(space, name.rsplit("::", 1)[1])] = Type(name)
        if parser.accept("="):
            start = parser.at
            try:
                found = parser.type()
                if parser.peek() == ";":
                    if owner:
                        owner.aliases[name] = found
                    else:
                        self.sources.aliases[(space, name)] = found
            except Unknown:
                pass
            parser.at = start
        while parser.take() != ";":
            pass

    def other(self, space, template, line, owner):
        """A function, a constant, a member, or something that is passed over."""
        parser = self.parser
        start = parser.at
        depth, at = 0, parser.at
        tokens = parser.tokens
        while at < len(tokens):
            text = tokens[at].text
            if text == "<" and tokens[at - 1].kind == "name" and tokens[at - 1].text != "operator":
                depth += 1
            elif text == ">" and depth:
                depth -= 1
            elif depth == 0 and text in ("(", "{", "=", ";"):
                break
            at += 1
        if at == len(tokens):
            parser.fail("no end of a declaration")
        text = tokens[at].text
        name = tokens[at - 1].text
        if text == "(" and tokens[at - 1].kind == "name" and name != "static_assert":
            self.function(space, template, line, owner, name, at)
        elif text in ("=", "{", ";") and tokens[at - 1].kind == "name" and at - 1 > start:
            self.variable(space, line, owner, name, start, at)
        else:
            self.skip(at)

    def skip(self, at):
        parser = self.parser
        parser.at = at
        while parser.peek() and parser.peek() != ";":
            if parser.peek() == "{":
                parser.skip_balanced("{", "}")
                if parser.peek() != ";":
                    return
            elif parser.peek() == "(":
                parser.skip_balanced("(", ")")
            else:
                parser.take()
        if parser.peek():
            parser.take()

    def return_type(self, start, end):
        inner = Parser([t for t in self.parser.tokens[start:end] if t.text not in ("[", "]", "nodiscard")], self.path)
        try:
            return inner.type()
        except (Unknown, IndexError):
            return None

    def function(self, space, template, line, owner, name, at):
        parser = self.parser
        start = parser.at
        parser.at = at
        params = parser.skip_balanced("(", ")")
        owner_name = None
        if parser.tokens[at - 2].text == "::" and parser.tokens[at - 3].kind == "name":
            owner_name = parser.tokens[at - 3].text
        while parser.peek() not in ("{", ";", "=", ":"):
            if parser.peek() == "(":
                parser.skip_balanced("(", ")")
            else:
                parser.take()
        if parser.peek() != "{":
            self.skip(parser.at)
            return
        body = parser.skip_balanced("{", "}")
        try:
            listed = parameters(params, self.path)
        except (Unknown, IndexError):
            return
        found = Function(name, space, template, listed, body, self.doc_above(line), self.path, line,
                         self.return_type(start, at - 1))
        if owner:
            owner.methods[name] = found
        elif owner_name and (space, owner_name) in self.sources.structs:
            self.sources.structs[(space, owner_name)].methods[name] = found
        else:
            self.sources.functions.setdefault(name, []).append(found)

    def variable(self, space, line, owner, name, start, at):
        parser = self.parser
        constant = any(parser.tokens[i].text in ("constexpr", "static") for i in range(start, at))
        friend = parser.tokens[start].text == "friend"
        parser.at = start
        what, init = None, None
        try:
            while parser.peek() in ("inline", "static", "constexpr", "const"):
                parser.take()
            what = parser.type()
            if parser.at != at - 1:
                what = None
            parser.at = at
            if parser.accept("="):
                init = parser.arguments_init() if parser.peek() == "{" else parser.expression()
            elif parser.peek() == "{":
                init = parser.arguments_init()
            others = []  # declared with it
            while parser.accept(","):
                other = parser.take()
                others.append((other, parser.expression() if parser.accept("=") else None))
            last = parser.line()
        except (Unknown, IndexError):
            self.skip(at)
            return
        if parser.peek() != ";":
            self.skip(at)
            return
        parser.take()
        if friend or what is None:
            return
        if owner is None:
            self.sources.constants[(space, name)] = (what, init)
        elif constant:
            for other, value in [(name, init), *others]:
                owner.constants[other] = (what, value)
        else:
            doc = self.doc_beside(last) or self.doc_above(line)
            owner.members.extend(Member(n, what, doc, value) for n, value in [(name, init), *others])
