"""cli_strangers.py: what files of strangers make thaw do: private files, settings, names of files, escape sequences."""

import base64
import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

THAW = os.path.realpath(os.environ["THAW"])
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"]).resolve()
KEY = b"-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n"
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what, file=sys.stderr)


def thaw(*arguments, cwd=None, **environment):
    values = {**os.environ, "THAW_CONFIG": "", **environment}
    values = {name: value for name, value in values.items() if value is not None}
    done = subprocess.run([THAW, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, env=values)
    return done.returncode, done.stdout, done.stderr


def model(*textures):
    bitmaps = "".join('  Bitmap { Image "%s", }\n' % texture.replace("/", "\\\\") for texture in textures)
    return f'Version {{ FormatVersion 800, }}\nModel "Stranger" {{ BlendTime 150, }}\nTextures {len(textures)} {{\n{bitmaps}}}\n'


def held(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def make_home(scratch):
    home = scratch / "home"
    for folder in (".ssh", ".config", "Pictures", "Downloads/model/inner", "Textures"):
        (home / folder).mkdir(parents=True)
    (home / ".ssh/id_rsa").write_bytes(KEY)
    (home / ".config/token.txt").write_bytes(b"token")
    (home / "Downloads/model/notes.txt").write_bytes(b"my notes")
    (home / "Downloads/model/key.blp").write_bytes(KEY)
    code, _, errors = thaw("convert", SAMPLES / "Textures/knight.blp", "-o", home / "Pictures/passport.png")
    expect(code == 0, errors)
    shutil.copy(home / "Pictures/passport.png", home / "Downloads/model/inner/.hidden.png")
    os.symlink(home / "Pictures/passport.png", home / "Downloads/model/link.png")
    os.symlink(home / "Pictures", home / "Downloads/model/pictures")
    os.symlink("inner/.hidden.png", home / "Downloads/model/alias.png")
    return home


def check_private_files(scratch):
    """A model with a key, a private picture, links and hidden files for textures takes none of them with it."""
    home = make_home(scratch)
    asked = (".ssh/id_rsa", "../.ssh/id_rsa", ".config/token.txt", "Pictures/passport.png", "passport.png", "notes.txt", "key.blp",
             "link.png", "pictures/passport.png", "inner/.hidden.png", "alias.png")
    file = home / "Downloads/model/stranger.mdl"
    for number, place in enumerate((file, home / "stranger.mdl")):
        place.write_text(model(*asked if number == 0 else asked[:3]))
        out = scratch / f"out{number}"
        for target in (f"{out}/", f"{out}.zip", f"{out}.w3x"):
            code, _, errors = thaw("bundle", place, "-o", target)
            expect(code == 0, f"{target}: {errors}")
        expect(held(out) == {"stranger.mdl"}, f"a bundle of {place} holds {held(out)}")
        with zipfile.ZipFile(f"{out}.zip") as archive:
            expect(archive.namelist() == ["stranger.mdl"], f"a ZIP holds {archive.namelist()}")
        code, text, _ = thaw("deps", place, "--json")
        found = [one["path"] for one in json.loads(text)["dependencies"] if one["state"] == "found"]
        expect(not found, f"deps finds {found}")
        code, text, errors = thaw("convert", place, "-o", scratch / f"{number}.glb", "--json")
        expect(code == 0 and json.loads(text)["textures_missing"] == json.loads(text)["textures"], f"convert embeds: {text} {errors}")
    packed = home / "Downloads/map.w3x"
    file.write_text(model("Pictures/passport.png", "passport.png"))
    shutil.copy(home / "Pictures/passport.png", home / "Downloads")
    code, _, errors = thaw("pack", home / "Downloads/model/inner", "-o", packed)
    code, _, errors = thaw("add", packed, file, "-f") if code == 0 else (code, "", errors)
    expect(code == 0, errors)
    code, text, _ = thaw("deps", f"{packed}//stranger.mdl", "--json")
    found = [one["where"] for one in json.loads(text)["dependencies"] if one["state"] == "found"]
    expect(not found, f"a model in a map finds {found}")


def check_outside(scratch):
    """What comes from outside the model's folder is listed without -v, in JSON, too; -q lists nothing."""
    game = scratch / "game"
    (game / "Units").mkdir(parents=True)
    shutil.copytree(SAMPLES / "Textures", game / "Textures")
    shutil.copy(SAMPLES / "knight.mdx", game / "Units")
    for arguments in (("bundle", "-o", f"{scratch / 'out'}/"), ("bundle", "-o", scratch / "out.zip"), ("convert", "-o", scratch / "knight.glb"),
                      ("render", "-s", "32", "-o", scratch / "knight.png")):
        code, text, errors = thaw(arguments[0], game / "Units/knight.mdx", *arguments[1:], "-f")
        expect(code == 0 and "source.outside" in errors and "game/Textures/knight.blp" in errors, f"{arguments[0]} lists: {errors}")
        code, text, errors = thaw(arguments[0], game / "Units/knight.mdx", *arguments[1:], "-f", "--json")
        expect("source.outside" in [one["code"] for one in json.loads(text.splitlines()[0])["diagnostics"]], f"{arguments[0]} as JSON: {text}")
        expect("source.outside" not in thaw(arguments[0], game / "Units/knight.mdx", *arguments[1:], "-f", "-q")[2], "with -q")
    expect("source.outside" not in thaw("convert", SAMPLES / "knight.mdx", "-o", scratch / "knight.glb", "-f")[2], "nothing from outside")
    packed = scratch / "game.mpq"
    thaw("pack", game, "-o", packed)
    (scratch / "alone").mkdir()
    shutil.copy(SAMPLES / "knight.mdx", scratch / "alone")
    _, _, errors = thaw("convert", scratch / "alone/knight.mdx", "-o", scratch / "knight.glb", "-f", "--source", packed)
    expect(f"files of {packed}" in errors, f"of an archive: {errors}")


def check_settings(scratch):
    """A stranger's thaw.toml does nothing until it is allowed; its paths stay inside its folder."""
    folder, user = scratch / "got", scratch / "user"
    folder.mkdir()
    user.mkdir()
    here = {"THAW_CONFIG": None, "XDG_CONFIG_HOME": str(user)}
    shutil.copytree(SAMPLES / "Textures", folder / "files/Textures")
    shutil.copytree(SAMPLES / "Textures", scratch / "elsewhere/Textures")
    shutil.copy(SAMPLES / "knight.mdx", folder)
    settings = folder / "thaw.toml"
    settings.write_text('sources = "files"\n')

    def states():
        code, text, errors = thaw("deps", folder / "knight.mdx", "--json", **here)
        return code, {one["state"] for one in json.loads(text)["dependencies"] if one["kind"] == "texture"} if text else set(), errors

    code, found, errors = states()
    expect("found" not in found and "was ignored" in errors and f"thaw config --trust {folder}" in errors and errors.count("\n") == 1, f"not allowed: {found} {errors}")
    expect(thaw("deps", folder / "knight.mdx", "-q", **here)[2] == "", "with -q")
    code, text, _ = thaw("config", folder, "--json", **here)
    expect([one for one in json.loads(text)["files"] if "ignored" in one and one["path"] == str(settings)], f"config: {text}")
    expect("not read" in thaw("doctor", folder, **here)[1], "doctor")
    code, text, errors = thaw("config", "--trust", folder, **here)
    expect(code == 0 and f"trusted    {folder}" in text and "read       " in text, f"--trust: {text} {errors}")
    code, found, errors = states()
    expect("found" in found and errors == "", f"allowed: {found} {errors}")
    (folder / "deep").mkdir()
    shutil.copy(settings, folder / "deep")
    expect("not read" in thaw("config", folder / "deep", **here)[1], "what lies below is not allowed with it")
    os.symlink(scratch / "elsewhere", folder / "link")
    for path in ("../elsewhere", str(scratch / "elsewhere"), "link", "//server/share"):
        settings.write_text(f"sources = '{path}'\n")
        code, _, errors = states()
        expect(code == 2 and "outside the folder" in errors, f"{path}: {code} {errors}")
    (user / "thaw").mkdir(exist_ok=True)
    (user / "thaw/thaw.toml").write_text(f"sources = '{scratch / 'elsewhere'}'\n")
    settings.unlink()
    expect("found" in states()[1], "the user's own file may name any place")
    (user / "thaw/thaw.toml").unlink()
    (scratch / "real.toml").write_text('sources = "files"\n')
    os.symlink(scratch / "real.toml", settings)
    expect("it is a symbolic link" in states()[2], "a link")
    settings.unlink()
    settings.write_text('sources = "files"\n')
    if os.geteuid() == 0:
        os.chown(settings, 12345, 12345)
        expect("another user" in states()[2], "a file of another user")
        os.chown(settings, 0, 0)
    code, text, _ = thaw("config", "--untrust", folder, **here)
    expect(code == 0 and "trusted" not in text.replace("is not trusted", ""), f"--untrust: {text}")
    expect("found" not in states()[1], "allowed no longer")
    expect(thaw("config", "--trust", scratch / "nowhere", **here)[0] == 2, "a folder that is not there")


def check_names(scratch):
    """Nothing is unpacked under a name that programs obey, or that looks like another."""
    names = ["thaw.toml", "sub/THAW.toml", ".git/hooks/post-checkout", ".bashrc", ".htaccess", "desktop.ini", "Autorun.inf", "GIT~1/config", "web.config",
             "COM\u00b9.txt", "lpt\u00b2", "CON .txt", "rtl\u202egpj.exe", "zero\u200bwidth.txt", "\ufefffirst.txt", ".\u200dgit/config", "look.lnk", "look.desktop", "plain.txt"]
    folder = scratch / "in"
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    packed, out = scratch / "names.mpq", scratch / "out"
    expect(thaw("pack", folder, "-o", packed)[0] == 0, "pack")
    code, _, errors = thaw("extract", packed, "-o", out, "-v")
    expect(code == 0 and errors.count("write.name") >= len(names) - 1, f"extract: {code} {errors}")
    wanted = {"_thaw.toml", "sub/_THAW.toml", "_.git/hooks/post-checkout", "_.bashrc", "_.htaccess", "_desktop.ini", "_Autorun.inf", "_GIT~1/config", "_web.config",
              "_COM\u00b9.txt", "_lpt\u00b2", "_CON .txt", "rtl_gpj.exe", "zero_width.txt", "_first.txt", "_._git/config", "look.lnk_", "look.desktop_", "plain.txt"}
    expect(held(out) - {"(listfile)", "(attributes)"} == wanted, f"extract wrote {sorted(held(out) ^ wanted)}")


def check_escapes(scratch):
    """No text on a terminal holds what steers it."""
    file = scratch / "escape.mdx"
    file.write_bytes(b"MDLX" + b"VERS" + struct.pack("<II", 4, 800) + b"\x1b[2J" + struct.pack("<I", 4) + b"\x1b]0;")
    for arguments in (("set", "--paths"), ("dump",), ("tree",), ("info",), ("validate", "-v")):
        _, out, errors = thaw(*arguments, file)
        expect("\x1b" not in out + errors, f"{arguments[0]} lets an escape sequence through")


def at_once(runs):
    """Exit codes and messages of runs that are started together."""
    started = [subprocess.Popen([THAW, *map(str, run)], stderr=subprocess.PIPE, text=True, env={**os.environ, "THAW_CONFIG": ""}) for run in runs]
    return [(run.wait(), errors) for run in started for errors in (run.stderr.read(),)]


def check_two_writers(scratch):
    """Of several runs that change one file in place, those that say that it is done are in it; the others say write.changed."""
    (scratch / "in").mkdir()
    for i in range(4):
        (scratch / f"in/large{i}").write_bytes(os.urandom(4 << 20))
    packed, file = scratch / "a.mpq", scratch / "knight.mdx"
    shutil.copy(SAMPLES / "knight.mdx", file)
    expect(thaw("pack", scratch / "in", "-o", packed, "--store")[0] == 0, "pack")
    for i in range(6):
        (scratch / f"more{i}").write_text(str(i))
    done = at_once([("add", packed, f"{scratch}/more{i}=more{i}", "-f", "--store") for i in range(6)])
    _, text, _ = thaw("ls", packed, "--json")
    there = {one["name"] for one in json.loads(text)["entries"]}
    expect({f"more{i}" for i, (code, _) in enumerate(done) if code == 0} == {name for name in there if name.startswith("more")}, f"add: {done} {there}")
    expect(all(code == 0 or (code == 4 and "write.changed" in errors) for code, errors in done) and any(code == 0 for code, _ in done), f"add: {done}")
    code, _, errors = thaw("add", packed, f"{scratch}/more0=last", "-f", "--store")
    expect(code == 0, f"one alone: {errors}")
    edits = {"blendTime": "11", "extent.boundsRadius": "22", "name": '"One"', "animationFileName": '"two"'}
    done = at_once([("set", file, f"MODL.{name}={value}", "-o", file, "-f") for name, value in edits.items()])
    _, text, _ = thaw("set", "--paths", file, "--json")
    values = {one["path"]: one["value"] for one in json.loads(text)["paths"]}
    for (name, value), (code, errors) in zip(edits.items(), done):
        expect(code == 4 and "write.changed" in errors or code == 0 and values[f"MODL.{name}"] == value, f"set: {name}: {code} {errors} {values[f'MODL.{name}']}")


def check_pixels(scratch):
    """A small file of many pixels is refused by name, or takes no more than 1.3 GiB; so do several at once."""
    def chunk(tag, content):
        return struct.pack(">I", len(content)) + tag + content + struct.pack(">I", zlib.crc32(tag + content))

    def black(file, side):
        rows = zlib.compress(b"\0" * ((side // 8 + 1) * side), 9)
        file.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))

    file = scratch / "large.png"
    black(file, 16000)
    for target in ("blp", "dds", "png"):
        code, _, errors = thaw("convert", file, "-o", scratch / f"made.{target}")
        expect(code == 6 and "16000 × 16000 pixels" in errors and "--max-pixels" in errors, f"to {target}: {code} {errors}")
    (scratch / "many").mkdir()
    for i in range(8):
        black(scratch / f"many/{i}.png", 4608)
    run = subprocess.Popen([THAW, "convert", "-r", scratch / "many", "-o", scratch / "many_made", "--to", "blp", "-j", "8", "-q"], stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    expect(status == 0, f"eight large pictures: {status}")
    expect(usage.ru_maxrss < 1.3 * (1 << 20), f"eight large pictures at once take {usage.ru_maxrss >> 10} MiB")


def check_many_meshes(scratch):
    """Time for a scene of many meshes grows with their number, not with its square: of the processor, that the machine's load counts less."""
    def seconds(count):
        triangle = base64.b64encode(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)).decode()
        file = scratch / f"{count}.gltf"
        file.write_text(json.dumps({
            "asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": f"data:application/octet-stream;base64,{triangle}"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}] * count, "nodes": [{"mesh": i} for i in range(count)],
            "scenes": [{"nodes": list(range(count))}], "scene": 0}))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        code, _, errors = thaw("convert", file, "-o", scratch / f"{count}.mdx")
        expect(code == 0, f"{count} meshes: {errors}")
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    few, many = seconds(5000), seconds(20000)
    expect(many < 12 * max(few, 0.1), f"5,000 meshes take {few:.2f} s, 20,000 take {many:.2f} s")


def main():
    with tempfile.TemporaryDirectory() as name:
        for check in (check_private_files, check_outside, check_settings, check_names, check_escapes, check_two_writers, check_pixels, check_many_meshes):
            scratch = pathlib.Path(os.path.realpath(name)) / check.__name__
            scratch.mkdir()
            check(scratch)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
