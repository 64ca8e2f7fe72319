#!/usr/bin/env python3
"""Every option with everything that a command makes: it changes what comes out, or it is refused with exit code 2. The pages
for users name every option."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

THAW = os.path.realpath(os.environ["THAW"])
SAMPLES = Path(os.path.realpath(os.environ["THAW_SAMPLES"]))
ISLAND = SAMPLES / "World/Maps/Island"
FORGELIGHT = SAMPLES / "forgelight"
SCRATCH = Path()
# A triangle without a material.
PLAIN = """{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"name":"Plain"}],
"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]}"""

# About the run and not about what is made: whatever is made, they are heard.
OF_RUNS = {
    "color": "only on terminals", "progress": "only on stderr, and after half a second", "help": "makes nothing",
    "jobs": "makes no difference by design", "isolate": "makes no difference by design", "timeout": "a limit", "max-input": "a limit", "max-memory": "a limit", "max-pixels": "a limit", "max-scene": "a limit", "max-output": "a limit",
    "fail-fast": "of batches that fail", "strict": "of damaged files", "quiet": "of what is told", "verbose": "of what is told",
    "json": "of what is told", "output": "where it goes", "to": "what is made", "force": "of outputs that exist", "yes": "another name of --force",
    "skip-existing": "of outputs that exist", "dry-run": "makes nothing", "flat": "of folders", "shard": "of batches",
    "recursive": "of folders", "into-archives": "of folders", "include": "of folders", "exclude": "of folders", "files-from": "names inputs",
    "null": "of --files-from", "listfile": "names files of archives, whatever is made of them",
    "variant": "of installations, whatever is made of their files; refused without one (casc_use.py)",
}
# What only files make a difference for that no sample has.
EXEMPT = {
    ("buildings to glb", "profile"): "of what stands in it and can be seen at times only",
    ("maps to glb", "profile"): "of what stands on it and can be seen at times only",
    ("buildings to v17", "source"): "of buildings between the versions, whose groups are files of their own",
    ("buildings to v17", "no-default-sources"): "as --source",
    ("tiles as a model", "team-color"): "of what stands on it and has the colour of a player",
}
VALUES = {
    "scale": ["2"], "lod": ["1", "all"], "lods": ["1", "2"], "png-level": ["1", "12"], "encoding": ["palette", "bc1", "bgra", "jpeg"],
    "texture-format": ["jpeg"], "every": ["2", "3"], "clip": ["Walk", "Death", "1", "none"], "skeleton": ["1", "Horse"],
    "tiles": ["31,48"], "move-tiles": ["1,-1"], "layers": ["terrain", "doodad"], "bake-size": ["64", "16"], "grid": ["129", "17"], "height-range": ["-10,10"],
    "hour": ["06:00", "21:00"], "time": ["06:00", "0.3"], "precision": ["2"], "indent": ["2"], "line-ending": ["crlf"],
    "mdl-dialect": ["world-editor"], "profile": ["rich", "blender"], "team-color": ["blue"], "terrain": ["plain"], "root-motion": ["off"],
    "doodad-set": ["1", "none", "all"], "only": ["tracks", "keys"], "skip": ["tracks", "vertices", "keys"], "except": ["tracks", "vertices", "keys"],
    "format-version": ["1000", "4", "17"], "size": ["24"], "background": ["white", "transparent"], "samples": ["1"], "light": ["overhead"],
    "camera": ["30,10", "90,20"], "seed": ["7", "123456"], "fog": ["0,3,#ff0000", "0,300,#ff0000", "none"], "look": ["90,-20"],
    "remove": ["emitter"], "rename-sequence": ["Walk=March"], "repath": ["*=x\\*"], "add-attachment": ["Extra Ref"],
    "team-color-layer": ["*"], "rotate": ["90"], "move": ["1,2,3"],
    "far-clip": ["200"], "storm": ["1"], "texture-detail": ["1", "5"], "frames": ["2"], "fps": ["3"], "eye": ["-9000,40,90"],
}


