"""What calls are given: options, sources, progress and an end."""
from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Optional, Union

from . import _interface as c
from ._library import Finding, Handle, call, checked, take_blob, take_findings

if TYPE_CHECKING:
    from ._document import Document

Progress = Callable[[str, int, int], Any]
Path = Union[str, "os.PathLike[str]"]


def encoded(path: Path) -> bytes:
    return os.fspath(path).encode("utf-8", "surrogateescape")


class Control:
    """Progress of a call, and an end to it.

    `progress(stage, done, total)` is called on the thread that works; `total` is 0 where it is not known. An exception in it
    stops the work and comes out of the call; so does Ctrl-C. `stop()` may be called from any thread: the call then raises
    `Stopped`. What was stopped stays so."""

    def __init__(self, progress: Optional[Progress] = None):
        self._raised: Optional[BaseException] = None

        def hear(_user: Any, stage: bytes, done: int, total: int) -> int:
            try:
                if progress is not None:
                    progress(stage.decode(), done, total)
                return 0
            except BaseException as error:  # noqa: BLE001 - it is raised again by the call
                self._raised = error
                return 1

        self._hear = c.thaw_progress(hear)
        self._handle = Handle(checked(call.control_new, self._hear, None), call.control_free, self._hear)

    def stop(self) -> None:
        call.control_stop(self._handle.pointer)


class Archive(Mapping[str, bytes]):
    """An archive: MPQ archives and maps, packs of Forgelight, folders of installations. A mapping of names to files.

    `encoding_of_names` states the code page of an MPQ archive's names, which is guessed without it; a guess is in
    `findings`."""

    def __init__(self, archive: Union[Path, bytes, bytearray, memoryview], *, encoding_of_names: Optional[str] = None):
        request = Request({"encoding-of-names": encoding_of_names})
        if isinstance(archive, (str, os.PathLike)):
            self.name = os.fspath(archive)
            pointer = request.run(call.archive_open_with, encoded(archive))
        else:
            data = bytes(archive)
            self.name = "archive"
            pointer = request.run(call.archive_open_bytes_with, data, len(data))
        self.findings = request.findings
        self.encoding_of_names = encoding_of_names
        self._handle: Optional[Handle] = Handle(pointer, call.archive_free)

    def _open(self) -> int:
        if self._handle is None:
            raise ValueError("the archive is closed")
        return self._handle.pointer

    def __getitem__(self, name: str) -> bytes:
        from ._library import Error
        try:
            return take_blob(checked(call.archive_read, self._open(), name.encode()))
        except Error as error:
            if error.code == "input.unreadable":
                raise KeyError(name) from None
            raise

    def __iter__(self) -> Iterator[str]:
        return (call.archive_name(self._open(), index).decode("utf-8", "replace") for index in range(len(self)))

    def __len__(self) -> int:
        return call.archive_count(self._open())

    def open(self, name: str, **how: Any) -> "Document":
        """The document of a file, which finds what it needs in the archive."""
        from ._document import open as open_document
        how.setdefault("encoding_of_names", self.encoding_of_names)
        return open_document(self[name], name=name, sources=Sources(self), **how)

    def close(self) -> None:
        self._handle = None

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<thaw.Archive {self.name}: closed>" if self._handle is None else f"<thaw.Archive {self.name}: {len(self)} files>"


Layer = Union[Path, Archive, Mapping[str, bytes], Callable[[str], Optional[bytes]]]


class Sources:
    """Where the files are that documents name: folders, archives, mappings of names to bytes, functions from a name to bytes
    or None. Names are in lower case with `/`. Of several layers the last that has a name counts."""

    def __init__(self, *layers: Layer):
        self._handle = Handle(checked(call.sources_new), call.sources_free)
        self._kept: list[Any] = []
        for layer in layers:
            self.add(layer)

    def add(self, layer: Layer) -> None:
        if isinstance(layer, Archive):
            checked(call.sources_add_archive, self._handle.pointer, layer._open())
        elif isinstance(layer, (str, os.PathLike)):
            checked(call.sources_add_folder, self._handle.pointer, encoded(layer))
        elif isinstance(layer, Mapping):
            by_name = {name.replace("\\", "/").lower(): data for name, data in layer.items()}
            self._add_function(by_name.get)
        else:
            self._add_function(layer)

    def _add_function(self, function: Callable[[str], Optional[bytes]]) -> None:
        given: dict[int, Any] = {}  # until it is released

        def read(_user: Any, name: bytes, size: Any) -> int:
            data = function(name.decode("utf-8", "replace"))
            if data is None:
                return 0
            buffer = ctypes.create_string_buffer(bytes(data), len(data) or 1)
            given[ctypes.addressof(buffer)] = buffer
            size[0] = len(data)
            return ctypes.addressof(buffer)

        def release(_user: Any, data: int, _size: int) -> None:
            given.pop(data, None)

        source = c.thaw_source(ctypes.sizeof(c.thaw_source), None)
        source.read = type(source.read)(read)
        source.release = type(source.release)(release)
        self._kept.append((source, source.read, source.release))
        self._handle._owner = self._kept
        checked(call.sources_add_callbacks, self._handle.pointer, ctypes.byref(source))

    def read(self, name: str) -> bytes:
        """The file of a name. Raises Error input.unreadable if no layer has it."""
        return take_blob(checked(call.sources_read, self._handle.pointer, name.encode()))


def stated(options: Mapping[str, Any]) -> list[tuple[bytes, bytes]]:
    """Options as the command's: team_color=3 is --team-color 3, collision=True is on, a list is several."""
    result = []
    for name, value in options.items():
        for one in value if isinstance(value, (list, tuple)) else (value,):
            if one is not None:
                text = ("on" if one else "off") if isinstance(one, bool) else str(one)
                result.append((name.replace("_", "-").encode(), text.encode()))
    return result


class Request:
    """The struct of a call, with all that it points to. `findings` has what was found, when the call is over."""

    def __init__(self, options: Mapping[str, Any], sources: Optional[Union[Sources, Layer]] = None,
                 control: Optional[Control] = None, progress: Optional[Progress] = None,
                 onto: Optional["Document"] = None, network: Optional["Document"] = None):
        given = stated(options)
        self._options = (c.thaw_option * len(given))(*(c.thaw_option(*one) for one in given))
        self._sources = sources if sources is None or isinstance(sources, Sources) else Sources(sources)
        self._control = control or Control(progress)
        self._kept = [None if one is None else one._current() for one in (onto, network)]
        self._found = ctypes.c_void_p()
        self.struct = c.thaw_request(
            ctypes.sizeof(c.thaw_request), self._options, len(given),
            None if self._sources is None else self._sources._handle.pointer, self._control._handle.pointer,
            *(None if one is None else one.pointer for one in self._kept), ctypes.pointer(self._found))
        self.findings: list[Finding] = []

    def run(self, function: Any, *before: Any, after: tuple[Any, ...] = ()) -> Any:
        """Calls a function with the request between its other arguments."""
        try:
            return checked(function, *before, ctypes.byref(self.struct), *after)
        except Exception:
            if self._control._raised is not None:
                raise self._control._raised from None
            raise
        finally:
            self.findings = take_findings(self._found.value)
