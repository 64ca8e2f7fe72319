"""mpq_smpq.py: archives made by smpq in every compression it has are listed and extracted byte for byte.

smpq (StormLib) is an independent writer and reader. What comes out of thaw must be the files
that went in, and what comes out of smpq itself. Maps and archives of the corpus are extracted by both, too. Exit code 77 if smpq is absent.
"""

import json
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

from mpq_make import cipher, hash_name

THAW = os.environ["THAW"]
CORPUS = pathlib.Path(os.environ.get("THAW_CORPUS", ""))
SOUND = ("HUFFMANN", "ADPCM_MONO", "ADPCM_STEREO", "HUFFMANN+ADPCM_MONO", "HUFFMANN+ADPCM_STEREO")
# StormLib 9.22 gives back other bytes than it packed, or aborts; what went in is still compared.
SMPQ_CANNOT_READ = {"LZMA", "ZLIB+PKWARE", "BZIP2+PKWARE", "SPARSE+PKWARE", "SPARSE+BZIP2+PKWARE"}
METHODS = (
    "none", "IMPLODE", "PKWARE", "ZLIB", "BZIP2", "SPARSE", "LZMA", "ZLIB+PKWARE", "BZIP2+PKWARE", "SPARSE+ZLIB",
    "SPARSE+PKWARE", "SPARSE+BZIP2", "SPARSE+ZLIB+PKWARE", "SPARSE+BZIP2+PKWARE",
)  # fmt: skip
WAYS = ((), ("-E",), ("-E", "-F"), ("-S",), ("-U",), ("-E", "-F", "-S"))
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what, file=sys.stderr)


def make_files(folder, most=1 << 20):
    """Sizes around a sector, content that packs well, badly and not at all; of each no more than so many bytes."""
    dice = random.Random(1)
    text = b"".join(b"line %d of %d\r\n" % (i, dice.randrange(99)) for i in range(6000))
    contents = {
        "one.txt": b"x",
        "sector-1.bin": text[:4095],
        "sector.bin": text[:4096],
        "sector+1.bin": text[:4097],
        "text.txt": text,
        "zeros.bin": bytes(70000),
        "random.bin": dice.randbytes(30000),
        "mixed.bin": dice.randbytes(5000) + bytes(9000) + text[:20000] + dice.randbytes(700),
        "Units/Human/Footman.mdx": b"MDLXVERS" + text[:9000],
    }
    contents = {name: content[:most] for name, content in contents.items()}
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return contents


