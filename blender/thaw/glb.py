"""GLB files as JSON and bytes. No part of Blender is needed here."""

import json
import struct

import numpy

_MAGIC, _JSON, _BINARY = 0x46546C67, 0x4E4F534A, 0x004E4942
_FLOAT = 5126
_TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


class Glb:
    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        size = struct.unpack_from("<I", content, 12)[0]
        self.json = json.loads(content[20:20 + size])
        self.binary = bytearray(content[28 + size:])

    def save(self, path):
        self.binary += b"\0" * (-len(self.binary) % 4)
        if self.binary:
            self.json["buffers"] = [{"byteLength": len(self.binary)}]
        text = json.dumps(self.json, ensure_ascii=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), _JSON) + text
        if self.binary:
            chunks += struct.pack("<II", len(self.binary), _BINARY) + bytes(self.binary)
        with open(path, "wb") as file:
            file.write(struct.pack("<III", _MAGIC, 2, 12 + len(chunks)) + chunks)

    def add_floats(self, values, bounds=False):
        """A new accessor of rows of one, three or four numbers."""
        values = numpy.ascontiguousarray(values, dtype=numpy.float32)
        width = 1 if values.ndim == 1 else values.shape[1]
        self.binary += b"\0" * (-len(self.binary) % 4)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": values.nbytes}
        self.binary += values.tobytes()
        self.json.setdefault("bufferViews", []).append(view)
        accessor = {"bufferView": len(self.json["bufferViews"]) - 1, "componentType": _FLOAT, "count": len(values),
                    "type": _TYPES[width]}
        if bounds:
            accessor["min"], accessor["max"] = [float(values.min())], [float(values.max())]
        self.json.setdefault("accessors", []).append(accessor)
        return len(self.json["accessors"]) - 1


def kept(part):
    """What thaw keeps of a part of a file: extras.thaw, which is a text for Blender."""
    text = (part.get("extras") or {}).get("thaw")
    return json.loads(text) if isinstance(text, str) else text or {}


def kept_property(data):
    """The same of a custom property."""
    try:
        return json.loads(data.get("thaw", "{}"))
    except (TypeError, ValueError):
        return {}


def text_of(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
