"""Files of the formats that no sample has: tiles and later buildings, which thaw makes of samples, and TGA pictures."""

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


def pictures(folder):
    plain = bytes(range(24))
    tga(folder / "plain.tga", 2, plain, True)
    packets = b"\x83" + plain[:3] + b"\x03" + plain[3:15]
    tga(folder / "packets.tga", 10, packets, False)


def make(thaw, samples, folder):
    """Writes them into a folder; tells what could not be made."""
    folder = Path(folder)
    pictures(folder)
    failures = []
    for name, to in (("World/Maps/Island/Island.wdt", "adt-lk"), ("house.wmo", "wmo-v17")):
        target = folder / to
        target.mkdir()
        run = subprocess.run([thaw, "convert", "-q", str(Path(samples) / name), "--to", to, "-o", f"{target}/"],
                             capture_output=True, text=True, check=False)
        if run.returncode != 0 or not any(target.rglob("*")):
            failures.append(f"convert --to {to}: {run.stderr.strip()}")
    return failures