def smpq(*arguments, cwd):
    done = subprocess.run(["smpq", *arguments], cwd=cwd, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def thaw(*arguments):
    done = subprocess.run([THAW, *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def extracted(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def check_archive(archive, contents, what, method, scratch):
    """Listing, extraction and one file by its path."""
    out = scratch / "thaw"
    shutil.rmtree(out, ignore_errors=True)
    code, _, errors = thaw("extract", archive, "-o", out, "-q")
    expect(code == 0, f"{what}: extract ends with {code}: {errors[:300]}")
    found = {name: content for name, content in extracted(out).items() if not name.startswith("(")}
    expect(set(found) == set(contents), f"{what}: names {sorted(set(found) ^ set(contents))}")
    for name, content in contents.items():
        expect(found.get(name) == content, f"{what}: {name} differs")
    code, listing, _ = thaw("ls", "--json", archive)
    expect(code == 0, f"{what}: ls ends with {code}")
    entries = {entry["name"]: entry for entry in json.loads(listing)["entries"]}
    for name, content in contents.items():
        expect(entries.get(name, {}).get("size") == len(content), f"{what}: size of {name} in the list")
    if method not in ("none", "IMPLODE") and not method.startswith("SPARSE"):
        # smpq takes one of several methods where that gains more.
        wanted = [{"PKWARE": "PKWARE", "ZLIB": "zlib", "BZIP2": "bzip2", "LZMA": "LZMA"}[word] for word in method.split("+")]
        words = entries.get("text.txt", {}).get("compression", "")
        expect(any(word in words for word in wanted), f"{what}: text.txt is packed by {words}")


def check_against_smpq(archive, contents, what, scratch):
    """Returns whether smpq itself gets back what it packed."""
    theirs = scratch / "smpq"
    shutil.rmtree(theirs, ignore_errors=True)
    theirs.mkdir()
    code, text = smpq("-x", "-q", str(archive), cwd=theirs)
    wanted = extracted(theirs)
    found = extracted(scratch / "thaw")
    honest = code == 0 and all(wanted.get(name) == content for name, content in contents.items())
    if honest:
        for name, content in wanted.items():
            expect(found.get(name) == content, f"{what}: {name} differs from what smpq extracts")
    return honest


def check_methods(scratch):
    count = 0
    unreadable = set()
    for version in (1, 2, 3, 4):
        for method in METHODS:
            # smpq packs by LZMA for a fifth of a second a sector, however small.
            files = scratch / "files"
            contents = make_files(files, 10000 if method == "LZMA" else 1 << 20)
            for way in WAYS if version in (1, 4) else WAYS[:1]:
                archive = scratch / "made.mpq"
                archive.unlink(missing_ok=True)
                what = f"v{version} {method} {' '.join(way)}"
                code, text = smpq("-c", "-q", "-M", str(version), "-C", method, *way, str(archive), *contents, cwd=files)
                if code != 0 or not archive.exists():
                    print(f"smpq does not make {what}: exit {code} {text.strip()[:100]}")
                    continue
                check_archive(archive, contents, what, method, scratch)
                if not way and not check_against_smpq(archive, contents, what, scratch):
                    unreadable.add(method)
                count += 1
    print(count, "archives made by smpq extract byte for byte")
    print("smpq does not get back what it packs by", ", ".join(sorted(unreadable)) or "none")
    expect(unreadable <= SMPQ_CANNOT_READ, f"smpq cannot read {unreadable}")
    expect(count > 100, f"only {count} archives")


def lose_name(archive, name):
    """Marks a file as deleted in the hash table, which smpq refuses for (listfile)."""
    data = bytearray(archive.read_bytes())
    (at,), (count,) = struct.unpack_from("<I", data, 0x10), struct.unpack_from("<I", data, 0x18)
    key = hash_name("(hash table)", 3)
    words = cipher(struct.unpack_from(f"<{count * 4}I", data, at), key, False)
    for i in range(0, len(words), 4):
        if words[i : i + 2] == [hash_name(name, 1), hash_name(name, 2)]:
            words[i + 3] = 0xFFFFFFFE
    struct.pack_into(f"<{count * 4}I", data, at, *cipher(words, key, True))
    archive.write_bytes(data)


def check_nameless(scratch):
    """Without a list of names, files come out under their hash, and with a list of the user under their name."""
    files = scratch / "files"
    contents = make_files(files)
    for way in ((), ("-E",), ("-E", "-F")):
        archive = scratch / "nameless.mpq"
        archive.unlink(missing_ok=True)
        smpq("-c", "-q", "-M", "1", "-A", *way, str(archive), *contents, cwd=files)
        lose_name(archive, "(listfile)")
        out = scratch / "nameless"
        shutil.rmtree(out, ignore_errors=True)
        code, _, errors = thaw("extract", archive, "-o", out)
        found = extracted(out)
        wanted = {content for name, content in contents.items()}
        # Of an encrypted file of one stored byte, nothing tells the key.
        lost = {content for content in wanted if content not in found.values()}
        allowed = {b"x", contents["random.bin"]} if way else set()
        expect(lost <= allowed, f"nameless {way}: {len(lost)} files lost: {errors[:300]}")
        expect(all(len(pathlib.Path(name).stem) == 16 for name in found), f"nameless {way}: names {list(found)}")
        expect(any(name.endswith(".mdx") for name in found), f"nameless {way}: no .mdx among {list(found)}")
        names = scratch / "names.txt"
        names.write_text("\n".join(name.replace("/", "\\") for name in contents) + "\nno such file\n")
        shutil.rmtree(out)
        code, _, errors = thaw("extract", archive, "-o", out, "--listfile", names)
        expect(code == 0 and extracted(out) == contents, f"nameless {way} with a list: {errors[:300]}")


def sound(kind, channels, dice):
    """A WAVE file of 16 bits: some 20,000 samples of each channel."""
    count = 20000 * channels
    shape = {
        "tone": lambda i: int(9000 * ((i % 100) / 50 - 1) + dice.randrange(200)),
        "noise": lambda i: dice.randrange(-32768, 32768),
        "square": lambda i: 30000 if i // 50 % 2 else -30000,
        "hush": lambda i: dice.randrange(-3, 4),
    }[kind]
    samples = b"".join(shape(i).to_bytes(2, "little", signed=True) for i in range(count))
    form = struct.pack("<HHIIHH", 1, channels, 44100, 88200 * channels, 2 * channels, 16)
    return b"RIFF" + struct.pack("<I", 36 + len(samples)) + b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(samples)) + samples


def check_sound(scratch):
    """What is packed as sound comes out as smpq unpacks it; Huffman alone loses nothing."""
    files, theirs = scratch / "sound", scratch / "theirs"
    files.mkdir()
    theirs.mkdir(exist_ok=True)
    dice = random.Random(2)
    for method in SOUND:
        for kind in ("tone", "noise", "square", "hush"):
            content = sound(kind, 2 if "STEREO" in method else 1, dice)
            (files / "a.wav").write_bytes(content)
            archive = scratch / "sound.mpq"
            archive.unlink(missing_ok=True)
            smpq("-c", "-q", "-M", "1", "-C", method, str(archive), "a.wav", cwd=files)
            (theirs / "a.wav").unlink(missing_ok=True)
            smpq("-x", "-q", str(archive), cwd=theirs)
            code, _, errors = thaw("extract", archive, "a.wav", "-o", scratch / "ours", "-f")
            expect(code == 0, f"{method} {kind}: exit {code} {errors[:200]}")
            ours = (scratch / "ours/a.wav").read_bytes() if code == 0 else b""
            expect(ours == (theirs / "a.wav").read_bytes(), f"{method} {kind}: other bytes than smpq's")
            expect(ours == content or method != "HUFFMANN", f"{method} {kind}: something is lost")
        print(method, "is unpacked")


def corpus_archives():
    """Sound archives: those in field/ are made to mislead; field.py knows what is right of them."""
    return [path for path in sorted(CORPUS.rglob("*"))
            if path.suffix.lower() in (".w3m", ".w3x", ".w3n", ".mpq") and path.is_file() and "field" not in path.relative_to(CORPUS).parts]


def check_corpus(scratch):
    """Every archive of the corpus as smpq extracts it."""
    count = 0
    for archive in corpus_archives():
        theirs = scratch / "theirs"
        ours = scratch / "ours"
        for folder in (theirs, ours):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        code, _, errors = thaw("extract", archive, "-o", ours)
        expect(code == 0, f"{archive.name}: {errors[:300]}")
        names = scratch / "own-names.txt"
        names.write_text("\n".join(extracted(ours)) + "\n")
        smpq("-x", "-q", "-L", str(names), str(archive.resolve()), cwd=theirs)
        found, wanted = extracted(ours), extracted(theirs)
        expect(len(wanted) > 0, f"{archive.name}: smpq extracts nothing")
        for name, content in wanted.items():
            expect(found.get(name) == content, f"{archive.name}: {name} differs")
        print(f"{archive.name}: {len(wanted)} files as smpq extracts them, {len(found)} in all")
        count += 1
    print(count, "archives of the corpus")


def main():
    if shutil.which("smpq") is None:
        print("smpq is not installed: nothing to compare with")
        return 77
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        check_methods(scratch)
        check_nameless(scratch)
        check_sound(scratch)
        check_corpus(scratch)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
