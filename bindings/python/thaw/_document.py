"""Documents: files of any format, their fields, and what becomes of them."""
from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Iterator, Mapping, Optional, Union

from . import _interface as c
from ._arrays import U8, view
from ._fields import Node, Step, Table
from ._library import Error, Finding, Handle, about, call, checked, list_findings, take_blob, take_findings, text
from ._requests import Control, Layer, Path, Progress, Request, Sources, encoded
from ._scene import Scene


class Image:
    """A picture: R G B A, 8 bits each, straight alpha, the top row first. NumPy takes it as an array."""

    def __init__(self, pointer: int, findings: list[Finding]):
        self._handle = Handle(pointer, call.image_free)
        pixels = call.image_pixels(pointer).contents
        self.width: int = pixels.width
        self.height: int = pixels.height
        self._address: int = pixels.rgba or 0
        self.findings = findings

    @property
    def array(self) -> Any:
        """Height × width × 4, without a copy."""
        return view(self._address, U8, (self.height, self.width, 4), self._handle)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = self.array
        return array if dtype is None and not copy else array.astype(dtype or array.dtype)

    def png(self, level: int = 0) -> bytes:
        """A PNG file; `level` is 1 (fast) to 12 (small)."""
        return take_blob(checked(call.image_png, self._handle.pointer, level))

    def save(self, path: Path, overwrite: bool = False) -> None:
        """Writes a PNG file."""
        write_file(path, self.png(), overwrite)

    def __repr__(self) -> str:
        return f"<thaw.Image {self.width} × {self.height}>"