def values_of(command: str, option: dict) -> list:
    name = option["name"]
    if option["kind"] == "none":
        versions = {"weights": "900", "with-textures": "800"}
        return [[f"--{name}"] + (["--format-version", versions[name]] if name in versions else [])]
    if name == "quality" and command == "convert":
        return [["--quality", "5"], ["--quality", "5", "--texture-format", "jpeg"]]
    if name in ("chunks", "move-chunks"):
        return [["--chunks", "31,48", "--move-chunks", "16,0"]]
    if name == "bone-map" and command == "convert":
        return [["--bone-map", str(SCRATCH / "missing.txt")]]
    if name == "bone-map":
        return [["--bone-map", "Head=Chest", "--copy-clips", str(SAMPLES / "knight.mdx")]]
    special = {
        "source": [str(SCRATCH / "sources"), str(SAMPLES)], "replaceable": [f"1={SAMPLES / 'Textures/knight.blp'}", f"11={SCRATCH / 'red.png'}",
                                                                       f"1={SCRATCH / 'red.png'}"],
        "lights": [str(ISLAND / "lights.lit"), str(SCRATCH / "missing.lit")], "wdl": [str(SCRATCH / "missing.wdl")],
        "materials": [str(SCRATCH / "materials.xml")], "skeleton": ["1", "Horse", f"{FORGELIGHT / 'human.mrn'}:1"],
        "patch": [str(SCRATCH / "made/patch.json")],
        "path": [str(SCRATCH / "made/path.json"), str(SCRATCH / "made/other.json")],
        "copy-clips": [f"{SAMPLES / 'knight.mdx'}:Walk"], "attach": [f"{SAMPLES / 'chest.mdx'}@Head"],
        "max-size": ["4"], "max-error": ["0.5", "0.00001", "5"],
    }
    return [[f"--{name}", value] for value in special.get(name, VALUES.get(name, ["1"]))]


class Make:
    """Something that a command makes: arguments without options, and what has to be there for it."""

    def __init__(self, name: str, command: str, *arguments: object) -> None:
        self.name, self.command, self.arguments = name, command, [str(one) for one in arguments]


