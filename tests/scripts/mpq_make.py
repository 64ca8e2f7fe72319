"""mpq_make.py ARCHIVE NAME=CONTENT…: a small archive for tests, with any names; `NAME=@FILE` takes a file.

--map puts a Warcraft III map's header before it, --no-list leaves out (listfile), --lies adds twenty nameless entries
that state 4 GiB each. In NAME, %XX is a byte.
"""

import itertools
import pathlib
import struct
import sys
import urllib.parse
import zlib

def cipher_table():
    table, seed = [0] * 0x500, 0x00100001
    for i in range(0x100):
        for kind in range(5):
            high = seed = (seed * 125 + 3) % 0x2AAAAB
            seed = (seed * 125 + 3) % 0x2AAAAB
            table[kind * 0x100 + i] = (high & 0xFFFF) << 16 | seed & 0xFFFF
    return table


TABLE = cipher_table()
SECTOR = 2 << 20


def hash_name(name, kind):
    first, second = 0x7FED7FED, 0xEEEEEEEE
    for char in (name.encode() if isinstance(name, str) else name).upper().replace(b"/", b"\\"):
        first = TABLE[kind * 0x100 + char] ^ (first + second & 0xFFFFFFFF)
        second = (char + first + second + (second << 5) + 3) & 0xFFFFFFFF
    return first


def cipher(words, key, encrypting):
    result, total = [], 0xEEEEEEEE
    for word in words:
        total = total + TABLE[0x400 + (key & 0xFF)] & 0xFFFFFFFF
        other = word ^ (key + total & 0xFFFFFFFF)
        key = ((~key << 21) + 0x11111111 & 0xFFFFFFFF) | key >> 11
        total = ((word if encrypting else other) + total + (total << 5) + 3) & 0xFFFFFFFF
        result.append(other)
    return result


def make(files, list_names=True, prefix=b"", lies=0):
    """The bytes of an archive of version 1 with files {name in bytes: content}, deflated."""
    if list_names:
        files = {**files, b"(listfile)": b"\r\n".join(files)}
    count = 64
    hashes = [0xFFFFFFFF] * (count * 4)
    blocks = []
    body = b""
    for name, content in files.items():
        # A sector that does not become smaller is stored as it is.
        plain = [content[at : at + SECTOR] for at in range(0, max(len(content), 1), SECTOR)]
        sectors = [min(sector, b"\x02" + zlib.compress(sector), key=len) for sector in plain]
        starts = itertools.accumulate(map(len, sectors), initial=4 * (len(sectors) + 1))
        data = struct.pack(f"<{len(sectors) + 1}I", *starts) + b"".join(sectors)
        slot = hash_name(name, 0) % count
        while hashes[slot * 4 + 3] != 0xFFFFFFFF:
            slot = (slot + 1) % count
        hashes[slot * 4 : slot * 4 + 4] = [hash_name(name, 1), hash_name(name, 2), 0, len(blocks) // 4]
        blocks += [32 + len(body), len(data), len(content), 0x80000200]
        body += data
    for i in range(lies):
        slot = next(at for at in range(count) if hashes[at * 4 + 3] == 0xFFFFFFFF)
        hashes[slot * 4 : slot * 4 + 4] = [i * 0x9E3779B1 & 0xFFFFFFFF, i, 0, len(blocks) // 4]
        blocks += [32 + i, 60, 0xFFFFFFF0, 0x80000200]
    shift = SECTOR.bit_length() - 10
    at = 32 + len(body)
    head = struct.pack("<4sIIHHIIII", b"MPQ\x1a", 32, 0, 0, shift, at, at + count * 16, count, len(blocks) // 4)
    tables = cipher(hashes, hash_name("(hash table)", 3), True) + cipher(blocks, hash_name("(block table)", 3), True)
    return prefix + head + body + struct.pack(f"<{len(tables)}I", *tables)


def map_prefix(name):
    return (b"HM3W" + bytes(4) + name).ljust(512, b"\0")


def main():
    options = [word for word in sys.argv[1:] if word.startswith("--")]
    archive, *words = [word for word in sys.argv[1:] if not word.startswith("--")]
    files = {}
    for word in words:
        name, _, content = word.partition("=")
        files[urllib.parse.unquote_to_bytes(name)] = (
            pathlib.Path(content[1:]).read_bytes() if content.startswith("@") else content.encode()
        )
    prefix = map_prefix(b"made up") if "--map" in options else b""
    pathlib.Path(archive).write_bytes(make(files, "--no-list" not in options, prefix, 20 * ("--lies" in options)))


if __name__ == "__main__":
    main()
