"""casc_storages.py: installations of another writer's making, and those of the corpus, are read byte for byte.

casc_make.py writes storages of both products in every kind of packing and every generation of roots; what `extract`
gives must be what went in. The storages of the corpus are compared with the listing of another reader beside them.
A model of which every texture lies in an installation finds them there.
"""

import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from casc_make import Storage, md5, numbered_root, tree

THAW = os.environ["THAW"]
SAMPLES = Path(os.environ["THAW_SAMPLES"])
CORPUS = Path(os.environ.get("THAW_CORPUS", "")) / "casc"
GENERATIONS = ("6.0", "8.2", "10.1.7", "11.1")
KEY = "1122334455667788"
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what, file=sys.stderr)


def thaw(*arguments):
    done = subprocess.run([THAW, *map(str, arguments)], capture_output=True)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def extracted(folder, out, *options):
    shutil.rmtree(out, ignore_errors=True)
    code, _, errors = thaw("extract", folder, "-o", out, "-j", "2", *options)
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in Path(out).rglob("*") if path.is_file()}
    return code, files, errors


def compare(what, found, wanted):
    expect(found.keys() == wanted.keys(), f"{what}: {sorted(found.keys() ^ wanted.keys())[:5]} differ")
    for name in found.keys() & wanted.keys():
        expect(found[name] == wanted[name], f"{what}: {name} differs")


def listing():
    """The other reader's: file, size and how many bytes it could read."""
    files = {}
    for row in csv.DictReader((CORPUS / "INDEX.tsv").open(), delimiter="\t"):
        files.setdefault(row["storage"], []).append(row)
    files["w3np"] = files["w3store"]  # the same, with indices that end where their entries do
    return files


def corpus():
    for storage, rows in listing().items():
        folder = CORPUS / storage
        code, out, errors = thaw("ls", folder, "--json")
        expect(code == 0, f"{storage}: {errors}")
        listed = {entry["name"]: entry["size"] for entry in json.loads(out)["entries"]}
        for row in rows:
            name, size = row["name"], int(row["size"])
            if size >= 1 << 63:
                continue  # the root of zeros that there is none of
            number = re.fullmatch(r"FILE([0-9A-F]{8})\.dat", name)
            flat = name.replace("\\", "/").replace("war3.w3mod:", "").replace(":", "/").strip("/")
            flat = f"unknown/{int(number[1], 16)}" if number else flat
            hidden = name.endswith(":") or name in ("vfs-root", "ENCODING", "DOWNLOAD", "ROOT") or len(name) == 32
            expect(hidden or listed.get(flat) == size, f"{storage}: {name} is {listed.get(flat)}, not {size}")
            code, out, errors = thaw("ls", folder, name if hidden else flat, "--json")
            found = json.loads(out)["entries"] if code == 0 else [{"size": errors}]
            expect(found[0]["size"] == size, f"{storage}: {name} as {found[0]['size']} bytes, not {size}")
            listed.pop(flat, None)
        expect(not listed, f"{storage}: {listed} are not in the other listing")
    code, files, errors = extracted(CORPUS / "encstore", "enc")
    expect(KEY in errors and "casc.encrypted" in errors, f"the key of what is encrypted is told: {errors}")
    expect(files["a.txt"][9:] == bytes(80) and files["a.txt"][:9].strip(b"\0") != b"", "zeros stand for it")


def contents():
    dice = random.Random(7)
    text = b"".join(b"line %d of %d\n" % (i, dice.randrange(99)) for i in range(3000))
    return {
        "stored.bin": ("N", dice.randbytes(5000)),
        "units/packed.txt": ("Z", text),
        "bare.txt": ("-Z", text[:7000]),
        "bare.bin": ("-N", text[:70]),
        "mixed/chunks.txt": ("NZZN", text),
        "mixed/nested.txt": ("ZFN", text[:9000]),
        "one.txt": ("N", b"1"),
        "zeros.bin": ("Z", bytes(100000)),
        "large.bin": ("ZNZNZNZN", dice.randbytes(400000)),
    }


