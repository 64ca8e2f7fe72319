"""The shared library: loaded once, its functions with their types, its errors as exceptions."""
from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any, NamedTuple, Optional

from . import _interface as c

_HERE = Path(__file__).resolve().parent


def _load() -> ctypes.CDLL:
    """THAW_LIBRARY names another library than the one of the package."""
    stated = os.environ.get("THAW_LIBRARY")
    if stated:
        return ctypes.CDLL(stated)
    # What it needs lies beside it and is found by its name once it is loaded.
    waiting = sorted((_HERE / "_libraries").glob("*"))
    while waiting:
        left = []
        for path in waiting:
            try:
                ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
            except OSError:
                left.append(path)
        if len(left) == len(waiting):
            break
        waiting = left
    return ctypes.CDLL(str(_HERE / ("thaw.dll" if os.name == "nt" else "libthaw.so")))


_library = _load()


class _Functions:
    """Each function of the interface, without its prefix."""

    def __init__(self) -> None:
        for name, (result, arguments) in c.FUNCTIONS.items():
            function = getattr(_library, name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name[len("thaw_"):], function)


call: Any = _Functions()
if call.interface() != c.THAW_INTERFACE:
    raise ImportError(f"thaw: the library has interface {call.interface()}, the package needs {c.THAW_INTERFACE}; install both of one version")


class Finding(NamedTuple):
    """Something about one place of a file.

    `severity` is "info", "unused", "warning", "severe" or "error"; `offset` counts bytes from the start of the file and is
    None for what has no single place; `path` is that of the field, "" for the whole file."""

    code: str
    severity: str
    path: str
    message: str
    offset: Optional[int]
    fixable: bool

    def __str__(self) -> str:
        place = f" [{self.path}]" if self.path else ""
        return f"{self.severity} {self.code}: {self.message}{place}"


SEVERITIES = ("info", "unused", "warning", "severe", "error")


class Error(Exception):
    """Why there is no result: `code` is stable ("format.unknown"), `message` is for people."""

    def __init__(self, finding: Finding):
        super().__init__(f"{finding.code}: {finding.message}" + (f" [{finding.path}]" if finding.path else ""))
        self.code = finding.code
        self.message = finding.message
        self.path = finding.path
        self.offset = finding.offset


class Stopped(Error):
    """The work was stopped by its Control."""


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode("utf-8", "replace")


def finding_of(view: Any) -> Finding:
    offset = None if view.offset == c.THAW_NO_OFFSET else view.offset
    return Finding(text(view.code), SEVERITIES[view.severity], text(view.path), text(view.message), offset, bool(view.fixable))


class Handle:
    """Owns what a function made, and frees it when the last who needs it is gone."""

    __slots__ = ("pointer", "_free", "_owner", "__weakref__")

    def __init__(self, pointer: int, free: Any, owner: Any = None):
        self.pointer = pointer
        self._free = free
        self._owner = owner

    def __del__(self) -> None:
        if self.pointer:
            self._free(self.pointer)
            self.pointer = 0


def checked(function: Any, *arguments: Any) -> Any:
    """The result of a function whose last argument takes an error, which is raised."""
    error = ctypes.POINTER(c.thaw_finding)()
    result = function(*arguments, ctypes.byref(error))
    if not result:
        finding = finding_of(error.contents)
        call.error_free(error)
        raise Stopped(finding) if finding.code == "limit.stopped" else Error(finding)
    return result


def about(path: Any, error: Error) -> Error:
    """The error of a file, which it names."""
    finding = Finding(error.code, "error", error.path, f"{os.fspath(path)}: {error.message}", error.offset, False)
    return type(error)(finding)


def take_blob(pointer: int) -> bytes:
    """The bytes of a blob, which is freed."""
    try:
        return ctypes.string_at(call.blob_data(pointer), call.blob_size(pointer))
    finally:
        call.blob_free(pointer)


def take_findings(pointer: Optional[int]) -> list[Finding]:
    """Findings, which are freed."""
    if not pointer:
        return []
    try:
        return list_findings(pointer)
    finally:
        call.findings_free(pointer)


def list_findings(pointer: int) -> list[Finding]:
    return [finding_of(call.findings_at(pointer, index).contents) for index in range(call.findings_count(pointer))]
