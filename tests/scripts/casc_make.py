#!/usr/bin/env python3
"""casc_make.py FOLDER [--count N] [--wow] | --names|--numbers NAME=@FILE…: writes a made-up installation whose files lie in
CASC.

Written from docs/formats/casc.md alone, and shares nothing with the reader. As a module: `Storage` takes contents and
lays them out, `tree`, `text_root` and `numbered_root` make the tables of names. With --count, a storage of so many
small files, for measurements. With --names, the files in several archives and a tree of their names; with --numbers, a
root of numbers and hashes of the names.
"""

import hashlib
import struct
import sys
import zlib
from pathlib import Path


def md5(data):
    return hashlib.md5(data).digest()


def rotate(value, bits):
    return (value << bits | value >> (32 - bits)) & 0xFFFFFFFF


def lookup3(data, first=0, second=0):
    a = b = (0xDEADBEEF + len(data) + first) & 0xFFFFFFFF
    c = (a + second) & 0xFFFFFFFF
    at = 0
    while len(data) - at > 12:
        x, y, z = struct.unpack_from("<3I", data, at)
        a, b, c = (a + x) & 0xFFFFFFFF, (b + y) & 0xFFFFFFFF, (c + z) & 0xFFFFFFFF
        for i, bits in enumerate((4, 6, 8, 16, 19, 4)):
            if i % 3 == 0:
                a = ((a - c) & 0xFFFFFFFF) ^ rotate(c, bits)
                c = (c + b) & 0xFFFFFFFF
            elif i % 3 == 1:
                b = ((b - a) & 0xFFFFFFFF) ^ rotate(a, bits)
                a = (a + c) & 0xFFFFFFFF
            else:
                c = ((c - b) & 0xFFFFFFFF) ^ rotate(b, bits)
                b = (b + a) & 0xFFFFFFFF
        at += 12
    if at < len(data) or not data:
        if not data:
            return c, b
        x, y, z = struct.unpack("<3I", data[at:].ljust(12, b"\0"))
        a, b, c = (a + x) & 0xFFFFFFFF, (b + y) & 0xFFFFFFFF, (c + z) & 0xFFFFFFFF
        c = ((c ^ b) - rotate(b, 14)) & 0xFFFFFFFF
        a = ((a ^ c) - rotate(c, 11)) & 0xFFFFFFFF
        b = ((b ^ a) - rotate(a, 25)) & 0xFFFFFFFF
        c = ((c ^ b) - rotate(b, 16)) & 0xFFFFFFFF
        a = ((a ^ c) - rotate(c, 4)) & 0xFFFFFFFF
        b = ((b ^ a) - rotate(a, 14)) & 0xFFFFFFFF
        c = ((c ^ b) - rotate(b, 24)) & 0xFFFFFFFF
    return c, b


assert lookup3(b"Four score and seven years ago")[0] == 0x17770551
assert lookup3(b"")[0] == 0xDEADBEEF


def path_hash(path):
    high, low = lookup3(path.upper().replace("/", "\\").encode())
    return high << 32 | low


assert path_hash("Interface\\Icons\\INV_Misc_QuestionMark.blp") == 0x9EB59E3C76124837