def warcraft(folder, **options):
    """Nested trees, HD and SD of one path, two locales, a file of two parts, an encrypted one, one that is not there."""
    store = Storage(folder, archive_size=1 << 17, **options)
    wanted, base = {}, []
    for name, (mode, content) in contents().items():
        key = store.add(content, mode)
        base.append((name, [(key[1], key[2], len(content))]))
        wanted[name] = content
    halves = [store.add(part, "Z") + (len(part),) for part in (b"first half, ", b"second half")]
    base.append(("halves.txt", [key[1:] for key in halves]))
    wanted["halves.txt"] = b"first half, second half"
    secret = b"0123456789" * 3
    key = store.add(secret, "NE")
    base.append(("secret.bin", [(key[1], key[2], len(secret))]))
    wanted["secret.bin"] = secret[:15] + bytes(15)
    key = store.add(b"elsewhere", "N", local=False)
    base.append(("absent.bin", [(key[1], key[2], 9)]))
    base.append(("gone.bin", []))
    layers = {"_hd.w3mod": b"hd", "_locales/enus.w3mod": b"English", "_locales/dede.w3mod": b"Deutsch", "_teen.w3mod": b"tame",
              "_deprecated.w3mod": b"old", "_tilesets/l.w3mod": b"snow"}  # fmt: skip
    config = []
    for layer, word in layers.items():
        rows = []
        for name in (f"only{word.decode()}.txt", "shared.txt") + (("art.txt",) if word in (b"hd",) else ()):
            key = store.add(word + b" of " + name.encode())
            rows.append((name, [(key[1], key[2], len(word) + 4 + len(name))]))
            wanted[f"{layer}/{name}"] = word + b" of " + name.encode()
        inner = tree(rows)
        key = store.add(inner)
        base.append((layer, [(key[1], key[2], len(inner))]))
        config.append(f"vfs-{len(config) + 2} = {key[0].hex()} {key[1].hex()}")
    for name in ("art.txt", "shared.txt"):
        key = store.add(b"base of " + name.encode())
        base.append((name, [(key[1], key[2], 8 + len(name))]))
        wanted[name] = b"base of " + name.encode()
    inner = tree(base)
    key = store.add(inner, "NZ")
    config.append(f"vfs-1 = {key[0].hex()} {key[1].hex()}")
    outer = tree([("war3.w3mod", [(key[1], key[2], len(inner))])])
    key = store.add(outer)
    store.finish([f"vfs-root = {key[0].hex()} {key[1].hex()}", f"vfs-root-size = {len(outer)} {key[2]}", *config])
    return wanted


def check_warcraft():
    for pad in (True, False):
        wanted = warcraft(f"w3-{pad}", pad=pad)
        code, files, errors = extracted(f"w3-{pad}", "out")
        expect(code != 0 and "absent.bin" in errors and "casc.absent" in errors, f"what is not there is told: {errors}")
        expect(KEY in errors, "what is encrypted is told with its key")
        compare(f"Warcraft III, {pad}", files, wanted)
    for variant, word in ((("sd",), "English"), (("hd",), "hd"), (("deDE",), "Deutsch"), (("tileset:L",), "snow"), (("frFR", "teen"), "tame")):
        words = [option for one in variant for option in ("--variant", one)]
        code, out, errors = thaw("ls", "w3-True", "onlyold.txt", "onlyhd.txt", *words)
        expect(code == 0, f"what only other layers have is found: {errors}")
        code, files, errors = extracted("w3-True", "one", r"Only%s.txt" % word, *words)
        expect(len(files) == 1, f"{word} with {variant}: {errors}")
    code, _, errors = thaw("ls", "w3-True", "--variant", "w3t")
    expect(code != 0 and "w3" in errors and "casc.choice" in errors, f"products are told: {errors}")
    code, _, errors = thaw("ls", SAMPLES / "forgelight", "--variant", "hd")
    expect(code != 0 and "--variant" in errors, f"--variant is for installations: {errors}")


def check_world():
    for generation in GENERATIONS:
        folder = f"wow-{generation}"
        store = Storage(folder, archive_size=1 << 17)
        wanted, rows, german, listed = {}, [], [], []
        for i, (name, (mode, content)) in enumerate(contents().items()):
            rows.append((100 + 7 * i, store.add(content, mode)[0], name))
            listed.append(f"{100 + 7 * i};{name}")
            wanted[name] = content
        nameless = [(5, store.add(b"nameless file")[0], None), (900000, store.add(b"another", "-N")[0], None)]
        nameless = [(number, key, path or f"x/{number}") for number, key, path in nameless] if generation == "6.0" else nameless
        german = [(100, store.add(b"auf Deutsch")[0], "stored.bin"), (77, store.add(b"nur Deutsch")[0], "nur.txt")]
        tame = [(107, store.add(b"low violence")[0], "units/packed.txt")]
        blocks = [(0x80, 0x1F3F6, tame), (0, 0x20, german), (8, 0x2, rows), (0, 0x1F3F6, nameless)]
        root = store.add(numbered_root(generation, blocks))
        store.finish([f"root = {root[0].hex()}"], ("wow", "wow_classic"), "11.2.7.99999")
        Path(folder + ".csv").write_text("\n".join(listed) + "\n")
        code, _, errors = thaw("ls", folder)
        expect(code != 0 and "wow_classic" in errors, f"of two products one has to be named: {errors}")
        code, files, errors = extracted(folder, "out", "--variant", "wow", "--listfile", folder + ".csv", "-v")
        expect(code == 0, f"{generation}: {errors}")
        compare(generation, files, wanted | {"unknown/5": b"nameless file", "unknown/900000": b"another"})
        expect("casc.locale" in errors and " 1 file left out" in errors, f"files of other languages are told: {errors}")
        code, files, errors = extracted(folder, "out", "--variant", "wow,deDE", "5.blp", "77", "100.txt")
        expect(sorted(files.values()) == [b"auf Deutsch", b"nameless file", b"nur Deutsch"], f"by number: {files} {errors}")
        code, files, errors = extracted(folder, "out", "--variant", "wow", r"Units\PACKED.txt")
        expect(list(files.values()) == [wanted["units/packed.txt"]], f"{generation} by hash: {errors}")