class Outputs(Mapping[str, bytes]):
    """What a file became: names to bytes, the first is what was asked for and others belong beside it."""

    def __init__(self, pointer: int, findings: list[Finding]):
        self.note: str = text(call.outputs_note(pointer))
        self.facts: dict[str, Any] = json.loads(text(call.outputs_json(pointer)))
        self.findings = findings
        self._files: dict[str, bytes] = {}
        size = ctypes.c_size_t()
        try:
            for index in range(call.outputs_count(pointer)):
                data = call.outputs_data(pointer, index, ctypes.byref(size))
                self._files[text(call.outputs_name(pointer, index))] = ctypes.string_at(data, size.value)
        finally:
            call.outputs_free(pointer)

    @property
    def data(self) -> bytes:
        """The file that was asked for."""
        return next(iter(self._files.values()))

    def save(self, path: Path, overwrite: bool = False) -> None:
        """Writes the first to a path and the others beside it."""
        folder = os.path.dirname(os.fspath(path))
        for number, (name, data) in enumerate(self._files.items()):
            write_file(os.path.join(folder, name) if number else path, data, overwrite)

    def __getitem__(self, name: str) -> bytes:
        return self._files[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __repr__(self) -> str:
        return f"<thaw.Outputs {', '.join(self)}: {self.note}>"


class Document:
    """A file of any format that thaw reads, with all of its bytes.

    Fields are reached in the file's own terms, `document.SEQS[0].name`, and under the names of the format's page,
    `document.sequences[0].name`; assigning to one is an edit. Edits are checked when the document is next looked at or saved.
    Close it, or use it in a `with`: afterwards it and what is in it raise ValueError. Arrays that were taken of it stay."""

    _FORMAT = ""
    _NAMES: Mapping[str, str] = {}

    def __init__(self, handle: Handle, sources: Optional[Sources] = None):
        self._handle: Optional[Handle] = handle
        self._editor: Optional[Handle] = None
        self._edits: list[tuple[Any, ...]] = []
        self._fields: Optional[Table] = None
        self._sources = sources

    # --- state

    def _current(self) -> Handle:
        """The document with all edits."""
        if self._handle is None:
            raise ValueError("the document is closed")
        if self._edits and self._editor is not None:
            self._handle = Handle(checked(call.editor_document, self._editor.pointer), call.document_free)
            self._edits = []
            self._fields = None
        return self._handle

    def _editing(self) -> Handle:
        if self._handle is None:
            raise ValueError("the document is closed")
        if self._editor is None:
            self._editor = Handle(checked(call.editor_new, self._handle.pointer), call.editor_free)
        return self._editor

    def _table(self) -> Table:
        handle = self._current()
        if self._fields is None:
            self._fields = Table(handle)
        return self._fields

    def close(self) -> None:
        """Gives its memory back, but for arrays that are still in use."""
        self._handle = self._editor = self._fields = None

    def __enter__(self) -> "Document":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what it is

    @property
    def name(self) -> str:
        """Its file's name."""
        return text(call.document_name(self._current().pointer))

    @property
    def format(self) -> str:
        """A stable word: "mdx"."""
        return text(self._identity().id)

    @property
    def format_name(self) -> str:
        """The same for people."""
        return text(self._identity().name)

    @property
    def dialect(self) -> str:
        """ "wc3" or "wow-alpha"; empty where a format has one. """
        return text(self._identity().dialect)

    @property
    def version(self) -> Optional[int]:
        """The format's version, if the file states one."""
        version = self._identity().version
        return None if version == c.THAW_NONE else version

    @property
    def converts_to(self) -> list[str]:
        """Words for `convert`, the usual first."""
        return text(self._identity().converts_to).split()

    def _identity(self) -> Any:
        return call.document_format(self._current().pointer).contents

    @property
    def findings(self) -> list[Finding]:
        """What was found while it was read."""
        return list_findings(call.document_findings(self._current().pointer))

    @property
    def facts(self) -> dict[str, Any]:
        """As `thaw info --json`: name, counts, clips in seconds, textures, bounds, picture."""
        return json.loads(take_blob(checked(call.document_facts, self._current().pointer)))

    def dependencies(self, *, sources: Optional[Union[Sources, Layer]] = None) -> list[dict[str, Any]]:
        """The files that it needs, as `thaw deps --json`: kind, path, by, state ("found", "missing", …), where."""
        request = self._request({}, sources)
        return json.loads(take_blob(request.run(call.document_dependencies, self._current().pointer)))

    def dump(self) -> dict[str, Any]:
        """All fields, as `thaw dump` prints them. `build` takes it back."""
        return from_json(take_blob(checked(call.document_dump, self._current().pointer)))

    # --- fields

    @property
    def fields(self) -> Node:
        """All of them."""
        return Node(self, (), self._table(), 0)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.fields, self._NAMES.get(name, name))

    def __getitem__(self, step: Step) -> Any:
        return self.fields[step]

    def __iter__(self) -> Iterator[str]:
        """The names of its parts: tags of chunks, members."""
        return iter(self.fields)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self.set(self._NAMES.get(name, name), value)

    def __setitem__(self, step: Step, value: Any) -> None:
        self.fields[step] = value

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._NAMES, *self.fields]

    def get(self, path: str) -> Any:
        """What stands at a path, "SEQS[0].name"; of a path with `*` a dict of paths and values."""
        found = from_json(take_blob(checked(call.editor_get, self._editing().pointer, path.encode())))
        return found if "*" in path else next(iter(found.values()))

    def set(self, path: str, value: Any) -> None:
        """Puts a value in place of what stands at each place of the path."""
        self._edit(call.editor_set, path.encode(), as_json(value))

    def add(self, path: str, value: Any) -> None:
        """Puts an item in front of the one at the path; "SEQS[+]" is the end."""
        self._edit(call.editor_add, path.encode(), as_json(value))

    def remove(self, path: str) -> None:
        """Takes away what stands at the path."""
        self._edit(call.editor_remove, path.encode())

    def edit(self, edit: str) -> None:
        """An edit as `thaw set` takes it: "SEQS[0].name=Walk", "copy SEQS[0] SEQS[+]"."""
        self._edit(call.editor_edit, edit.encode())

    def patch(self, patch: Any) -> None:
        """A JSON Patch (RFC 6902) of the dump."""
        self._edit(call.editor_patch, json.dumps(patch).encode())

    def undo(self) -> bool:
        """Takes the last edit back; False if there is none."""
        done = bool(call.editor_undo(self._editing().pointer))
        if done:
            self._edits.append(("undo",))
        return done

    def _edit(self, function: Any, *arguments: bytes) -> None:
        checked(function, self._editing().pointer, *arguments)
        self._edits.append((function, *arguments))

    # --- bytes

    def to_bytes(self) -> bytes:
        """The file's bytes: what was not changed is as it was read."""
        return take_blob(checked(call.document_write, self._current().pointer))

    def save(self, path: Path, overwrite: bool = False) -> None:
        """Writes the file. Raises Error write.exists unless `overwrite`."""
        document = self._current()
        try:
            checked(call.document_save, document.pointer, encoded(path), int(overwrite))
        except Error as error:
            raise about(path, error) from None

    # --- rules

    def validate(self, *, sources: Optional[Union[Sources, Layer]] = None, **options: Any) -> list[Finding]:
        """What rules find: `target` is "hive" (default), "game" or "strict", `kind` "unit", "building", …"""
        request = self._request(options, sources)
        return take_findings(request.run(call.document_validate, self._current().pointer))

    def fix(self, *, sources: Optional[Union[Sources, Layer]] = None, **options: Any) -> list[Finding]:
        """Changes what rules can change without changing what is seen; with `fix="all"` more.

        Returns what was done and, as warnings, what was not."""
        request = self._request(options, sources)
        changes = ctypes.c_void_p()
        fixed = request.run(call.document_fix, self._current().pointer, after=(ctypes.byref(changes),))
        self._handle = Handle(fixed, call.document_free)
        self._editor = self._fields = None
        return take_findings(changes.value)

    # --- what becomes of it

    def convert(self, to: Path, *, name: Optional[str] = None, overwrite: bool = False,
                sources: Optional[Union[Sources, Layer]] = None, control: Optional[Control] = None,
                progress: Optional[Progress] = None, onto: Optional["Document"] = None,
                network: Optional["Document"] = None, **options: Any) -> Outputs:
        """What `thaw convert` makes. `to` is a word of `converts_to`, or a path whose extension is one: it is then written.

        Options are those of the command: scale=1, team_color=3, profile="rich", collision=True."""
        word = os.fspath(to)
        path = word if os.path.splitext(word)[1] else None
        if path is not None:
            name = name or os.path.basename(path)
            word = os.path.splitext(path)[1][1:].lower()
        request = self._request(options, sources, control, progress, onto, network)
        made = Outputs(request.run(call.convert, self._current().pointer, word.encode(),
                                   name.encode() if name else None), request.findings)
        made.findings = request.findings
        if path:
            made.save(path, overwrite)
        return made

    def scene(self, *, sources: Optional[Union[Sources, Layer]] = None, control: Optional[Control] = None,
              progress: Optional[Progress] = None, network: Optional["Document"] = None, **options: Any) -> Scene:
        """What it shows: meshes, skins, materials, pictures, clips; metres, seconds, Y up."""
        request = self._request(options, sources, control, progress, None, network)
        return Scene(request.run(call.document_scene, self._current().pointer), request.findings)

    def render(self, *, sources: Optional[Union[Sources, Layer]] = None, control: Optional[Control] = None,
               progress: Optional[Progress] = None, network: Optional["Document"] = None, **options: Any) -> Image:
        """What `thaw render` draws: size="256x256", clip="Walk", time="50%", camera="left", background="transparent"."""
        request = self._request(options, sources, control, progress, None, network)
        return Image(request.run(call.render, self._current().pointer), request.findings)

    def image(self, **options: Any) -> Image:
        """The pixels of a texture; max_size=256 reduces it."""
        request = self._request(options)
        return Image(request.run(call.document_image, self._current().pointer), request.findings)

    def _request(self, options: Mapping[str, Any], sources: Any = None, *others: Any) -> Request:
        return Request(options, self._sources if sources is None else sources, *others)

    def __repr__(self) -> str:
        if self._handle is None:
            return "<thaw.Document: closed>"
        counts = [f"{kind} × {count}" for kind, count in self.facts["counts"].items() if count]
        version = "" if self.version is None else f" {self.version}"
        return f"<thaw.Document {self.name}: {self.format_name}{version}; {', '.join(counts[:4])}{', …' if counts[4:] else ''}>"