def makes() -> list:
    models = [SAMPLES / name for name in ("knight.mdx", "chest.mdx", "everything_v1000.mdx", "Creature/Beetle/Beetle.mdx")]
    textures = [SAMPLES / "Textures" / name for name in ("knight.blp", "chest_diffuse.dds")]
    human, knight, wdt = FORGELIGHT / "human.mrn", SAMPLES / "knight.mdx", ISLAND / "Island.wdt"
    place = ["--eye", "-9050,20,60", "--look", "-20,-2"]
    path, walk = SCRATCH / "made/path.json", SCRATCH / "made/walk.json"
    emitters = SAMPLES / "everything_v1000.mdx"
    to = lambda target: ["-o", "out/", "--to", target]
    list_ = [
        Make("models to glb", "convert", *models, "morphing/shows.mdx", *to("glb")),
        Make("models to gltf", "convert", *models, "morphing/shows.mdx", *to("gltf")),
        Make("models to mdx", "convert", *models, *to("mdx")),
        Make("models to mdl", "convert", *models, *to("mdl")),
        Make("models to mdx-alpha", "convert", *models[:3], *to("mdx-alpha")),
        Make("morphs to glb", "convert", SAMPLES / "banner.mrf", *to("glb")),
        Make("m3 to glb", "convert", SAMPLES / "waystone_v3.m3", "--listfile", SAMPLES / "listfile.csv", *to("glb")),
        Make("buildings to glb", "convert", SAMPLES / "house.wmo", *to("glb")),
        Make("buildings to v17", "convert", SAMPLES / "house.wmo", *to("wmo-v17")),
        Make("buildings to v14", "convert", "later/house.wmo", *to("wmo-v14")),
        Make("networks to glb", "convert", human, *to("glb")),
        *[Make(f"networks to {word}", "convert", human, *to(word)) for word in ("dot", "graph-json")],
        Make("networks to nsa", "convert", human, "--clip", "Nod", *to("nsa")),
        Make("animations to mrn", "convert", FORGELIGHT / "Human_Walk.nsa", "--skeleton", human, *to("mrn")),
        Make("animations to glb", "convert", FORGELIGHT / "Human_Walk.nsa", "--skeleton", human, *to("glb")),
        Make("dme to glb", "convert", FORGELIGHT / "Human_LOD0.dme", *to("glb")),
        Make("actors to glb", "convert", FORGELIGHT / "Human.adr", *to("glb")),
        *[Make(f"textures to {word}", "convert", *textures, *to(word)) for word in ("png", "blp", "blp2", "dds")],
        Make("gltf to mrf", "convert", "made/banner.glb", *to("mrf")),
        Make("gltf to m3", "convert", "made/knight.glb", *to("m3")),
        Make("gltf to wmo", "convert", "made/house.glb", "made/plain.gltf", *to("wmo")),
        Make("gltf to nsa", "convert", "made/human.glb", "--skeleton", human, *to("nsa")),
        Make("gltf to mrn", "convert", "made/human.glb", "--skeleton", human, *to("mrn")),
        Make("gltf to a new mrn", "convert", "made/human.glb", *to("mrn")),
        Make("gltf to dme", "convert", "made/knight.glb", *to("dme")),
        Make("gltf to the alpha's models", "convert", "made/knight.glb", "made/painted.gltf", "--to", "mdx-alpha", "-o", "out/"),
        *[Make(f"maps to {word}", "convert", wdt, *to(word)) for word in ("glb", "heightmap", "maps", "adt-lk")],
        Make("maps to minimap", "convert", "map/Island.wdt", *to("minimap")),
        Make("maps to minimap by the hour", "convert", "map/Island.wdt", "--lights", ISLAND / "lights.lit", *to("minimap")),
        Make("far terrain to glb", "convert", ISLAND / "Island.wdl", *to("glb")),
        Make("far terrain to heightmap", "convert", ISLAND / "Island.wdl", *to("heightmap")),
        Make("maps to one map", "convert", wdt, "-o", "out/Part.wdt"),
        Make("tiles to wdt", "convert", "tiles/Island.wdt", *to("wdt")),
        Make("built files", "build", "made/knight.json", "-o", "out/built.mdx"),
        Make("edited files", "set", knight, "SEQS[0].rarity=3", "-o", "out/edited.mdx"),
        Make("merged files", "merge", knight, "made/ours.mdx", knight, "-o", "out/merged.mdx"),
        Make("optimized", "optimize", *models[:3], "-o", "out/"),
        Make("changed models", "edit", knight, SAMPLES / "chest.mdx", SAMPLES / "everything_v1000.mdx", "-o", "out/"),
        Make("portraits", "portrait", knight, "-o", "out/"),
        Make("a thumbnail", "thumb", emitters, "-s", "200", "--time", "0.7", "-o", "out/"),
        Make("thumbnails", "thumb", emitters, knight, SAMPLES / "house.wmo", "-s", "200", "--time", "0.7", "-o", "out/"),
        *[Make(f"pictures {end}", "render", emitters, "-s", "200", "--time", "0.7", "-o", f"out/one.{end}") for end in ("png", "gif")],
        Make("pictures png", "render", human, "-s", "100", "-o", "out/one.png"),
        Make("pictures png", "render", SAMPLES / "waystone_v3.m3", "-s", "100", "-o", "out/one.png"),
        *[Make(f"moving pictures {end}", "render", emitters, "-s", "128", "--play", "--fps", "5", "-o", f"out/play.{end}")
          for end in ("png", "gif")],
        Make("turning pictures", "render", emitters, "-s", "128", "--time", "0.7", "--turntable", "--frames", "3", "-o", "out/turn.png"),
        Make("several models", "render", emitters, knight, "-s", "100", "--time", "0.7", "-o", "out/both.png"),
        Make("a film along a path", "render", emitters, "-s", "100", "--path", path, "--fps", "2", "-o", "out/path.png"),
        Make("a film past several models", "render", SAMPLES / "everything_v800.mdx", knight, "-s", "200", "--path", path, "--fps", "2", "-o", "out/path.gif"),
        Make("a film along a path in a map", "render", wdt, "-s", "256x128", "--path", walk, "--frames", "2", "-o", "out/walk.png"),
        Make("a film along a path in a map", "render", "map/Island.wdt", "-s", "256x128", "--path", walk, "--fps", "2", "-o", "out/walk.png"),
        Make("a sheet of clips", "render", emitters, "--sheet", "-s", "64", "-o", "out/sheet.png"),
        # Large enough that one sees a particle.
        Make("a map from above", "render", "map/Island.wdt", "-s", "256", "-o", "out/above.png"),
        Make("a map from above", "render", wdt, "-s", "900", "-o", "out/above.png"),
        Make("a map from a place", "render", "map/Island.wdt", "-s", "256x128", *place, "-o", "out/place.png"),
        Make("a map from a place", "render", wdt, "-s", "500x300", *place, "-o", "out/place.png"),
        Make("tiles as a model", "render", "map/Island.wdt", "-s", "300", "--camera", "auto", "--tiles", "31-32,48", "-o", "out/tiles.png"),
        Make("tiles as a model", "render", wdt, "-s", "900", "--camera", "auto", "--tiles", "31-32,48", "-o", "out/tiles.png"),
    ]
    return list_


