"""The fields of a document by name and number, in the file's own terms: `document.SEQS[0].name`."""
from __future__ import annotations

import ctypes
import struct
from typing import TYPE_CHECKING, Any, Iterator, Union

from . import _arrays
from . import _interface as c
from ._library import Handle, call, checked

if TYPE_CHECKING:
    from ._document import Document

Step = Union[str, int]
LONGEST_TUPLE = 16  # what has more numbers is an array, as the heights of a tile


def decoded(data: bytes) -> str:
    """Text up to its NUL; what is not UTF-8 is Windows-1252, as everywhere in thaw."""
    data = data.split(b"\0", 1)[0]
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


class Table:
    """All fields of one state of a document."""

    def __init__(self, document: Handle):
        self.handle = Handle(checked(call.document_fields, document.pointer), call.fields_free)
        count, stride = ctypes.c_size_t(), ctypes.c_size_t()
        first = call.fields_all(self.handle.pointer, ctypes.byref(count), ctypes.byref(stride))
        self._first = ctypes.addressof(first.contents)
        self._stride = stride.value
        self._children: dict[int, dict[str, int]] = {}
        self._items: dict[int, list[int]] = {}

    def at(self, index: int) -> c.thaw_field:
        return c.thaw_field.from_address(self._first + index * self._stride)

    def items(self, index: int) -> list[int]:
        """The fields that are directly in one."""
        known = self._items.get(index)
        if known is None:
            known, child = [], index + 1
            if self.at(index).kind in (c.THAW_OBJECT, c.THAW_LIST) and self.at(index).count:
                while child != c.THAW_NONE:
                    known.append(child)
                    child = self.at(child).next
            self._items[index] = known
        return known

    def named(self, index: int) -> dict[str, int]:
        """The same by name; of several of one name the first, and the others as NAME#2."""
        known = self._children.get(index)
        if known is None:
            known = {}
            for child in self.items(index):
                name = self.at(child).name.decode()
                number, label = 1, name
                while label in known:
                    number += 1
                    label = f"{name}#{number}"
                known[label] = child
            self._children[index] = known
        return known

    def content(self, index: int) -> int:
        """Of a chunk the list of its items, else the field itself."""
        return self.named(index).get("items", index) if self.at(index).kind == c.THAW_OBJECT else index

    def find(self, index: int, step: Step) -> int:
        """What a name or a number leads to; -1 if that is nothing."""
        if isinstance(step, int):
            items = self.items(self.content(index))
            return items[step] if -len(items) <= step < len(items) else -1
        names = self.named(index)
        if step in names:
            return names[step]
        if "chunks" in names:
            return self.named(names["chunks"]).get(step, -1)
        if self.at(self.content(index)).kind == c.THAW_LIST:
            for item in self.items(self.content(index)):
                if self.at(item).name == step.encode() or self.label(item) == step:
                    return item
        return -1

    def label(self, index: int) -> str:
        """What an item calls itself, or nothing."""
        for names in (self.named(index), self.named(self.named(index).get("node", index))):
            name = names.get("name")
            if name is not None and self.at(name).kind == c.THAW_TEXT:
                return decoded(ctypes.string_at(self.at(name).data, self.at(name).bytes))
        return ""

    def value(self, index: int) -> Any:
        """The value of what is neither an object nor a list."""
        field = self.at(index)
        if field.kind in (c.THAW_TEXT, c.THAW_TAG):
            data = ctypes.string_at(field.data, field.bytes)
            return decoded(data) if field.kind == c.THAW_TEXT else data.decode("latin-1")
        if field.kind == c.THAW_ROWS:
            return _arrays.rows(field.data, field.count, field.scalar, field.components, self.handle)
        if field.array or field.kind == c.THAW_RAW:
            shape = (field.count, field.components) if field.components > 1 else (field.count,)
            return _arrays.view(field.data, field.scalar, shape, self.handle)
        if field.components > LONGEST_TUPLE:
            return _arrays.view(field.data, field.scalar, (field.components,), self.handle)
        numbers = struct.unpack(f"={field.components}{_arrays.CODES[field.scalar]}", ctypes.string_at(field.data, field.bytes))
        return numbers[0] if field.components == 1 else numbers


class Node:
    """An object or a list of a document. It follows the document's edits; once the document is closed, it raises."""

    __slots__ = ("_document", "_steps", "_table", "_index")
    _document: Document
    _steps: tuple[Step, ...]

    def __init__(self, document: Document, steps: tuple[Step, ...], table: Table, index: int):
        for name, value in (("_document", document), ("_steps", steps), ("_table", table), ("_index", index)):
            object.__setattr__(self, name, value)

    def _place(self) -> tuple[Table, int]:
        table = self._document._table()
        if table is not self._table:
            index = 0
            for step in self._steps:
                index = table.find(index, step)
                if index < 0:
                    raise LookupError(f"{self} no longer exists in the document")
            object.__setattr__(self, "_table", table)
            object.__setattr__(self, "_index", index)
        return table, self._index

    def __str__(self) -> str:
        """The path, as `Document.get` and findings have it: SEQS[0]."""
        text = ""
        for step in self._steps:
            text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
        return text

    def _child(self, step: Step) -> Any:
        table, index = self._place()
        child = table.find(index, step)
        if child < 0:
            return None
        if table.at(child).kind in (c.THAW_OBJECT, c.THAW_LIST):
            if isinstance(step, str) and not self._named(table, index, step):
                step = table.items(table.content(index)).index(child)
            return Node(self._document, (*self._steps, step), table, child)
        return table.value(child)

    @staticmethod
    def _named(table: Table, index: int, step: str) -> bool:
        names = table.named(index)
        return step in names or step in (table.named(names["chunks"]) if "chunks" in names else ())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self._child(name)
        if found is None:
            raise AttributeError(f"{str(self) or self._document.name} has no {name}; it has {', '.join(self)}")
        return found

    def __getitem__(self, step: Step) -> Any:
        found = self._child(step)
        if found is None:
            raise (IndexError if isinstance(step, int) else KeyError)(f"{self} has no {step!r}")
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        self._document.set(f"{self}.{name}" if self._steps else name, value)

    def __setitem__(self, step: Step, value: Any) -> None:
        self._document.set(f"{self}[{step}]" if isinstance(step, int) else f"{self}.{step}", value)

    def __len__(self) -> int:
        table, index = self._place()
        return len(table.items(table.content(index)))

    def __iter__(self) -> Iterator[Any]:
        """The items of a list or chunk, the names of an object's members."""
        table, index = self._place()
        if table.at(table.content(index)).kind == c.THAW_LIST:
            return (self[number] for number in range(len(self)))
        names = list(table.named(index))
        if "chunks" in names:
            names = [name for name in names if name != "chunks"] + list(table.named(table.named(index)["chunks"]))
        return iter(names)

    def __dir__(self) -> list[str]:
        table, index = self._place()
        return list(table.named(index))

    def __repr__(self) -> str:
        table, index = self._place()
        if table.at(table.content(index)).kind == c.THAW_LIST:
            return f"<{self}: {len(self)} items>"
        label = table.label(index)
        return f"<{self}{' ' + repr(label) if label else ''}: {', '.join(str(name) for name in self)}>"
