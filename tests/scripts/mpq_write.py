"""mpq_write.py: what thaw writes as smpq (StormLib) reads and changes it, and what smpq wrote as thaw changes it.

Files are added to archives of every kind that is met (made by smpq, by thaw, by hand; with a map's header, without a
list of names, with bytes before and behind, encrypted, with hundreds of imports; those of the corpus) and taken out
again: all other files are the same byte for byte, and what was not touched lies where it lay. Exit code 77 if smpq is
absent.
"""

import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

from mpq_make import cipher, hash_name
from mpq_smpq import extracted, make_files, smpq, thaw

CORPUS = pathlib.Path(os.environ.get("THAW_CORPUS", ""))
HERE = pathlib.Path(__file__).parent
LISTS = ("(listfile)", "(attributes)", "(signature)", "war3map.imp", "war3campaign.imp")
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what, file=sys.stderr)


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def files_by_thaw(archive, scratch, what, *options):
    out = fresh(scratch / "by-thaw")
    code, _, errors = thaw("extract", archive, "-o", out, "-q", *options)
    expect(code == 0, f"{what}: extract ends with {code}: {errors[:300]}")
    return extracted(out)


def files_by_smpq(archive, names, scratch, what):
    out = fresh(scratch / "by-smpq")
    listing = scratch / "names.txt"
    listing.write_text("\r\n".join(name.replace("/", "\\") for name in names))
    code, text = smpq("-x", "-q", "-S", "-L", str(listing), str(archive.resolve()), cwd=out)
    expect(code == 0, f"{what}: smpq -x ends with {code}: {text[:300]}")
    return {name: content for name, content in extracted(out).items() if not name.startswith("File0000")}


def own(files):
    return {name: content for name, content in files.items() if name not in LISTS}


def compare(found, wanted, what):
    for name, content in own(wanted).items():
        expect(found.get(name) == content, f"{what}: {name} differs or is missing")
    expect(own(found).keys() == own(wanted).keys(), f"{what}: {sorted(own(found).keys() ^ own(wanted).keys())[:5]}")


def table(data, begin, at, count, name):
    words = struct.unpack_from(f"<{count * 4}I", data, begin + at)
    return cipher(words, hash_name(name, 3), False)


def header_of(data):
    for begin in range(0, len(data), 512):
        if data[begin : begin + 4] == b"MPQ\x1a":
            return begin, struct.unpack_from("<IIIHHIIII", data, begin)
    raise ValueError("no header")


def raw_blocks(archive):
    """Where files lie, and their bytes as they are packed, by the hashes of their names."""
    data = archive.read_bytes()
    begin, (_, _, _, _, _, hashes, blocks, hash_count, block_count) = header_of(data)
    places, records = table(data, begin, hashes, hash_count, "(hash table)"), table(data, begin, blocks, block_count, "(block table)")
    result = {}
    for i in range(0, len(places), 4):
        if places[i + 3] < 0xFFFFFFFE:
            offset, packed, size, flags = records[places[i + 3] * 4 : places[i + 3] * 4 + 4]
            result[places[i], places[i + 1], places[i + 2]] = (offset, size, flags, data[begin + offset : begin + offset + packed])
    return result


def untouched(before, after, but, what):
    """All blocks but those of `but` lie where they lay, with the same bytes."""
    changed = {(hash_name(name, 1), hash_name(name, 2)) for name in (*LISTS, *but)}
    for key, block in before.items():
        if key[:2] not in changed:
            expect(after.get(key) == block, f"{what}: a block moved or changed")