def command_line(make: Make, values: list) -> list:
    """With an option given once, also where the arguments have it already."""
    arguments = list(make.arguments)
    for name in (values[0], {"--size": "-s"}.get(values[0])):
        if name in arguments and len(values) > 1:
            at = arguments.index(name)
            del arguments[at : at + 2]
    return [make.command, *arguments, *values]


def outcome(make: Make, values: list) -> tuple:
    """Exit code, a digest of what was written and told, and the last words."""
    folder = Path(tempfile.mkdtemp(dir=SCRATCH / "runs"))
    for name in ("made", "later", "tiles", "morphing", "map"):
        (folder / name).symlink_to(SCRATCH / name)
    arguments = command_line(make, values) + ["--json"]
    done = subprocess.run([THAW, *arguments], capture_output=True, cwd=folder, check=False)
    digest = hashlib.sha256(done.stdout)
    for path in sorted((folder / "out").rglob("*")) if (folder / "out").exists() else []:
        digest.update(str(path.relative_to(folder)).encode() + (path.read_bytes() if path.is_file() else b""))
    shutil.rmtree(folder)
    return done.returncode, digest.hexdigest(), done.stderr.decode(errors="replace")


def thaw(*arguments: object) -> None:
    subprocess.run([THAW, *map(str, arguments)], check=True, capture_output=True)


def prepare() -> None:
    """Files that are made of others, and sources that have other textures under the same names."""
    for name in ("runs", "made", "later", "tiles", "sources", "morphing", "map"):
        (SCRATCH / name).mkdir()
    thaw("convert", SAMPLES / "banner.mrf", SAMPLES / "knight.mdx", FORGELIGHT / "human.mrn", SAMPLES / "house.wmo",
         "-o", SCRATCH / "made")
    (SCRATCH / "made/plain.gltf").write_text(PLAIN)
    thaw("convert", SAMPLES / "house.wmo", "--to", "wmo-v17", "-o", SCRATCH / "later/")
    thaw("convert", ISLAND / "Island.wdt", "--to", "adt-lk", "-o", SCRATCH / "tiles/")
    knight = SAMPLES / "knight.mdx"
    (SCRATCH / "made/knight.json").write_bytes(subprocess.run([THAW, "dump", "-q", knight], capture_output=True, check=True).stdout)
    thaw("set", knight, "SEQS[0].moveSpeed=77", "-o", SCRATCH / "made/ours.mdx")
    patch = subprocess.run([THAW, "diff", knight, SCRATCH / "made/ours.mdx", "--patch"], capture_output=True, check=False).stdout
    (SCRATCH / "made/patch.json").write_bytes(patch)
    keys = [{"time": 0, "eye": [6, 3, 0], "target": [0, 1, 0]}, {"time": 1, "eye": [0, 3, 6], "target": [0, 1, 0]}]
    (SCRATCH / "made/path.json").write_text(json.dumps({"keys": keys}), encoding="utf-8")
    far = [{**key, "eye": [2 * one for one in key["eye"]]} for key in keys]
    (SCRATCH / "made/other.json").write_text(json.dumps({"keys": far}), encoding="utf-8")
    walk = {"walk": [[-9050, 20, 60], [-9040, 18, 60]], "speed": 10, "fov": 60}
    (SCRATCH / "made/walk.json").write_text(json.dumps(walk), encoding="utf-8")
    # A model of which an event shows a morph model.
    shows = (SAMPLES / "everything_v1000.mdx").read_bytes().replace(b"SNDxAFTB", b"MRFxA\0\0\0")
    (SCRATCH / "morphing/shows.mdx").write_bytes(shows)
    shutil.copy(SAMPLES / "banner.mrf", SCRATCH / "morphing/arthascapeA.mrf")
    for path in SAMPLES.rglob("*"):
        other = {".blp": "Textures/house_roof.blp", ".dds": "Textures/chest_emissive.dds"}.get(path.suffix)
        if other is not None:
            for target in (SCRATCH / "sources" / path.relative_to(SAMPLES), SCRATCH / "sources" / path.name):
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SAMPLES / other, target)
    told = json.loads(subprocess.run([THAW, "info", "--json", ISLAND / "Island.wdt"], capture_output=True, check=True).stdout)
    for texture in told["textures"]:
        target = SCRATCH / "sources" / texture["path"].replace("\\", "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLES / "Textures/house_roof.blp", target)
        ground = SCRATCH / "map" / target.relative_to(SCRATCH / "sources")
        ground.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLES / "Textures/house_grass.blp", ground)
    shutil.copy(ISLAND / "Island.wdt", SCRATCH / "map/Island.wdt")
    shutil.copy(SCRATCH / "later/house_001.wmo", SCRATCH / "sources/house_000.wmo")
    (SCRATCH / "materials.xml").write_text("<Materials></Materials>", encoding="utf-8")
    shutil.copy(SAMPLES / "Textures/house_roof.blp", SCRATCH / "red.blp")
    thaw("convert", SCRATCH / "red.blp", "-o", SCRATCH / "red.png")
    # The same triangle with a picture.
    painted = json.loads(PLAIN)
    shutil.copy(SCRATCH / "red.png", SCRATCH / "made/red.png")
    painted["images"], painted["textures"] = [{"uri": "red.png"}], [{"source": 0}]
    painted["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    painted["meshes"][0]["primitives"][0]["material"] = 0
    (SCRATCH / "made/painted.gltf").write_text(json.dumps(painted), encoding="utf-8")


def without(make: Make, name: str, valued: bool) -> Make:
    at = make.arguments.index(f"--{name}")
    return Make(make.name, make.command, *make.arguments[:at], *make.arguments[at + (2 if valued else 1) :])


def judge_one(make: Make, name: str, values: list, base: str) -> tuple:
    """A value that the run fails for has been read, too. The first that makes a difference is enough."""
    results = []
    if f"--{name}" in make.arguments and outcome(without(make, name, len(values[0]) > 1), ["--quiet"])[1] != base:
        return "effective", results
    for one in values:
        results.append(outcome(make, one))
        if results[-1][0] != 2 and results[-1][1] != base:
            return "effective", results
    if all(code == 2 for code, _, _ in results):
        given = [one for value in values for one in value if one.startswith("--")]
        named = all(" applies to " in words or any(re.search(rf"{one}\b", words) for one in given) for _, _, words in results)
        return "refused" if named else "wrong", results
    return "silent", results


def judge(pair: tuple) -> tuple:
    """Of several that are made alike, one that an option changes is enough."""
    about, tasks = pair
    first = None
    for task in tasks:
        verdict = judge_one(*task)
        if verdict[0] in ("effective", "wrong"):
            return about, *verdict
        first = first or verdict
    return about, *first


def undocumented(commands: list) -> list:
    root = Path(__file__).resolve().parents[2]
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (root / "README.md", *(root / "docs/user").glob("*.md")))
    words = set(re.findall(r"(?<![\w-])--?\w[\w-]*", pages))
    return sorted({f"--{option['name']}: no page of docs/user names it" for one in commands for option in one["options"]
                   if words.isdisjoint({f"--{option['name']}", f"-{option['letter']}"})})