def check_textures():
    """Textures of an M3 model by number, of Warcraft III's by name: out of an installation alone."""
    store = Storage("games/wow")
    model = json.loads(thaw("info", SAMPLES / "waystone_v3.m3", "--json", "--listfile", SAMPLES / "listfile.csv")[1])
    numbers = {line.split(";")[1]: int(line.split(";")[0]) for line in (SAMPLES / "listfile.csv").read_text().splitlines() if ";" in line}
    rows = []
    for texture in model["textures"]:
        path = texture["path"]
        file = next(file for file in SAMPLES.rglob("*") if file.as_posix().lower().endswith(path.lower()))
        rows.append((numbers[path], store.add(file.read_bytes())[0], None))
    rows.append((99, store.add((SAMPLES / "waystone_v3.m3").read_bytes())[0], None))
    store.finish([f"root = {store.add(numbered_root('11.1', [(0, 2, rows)]))[0].hex()}"], ("wow",))
    Path("alone").mkdir()
    shutil.copy(SAMPLES / "waystone_v3.m3", "alone")
    for options in ((), ("--listfile", SAMPLES / "listfile.csv")):
        code, out, errors = thaw("convert", "alone/waystone_v3.m3", "-o", "alone/a.glb", "-f", "--source", "games/wow", *options)
        expect(code == 0 and "missing" not in errors, f"textures by number: {errors}")
        here = Path("alone/a.glb").read_bytes()
        thaw("convert", SAMPLES / "waystone_v3.m3", "-o", "alone/b.glb", "-f", "--source", SAMPLES, "--listfile", SAMPLES / "listfile.csv")
        same = not options or len(Path("alone/b.glb").read_bytes()) == len(here)
        expect(len(here) > 20000 and same, f"as from the folder: {len(here)}")
    code, out, errors = thaw("convert", "-r", "games/wow", "-o", "made", "--to", "glb")
    expect(list(Path("made").rglob("*.glb")), f"models of an installation: {errors}")
    code, out, errors = thaw("survey", "games/wow", "-r")
    expect(code in (0, 1) and "m3" in out.lower(), f"survey: {out} {errors}")
    code, out, errors = thaw("info", "games/wow")
    expect(code == 0 and "casc" in (out + errors).lower(), f"info: {out} {errors}")


def check_damage():
    wanted = warcraft("broken")
    dice = random.Random(3)
    data = Path("broken/Data/data")
    whole = {path: path.read_bytes() for path in data.iterdir()}
    (data / "0300000001.idx").unlink()
    code, files, errors = extracted("broken", "out")
    expect("casc.index" in errors and "bucket 3" in errors, f"an index that is missing: {errors}")
    expect(all(files[name] == wanted[name] for name in files), "the rest is right")
    (data / "0300000001.idx").write_bytes(whole[data / "0300000001.idx"])
    for path in sorted(whole):
        if path.name.startswith("data."):
            path.write_bytes(whole[path][: dice.randrange(len(whole[path]))])
            code, files, errors = extracted("broken", "out")
            expect(code != 0 and "casc." in errors, f"{path.name} cut off: {errors}")
            expect(all(files[name] == wanted[name] for name in files), f"{path.name} cut off: the rest is right")
            path.write_bytes(whole[path])
    shutil.rmtree("broken/Data/config")
    code, _, errors = thaw("ls", "broken")
    expect(code != 0 and "casc.installation" in errors and "config" in errors, f"no configuration: {errors}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if CORPUS.is_dir():
            corpus()
        check_warcraft()
        check_world()
        check_textures()
        check_damage()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
