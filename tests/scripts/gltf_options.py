#!/usr/bin/env python3
"""How glTF is written, by option: smaller, and with --onto the original's bytes again."""
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

THAW = os.path.realpath(os.environ["THAW"])
SAMPLES = Path(os.path.realpath(os.environ["THAW_SAMPLES"]))
ROOT = Path(os.path.realpath(os.environ["THAW_ROOT"]))
TOOLS = ROOT / "tools/node_modules"
PACKED = (["--quantize"], ["--compress", "meshopt"], ["--quantize", "--compress", "meshopt"],
          ["--quantize", "--compress", "meshopt", "--extras", "none"], ["--quantize", "--compress", "meshopt", "--profile", "rich"])
MODELS = ("knight.mdx", "chest.mdx", "everything_v1100.mdx", "everything_v800.mdx")
failures = 0


def fail(text: str) -> None:
    global failures
    failures += 1
    print(f"FAILED: {text}", file=sys.stderr)


def run(expected: int, *arguments) -> str:
    done = subprocess.run([THAW, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != expected:
        fail(f"thaw {' '.join(map(str, arguments))}: exit {done.returncode}, expected {expected}: {done.stderr[-300:]}")
    return done.stdout + done.stderr


def document(path: Path) -> dict:
    content = path.read_bytes()
    return json.loads(content[20:20 + struct.unpack("<I", content[12:16])[0]])


def kept(path: Path) -> int:
    """Members of extras.thaw but for the file's own."""
    def count(part) -> int:
        if isinstance(part, list):
            return sum(map(count, part))
        if not isinstance(part, dict):
            return 0
        return sum(len(value.get("thaw", {})) if name == "extras" else count(value) for name, value in part.items())
    whole = document(path)
    whole["asset"].pop("extras", None)
    return count(whole)


def converted(model: str, *options) -> Path:
    """The GLB, after its way back was looked at."""
    glb = Path(f"{Path(model).stem}.glb")
    run(0, "convert", SAMPLES / model, "-o", glb, "-f", "-q", *options)
    run(0, "convert", glb, "--onto", SAMPLES / model, "-o", "back.mdx", "-f", "-q")
    if Path("back.mdx").read_bytes() != (SAMPLES / model).read_bytes():
        fail(f"{model} {options}: --onto does not give the original")
    return glb


def extras() -> None:
    for model in MODELS:
        sizes = []
        for level in ("full", "minimal", "none"):
            glb = converted(model, "--extras", level)
            sizes.append((kept(glb), glb.stat().st_size))
            if (stated := document(glb)["asset"]["extras"]["thaw"].get("options", {}).get("extras", "full")) != level:
                fail(f"{model}: {level} is stated as {stated}")
        if sizes != sorted(sizes, reverse=True) or len(set(sizes)) != 3 or sizes[2][0] != 0:
            fail(f"{model}: members and bytes of extras {sizes}")
    if "lacks" not in run(0, "convert", SAMPLES / "everything_v800.mdx", "-o", "lacks.glb", "--extras", "none", "-v"):
        fail("--extras none does not name what the way back lacks")
    run(2, "convert", SAMPLES / "knight.mdx", "-o", "no.glb", "--extras", "none", "--profile", "blender")
    run(2, "convert", SAMPLES / "knight.mdx", "-o", "no.glb", "--extras", "some")


def node(*arguments) -> None:
    done = subprocess.run(["node", *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"{' '.join(map(str, arguments))}: {(done.stdout + done.stderr)[-1500:]}")


def packed() -> None:
    """In three.js each is where the plain one is, the validator finds nothing, and gltfpack reads it."""
    for model in MODELS:
        plain = Path("plain.glb")
        run(0, "convert", SAMPLES / model, "-o", plain, "-f", "-q")
        run(0, "convert", SAMPLES / model, "-o", "plain_rich.glb", "-f", "-q", "--profile", "rich")
        whole = plain.stat().st_size
        for options in PACKED if model == MODELS[0] else PACKED[2:4]:
            # Its clips have what no viewer moves.
            rich = "rich" in options
            glb = Path("rich.glb") if rich else converted(model, *options)
            if rich:
                run(0, "convert", SAMPLES / model, "-o", glb, "-f", "-q", *options)
            required = set(document(glb).get("extensionsRequired", []))
            if required - {"EXT_meshopt_compression", "KHR_mesh_quantization"} or bool(required) != bool(options):
                fail(f"{model} {options}: requires {required}")
            if glb.stat().st_size >= whole:
                fail(f"{model} {options}: {glb.stat().st_size} bytes of {whole}")
            if (TOOLS / "three").exists():
                limit = "3e-4" if "--quantize" in options else "0"
                node(ROOT / "tests/scripts/gltf_compressed.mjs", "plain_rich.glb" if rich else plain, glb, limit)
            if (TOOLS / "gltf-validator").exists():
                node(ROOT / "tools/validate-gltf.mjs", glb)
            if (TOOLS / "gltfpack").exists():
                node(TOOLS / "gltfpack/cli.js", "-i", glb, "-noq", "-o", "unpacked.glb")
            if "none" in options:
                continue  # whose passes over each other are geosets
            # Without its original, too.
            run(0, "convert", glb, "-o", "alone.mdx", "-f", "-q")
            run(0, "convert", plain, "-o", "again.mdx", "-f", "-q")
            facts = [json.loads(run(0, "info", "--json", name).splitlines()[0])["counts"] for name in ("alone.mdx", "again.mdx")]
            if any(facts[0][kind] != facts[1][kind] for kind in ("geoset", "vertex", "triangle", "bone")):
                fail(f"{model} {options}: {facts[0]} instead of {facts[1]}")


def animations() -> None:
    run(0, "convert", SAMPLES / "knight.mdx", "-o", "together.glb", "-q")
    run(0, "convert", SAMPLES / "knight.mdx", "-o", "knight.glb", "-f", "-q", "--animations", "separate")
    all_of_it = document(Path("together.glb"))
    model = document(Path("knight.glb"))
    if "animations" in model or len(model["meshes"]) != len(all_of_it["meshes"]):
        fail("--animations separate: the model has animations or lacks meshes")
    names = {animation["name"] for animation in all_of_it["animations"]}
    files = {path.name: document(path) for path in Path().glob("knight@*.glb")}
    if {clip["animations"][0]["name"] for clip in files.values()} != names:
        fail(f"--animations separate: {sorted(files)} of {sorted(names)}")
    for name, clip in files.items():
        nodes = [node["name"] for node in clip["nodes"]]
        if name != f"knight@{clip['animations'][0]['name'].replace(':', '_')}.glb" or "meshes" in clip or \
                nodes[:len(model["nodes"])] != [node["name"] for node in model["nodes"]]:
            fail(f"{name}: other nodes than the model's, or meshes")
    if (TOOLS / "gltf-validator").exists():
        node(ROOT / "tools/validate-gltf.mjs", "knight.glb", *files)
    run(0, "convert", "knight.glb", "--onto", SAMPLES / "knight.mdx", "-o", "back.mdx", "-f", "-q")
    if Path("back.mdx").read_bytes() != (SAMPLES / "knight.mdx").read_bytes():
        fail("--animations separate: --onto does not give the original")
    run(2, "convert", SAMPLES / "knight.mdx", "--to", "glb", "-o", "-", "--animations", "separate")


def images(glb: Path) -> list:
    """Their types and files."""
    whole, content = document(glb), glb.read_bytes()
    start = 28 + struct.unpack("<I", content[12:16])[0]
    views = [whole["bufferViews"][image["bufferView"]] for image in whole["images"]]
    return [(image["mimeType"], content[start + view.get("byteOffset", 0):][:view["byteLength"]]) for image, view in zip(whole["images"], views)]


def texture_formats() -> None:
    """JPEG is smaller, and files that glTF can hold stay as they are."""
    png = images(converted("knight.mdx"))
    smaller = converted("chest.mdx", "--texture-format", "jpeg", "--quality", "50")
    if "image/jpeg" not in {kind for kind, _ in images(smaller)}:
        fail("--texture-format jpeg writes none")
    if "lossy" not in run(0, "convert", SAMPLES / "chest.mdx", "-o", "lossy.glb", "-v", "--texture-format", "jpeg"):
        fail("--texture-format jpeg does not say that it is lossy")
    run(0, "convert", SAMPLES / "chest.mdx", "-o", "files.gltf", "-q", "--texture-format", "jpeg")
    if not list(Path().glob("files_*.jpg")):
        fail("--texture-format jpeg writes no .jpg next to a .gltf")
    run(2, "convert", SAMPLES / "knight.mdx", "-o", "no.glb", "--quality", "50")
    run(0, "render", converted("chest.mdx"), "-s", "64", "-o", "png.png", "-q")
    webp = converted("chest.mdx", "--texture-format", "webp")
    if {kind for kind, _ in images(webp)} != {"image/webp"} or document(webp)["extensionsRequired"] != ["EXT_texture_webp"]:
        fail("--texture-format webp: other images, or not required")
    run(0, "render", webp, "-s", "64", "-o", "webp.png", "-q")
    if Path("png.png").read_bytes() != Path("webp.png").read_bytes():
        fail("--texture-format webp looks different")
    if (TOOLS / "gltf-validator").exists():
        node(ROOT / "tools/validate-gltf.mjs", webp)
    # A skin that is used as it is, as an image file.
    sources = Path("sources")
    for name in ("chest_diffuse", "chest_normal"):
        run(0, "convert", SAMPLES / f"Textures/{name}.dds", "-o", sources / f"Textures/{name}.png", "-q")
    told = run(0, "convert", SAMPLES / "chest.mdx", "-o", "kept.glb", "-v", "--source", sources, "--no-default-sources", "--texture-format", "keep")
    files = {path.read_bytes() for path in (sources / "Textures").iterdir()}
    kept_ones = sum(file in files for _, file in images(Path("kept.glb")))
    if kept_ones != 1 or "textures written as PNG" not in told:
        fail(f"--texture-format keep: {kept_ones} files are kept: {told}")
    if {kind for kind, _ in png} != {"image/png"}:
        fail("the default is not PNG")
    if (TOOLS / "gltf-validator").exists():
        node(ROOT / "tools/validate-gltf.mjs", smaller, "kept.glb", "files.gltf")


def team_colors() -> None:
    """A variant for each player, with no pictures for each, and the way back."""
    for model in MODELS:
        plain, glb = document(converted(model)), converted(model, "--team-color", "all")
        whole = document(glb)
        if "KHR_materials_variants" not in whole.get("extensionsUsed", []):
            if "option.effect" not in run(0, "convert", SAMPLES / model, "-o", "none.glb", "-f", "-v", "--team-color", "all"):
                fail(f"{model}: --team-color all has no effect and is silent")
            continue
        names = [variant["name"] for variant in whole["extensions"]["KHR_materials_variants"]["variants"]]
        if len(set(names)) != 24 or names[:2] != ["red", "blue"] or "extensionsRequired" in whole:
            fail(f"{model} --team-color all: {names}")
        if model == "knight.mdx" and len(whole["images"]) > len(plain["images"]) + 1:
            fail(f"{model} --team-color all: {len(whole['images'])} images instead of {len(plain['images'])}")
        run(0, "convert", glb, "-o", "alone.mdx", "-f", "-q")
        if "geoset" not in (counts := json.loads(run(0, "info", "--json", "alone.mdx").splitlines()[0])["counts"]):
            fail(f"{model}: {counts}")
        if (TOOLS / "gltf-validator").exists():
            node(ROOT / "tools/validate-gltf.mjs", glb)
    if "KHR_materials_variants" not in document(converted("knight.mdx", "--team-color", "all")).get("extensionsUsed", []):
        fail("knight.mdx --team-color all has no variants")
    run(2, "render", SAMPLES / "knight.mdx", "-o", "no.png", "--team-color", "all")


def instances() -> None:
    """Everything stands where it stands with nodes for each place, and the way back does not see a difference."""
    house, island = SAMPLES / "house.wmo", SAMPLES / "World/Maps/Island/Island.wdt"
    for source, options in ((house, ["--doodad-set", "all"]), (island, [])):
        run(0, "convert", source, "-o", "nodes.glb", "-f", "-q", *options)
        run(0, "convert", source, "-o", "instances.glb", "-f", "-q", "--instances", *options)
        if document(Path("instances.glb")).get("extensionsRequired") != ["EXT_mesh_gpu_instancing"]:
            fail(f"{source.name} --instances: the extension is not required")
        if (TOOLS / "three").exists():
            node(ROOT / "tests/scripts/gltf_instances.mjs", "nodes.glb", "instances.glb")
        if (TOOLS / "gltf-validator").exists():
            node(ROOT / "tools/validate-gltf.mjs", "instances.glb")
        if source != house:
            continue
        back = []
        for glb in ("nodes.glb", "instances.glb"):
            run(0, "convert", glb, "-o", "alone.wmo", "-f", "-q")
            run(0, "convert", glb, "--onto", house, "-o", "onto.wmo", "-f", "-q")
            back.append((Path("alone.wmo").read_bytes(), Path("onto.wmo").read_bytes()))
        if back[0] != back[1] or back[0][1] != house.read_bytes():
            fail("--instances: the building comes back as another one")
    run(2, "convert", SAMPLES / "knight.mdx", "-o", "no.glb", "--instances")
    if "--instances: no model stands still" not in run(0, "convert", house, "-o", "none.glb", "-f", "--instances"):
        fail("--instances has no effect on the house and is silent")


def main() -> int:
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        extras()
        packed()
        animations()
        texture_formats()
        team_colors()
        instances()
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