def from_json(data: bytes) -> Any:
    """Values of JSON; -0 keeps its sign, which Python's integers have not."""
    return json.loads(data, parse_int=lambda digits: -0.0 if digits == "-0" else int(digits))


def as_json(value: Any) -> bytes:
    """JSON of a value; arrays of NumPy are lists."""
    return json.dumps(value, default=lambda one: one.tolist() if hasattr(one, "tolist") else list(one)).encode()


def write_file(path: Path, data: bytes, overwrite: bool) -> None:
    try:
        checked(call.write_file, encoded(path), data, len(data), int(overwrite))
    except Error as error:
        raise about(path, error) from None


def open(file: Union[Path, bytes, bytearray, memoryview], name: Optional[str] = None, *, strict: bool = False,
         sources: Optional[Union[Sources, Layer]] = None, control: Optional[Control] = None,
         progress: Optional[Progress] = None, encoding_of_names: Optional[str] = None) -> Document:
    """Reads a file of any format: a path, or bytes with the name that they go by.

    Damaged parts are kept and reported in `findings`; with `strict` the first is raised. What the file names is looked for in
    its folder, in the game's folders above, and in `sources`. `encoding_of_names` states the code page of its names."""
    kept = sources if sources is None or isinstance(sources, Sources) else Sources(sources)
    # A request takes longer than a small model.
    plain = not strict and control is None and progress is None and encoding_of_names is None
    options = {"strict": strict, "encoding-of-names": encoding_of_names}
    run = checked if plain else Request(options, None, control, progress).run
    given = (None,) if plain else ()
    if isinstance(file, (str, os.PathLike)):
        try:
            pointer = run(call.open, encoded(file), *given)
        except Error as error:
            raise about(file, error) from None
    else:
        data = file if isinstance(file, bytes) else bytes(file)
        pointer = run(call.open_bytes, data, len(data), (name or "").encode(), *given)
    return document_of(Handle(pointer, call.document_free), kept)


def build(dump: Any, name: str = "") -> Document:
    """The document of a dump, which may have been changed."""
    source = dump if isinstance(dump, str) else json.dumps(dump)
    return document_of(Handle(checked(call.build, source.encode(), name.encode()), call.document_free), None)


def document_of(handle: Handle, sources: Optional[Sources]) -> Document:
    from .formats import CLASSES
    word = text(call.document_format(handle.pointer).contents.id)
    return CLASSES.get(word, Document)(handle, sources)


__all__ = ["Document", "Error", "Image", "Outputs", "build", "open"]
