"""The types of every format's document, for languages that have types: of what dumps say of themselves in `$layout`
(scripts/document-schemas), and the names that the descriptions have for chunks."""
import importlib.machinery
import importlib.util
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def schemas():
    """scripts/document-schemas as a module."""
    loader = importlib.machinery.SourceFileLoader("document_schemas", str(ROOT / "scripts/document-schemas"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


@dataclass
class Type:
    """`what` is integer, number, text, vector, array, rows, raw, object, list, either; `of` is what a list holds."""
    what: str
    name: str = ""  # of an object's class
    of: list = field(default_factory=list)
    numbers: int = 1
    whole: bool = False  # its numbers have no fraction


@dataclass
class Class:
    name: str
    members: dict = field(default_factory=dict)


@dataclass
class Format:
    word: str
    name: str
    names: dict  # "sequences": "SEQS"
    members: dict = field(default_factory=dict)
    classes: list = field(default_factory=list)


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def chunk_names() -> dict:
    """By folder of a format: the name of each chunk's type and of its items, by tag."""
    found: dict = {}
    for path in (ROOT / "src/formats").rglob("document.cpp"):
        for tag, name in re.findall(r'\{?FourCC\{"(\w{4})"\}, make<(\w+)>', path.read_text()):
            found.setdefault(path.parent.name, {})[tag] = name
    return found


def leaf(kind: str) -> Type:
    kind = kind.removeprefix("reversed ")
    if kind.startswith(("text", "tag ")):
        return Type("text")
    if kind == "raw":
        return Type("raw")
    if kind.startswith("rows "):
        return Type("rows")
    scalar, _, components = kind.removesuffix("[]").partition("x")
    whole = scalar[0] != "f"
    numbers = int(components or 1)
    what = "array" if kind.endswith("[]") else "vector" if numbers > 1 else "integer" if whole else "number"
    return Type(what, numbers=numbers, whole=whole)


class Builder:
    def __init__(self, module, word: str, names: dict):
        self.module = module
        # Without the blanks and signs that a word may have: wdt-lk is WdtLk.
        self.format = Format(word, "".join(map(capital, re.split(r"\W+", word))), {snake(name): tag for tag, name in names.items()})
        self.by_shape: dict = {}
        self.taken: set = set()
        self.chunk_types = names

    def visible(self, kind: dict) -> dict:
        return {name: self.module.typed(name, one) for name, one in kind.items() if not self.module.is_hidden(name, one)}

    def object(self, kind: dict, name: str) -> Type:
        shape = self.module.json.dumps([(key, str(one)) for key, one in self.visible(kind).items()])
        if shape not in self.by_shape:
            wanted, number = self.format.name + capital(name), 1
            while wanted in self.taken:
                number += 1
                wanted = f"{self.format.name}{capital(name)}{number}"
            self.taken.add(wanted)
            self.by_shape[shape] = wanted
            made = Class(wanted)
            made.members = {key: self.type(one, key) for key, one in self.visible(kind).items()}
            self.format.classes.append(made)
        return Type("object", self.by_shape[shape])

    def type(self, kind, name: str) -> Type:
        if isinstance(kind, str):
            return leaf(kind)
        if isinstance(kind, list):
            singular = name.removesuffix("s") if not name.endswith("ss") else name
            if kind and all(isinstance(one, dict) for one in kind):
                # Versions differ in a few members: one class has them all.
                kind = [{key: value for one in reversed(kind) for key, value in one.items()}]
            return Type("list", of=[self.type(one, singular) for one in kind])
        if isinstance(kind.get("items"), list):  # a chunk is the list of its items
            return self.type(kind["items"], name)
        return self.object(kind, name)

    def chunk(self, tag: str, kinds: list) -> Type:
        """Of all chunks with a tag: a list of items, an object, or in dialects either."""
        name = self.chunk_types.get(tag, tag)
        items = [item for kind in kinds if isinstance(kind.get("items"), list) for item in kind["items"]]
        others = [kind for kind in kinds if not isinstance(kind.get("items"), list)]
        found = [self.type(items, name)] if len(others) < len(kinds) else []
        if others:
            merged = {key: one for kind in reversed(others) for key, one in kind.items() if key != "tag"}
            found.append(self.object(merged, name))
        return found[0] if len(found) == 1 else Type("either", of=found)

    def build(self, kind: dict) -> Format:
        for name, one in self.visible(kind).items():
            if name == "chunks" and isinstance(one, list):
                by_tag: dict = {}
                for chunk in one:
                    tag = re.fullmatch(r"(?:reversed )?tag (\w{4})", str(chunk.get("tag"))) if isinstance(chunk, dict) else None
                    if tag:
                        by_tag.setdefault(tag[1], []).append(chunk)
                self.format.members.update({tag: self.chunk(tag, kinds) for tag, kinds in by_tag.items()})
            else:
                self.format.members[name] = self.type(one, name)
        self.format.names = {name: tag for name, tag in self.format.names.items() if tag in self.format.members}
        return self.format


def formats(thaw: str, samples: Path) -> list:
    module = schemas()
    names = chunk_names()
    kinds, _ = module.kinds_of(module.layouts_of(thaw, samples, []))
    return [Builder(module, word, names.get(word, {})).build(kind) for word, kind in sorted(kinds.items())]