def encode(content, mode="Z", size=0):
    """Content as BLTE and the key of that. A mode of several letters is a chunk for each, "-" before it no table."""
    plain_table = mode.startswith("-")
    modes = mode.lstrip("-")
    size = size or -(-len(content) // len(modes)) or 1
    chunks = []
    for i, letter in enumerate(modes):
        part = content[i * size : (i + 1) * size if i + 1 < len(modes) else len(content)]
        if letter == "N":
            packed = b"N" + part
        elif letter == "Z":
            packed = b"Z" + zlib.compress(part, 9)
        elif letter == "F":
            packed = b"F" + encode(part, "NZ")[0]
        else:  # with a key that nobody has
            packed = b"E\x08" + bytes.fromhex("8877665544332211") + b"\x04\1\2\3\4S" + bytes(b ^ 0x5A for b in b"N" + part)
        chunks.append((packed, len(part)))
    if plain_table:
        data = b"BLTE" + bytes(4) + chunks[0][0]
        return data, md5(data)
    rows = b"".join(struct.pack(">2I", len(packed), plain) + md5(packed) for packed, plain in chunks)
    head = b"BLTE" + struct.pack(">I", 12 + len(rows)) + b"\x0F" + len(chunks).to_bytes(3, "big") + rows
    return head + b"".join(packed for packed, _ in chunks), md5(head)


class Storage:
    """Encoded files in archives of a size, and what leads to them."""

    def __init__(self, folder, archive_size=1 << 20, pad=True):
        self.folder = Path(folder)
        self.archive_size = archive_size
        self.pad = pad
        self.archives = [bytearray()]
        self.places = {}
        self.contents = {}

    def add_encoded(self, data, key, local=True):
        if key in self.places or not local:
            return
        if len(self.archives[-1]) + len(data) + 30 > self.archive_size and self.archives[-1]:
            self.archives.append(bytearray())
        archive = self.archives[-1]
        self.places[key] = (len(self.archives) - 1, len(archive), len(data) + 30)
        archive += key[::-1] + struct.pack("<I2x", len(data) + 30)
        archive += struct.pack("<I", lookup3(bytes(archive[-22:]), 0x3D6BE971)[0]) + bytes(4) + data

    def add(self, content, mode="Z", local=True):
        """The content key and the encoded key."""
        data, key = encode(content, mode)
        self.add_encoded(data, key, local)
        self.contents[md5(content)] = (len(content), key)
        return md5(content), key, len(data)

    def encoding(self):
        pages, page, first = [], b"", b""
        for content, (size, key) in sorted(self.contents.items()):
            row = b"\1" + size.to_bytes(5, "big") + content + key
            if len(page) + len(row) > 4096:
                pages.append((first, page.ljust(4096, b"\0")))
                page = b""
            first = first if page else content
            page += row
        pages.append((first, page.ljust(4096, b"\0")))
        spec = b"n\0"
        head = b"EN\1\x10\x10" + struct.pack(">2H2IBI", 4, 4, len(pages), 0, 0, len(spec)) + spec
        return head + b"".join(key + md5(data) for key, data in pages) + b"".join(data for _, data in pages)

    def write_indices(self, version=1):
        data = self.folder / "Data/data"
        data.mkdir(parents=True, exist_ok=True)
        for number, archive in enumerate(self.archives):
            (data / f"data.{number:03}").write_bytes(archive)
        buckets = [[] for _ in range(16)]
        for key, (archive, offset, size) in self.places.items():
            x = 0
            for byte in key[:9]:
                x ^= byte
            location = archive << 30 | offset
            buckets[x & 15 ^ x >> 4].append(key[:9] + location.to_bytes(5, "big") + struct.pack("<I", size))
        for number, rows in enumerate(buckets):
            rows.sort()
            both = (0, 0)
            for row in rows if len(self.places) < 100000 else ():
                both = lookup3(row, *both)
            body = struct.pack("<HBBBBBBQ", 7, number, 0, 4, 5, 9, 30, 0x4000000000)
            file = struct.pack("<2I", 16, lookup3(body)[0]) + body + bytes(8)
            file += struct.pack("<2I", 18 * len(rows), both[0]) + b"".join(rows)
            if self.pad:
                file += bytes(-(len(file) + 0x7800) % 0x10000 + 0x7800)
            (data / f"{number:02x}{version:08x}.idx").write_bytes(file)

    def finish(self, config, products=("w3",), version="3.0.0.99999", tags="Windows enUS speech?:Windows enUS text?"):
        """The table of encodings, indices, and the texts; `config` are lines of the build configuration."""
        table = self.encoding()
        data, key = encode(table, "-Z" if len(table) < 1 << 16 else "NZ")
        self.add_encoded(data, key)
        self.write_indices()
        lines = ["# Build Configuration", "", *config, f"encoding = {md5(table).hex()} {key.hex()}"]
        lines += [f"encoding-size = {len(table)} {len(data)}", f"build-name = {version}", f"build-uid = {products[0]}"]
        text = ("\n".join(lines) + "\n").encode()
        name = md5(text).hex()
        place = self.folder / "Data/config" / name[:2] / name[2:4]
        place.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(text)
        heads = "Branch!STRING:0|Active!DEC:1|Build Key!HEX:16|Tags!STRING:0|Version!STRING:0|Product!STRING:0"
        rows = [f"eu|1|{name}|{tags}|{version}|{product}" for product in products] + [f"eu|0|{'0' * 32}||1.0|gone"]
        (self.folder / ".build.info").write_text("\n".join([heads, *rows]) + "\n")


def tree(files):
    """A manifest of (path, [(key, encoded size, size)]); an empty list is a deleted file."""
    containers, entries, places = bytearray(), bytearray(), {}
    rows = {}
    spans_of = {}
    for path, spans in files:
        for key, packed, size in spans:
            if key not in rows:
                rows[key] = len(containers)
                containers += key[:9] + struct.pack(">I", packed) + struct.pack(">I", size)
    width = 4 if len(containers) > 0xFFFFFF else 3 if len(containers) > 0xFFFF else 2 if len(containers) > 0xFF else 1
    for path, spans in files:
        spans_of[path] = len(entries)
        entries.append(len(spans) if spans else 255)
        at = 0
        for key, packed, size in spans:
            entries += struct.pack(">2I", at, size) + rows[key].to_bytes(width, "big")
            at += size
    folders = {}
    for path, _ in files:
        node = folders
        *parents, last = path.split("/")
        for part in parents:
            node = node.setdefault(part, {})
        node[last + "\0"] = path  # a name may be a file and a folder

    def written(node):
        out = bytearray()
        for name, value in node.items():
            word = name.rstrip("\0").encode()
            if isinstance(value, str):
                out += bytes([len(word)]) + word + b"\xFF" + struct.pack(">I", spans_of[value])
            else:
                inner = written(value)
                out += bytes([len(word)]) + word + b"\0\xFF" + struct.pack(">I", 0x80000000 | len(inner) + 4) + inner
        return out

    names = written(folders)
    names = b"\xFF" + struct.pack(">I", 0x80000000 | len(names) + 4) + names
    head = b"TVFS\1\x26\x09\x09" + struct.pack(">I", 0)
    at = 0x26
    for table in (names, entries, containers):
        head += struct.pack(">2I", at, len(table))
        at += len(table)
    return bytes(head + struct.pack(">H", 3) + names + entries + containers)


def numbered_root(generation, blocks):
    """Blocks of (content flags, locales, [(id, content key, path or None)]) as a root of World of Warcraft."""
    total = sum(len(rows) for _, _, rows in blocks)
    named = sum(path is not None for _, _, rows in blocks for _, _, path in rows)
    out = {"6.0": b"", "8.2": b"TSFM" + struct.pack("<2I", total, named)}.get(generation)
    if out is None:
        out = b"TSFM" + struct.pack("<5I", 0x18, 1 if generation == "10.1.7" else 2, total, named, 0)
    for content, locale, rows in blocks:
        rows = sorted(rows)
        names = generation == "6.0" or all(path is not None for _, _, path in rows)
        content |= 0 if names else 0x10000000
        if generation == "11.1":
            out += struct.pack("<4IB", len(rows), locale, content & 0xFFFFFFF, content & 0xF0000000, 0)
        else:
            out += struct.pack("<3I", len(rows), content, locale)
        last = -1
        for number, _, _ in rows:
            out += struct.pack("<i", number - last - 1)
            last = number
        hashes = [struct.pack("<Q", path_hash(path)) if names else b"" for _, _, path in rows]
        keys = [key for _, key, _ in rows]
        out += b"".join(k + h for k, h in zip(keys, hashes)) if generation == "6.0" else b"".join(keys) + b"".join(hashes)
    return out


def many(folder, count, wow):
    """So many small files, as names of a tree or as numbers."""
    store = Storage(folder, 1 << 29)
    rows = []
    for i in range(count):
        content = b"file %d" % i
        data = b"BLTE" + bytes(4) + b"N" + content
        key = md5(data)
        archive = store.archives[-1]
        store.places[key] = (0, len(archive), len(data) + 30)
        archive += key[::-1] + struct.pack("<I10x", len(data) + 30) + data
        rows.append((i, content, key, len(data)))
        store.contents[md5(content)] = (len(content), key)
    if wow:
        root = numbered_root("11.1", [(0, 0x1F3F6, [(i, md5(content), None) for i, content, _, _ in rows])])
        store.finish([f"root = {store.add(root)[0].hex()}"], ("wow",))
        return
    manifest = tree([(f"folder{i % 1000}/units/model{i}.mdx", [(key, size, len(content))]) for i, content, key, size in rows])
    content, key, size = store.add(manifest, "NZ")
    store.finish([f"vfs-root = {content.hex()} {key.hex()}", f"vfs-root-size = {len(manifest)} {size}"])


def holding(folder, files, numbered):
    store = Storage(folder, 1 << 16)
    rows = [(name, *store.add(content), len(content)) for name, content in files]
    if numbered:
        root = numbered_root("11.1", [(0, 0x1F3F6, [(i, content, name) for i, (name, content, _, _, _) in enumerate(rows)])])
        store.finish([f"root = {store.add(root)[0].hex()}"], ("wow",), "11.2.7.99999")
        return
    manifest = tree([(name, [(key, size, length)]) for name, _, key, size, length in rows])
    content, key, size = store.add(manifest)
    store.finish([f"vfs-root = {content.hex()} {key.hex()}", f"vfs-root-size = {len(manifest)} {size}"])


def main():
    words = sys.argv[1:]
    if words[1:2] in (["--names"], ["--numbers"]):
        pairs = [word.split("=@", 1) for word in words[2:]]
        holding(words[0], [(name.lower(), Path(path).read_bytes()) for name, path in pairs], words[1] == "--numbers")
        return
    count = int(words[words.index("--count") + 1]) if "--count" in words else 1000
    many(words[0], count, "--wow" in words)


if __name__ == "__main__":
    main()