def add_and_remove(archive, scratch, what, smpq_reads=True, options=()):
    """Adds a model and a texture in two ways, reads them with both programs, takes them out again."""
    dice = random.Random(5)
    model = b"MDLXVERS\x04\0\0\0\x20\x03\0\0" + b"".join(b"track %d " % dice.randrange(50) for _ in range(3000))
    texture = dice.randbytes(9000)
    (scratch / "unit.mdx").write_bytes(model)
    (scratch / "skin.blp").write_bytes(texture)
    before, blocks = files_by_thaw(archive, scratch, what, *options), raw_blocks(archive)
    new, back = (fresh(scratch / word) / archive.name for word in ("new", "back"))
    names = ("war3mapImported\\unit.mdx", "Textures\\skin.blp")
    code, _, errors = thaw("add", archive, f"{scratch / 'unit.mdx'}={names[0]}", f"{scratch / 'skin.blp'}={names[1]}", "-o", new, *options)
    expect(code == 0, f"{what}: add ends with {code}: {errors[:300]}")
    if code != 0:
        return
    wanted = {**before, "war3mapImported/unit.mdx": model, "Textures/skin.blp": texture}
    (scratch / "list.txt").write_text("\n".join(names))
    compare(files_by_thaw(new, scratch, what, "--listfile", scratch / "list.txt", *options), wanted, f"{what}, added")
    if smpq_reads:
        theirs = files_by_smpq(new, wanted, scratch, what)
        for name, content in own(wanted).items():
            expect(theirs.get(name) == content, f"{what}: smpq reads another {name}")
    untouched(blocks, raw_blocks(new), (), what)
    start = header_of(archive.read_bytes())[0]
    expect(new.read_bytes()[:start] == archive.read_bytes()[:start], f"{what}: bytes before the archive changed")
    code, _, errors = thaw("remove", new, *[name.replace("\\", "/") for name in names], "-o", back, *options)
    expect(code == 0, f"{what}: remove ends with {code}: {errors[:300]}")
    after = files_by_thaw(back, scratch, what, *options)
    compare(after, before, f"{what}, taken out")
    expect(after.get("(listfile)", b"").replace(b"war3map.imp\r\n", b"") == before.get("(listfile)", b"").replace(b"war3map.imp\r\n", b""),
           f"{what}: the list of names")
    untouched(blocks, raw_blocks(back), (), f"{what}, taken out")
    if smpq_reads:
        compare({**before, **files_by_smpq(back, before, scratch, what)}, before, f"{what}, taken out, by smpq")
    expect(len(back.read_bytes()) <= len(archive.read_bytes()) + 2000, f"{what}: {back.stat().st_size} bytes instead of {archive.stat().st_size}")


def map_header(name):
    return (b"HM3W" + bytes(4) + name + b"\0" + struct.pack("<II", 0x8000, 2)).ljust(512, b"\0")


def check_made_by_smpq(scratch):
    files = fresh(scratch / "files")
    contents = make_files(files)
    count = 0
    ways = ((), ("-E",), ("-E", "-F"), ("-S",), ("-A",), ("-N",), ("-E", "-F", "-S"), ("-C", "PKWARE"), ("-C", "none"), ("-U",))
    for version in (1, 2):
        for way in ways:
            plain = scratch / "plain.mpq"
            plain.unlink(missing_ok=True)
            code, text = smpq("-c", "-q", "-M", str(version), "-m", "32", *way, str(plain), *contents, cwd=files)
            if code != 0:
                print(f"smpq does not make v{version} {way}: {text.strip()[:100]}")
                continue
            around = {"as it is": (b"", b""), "behind": (b"", b"signed by nobody" * 20), "before": (bytes(1024), b"")}
            if version == 1 and "-U" not in way:
                around["map"] = (map_header(b"Test of the north"), b"tail")
            for where, (before, behind) in around.items():
                archive = scratch / f"made{'.w3x' if where == 'map' else '.mpq'}"
                archive.write_bytes(before + plain.read_bytes() + behind)
                options = ()
                if "-N" in way:
                    (scratch / "known.txt").write_text("\n".join(name.replace("/", "\\") for name in contents))
                    options = ("--listfile", scratch / "known.txt")
                    thaw("remove", archive, "(listfile)", "-f")
                what = f"v{version} {' '.join(way)} {where}"
                add_and_remove(archive, scratch, what, True, options)
                new = scratch / "new" / archive.name
                expect(not behind or new.read_bytes().endswith(behind), f"{what}: bytes behind are lost")
                count += 1
    print(count, "archives made by smpq changed and changed back")


