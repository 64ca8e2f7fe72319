"""Views of what the library holds: NumPy arrays where NumPy is there, else memoryviews. Nothing is copied."""
from __future__ import annotations

import ctypes
from typing import Any, Sequence

try:
    import numpy
except ImportError:  # pragma: no cover
    numpy = None  # type: ignore[assignment]

# By THAW_U8 and so on.
CODES: Any = ("B", "b", "H", "h", "I", "i", "Q", "q", "e", "f", "d")
SIZES = (1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8)
U8, U16, U32, F32 = 0, 2, 4, 9


def view(address: int, scalar: int, shape: Sequence[int], owner: Any) -> Any:
    """A read-only array of `scalar` at an address, which keeps `owner`."""
    count = 1
    for extent in shape:
        count *= extent
    size = count * SIZES[scalar]
    if not address or not size:
        if numpy is not None:
            return numpy.empty(tuple(shape), numpy.dtype(CODES[scalar]))
        return memoryview(b"")
    memory = (ctypes.c_ubyte * size).from_address(address)
    memory.owner = owner  # type: ignore[attr-defined]
    if numpy is None:
        return memoryview(memory).cast("B").cast(CODES[scalar], tuple(shape)).toreadonly()
    array = numpy.frombuffer(memory, numpy.dtype(CODES[scalar])).reshape(tuple(shape))
    array.flags.writeable = False
    return array


def rows(address: int, count: int, scalar: int, components: int, owner: Any) -> Any:
    """Keyframes: of each the frame and its numbers. Without NumPy the 32-bit words of all."""
    if numpy is None or not count:
        return view(address, U32, (count, 1 + components), owner)
    kind = numpy.dtype([("frame", "i4"), ("value", CODES[scalar], (components,))])
    words = view(address, U8, (count * (1 + components) * 4,), owner)
    return words.view(kind)
