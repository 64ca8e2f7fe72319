"""cli_deps.py: what belongs to a model is found, told, left over and bundled; settings that stay.

Ten models of the corpus that have textures beside them are bundled as a folder, a ZIP and a map: the pictures of
the bundle alone are those of the original.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"])
CORPUS = pathlib.Path(os.environ.get("THAW_CORPUS", ""))
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what, file=sys.stderr)


def thaw(*arguments, cwd=None, **environment):
    values = {**os.environ, "THAW_CONFIG": "", **environment}
    values = {name: value for name, value in values.items() if value is not None}
    done = subprocess.run([os.path.realpath(THAW), *map(str, arguments)], capture_output=True, text=True, cwd=cwd, env=values)
    return done.returncode, done.stdout, done.stderr


def slk(columns, *rows):
    lines = ["ID;PWXL;N;E", f"B;X{len(columns)};Y{len(rows) + 1};D0"]
    for y, row in enumerate((columns, *rows), 1):
        for x, cell in enumerate(row, 1):
            lines.append(f"C;X{x};" + (f"Y{y};" if x == 1 else "") + f'K"{cell}"')
    return "\r\n".join([*lines, "E"])


MODEL = """Version { FormatVersion 800, }
Model "Asker" { BlendTime 150, }
Textures 4 {
  Bitmap { Image "Textures\\skin.blp", }
  Bitmap { Image "", ReplaceableId 1, }
  Bitmap { Image "Textures\\gone.blp", }
  Bitmap { Image "textures/SKIN.blp", }
}
Attachment "Hand Ref" { ObjectId 0, AttachmentID 0, Path "Doodads\\Sword.mdl", }
ParticleEmitter "Thrower" { ObjectId 1, EmitterUsesMDL,
  static EmissionRate 1, static Gravity 0, static Longitude 0, static Latitude 0, static Visibility 1,
  Particle { static LifeSpan 1, static InitVelocity 1, Path "Doodads\\Rock.mdl", } }