def main() -> int:
    prepare()
    commands = json.loads(subprocess.run([THAW, "help", "--json"], capture_output=True, check=True).stdout)["commands"]
    options = {one["command"]: one["options"] for one in commands}
    failures = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        all_makes = makes()
        bases = list(pool.map(lambda make: outcome(make, ["--quiet"]), all_makes))
        tasks: dict = {}
        for make, (code, digest, words) in zip(all_makes, bases):
            if code != 0:
                print(f"FAILED: {make.name}: exit {code}: {words}", file=sys.stderr)
                failures += 1
            for option in options[make.command]:
                known = option["name"] in OF_RUNS or (make.name, option["name"]) in EXEMPT
                if not known:
                    task = make, option["name"], values_of(make.command, option), digest
                    tasks.setdefault((make.name, option["name"]), []).append(task)
        verdicts = list(pool.map(judge, tasks.items()))
    counts = {"effective": 0, "refused": 0}
    for (made, name), verdict, results in verdicts:
        counts[verdict] = counts.get(verdict, 0) + 1
        if verdict not in ("effective", "refused"):
            failures += 1
            print(f"FAILED: --{name} for {made}: {verdict}: {[(r[0], r[2][:150]) for r in results]}", file=sys.stderr)
    for words in undocumented(commands):
        failures += 1
        print(f"FAILED: {words}", file=sys.stderr)
    print(f"{len(verdicts)} pairs of an option and what is made: {counts}")
    return 1 if failures else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        SCRATCH = Path(os.path.realpath(scratch))
        sys.exit(main())
