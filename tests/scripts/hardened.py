#!/usr/bin/env python3
"""hardened.py BINARY…: what the binaries of a release have against mistakes, read from their bytes. ELF: PIE, full RELRO,
no executable stack, a watched stack, checked functions of the C library, control-flow protection. PE: an address that
changes, 64 bits of it, no code in data, a watched stack."""
import re
import struct
import subprocess
import sys
from pathlib import Path

ENDBR64 = b"\xf3\x0f\x1e\xfa"


def told(*command: object) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout


def of_elf(path: Path) -> dict[str, bool]:
    header, programs, dynamic = told("readelf", "-hW", path), told("readelf", "-lW", path), told("readelf", "-dW", path)
    names = told("readelf", "-W", "--dyn-syms", path)
    stack = re.search(r"GNU_STACK.* (RWE|RW)\b", programs)
    return {
        "position-independent": "DYN (Position-Independent" in header,
        "full RELRO": "GNU_RELRO" in programs and "BIND_NOW" in dynamic + programs or "FLAGS_1" in dynamic and "NOW" in dynamic,
        "no executable stack": bool(stack and stack[1] == "RW"),
        "watched stack": "__stack_chk_fail" in names,
        "checked functions": bool(re.search(r"__\w+_chk\b", names.replace("__stack_chk", ""))),
        # Debian's crt1.o has no such property, which takes the note off the program; its own functions begin as they should.
        "control-flow protection": "X86-64" not in header or path.read_bytes().count(ENDBR64) >= max(3, len(path.read_bytes()) // 4_000),
    }


def of_pe(path: Path) -> dict[str, bool]:
    data = path.read_bytes()
    at = struct.unpack_from("<I", data, 0x3C)[0]
    assert data[at:at + 4] == b"PE\0\0", f"{path} is no program of Windows"
    magic = struct.unpack_from("<H", data, at + 24)[0]
    flags = struct.unpack_from("<H", data, at + 24 + 70)[0]
    stamp = struct.unpack_from("<I", data, at + 8)[0]
    return {
        "64 bits": magic == 0x20B,
        "an address that changes": bool(flags & 0x40),
        "64 bits of it": bool(flags & 0x20),
        "no code in data": bool(flags & 0x100),
        "no time of the link": stamp == 0,
    }


def main() -> None:
    missing = 0
    for path in map(Path, sys.argv[1:]):
        begin = path.read_bytes()[:4]
        found = of_elf(path) if begin == b"\x7fELF" else of_pe(path)
        for name, there in found.items():
            print(f"{'ok      ' if there else 'FAILED  '} {path.name}: {name}")
            missing += not there
    sys.exit(1 if missing else 0)


main()