def check_nameless(scratch):
    """Without a list and without names nothing is lost; only a table that is full cannot grow."""
    files = fresh(scratch / "files")
    contents = make_files(files)
    archive = scratch / "nameless.mpq"
    archive.unlink(missing_ok=True)
    smpq("-c", "-q", "-A", "-M", "1", "-m", "16", str(archive), *contents, cwd=files)
    code, _, errors = thaw("remove", archive, "(listfile)", "-f")
    expect(code == 0, f"a list taken out: {errors[:200]}")
    before = sorted(files_by_thaw(archive, scratch, "nameless").values())
    code, _, errors = thaw("add", archive, f"{files / 'text.txt'}=new.txt", "-o", scratch / "nameless-new.mpq")
    expect(code == 0 and "archive.unlisted" in errors, f"nameless: {code} {errors[:200]}")
    after = sorted(files_by_thaw(scratch / "nameless-new.mpq", scratch, "nameless").values())
    expect(after == sorted([*before, contents["text.txt"]]), "nameless: files differ")
    full = fresh(scratch / "full")
    for i in range(60):
        (full / f"{i}.txt").write_text(str(i))
    arguments = [f"{full}=full"]
    code, _, errors = thaw("add", archive, *arguments, "-o", scratch / "full.mpq")
    expect(code == 3 and "archive.full" in errors and not (scratch / "full.mpq").exists(), f"full: {code} {errors[:300]}")
    (scratch / "known.txt").write_text("\n".join(name.replace("/", "\\") for name in contents))
    code, _, errors = thaw("add", archive, *arguments, "-o", scratch / "full.mpq", "--listfile", scratch / "known.txt")
    expect(code == 0, f"full, with names: {code} {errors[:300]}")
    names = [*contents, *(f"full/{i}.txt" for i in range(60))]
    theirs = files_by_smpq(scratch / "full.mpq", names, scratch, "full")
    expect(len(theirs) == len(names), f"full: smpq finds {len(theirs)} of {len(names)}")


def check_made_by_thaw(scratch):
    """What thaw makes is what smpq extracts, adds to and removes from."""
    files = fresh(scratch / "files")
    contents = make_files(files)
    ways = ((), ("--checksums",), ("--store",), ("--single-unit",), ("--archive-version", "2"), ("--single-unit", "--store"))
    for way in ways:
        archive = scratch / "thaw.mpq"
        code, _, errors = thaw("pack", files, "-o", archive, "-f", *way)
        expect(code == 0, f"pack {way}: {errors[:300]}")
        compare(files_by_thaw(archive, scratch, f"pack {way}"), contents, f"pack {way}")
        compare(files_by_smpq(archive, contents, scratch, f"pack {way}"), contents, f"pack {way} by smpq")
        code, text = smpq("-a", "-q", str(archive), "extra.txt", cwd=fresh_file(scratch / "extra", "extra.txt", b"extra" * 900))
        expect(code == 0, f"pack {way}: smpq -a: {text[:200]}")
        code, text = smpq("-d", "-q", str(archive), "text.txt", cwd=files)
        expect(code == 0, f"pack {way}: smpq -d: {text[:200]}")
        wanted = {name: content for name, content in contents.items() if name != "text.txt"} | {"extra.txt": b"extra" * 900}
        compare(files_by_thaw(archive, scratch, f"pack {way}, changed by smpq"), wanted, f"pack {way}, changed by smpq")
        add_and_remove(archive, scratch, f"pack {way}, changed by smpq")
    print(len(ways), "ways to pack, read and changed by smpq")


def fresh_file(folder, name, content):
    fresh(folder)
    (folder / name).write_bytes(content)
    return folder


def imports_of(content):
    version, count = struct.unpack_from("<II", content)
    names, at = [], 8
    for _ in range(count):
        end = content.index(b"\0", at + 1)
        names.append((content[at], content[at + 1 : end].decode()))
        at = end + 1
    return version, names, content[at:]


