"""thaw reads the 3D formats that games left behind, keeps every byte, says what is wrong, and turns them into glTF and PNG.

>>> import thaw
>>> model = thaw.open(SAMPLES / "knight.mdx")
>>> model
<thaw.Document knight.mdx: Warcraft III model (MDX) 800; geoset × 4, vertex × 2929, triangle × 4296, material × 4, …>
>>> [clip.name for clip in model.sequences]
['Stand', 'Walk', 'Attack', 'Death', 'Portrait']

Fields have the names of the file's format; assigning to one is an edit.

>>> model.SEQS["Walk"].moveSpeed
180.0
>>> model.sequences[0].name = "Stand Ready"
>>> model.get("SEQS[*].name")["SEQS[0].name"]
'Stand Ready'
>>> model.sequences[0].name = "x" * 100
>>> model.to_bytes()
Traceback (most recent call last):
thaw.Error: build.value: the string has 100 bytes; its field has 80 [SEQS[0].name]
>>> model.undo()
True
>>> thaw.open(model.to_bytes(), "copy.mdx").sequences[0]
<SEQS[0] 'Stand Ready': name, start, end, moveSpeed, flags, rarity, syncPoint, extent>

What the command does:

>>> [finding.code for finding in model.validate(target="game")][:2]
['mdx.geoset-unused-vertices', 'mdx.geoset-unused-vertices']
>>> model.convert("glb", team_color="blue")
<thaw.Outputs knight.glb: 5 clips>
>>> model.render(size="64x48", background="transparent")
<thaw.Image 64 × 48>
>>> scene = model.scene()
>>> scene.meshes[0], scene.clips["Walk"]
(<Mesh 'Geoset 0': 2442 vertices, 3530 triangles>, <Clip 'Walk': 0.8 s, 17 channels>)
>>> thaw.options()["convert"]["team_color"]
'0 to 23, a name, #RRGGBB or all'

A document that is closed raises; arrays that were taken of it stay.

>>> model.close()
>>> model.sequences
Traceback (most recent call last):
ValueError: the document is closed
"""
from __future__ import annotations

from . import _library
from ._document import Document, Image, Outputs, build, open
from ._library import Error, Finding, Stopped
from ._requests import Archive, Control, Sources
from ._scene import Scene

__version__: str = _library.text(_library.call.version())


def options() -> dict[str, dict[str, str]]:
    """The options of convert (and scene), render and validate: what each takes, by name."""
    import ctypes
    values, group = ctypes.c_char_p(), ctypes.c_char_p()
    found: dict[str, dict[str, str]] = {}
    number = 0
    while name := _library.call.option_name(number, ctypes.byref(values), ctypes.byref(group)):
        found.setdefault(_library.text(group.value), {})[name.decode().replace("-", "_")] = _library.text(values.value)
        number += 1
    return found


__all__ = ["Archive", "Control", "Document", "Error", "Finding", "Image", "Outputs", "Scene", "Sources", "Stopped", "build",
           "open", "options"]

for _name in __all__:
    globals()[_name].__module__ = __name__
