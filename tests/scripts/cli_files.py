"""cli_files.py DIR: writes the small files that the tests of the command work on."""

import pathlib
import struct
import sys


def text(value, size):
    return value.encode("latin-1").ljust(size, b"\0")


def chunk(tag, payload):
    return tag.encode() + struct.pack("<I", len(payload)) + payload


def sized(payload):
    return struct.pack("<I", len(payload) + 4) + payload


def counted(tag, code, values):
    return tag.encode() + struct.pack("<I", len(values)) + struct.pack(f"<{len(values)}{code}", *values)


EXTENT = struct.pack("<7f", 60, -50, -40, 0, 50, 40, 100)


def vectors(tag, rows):
    flat = [x for row in rows for x in row]
    return tag.encode() + struct.pack("<I", len(rows)) + struct.pack(f"<{len(flat)}f", *flat)


def geoset():
    """One triangle on one bone."""
    body = vectors("VRTX", [(-50, -40, 0), (50, -40, 0), (0, 40, 100)])
    body += vectors("NRMS", [(0, 0, 1)] * 3)
    body += counted("PTYP", "I", [4]) + counted("PCNT", "I", [3]) + counted("PVTX", "H", [0, 1, 2])
    body += counted("GNDX", "B", [0, 0, 0]) + counted("MTGC", "I", [1]) + counted("MATS", "I", [0])
    body += struct.pack("<iII", 0, 0, 0) + EXTENT + struct.pack("<I", 0)
    body += b"UVAS" + struct.pack("<I", 1) + vectors("UVBS", [(0, 0), (1, 0), (0, 1)])
    return sized(body)


def bone():
    keys = b"".join(struct.pack("<i3f", frame, 0, 0, height) for frame, height in ((0, 0), (500, 20), (1000, 0)))
    track = b"KGTR" + struct.pack("<IIi", 3, 1, -1) + keys
    node = sized(text("Root", 80) + struct.pack("<iiI", 0, -1, 0x100) + track)
    return node + struct.pack("<ii", 0, -1)


def model(name="Tiny", clips=(("Stand", 0, 1000), ("Death", 1500, 2000)), texture="Textures\\Skin.tga", version=800):
    sequences = b"".join(
        text(clip, 80) + struct.pack("<IIfIfI", start, end, 0, 0, 0, 0) + EXTENT for clip, start, end in clips
    )
    layer = sized(struct.pack("<IIiiIf", 0, 0, 0, -1, 0, 1.0))
    return (
        b"MDLX"
        + chunk("VERS", struct.pack("<I", version))
        + chunk("MODL", text(name, 80) + text("", 260) + EXTENT + struct.pack("<I", 150))
        + chunk("SEQS", sequences)
        + chunk("TEXS", struct.pack("<I", 0) + text(texture, 260) + struct.pack("<I", 0))
        + chunk("MTLS", sized(struct.pack("<iI", 0, 0) + b"LAYS" + struct.pack("<I", 1) + layer))
        + chunk("GEOS", geoset())
        + chunk("BONE", bone())
        + chunk("PIVT", struct.pack("<3f", 0, 0, 0))
    )


def tga(width, height):
    header = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, width, height, 24, 0x20)
    return header + bytes((x * 7 + y * 13 + c * 50) % 256 for y in range(height) for x in range(width) for c in range(3))


FILES = {
    "models/tiny.mdx": model(),
    "models/sub/Other.MDX": model("Other", (("Walk", 0, 1000),)),
    "models/textures/SKIN.TGA": tga(8, 4),
    # The same name twice: both become picture.png.
    "pictures/picture.tga": tga(4, 4),
    "pictures/deep/picture.tga": tga(2, 2),
    "pictures/picture.TGA": tga(3, 3),
    "pictures/notes.txt": b"no model and no picture\n",
    "broken/truncated.mdx": model()[:-40],
    "broken/garbage.mdx": b"\x01\x02\x03 this is nothing at all",
    "broken/empty.mdx": b"",
    "foreign/m2.mdx": b"MD20" + struct.pack("<I", 256) + bytes(100),
    "foreign/md21.mdx": b"MD21" + bytes(100),
    "foreign/starcraft.m3": b"33DM" + bytes(100),
    "foreign/wow.m3": b"M3DT" + bytes(100),
    "foreign/archive.mpq": b"MPQ\x1a" + bytes(100),
    "foreign/map.w3x": b"HM3W" + bytes(100),
    "foreign/text.mdl": b"// made by hand\nVersion {\n\tFormatVersion 800,\n}\n",
    "foreign/quake.mdl": b"IDPO" + bytes(100),
    "foreign/source.mdl": b"IDST" + bytes(100),
    "foreign/page.mdx": b"import Chart from './chart'\n\n# Title\n",
    "foreign/front.mdx": b"---\ntitle: x\n---\n",
    "foreign/music.mdx": b"A title\r\n\x1aSAMPLES\0" + bytes(range(1, 60)),
    "foreign/scene.glb": b"glTF" + struct.pack("<II", 2, 12),
    "foreign/photo.jpg": b"\xff\xd8\xff\xe0" + bytes(30),
    "foreign/map.wdt": b"REVM" + struct.pack("<II", 4, 18) + b"DHPM" + bytes(40),
    "foreign/alpha.mdx": b"MDLX" + chunk("VERS", struct.pack("<I", 1300)) + chunk("MODL", bytes(373)),
}

root = pathlib.Path(sys.argv[1])
for name, content in FILES.items():
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
