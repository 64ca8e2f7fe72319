"""casc_use.py: installed games where a person meets them: `doctor`, the page's server, variants, checksums on request."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

from casc_make import Storage, numbered_root, tree
from casc_storages import warcraft

THAW = Path(os.environ["THAW"]).resolve()
SAMPLES = Path(os.environ["THAW_SAMPLES"]).resolve()
HERE = Path(__file__).resolve().parent
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what, file=sys.stderr)


def thaw(*arguments, **environment):
    values = {**os.environ, "THAW_CONFIG": "", "HOME": os.getcwd(), "XDG_CONFIG_HOME": None, **environment}
    values = {name: value for name, value in values.items() if value is not None}
    done = subprocess.run([THAW, *map(str, arguments)], capture_output=True, text=True, env=values)
    return done.returncode, done.stdout, done.stderr


def conforms(command, out):
    Path("told.json").write_text(out)
    checked = subprocess.run([sys.executable, HERE / "check_schema.py", HERE.parent.parent / f"docs/schema/{command}.json", "told.json"], capture_output=True, text=True)
    expect(checked.returncode == 0, f"JSON of {command}: {checked.stdout}{checked.stderr}")


def checks(*arguments, **environment):
    code, out, errors = thaw("doctor", "--json", *arguments, **environment)
    conforms("doctor", out)
    return code, json.loads(out)["checks"] if out else errors


def knightly(folder, products=("w3",)):
    """Textures of the knight in two layers, and the knight itself; what HD has is another picture."""
    store = Storage(folder)

    def named(name, content):
        key = store.add(content)
        return name, [(key[1], key[2], len(content))]

    normal = {path.relative_to(SAMPLES).as_posix(): path.read_bytes() for path in (SAMPLES / "Textures").glob("knight*.blp")}
    fine = (SAMPLES / "Textures/banner.blp").read_bytes()
    inner = tree([named("textures/knight.blp", fine)])
    key = store.add(inner)
    lines = [f"vfs-2 = {key[0].hex()} {key[1].hex()}"]
    base = [named(name.lower(), content) for name, content in normal.items()] + [("_hd.w3mod", [(key[1], key[2], len(inner))])]
    base.append(named("units/knight.mdx", (SAMPLES / "knight.mdx").read_bytes()))
    whole = tree(base)
    key = store.add(whole)
    lines.append(f"vfs-3 = {key[0].hex()} {key[1].hex()}")
    outer = tree([("war3.w3mod", [(key[1], key[2], len(whole))])])
    key = store.add(outer)
    store.finish([f"vfs-root = {key[0].hex()} {key[1].hex()}", f"vfs-root-size = {len(outer)} {key[2]}", *lines], products)
    return normal, fine


def check_doctor():
    wanted = warcraft("w3")
    code, out, errors = thaw("doctor", "w3")
    expect(code == 0 and "ok    w3  (command line)" in out and "1 not installed" in out and "enUS" in out, f"in words: {code} {out} {errors}")
    code, found = checks("w3")
    product = found[0]["facts"]["products"][0]
    expect((product["product"], product["version"], product["ok"], product["absent"]) == ("w3", "3.0.0.99999", True, 1), f"for machines: {product}")
    expect(product["files"] == len(wanted) + 1, f"{product['files']} files, not {len(wanted) + 1}")
    layers = {one["layer"]: one["files"] for one in product["layers"]}
    expect(layers["_hd.w3mod"] == 3 and layers["_locales/dede.w3mod"] == 2 and layers[""] > 10, f"layers: {layers}")
    for command in ("ls", "info"):
        conforms(command, thaw(command, "w3", "--json")[1])
    # What is no installation: where one is, how far a path leads, what is broken.
    Path("games/units").mkdir(parents=True)
    shutil.copytree("w3", "games/Warcraft III")
    for folder in ("games", "games/Warcraft III/Data/data"):
        code, out, _ = thaw("doctor", folder)
        expect(code == 0 and "not an installation" in out and re.search(r"installation found: .*games/Warcraft III\n", out), f"one is near: {out}")
    code, out, _ = thaw("doctor", "games/Warcraft 3/Data")
    expect(code == 1 and "wrong" in out and "missing folder: games/Warcraft 3\n" in out, f"how far a path leads: {out}")
    shutil.rmtree("games/Warcraft III/Data/config")
    code, out, _ = thaw("doctor", "games/Warcraft III")
    expect(code == 1 and "w3 3.0.0.99999 cannot be read" in out and "build configuration" in out, f"what is broken: {out}")
    Path("games/Warcraft III/.build.info").unlink()
    code, out, _ = thaw("doctor", "games/Warcraft III")
    expect(code == 0 and "not an installation: no .build.info" in out, f"no installation any more: {out}")
    # Several products.
    knightly("both", ("w3", "w3t"))
    code, found = checks("both")
    expect(code == 0 and [one["product"] for one in found[0]["facts"]["products"]] == ["w3", "w3t"] and "--variant" in found[0]["text"], f"products: {found}")
    code, found = checks("both", "--variant", "w3t,hd")
    expect([one["product"] for one in found[0]["facts"]["products"]] == ["w3t"], f"one of them: {found}")


def check_settings():
    """What thaw.toml and the options name; a usual place."""
    Path("set").mkdir()
    Path("set/names.csv").write_text("5;a/b.blp\r\n6;c.blp\nbare.txt\n\n")
    thaw("pack", SAMPLES / "Textures", "-o", "set/game.mpq")
    Path("set/thaw.toml").write_text('sources = ["game.mpq", "gone"]\nlistfiles = ["names.csv"]\n')
    expect(thaw("config", "--trust", "set")[0] == 0, "settings that are allowed")
    code, _, errors = thaw("info", "set/x.mdx", THAW_CONFIG=None)
    expect(code == 2 and "thaw doctor" in errors, f"who is told to ask: {errors}")
    code, found = checks("set", "--source", "w3", THAW_CONFIG=None)
    told = {Path(one["path"]).name: one for one in found}
    expect(code == 1 and [one["ok"] for one in found] == [True, True, False, True, True], f"what is set: {found}")
    expect(told["game.mpq"]["kind"] == "archive" and told["game.mpq"]["origin"].endswith("thaw.toml:1"), f"an archive: {told['game.mpq']}")
    expect(told["names.csv"]["facts"] == {"numbered": 2, "bare": 1}, f"a listfile: {told['names.csv']}")
    expect(told["w3"]["kind"] == "installation" and told["w3"]["origin"] == "--source", f"a source: {told['w3']}")
    expect(told["set"]["facts"]["archives"] == 1, f"archives in a folder: {told['set']}")
    code, out, _ = thaw("doctor", "set", THAW_CONFIG="set/none.toml")
    expect(code == 1 and "none.toml" in out, f"settings that cannot be read: {out}")
    code, out, _ = thaw("doctor")
    expect(code == 0 and "No game found" in out, f"nothing: {out}")
    place = Path(".wine/drive_c/Program Files (x86)/Warcraft III")
    shutil.copytree("w3", place)
    code, out, _ = thaw("doctor")
    expect(code == 0 and f"{place}  (usual location)" in out, f"a usual place: {out}")
    code, found = checks()
    expect(sum(one["ok"] is True for one in found) == 1 and sum(one["ok"] is None for one in found) > 3, f"usual places: {found}")
    shutil.rmtree(".wine")


def check_variants():
    normal, fine = knightly("game")
    Path("alone").mkdir()
    shutil.copy(SAMPLES / "knight.mdx", "alone")
    code, out, errors = thaw("deps", "alone/knight.mdx", "--source", "game", "--json")
    conforms("deps", out)
    where = {one["path"]: one["where"] for one in json.loads(out)["dependencies"] if one["where"]}
    expect(where["Textures/knight.blp"].lower() == "game//textures/knight.blp" and len(where) == len(normal), f"deps: {where}")
    code, out, errors = thaw("deps", "alone/knight.mdx", "--source", "game", "--json", "--variant", "hd")
    where = {one["path"]: one["where"] for one in json.loads(out)["dependencies"] if one["where"]}
    expect(where["Textures/knight.blp"].lower() == "game//_hd.w3mod/textures/knight.blp", f"deps of HD: {where} {errors}")
    for variant, wanted in (("sd", normal["Textures/knight.blp"]), ("hd", fine)):
        code, _, errors = thaw("bundle", "alone/knight.mdx", "-o", f"bundle-{variant}/", "--source", "game", "--variant", variant)
        expect(code == 0 and Path(f"bundle-{variant}/knight.blp").read_bytes() == wanted, f"a bundle of {variant}: {errors}")
    conforms("bundle", thaw("bundle", "alone/knight.mdx", "-o", "bundle-sd/", "--source", "game", "--json")[1])  # it is there already
    conforms("bundle", thaw("bundle", "alone/knight.mdx", "-o", "bundle.zip", "--source", "game", "--json")[1])
    conforms("deps", thaw("deps", "--unused", "alone", "--json")[1] + thaw("deps", "-r", "game", "--json")[1])
    conforms("config", thaw("config", "--json", THAW_JOBS="3")[1])
    conforms("pack", thaw("pack", "alone", "-o", "alone.mpq", "--json")[1] + thaw("pack", "alone", "-o", "alone.mpq", "--json")[1])
    conforms("add", thaw("add", "alone.mpq", "bundle.zip", "-f", "--json")[1] + thaw("add", "none.mpq", "bundle.zip", "-f", "--json")[1])
    conforms("remove", thaw("remove", "alone.mpq", "bundle.zip", "-n", "-f", "--json")[1])
    code, _, errors = thaw("deps", "alone/knight.mdx", "--variant", "hd")
    expect(code == 2 and "--variant" in errors, f"a variant of nothing: {errors}")


def check_checksums():
    warcraft("flipped")
    listed = json.loads(thaw("ls", "flipped", "stored.bin", "--json")[1])["entries"][0]
    archive, offset = listed["offset"] >> 30, listed["offset"] & 0x3FFFFFFF
    data = Path(f"flipped/Data/data/data.{archive:03}")
    content = bytearray(data.read_bytes())
    content[offset + 30 + 200] ^= 1
    data.write_bytes(content)
    code, _, errors = thaw("extract", "flipped", "stored.bin", "-o", "loose", "-v")
    expect(code == 0 and "casc.checksum" in errors and Path("loose/stored.bin").is_file(), f"told: {code} {errors}")
    code, _, errors = thaw("extract", "flipped", "stored.bin", "-o", "strict", "--strict")
    expect(code == 5 and "casc.checksum" in errors and not Path("strict/stored.bin").exists(), f"refused: {code} {errors}")
    code, _, errors = thaw("extract", "w3", "stored.bin", "large.bin", "-o", "strict", "--strict")
    expect(code == 0, f"what is whole is not: {errors}")


class Server:
    """`thaw view` with a stand-in for the page."""

    def __init__(self, *arguments):
        Path("bin").mkdir(exist_ok=True)
        Path("share/thaw/web").mkdir(parents=True, exist_ok=True)
        shutil.copy(THAW, "bin/thaw")
        Path("share/thaw/web/index.html").write_text("<title>a page</title>\n")
        Path("share/thaw/web/thaw-module.wasm").write_bytes(b"\0asm")
        self.process = subprocess.Popen(["bin/thaw", "view", "--no-browser", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, "THAW_CONFIG": ""})  # fmt: skip
        self.url = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        if not self.url.port:
            raise SystemExit(f"no address: {self.process.communicate()}")

    def get(self, target):
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=60)
        connection.request("GET", self.url.path + target)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def file(self, name):
        return self.get("file?path=" + urllib.parse.quote(name))

    def files(self, folder=""):
        """Of a folder and those below it: the file that was named, and all names."""
        listed = json.loads(self.get("folder?path=" + urllib.parse.quote(folder))[1])
        start = folder and folder + "/"
        below = [name for child in listed["folders"] for name in self.files(start + child)["files"]]
        return {"first": listed["first"], "files": [start + name for name in listed["files"]] + below}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        expect(self.process.wait(20) == 130, "the server ends")


def check_view():
    wanted = warcraft("shown")
    normal, fine = knightly("game", ("w3", "w3t"))
    code, _, errors = thaw("view", "--no-browser", "game")
    expect(code == 3, f"the page is not there: {code} {errors}")
    with Server("shown") as server:
        files = server.files()
        expect(set(files["files"]) == {*wanted, "absent.bin"} and files["first"] == "", f"files: {sorted(set(files['files']) ^ wanted.keys())}")
        expect(server.file("_hd.w3mod/art.txt") == (200, wanted["_hd.w3mod/art.txt"]), "a file of a layer")
        expect(server.file("absent.bin")[0] == 404 and server.file("Data/data/data.000")[0] == 404, "what is not there")
    with Server("game//units/knight.mdx", "--variant", "w3") as server:
        files = server.files()
        expect(files["first"] == "units/knight.mdx" and "_hd.w3mod/textures/knight.blp" in files["files"], f"a model of it: {files}")
        expect(server.file("units/knight.mdx")[1] == (SAMPLES / "knight.mdx").read_bytes(), "its bytes")
    with Server("alone/knight.mdx", "--source", "game", "--variant", "w3t,hd") as server:
        files = server.files()
        expect(files["first"] == "knight.mdx" and not any("data.0" in name for name in files["files"]), f"beside a model: {files}")
        server.get("where?model=knight.mdx&path=textures/knight.blp")
        expect(server.file("textures/knight.blp")[1] == fine, "the texture of the layer that was asked for")
    store = Storage("wow")
    numbers = {line.split(";")[1]: int(line.split(";")[0]) for line in (SAMPLES / "listfile.csv").read_text().splitlines() if ";" in line}
    rows = [(number, store.add(next(file for file in SAMPLES.rglob("*") if file.as_posix().lower().endswith(path.lower())).read_bytes())[0], None)
            for path, number in numbers.items() if (SAMPLES / path).exists() or (SAMPLES / "Textures" / Path(path).name).exists()]  # fmt: skip
    rows.append((99, store.add((SAMPLES / "waystone_v3.m3").read_bytes())[0], None))
    store.finish([f"root = {store.add(numbered_root('11.1', [(0, 2, sorted(rows, key=lambda row: row[0]))]))[0].hex()}"], ("wow",))
    with Server("wow//99.m3") as server:
        files = server.files()
        expect(files["first"] == "99.m3" and server.file("99.m3")[1][:4] == (SAMPLES / "waystone_v3.m3").read_bytes()[:4], f"by number: {files}")
        expect(all(server.file(f"{number}.blp")[0] == 200 for number, _, _ in rows), f"textures by number: {files}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_doctor()
        check_settings()
        check_variants()
        check_checksums()
        check_view()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
