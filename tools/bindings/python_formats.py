"""Classes of documents by format for Python: formats.py, and their types for editors and checkers, formats.pyi."""
import ast
import keyword

from formats import ROOT, Format, Type

LONGEST_TUPLE = 16  # as in _fields.py
HEAD = '''"""A class for each format. Made by scripts/bindings."""
'''


def annotation(kind: Type) -> str:
    if kind.what in ("array", "rows") or kind.numbers > LONGEST_TUPLE:
        return "Any"
    if kind.what == "vector":
        return f"tuple[{', '.join(['int' if kind.whole else 'float'] * kind.numbers)}]"
    if kind.what == "list":
        items = list(dict.fromkeys(annotation(one) for one in kind.of))
        return f"Items[{' | '.join(items) or 'Any'}]"
    if kind.what == "either":
        return " | ".join(map(annotation, kind.of))
    return {"integer": "int", "number": "float", "text": "str", "raw": "memoryview", "object": kind.name}[kind.what]


def usable(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


def taken() -> set:
    """What documents have besides their fields: a field of such a name is document["name"]."""
    tree = ast.parse((ROOT / "bindings/python/thaw/_document.py").read_text(encoding="utf-8"))
    document = next(one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == "Document")
    return {one.name for one in document.body if isinstance(one, ast.FunctionDef)}


def members(found: dict) -> list:
    lines = [f"    {name}: {annotation(kind)}" for name, kind in found.items() if usable(name)]
    return lines or ["    ..."]


def module(formats: list[Format]) -> str:
    lines = [HEAD, "from ._document import Document"]
    for one in formats:
        lines += ["", "", f"class {one.name}(Document):", f'    """A document of the format {one.word}."""', "",
                  f'    _FORMAT = "{one.word}"']
        if one.names:
            lines.append("    _NAMES = {")
            lines += [f'        "{name}": "{tag}",' for name, tag in one.names.items()]
            lines.append("    }")
    lines += ["", "", "CLASSES = {"] + [f'    "{one.word}": {one.name},' for one in formats]
    return "\n".join([*lines, "}", ""])


def stub(formats: list[Format]) -> str:
    lines = [HEAD, "from typing import Any, Generic, Iterator, Type, TypeVar", "", "from ._document import Document",
             "from ._fields import Node", "", 'T = TypeVar("T")', "", "class Items(Node, Generic[T]):",
             "    def __getitem__(self, step: int | str) -> T: ...", "    def __len__(self) -> int: ...",
             "    def __iter__(self) -> Iterator[T]: ..."]
    for one in formats:
        for part in one.classes:
            lines += ["", f"class {part.name}(Node):", *members(part.members)]
        known = {**one.members, **{name: one.members[tag] for name, tag in one.names.items()}}
        known = {name: kind for name, kind in known.items() if name not in taken()}
        lines += ["", f"class {one.name}(Document):", *members(known)]
    return "\n".join([*lines, "", "CLASSES: dict[str, Type[Document]]", ""])
