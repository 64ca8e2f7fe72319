"""Files of the formats and versions that no sample has: tiles and later buildings, which thaw makes of samples, and small
ones that are written here byte by byte."""

import struct
import subprocess
from pathlib import Path


def tga(path, kind, pixels, extension):
    """4 × 2 pixels of 24 bits, in a file with everything that may stand behind them."""
    name = b"four by two"
    head = struct.pack("<BBBHHBHHHHBB", len(name), 0, kind, 0, 0, 0, 0, 0, 4, 2, 24, 0x20) + name
    body = head + pixels
    at = 0
    if extension:
        at = len(body)
        date = struct.pack("<6H", 11, 21, 2026, 12, 30, 0)
        body += struct.pack("<H", 495) + b"nobody".ljust(41, b"\0") + bytes(324) + date + bytes(41) + bytes(6)
        body += b"thaw".ljust(41, b"\0") + struct.pack("<HcI4H", 100, b"a", 0, 1, 1, 22, 10) + bytes(12) + b"\3"
    body += struct.pack("<II", at, 0) + b"TRUEVISION-XFILE.\0"
    path.write_bytes(body)


def dds(path):
    """2 × 2 pixels, with the header that came later."""
    head = struct.pack("<4sIIIIIII44x", b"DDS ", 124, 0x1007, 2, 2, 8, 0, 1)
    head += struct.pack("<II4sIIIII", 32, 4, b"DX10", 0, 0, 0, 0, 0) + struct.pack("<IIIII", 0x1000, 0, 0, 0, 0)
    path.write_bytes(head + struct.pack("<IIIII", 28, 3, 0, 1, 0) + bytes(range(16)))


def marker(i):
    return struct.pack("<iI", i * 90, 0xFF000000 | i * 257)


def values(version, tracks, seed):
    """What a light says: counts, colours over the day, and what its version has behind them."""
    data = struct.pack(f"<{tracks}i", *[1 + (seed + i) % 32 for i in range(tracks)])
    data += b"".join(marker(i + seed) for i in range(32 * tracks))
    data += struct.pack("<64f", *[i * 0.5 + seed for i in range(64)])
    if version != 2:
        data += struct.pack("<i128fi", 1, *[i * 0.25 for i in range(128)], 7)
    if version == 0x80000005:
        data += struct.pack("<40f", *range(40))
    return data


def lights(folder):
    numbers = struct.pack("<3i4f", -1, -1, -1, 1.5, 2.5, 3.5, 100)
    name = b"light".ljust(32, b"\0")
    old = struct.pack("<Ii", 2, -1) + numbers + name + struct.pack("<I", 9) + bytes(range(60))
    (folder / "old.lit").write_bytes(old + values(2, 9, 0) + values(2, 9, 1))
    two = b"".join(numbers + struct.pack("<f", 40 + i) + name for i in range(2))
    sets = b"".join(values(0x80000003, 14, i) for i in range(8))
    (folder / "two.lit").write_bytes(struct.pack("<Ii", 0x80000003, 2) + two + sets)
    (folder / "alone.lit").write_bytes(struct.pack("<Ii", 0x80000005, -1) + values(0x80000005, 18, 3))


def framed(tag, data):
    return tag[::-1] + struct.pack("<I", len(data)) + data


def far_terrain(path):
    """Two areas, one with holes, and a building that is seen from afar."""
    placement = struct.pack("<II12f4H", 0, 77, *range(12), 1, 2, 3, 4)
    head = framed(b"MVER", struct.pack("<I", 18)) + framed(b"MWMO", b"far\\tower.wmo\0")
    head += framed(b"MWID", struct.pack("<I", 0)) + framed(b"MODF", placement)
    first = framed(b"MARE", struct.pack("<545h", *range(-200, 345))) + framed(b"MAHO", struct.pack("<16H", *range(16)))
    second = framed(b"MARE", struct.pack("<545h", *range(545)))
    start = len(head) + 8 + 4 * 4096
    table = [0] * 4096
    table[70], table[4000] = start, start + len(first)
    path.write_bytes(head + framed(b"MAOF", struct.pack("<4096I", *table)) + first + second)


def pictures(folder):
    plain = bytes(range(24))
    tga(folder / "plain.tga", 2, plain, True)
    packets = b"\x83" + plain[:3] + b"\x03" + plain[3:15]
    tga(folder / "packets.tga", 10, packets, False)


def animations(samples, folder):
    """Animations with one odd word each."""
    walk = (Path(samples) / "forgelight/Human_Walk.nsa").read_bytes()
    for name, at, word in (("align64", 0x14, 64), ("filled", 8, 0xCDCDCDCD), ("still", 0x1C, 0), ("fewer", 0x24, 99)):
        (folder / f"{name}.nsa").write_bytes(walk[:at] + struct.pack("<I", word) + walk[at + 4:])


def make(thaw, samples, folder):
    """Writes them into a folder; tells what could not be made."""
    folder = Path(folder)
    pictures(folder)
    dds(folder / "later.dds")
    lights(folder)
    far_terrain(folder / "far.wdl")
    animations(samples, folder)
    failures = []
    for name, to in (("World/Maps/Island/Island.wdt", "adt-lk"), ("house.wmo", "wmo-v17")):
        target = folder / to
        target.mkdir()
        run = subprocess.run([thaw, "convert", "-q", str(Path(samples) / name), "--to", to, "-o", f"{target}/"],
                             capture_output=True, text=True, check=False)
        if run.returncode != 0 or not any(target.rglob("*")):
            failures.append(f"convert --to {to}: {run.stderr.strip()}")
    return failures