def check_maps(scratch):
    """Hundreds of imports in a map of its own, with its header and war3map.imp."""
    folder = fresh(scratch / "map")
    dice = random.Random(9)
    for i in range(400):
        path = folder / "war3mapImported" / f"model{i}.mdx"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"MDLX" + dice.randbytes(dice.randrange(2000)) + bytes(dice.randrange(9000)))
    (folder / "war3map.j").write_text("function main takes nothing returns nothing\nendfunction\n" * 50)
    usual = b"".join(b"\x08model%d.mdx\0" % i for i in range(200))
    (folder / "war3map.imp").write_bytes(struct.pack("<II", 1, 200) + usual)
    archive = scratch / "hundreds.w3x"
    archive.unlink(missing_ok=True)
    code, _, errors = thaw("pack", folder, "-o", archive)
    expect(code == 0 and "archive.map-info" in errors, f"a map: {code} {errors[:300]}")
    expect(archive.read_bytes().startswith(b"HM3W\0\0\0\0hundreds\0"), "a map's header")
    files = files_by_thaw(archive, scratch, "a map")
    compare(files, extracted(folder), "a map")
    version, names, rest = imports_of(files["war3map.imp"])
    expect(version == 1 and rest == b"" and len(names) == 400 and names[:200] == [(8, f"model{i}.mdx") for i in range(200)], "war3map.imp")
    expect({name for kind, name in names if kind == 13} == {f"war3mapImported\\model{i}.mdx" for i in range(200, 400)}, "war3map.imp, added")
    theirs = files_by_smpq(archive, files, scratch, "a map")
    expect({name: theirs.get(name) for name in own(files)} == own(files), "a map as smpq reads it")
    add_and_remove(archive, scratch, "a map with hundreds of imports")
    added = files_by_thaw(scratch / "new" / archive.name, scratch, "imports")
    expect(len(imports_of(added["war3map.imp"])[1]) == 402, "two more imports")
    code, _, errors = thaw("remove", archive, "war3mapImported/model7.mdx", "war3mapImported/model300.mdx", "-f")
    expect(code == 0, f"in place: {errors[:200]}")
    names = imports_of(files_by_thaw(archive, scratch, "imports")["war3map.imp"])[1]
    expect(len(names) == 398 and (8, "model7.mdx") not in names, "two imports less")
    size = archive.stat().st_size
    for _ in range(20):
        thaw("add", archive, f"{folder / 'war3map.j'}=sound\\one.txt", "-f")
    expect(archive.stat().st_size < size + 3000, f"twenty times the same: {archive.stat().st_size - size} bytes more")


def check_refused(scratch):
    """Protected and damaged archives are left as they are, and nothing is left of what was begun."""
    files = fresh(scratch / "files")
    make_files(files)
    archive = scratch / "good.mpq"
    thaw("pack", files, "-o", archive, "-f")
    good = archive.read_bytes()

    def changed(at, value, form="<I"):
        data = bytearray(good)
        struct.pack_into(form, data, at, value)
        return bytes(data)

    (hashes,) = struct.unpack_from("<I", good, 0x10)
    damaged = {
        "version": changed(0x0C, 9, "<H"), "size of the header": changed(4, 30), "count of blocks": changed(0x1C, 0xF0000004),
        "count of hashes": changed(0x18, 15), "place of the blocks": changed(0x14, 0x7FFFFFFF), "cut": good[: hashes + 40],
        "sectors": changed(0x0E, 35, "<H"), "a hash table of noise": good[:hashes] + random.Random(3).randbytes(400) + good[hashes + 400 :],
    }
    for what, data in damaged.items():
        bad = fresh(scratch / "bad") / "bad.mpq"
        bad.write_bytes(data)
        for arguments in (("add", bad, f"{files / 'text.txt'}=new.txt", "-f"), ("remove", bad, "text.txt", "-f")):
            code, _, errors = thaw(*arguments)
            expect(code in (3, 6) and "error" in errors, f"{what}: {arguments[0]} ends with {code}: {errors[:200]}")
            expect(bad.read_bytes() == data and len(list(bad.parent.iterdir())) == 1, f"{what}: {arguments[0]} left something")
    print(len(damaged), "kinds of damage refused")


def corpus_archives():
    """Sound archives: those in field/ are made to mislead; field.py knows what is right of them."""
    return [path for path in sorted(CORPUS.rglob("*"))
            if path.suffix.lower() in (".w3m", ".w3x", ".w3n", ".mpq") and path.is_file() and "field" not in path.relative_to(CORPUS).parts]


def check_corpus(scratch):
    count = 0
    for archive in corpus_archives():
        copy = scratch / archive.name
        copy.write_bytes(archive.read_bytes())
        add_and_remove(copy, scratch, archive.name)
        count += 1
    print(count, "archives of the corpus changed and changed back")


def check_pack1(scratch):
    """A pack that a game had, taken apart and put together again."""
    for pack in sorted(CORPUS.rglob("*.pack")):
        folder, made = fresh(scratch / "pack"), scratch / "made.pack"
        thaw("extract", pack, "-o", folder, "-q")
        code, _, errors = thaw("pack", folder, "-o", made, "-f")
        expect(code == 0 and made.read_bytes() == pack.read_bytes(), f"{pack.name}: differs: {errors[:200]}")
        print(pack.name, "is the same byte for byte")


def main():
    if shutil.which("smpq") is None:
        print("smpq is absent")
        return 77
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        for check in (check_made_by_smpq, check_nameless, check_made_by_thaw, check_maps, check_refused, check_corpus, check_pack1):
            check(fresh(scratch / check.__name__))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