EventObject "SNDxTEST" { ObjectId 2, EventTrack 1 { 10, } }
EventObject "SPLxBLUD" { ObjectId 3, EventTrack 1 { 10, } }
EventObject "UBRxHOLE" { ObjectId 4, EventTrack 1 { 10, } }
EventObject "SPNxBIRD" { ObjectId 5, EventTrack 1 { 10, } }
PivotPoints 6 { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, }
"""
WITHIN = 'Version { FormatVersion 800, }\nModel "%s" { BlendTime 150, }\nTextures 1 { Bitmap { Image "%s", } }\n'


def make_game(scratch):
    """A folder with a model, and a game that has what it asks for."""
    picture = (SAMPLES / "Textures/knight.blp").read_bytes()
    files = {
        "unit/asker.mdl": MODEL, "unit/asker_portrait.mdl": WITHIN % ("Face", "Textures\\face.blp"), "unit/left.blp": picture,
        "game/Textures/Skin.BLP": picture, "game/Doodads/Sword.mdl": WITHIN % ("Sword", "Doodads\\blade.blp"), "game/Doodads/blade.dds": (SAMPLES / "Textures/chest_diffuse.dds").read_bytes(),
        "game/Doodads/Rock.mdl": WITHIN % ("Rock", "Textures\\skin.blp"), "game/Textures/face.blp": picture,
    }
    tables = {
        "UI/SoundInfo/AnimLookups.slk": slk(("SoundEventID", "SoundLabel"), ("TEST", "TestSound")),
        "UI/SoundInfo/AnimSounds.slk": slk(("SoundName", "FileNames", "DirectoryBase"), ("TestSound", "one.wav,two.wav", "Units\\Test\\")),
        "Splats/SplatData.slk": slk(("SplatID", "comment", "Dir", "file"), ("BLUD", "blood", "ReplaceableTextures\\Splats", "Blood1")),
        "Splats/UberSplatData.slk": slk(("UberSplatID", "Dir", "file"), ("HOLE", "x", "Hole1")),
        "Splats/SpawnData.slk": slk(("SpawnID", "Model"), ("BIRD", "Birds\\Bird.mdl")),
        "Units/Test/one.wav": b"RIFF", "ReplaceableTextures/Splats/Blood1.blp": picture, "Birds/Bird.mdx": b"MDLXVERS\4\0\0\0\x20\3\0\0",
    }
    for folder, group in ((scratch, files), (scratch / "tables", tables)):
        for name, content in group.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)


def told(text):
    return {(one["kind"], one["path"]): one for one in json.loads(text.splitlines()[0])["dependencies"]}


def check_deps(scratch):
    make_game(scratch)
    model, sources = scratch / "unit/asker.mdl", ("--source", scratch / "game")
    code, out, errors = thaw("deps", model, "--json", *sources)
    found = told(out)
    states = {key: one["state"] for key, one in found.items()}
    expect(code == 1, f"something is missing: {code} {errors[:200]}")
    expect(states == {
        ("texture", "Textures/skin.blp"): "found", ("texture", "team colour"): "supplied", ("texture", "Textures/gone.blp"): "missing",
        ("attached model", "Doodads/Sword.mdl"): "found", ("particle model", "Doodads/Rock.mdl"): "found", ("sound", "SNDxTEST"): "unknown",
        ("splat", "SPLxBLUD"): "unknown", ("ground splat", "UBRxHOLE"): "unknown", ("spawned model", "SPNxBIRD"): "unknown",
        ("portrait", "asker_portrait.mdx"): "found", ("texture", "Doodads/blade.blp"): "found", ("texture", "Textures/face.blp"): "found",
    }, f"without tables: {states}")
    expect(found["texture", "Textures/skin.blp"]["where"].endswith("game/Textures/Skin.BLP"), "where a texture is")
    expect(found["texture", "Doodads/blade.blp"]["by"].lower().endswith("doodads/sword.mdl"), "who asks")
    code, out, errors = thaw("deps", model, "--json", *sources, "--source", scratch / "tables")
    states = {key: one["state"] for key, one in told(out).items() if one["state"] != "supplied"}
    for key, state in {("sound", "Units/Test/one.wav"): "found", ("sound", "Units/Test/two.wav"): "missing", ("spawned model", "Birds/Bird.mdl"): "found",
                       ("splat", "ReplaceableTextures/Splats/Blood1.blp"): "found", ("ground splat", "ReplaceableTextures/Splats/Hole1.blp"): "missing"}.items():
        expect(states.get(key) == state, f"by tables: {key} is {states.get(key)}")
    code, out, _ = thaw("deps", model, *sources)
    expect("missing   texture" in out and "Skin.BLP" in out, f"as text: {out[:500]}")
    expect(thaw("deps")[0] == 2, "nothing is named")
    packed = scratch / "game.mpq"
    expect(thaw("pack", scratch / "game", "-o", packed)[0] == 0, "the game as an archive")
    code, out, _ = thaw("deps", model, "--json", "--source", packed)
    expect("game.mpq//" in told(out)["texture", "Textures/skin.blp"]["where"], "where a texture is in an archive")


def check_other_games(scratch):
    """Actors and buildings, with what belongs to what they name."""
    code, out, _ = thaw("deps", SAMPLES / "forgelight/Human.adr", "--json")
    found = {path.lower(): kind for kind, path in told(out)}
    expect(code == 0 and found == {
        "human.mrn": "network", "human_lod0.dma": "materials", "human_lod0.dme": "model",
        "human_c.dds": "texture", "human_n.dds": "texture", "human_s.dds": "texture"}, f"of an actor: {code} {found}")
    code, out, _ = thaw("deps", SAMPLES / "house.wmo", "--json")
    found = {(kind, path.lower()) for kind, path in told(out)}
    expect(("texture", "textures/house_stone.blp") in found and any(kind == "model" for kind, _ in found), f"of a building: {found}")
    parts = scratch / "parts"
    expect(thaw("convert", SAMPLES / "house.wmo", "--to", "wmo-v17", "-o", f"{parts}/")[0] == 0, "a building in parts")
    code, out, _ = thaw("deps", parts / "house.wmo", "--json")
    expect({path for kind, path in told(out) if kind == "building part"} == {"house_000.wmo", "house_001.wmo"}, f"its parts: {out[:400]}")


def check_what_emitters_and_sounds_name(scratch):
    code, out, _ = thaw("deps", SAMPLES / "everything_v1800.mdx", "--json")
    found = told(out)
    expect(("sound", "Sound/Hum.wav") in found, f"the file of a sound track: {code} {out}")
    expect(("texture", "Textures/Dust.tga") in found and ("particle model", "Textures/Dust.tga") not in found,
           f"the picture of an emitter that uses a TGA: {out}")


def check_wrong_settings(scratch):
    (scratch / "thaw.toml").write_text('team-color = "mauve"\n')
    here = {"THAW_CONFIG": None, "XDG_CONFIG_HOME": str(scratch / "home")}
    expect(thaw("config", "--trust", scratch, **here, cwd=scratch)[0] == 0, "settings that are allowed")
    code, out, _ = thaw("doctor", cwd=scratch, **here)
    expect(code == 1 and "mauve" in out and "expected 0 to 23" in out, f"a colour that there is not: {code} {out}")
    (scratch / "thaw.toml").write_text('team-color = "blue"\n')
    expect(thaw("doctor", cwd=scratch, **here)[0] == 0, "a colour that there is")


def check_unused(scratch):
    make_game(scratch)
    whole = scratch / "whole"
    shutil.copytree(scratch / "game", whole)
    shutil.copytree(scratch / "unit", whole, dirs_exist_ok=True)
    code, out, errors = thaw("deps", "--unused", whole)
    expect(code == 0 and out.splitlines() == [(whole / "left.blp").as_posix()], f"unused: {code} {out} {errors}")
    (whole / "readme.txt").write_text("nothing that a model could need")
    code, out, errors = thaw("deps", "--unused", whole)
    expect("readme.txt" not in out and "1 file of other kinds not checked" in errors, f"a text: {out} {errors}")
    code, out, _ = thaw("deps", whole / "Doodads/Rock.mdl", "--unused", whole, "--json")
    unused = json.loads(out.splitlines()[-1])["unused"]
    expect("Textures/Skin.BLP" not in unused and "asker.mdl" in unused and "Doodads/blade.dds" in unused, f"unused by one: {unused}")


def check_bundle(scratch):
    make_game(scratch)
    model, sources = scratch / "unit/asker.mdl", ("--source", scratch / "game", "--source", scratch / "tables")
    out = scratch / "bundled"
    code, _, errors = thaw("bundle", model, "-o", f"{out}/", *sources)
    expect(code == 0 and "gone.blp" in errors, f"bundle: {code} {errors}")
    names = sorted(path.relative_to(out).as_posix().lower() for path in out.rglob("*") if path.is_file())
    expect({"asker.mdl", "skin.blp", "sword.mdl", "rock.mdl", "blade.dds", "face.blp", "units/test/one.wav"} <= set(names), f"bundle: {names}")
    code, text, _ = thaw("deps", out / "asker.mdl", "--json", "--source", out)
    states = [one for one in told(text).values() if one["state"] == "missing" and one["kind"] != "sound" and "Splats" not in one["path"]]
    expect([one["path"] for one in states] == ["Textures/gone.blp"], f"of the bundle is missing: {states}")
    expect(thaw("bundle", model, "-o", f"{out}/", *sources)[0] == 4, "a bundle is not written over")
    expect(thaw("bundle", model, "-o", f"{out}.rar", *sources)[0] == 2, "a bundle is no file of another kind")
    target = scratch / "bundle.zip"
    expect(thaw("bundle", model, "-o", target, *sources)[0] == 0, "a ZIP")
    with zipfile.ZipFile(target) as archive:
        expect(archive.testzip() is None and sorted(name.lower() for name in archive.namelist()) == names, "what the ZIP holds")
        for name in archive.namelist():
            expect(archive.read(name) == (out / name).read_bytes(), f"{name} in the ZIP")
    target = scratch / "map.w3x"
    code, _, errors = thaw("bundle", model, "-o", target, *sources)
    expect(code == 0, f"a map: {errors}")
    code, text, _ = thaw("ls", target, "--json")
    held = [one["name"].lower() for one in json.loads(text)["entries"]]
    expect("war3mapimported/skin.blp" in held and "war3map.imp" in held and "units/test/one.wav" in held, f"a map holds {held}")
    code, text, _ = thaw("deps", f"{target}//war3mapImported/asker.mdl", "--json", "--no-default-sources", "--source", target)
    expect(told(text)["texture", "war3mapImported/skin.blp"]["state"] == "found", "a map's own paths")
    code, _, errors = thaw("bundle", SAMPLES / "knight.mdx", "-o", target, "-f")
    expect(code == 0, f"into a map: {errors}")
    code, text, _ = thaw("ls", target, "--json")
    more = [one["name"].lower() for one in json.loads(text)["entries"]]
    expect(set(held) < set(more) and "war3mapimported/knight.mdx" in more, f"into a map: {more}")


def check_pictures(scratch):
    """Ten models of the corpus that have some of what they need beside them."""
    count = 0
    for folder in sorted((CORPUS / "wc3").glob("*")) if (CORPUS / "wc3").is_dir() else []:
        code, out, _ = thaw("deps", "-r", folder, "--include", "*.mdx", "--json", "-j", "2")
        for line in out.splitlines():
            one = json.loads(line)
            asked = one.get("dependencies", [])
            if not any(each["state"] == "found" for each in asked):
                continue
            out_folder, model = scratch / f"bundle{count}", pathlib.Path(one["input"])
            code, _, errors = thaw("bundle", model, "-o", f"{out_folder}/")
            expect(code == 0, f"{model}: {errors[:300]}")
            before, after = scratch / "before.png", scratch / "after.png"
            for source, picture in ((model, before), (out_folder / model.name, after)):
                code, _, errors = thaw("render", source, "-s", "160", "-o", picture, "-f", "-j", "1")
                expect(code == 0, f"{source}: {errors[:300]}")
            expect(before.read_bytes() == after.read_bytes(), f"{model}: another picture")
            count += 1
            if count == 10:
                break
        if count == 10:
            break
    print(count, "models of the corpus show the same out of their bundles")
    expect(count == 10 or not (CORPUS / "wc3").is_dir(), f"only {count} models")


def check_config(scratch):
    make_game(scratch)
    folder = scratch / "unit"
    (folder / "thaw.toml").write_text('# of this folder\nsources = [\n  "game", # the game\n]\nteam-color = "blue"\njobs = 2\n')
    (folder / "deep").mkdir()
    shutil.copytree(scratch / "game", folder / "game")
    user = scratch / "home"
    (user / "thaw").mkdir(parents=True)
    (user / "thaw/thaw.toml").write_text(f"sources = '{scratch / 'tables'}'\nteam-color = \"red\"\n")
    here = {"THAW_CONFIG": None, "XDG_CONFIG_HOME": str(user)}
    expect(thaw("config", "--trust", folder, **here)[0] == 0, "settings that are allowed")
    code, out, errors = thaw("config", folder / "deep", "--json", **here, THAW_JOBS="3")
    config = json.loads(out)
    values = [(one["key"], one["value"], one["origin"].rsplit("/", 2)[-2:]) for one in config["settings"]]
    expect([key for key, _, _ in values] == ["sources", "team-color", "sources", "team-color", "jobs", "jobs"], f"config: {values}")
    expect(values[2][1] == str(folder / "game") and values[2][2] == ["unit", "thaw.toml:3"] and values[5] == ("jobs", "3", ["THAW_JOBS"]), f"config: {values}")
    code, out, errors = thaw("deps", folder / "asker.mdl", "--json", **here)
    found = told(out)
    expect(found["texture", "Textures/skin.blp"]["state"] == "found", f"a source of the folder's file: {errors}")
    expect(("sound", "Units/Test/one.wav") in found, "a source of the user's file")
    code, out, _ = thaw("deps", folder / "asker.mdl", "--json")
    expect(told(out)["texture", "Textures/skin.blp"]["state"] == "missing", "without any file")
    code, out, _ = thaw("deps", folder / "asker.mdl", "--json", THAW_SOURCES=f"{scratch / 'tables'}:{scratch / 'game'}")
    expect(told(out)["texture", "Textures/skin.blp"]["state"] == "found", "THAW_SOURCES")
    pictures = {}
    for word, arguments, environment in (("file", (), here), ("option", ("--team-color", "red"), here), ("red", ("--team-color", "red"), {}),
                                         ("blue", ("--team-color", "blue"), {}), ("variable", (), {"THAW_TEAM_COLOR": "blue"})):
        shutil.copy(SAMPLES / "knight.mdx", folder)
        shutil.copytree(SAMPLES / "Textures", folder / "Textures", dirs_exist_ok=True)
        code, _, errors = thaw("render", folder / "knight.mdx", "-s", "64", "-o", scratch / "k.png", "-f", *arguments, **environment)
        expect(code == 0, f"{word}: {errors}")
        pictures[word] = (scratch / "k.png").read_bytes()
    expect(pictures["file"] == pictures["blue"] == pictures["variable"] and pictures["option"] == pictures["red"] != pictures["blue"], "team colours")
    for text, where in (("sauces = 1", ":1: unknown key sauces"), ('\njobs = 0', ":2: jobs must be"), ('sources = "nowhere"', "nowhere does not exist"),
                        ("[table]", "tables are not supported"), ('jobs = 1\njobs = 2', "twice"), ('sources = ["a" "b"]', "comma"), ('sources = "a', "unterminated")):
        (folder / "thaw.toml").write_text(text)
        code, _, errors = thaw("deps", folder / "asker.mdl", **here)
        expect(code == 2 and where in errors, f"{text}: {code} {errors}")
    expect(thaw("deps", folder / "asker.mdl", THAW_JOBS="many")[0] == 2, "THAW_JOBS")
    expect(thaw("tree", SAMPLES / "knight.mdx", **here)[0] == 0, "a command that has none of the options")


def main():
    with tempfile.TemporaryDirectory() as name:
        for check in (check_deps, check_other_games, check_what_emitters_and_sounds_name, check_wrong_settings, check_unused, check_bundle, check_pictures, check_config):
            scratch = pathlib.Path(os.path.realpath(name)) / check.__name__
            scratch.mkdir()
            check(scratch)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
