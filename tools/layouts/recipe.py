"""What a format's page and pattern are made from. Where data decides, a recipe says what a pattern does in place of the
function that thaw runs; no layout stands here."""

from dataclasses import dataclass, field
from pathlib import Path

from ir import HERE, Field, n
from translate import Translator

FUNCTIONS = Path(__file__).resolve().parent / "functions"
SIZE = ("call", "std::mem::size", ())


@dataclass
class Recipe:
    name: str  # of the page and of the pattern
    title: str
    source: str  # the file to send readers to
    space: str  # the namespace of the descriptions
    files: list  # what the compiler is given
    root: str = "Document"
    root_function: str = "describe"
    bodies: tuple = ()  # variants of parts, which are described each on its own
    body: tuple = ("describe(v, x)",)  # how
    build: object = None  # makes the outermost structure, where the description leaves it to the reader
    first: tuple = ()  # variables that are set before anything is read
    presets: dict = field(default_factory=dict)  # members that a reader knows beforehand, by structure
    fixed: dict = field(default_factory=dict)  # members of the context that are the same for every file
    starts: dict = field(default_factory=dict)  # first values of variables
    decisions: dict = field(default_factory=dict)  # functions over bytes, and what stands in their place
    tables: dict = field(default_factory=dict)  # functions that are tables by tag, and what they tell
    functions: tuple = ()  # files of functions that decisions call
    pragmas: tuple = ()
    notes: tuple = ()  # pages of docs/formats that tell more, if it is not the one of this name
    about: str = ""

    def function_texts(self):
        return {name: (FUNCTIONS / f"{name}.hexpat").read_text(encoding="utf-8") for name in self.functions}

    def start_of(self, translator, name, member):
        return self.starts[name] if name in self.starts else translator.start(member)[1]

    def translate(self, source):
        translator = Translator(source, self.decisions, self.tables, self.fixed)
        if self.build:
            return translator, self.build(self, translator)
        what = source.named_type(self.root)
        translator.preset = lambda kind, root: {(root, path): value for path, value in self.presets.get(
            f"{kind[1].space}::{kind[1].name}", {}).items()}
        for name, _ in self.first:
            translator.context_value(name.removeprefix("file_"))
        return translator, root_field(translator, what, self.root_function, self.first)


def root_field(translator, what, function, first):
    scope, _, _ = translator.described(what, (SIZE, n(0), SIZE), function, first)
    return Field(scope.name, "file", None, n(0), (), scope=scope)


def over_rest(name, *arguments):
    """A decision over the bytes that are left: `name(from, ..., end)`."""
    def decide(translator, args):
        given = [translator.value(args[i]) for i in arguments]
        return ("call", name, (HERE, *given, translator.end))
    return decide


def nothing(translator, args):
    return None
