#!/usr/bin/env python3
"""field.py [NAME...]: inputs that people met in the field (field/ of the corpus; its INDEX.tsv says what is right), each
by the command and with its right value. NAMEs choose checks. Exit code 77 without that corpus.
"""

import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"])
SEEDS = 20
FIELD = pathlib.Path(os.environ.get("THAW_CORPUS", "")) / "field"
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def thaw(*words, code=0):
    """What the command prints to both streams; it has to end with the code, unless that is None."""
    done = subprocess.run([THAW, *map(str, words)], capture_output=True, env={**os.environ, "THAW_CONFIG": ""})
    output = (done.stdout + done.stderr).decode(errors="replace")
    assert code is None or done.returncode == code, f"exit code {done.returncode}, not {code}: {output[-2000:]}"
    return output


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def extracted(archive, folder, code=0):
    output = thaw("extract", FIELD / "mpq" / archive, "-o", folder / archive, "-v", code=code)
    return files_in(folder / archive), output


@check
def zlib_with_a_wrong_sum(folder):
    right, _ = extracted("ok.w3x", folder)
    read, output = extracted("m23_zlib_checksum_wrong.w3x", folder)
    for name in ("war3map.j", "war3mapImported/unit.mdx"):
        assert read[name] == right[name], name
    assert "mpq.checksum: Adler-32 mismatch in" in output, output


@check
def entries_that_lie(folder):
    right, _ = extracted("ok.w3x", folder)
    read, output = extracted("m16_fakes_900.w3x", folder, 5)
    assert read == right, sorted(read)
    assert "4 ok, 0 with warnings, 900 failed" in output, output[-300:]
    assert "4 files, 130 KB, packed 26 KB; 900 unreadable" in thaw("ls", FIELD / "mpq/m16_fakes_900.w3x")


@check
def tracks_of_slots(folder):
    model = FIELD / "mdx/slots.mdx"
    (folder / "slots.json").write_text(thaw("dump", model))
    thaw("build", folder / "slots.json", "-o", folder / "slots.mdx")
    assert (folder / "slots.mdx").read_bytes() == model.read_bytes()
    thaw("set", model, "MTLS[0].layers[1].alpha=0.5", "-o", folder / "set.mdx")


@check
def numbers_of_microsoft(folder):
    assert '"positions": [["inf", -50, 0], [0, 50, 0], [0, 50, 100], [0, -50, 100]]' in thaw("dump", FIELD / "mdl/inf.mdl")


@check
def words_of_other_tools(folder):
    dump = thaw("dump", FIELD / "mdl/words_foreign.mdl")
    for track in ("KLBI", "KLBC", "KPES"):
        assert f'"tag": "{track}"' in dump, track
    output = thaw("info", "-v", FIELD / "mdl/words_foreign.mdl")
    for word in ("AmbientIntensity", "AmbientColor", "Speed"):
        assert f'"{word}" is another tool' in output, output


@check
def text_in_utf16(folder):
    assert "this is text in UTF-16" in thaw("info", FIELD / "mdl/utf16le.mdl", code=3)


@check
def alpha_maps_of_size_0(folder):
    tile = FIELD / "wow/mcal_size0/synth_32_31.adt"
    assert thaw("tree", tile, code=None).count("texels ×2048") == 256
    output = thaw("validate", tile, code=None)
    assert "MCAL states 0 bytes, the header of its MCNK 2048; the header's is used" in output, output


def glb_json(path):
    data = path.read_bytes()
    return json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])


@check
def second_coordinates_and_colors(folder):
    output = thaw("convert", FIELD / "wow/two_motv_two_mocv/trolltent.wmo", "-o", folder / "tent.glb")
    assert "TEXCOORD_1" in glb_json(folder / "tent.glb")["meshes"][0]["primitives"][0]["attributes"]
    assert "scene.lost: second vertex colours" in output, output


@check
def unedited_onto(folder):
    for name in ("mdx/coord-id.mdx", "mdx/groups.mdx", "m3/no-uv.m3"):
        original = FIELD / name
        thaw("convert", original, "-o", folder / "way.glb", "-f")
        back = folder / original.name
        thaw("convert", folder / "way.glb", "--onto", original, "-o", back)
        assert back.read_bytes() == original.read_bytes(), name


@check
def unedited_onto_of_every_format(folder):
    originals = {SAMPLES / "banner.mrf": [], SAMPLES / "forgelight/human.mrn": [],
                 SAMPLES / "Creature/Beetle/Beetle.mdx": ["--to", "mdx-alpha"], SAMPLES / "forgelight/Human_LOD0.dme": []}
    network = SAMPLES / "forgelight/human.mrn"
    thaw("convert", network, "--to", "nsa", "--clip", "^Human_Walk$", "-o", folder / "Human_Walk.nsa")
    originals[folder / "Human_Walk.nsa"] = ["--skeleton", network]
    for original, words in originals.items():
        way = folder / f"{original.name}.glb"
        thaw("convert", original, "-o", way, *words[2 * ("--to" in words):])
        back = folder / "back" / original.name
        thaw("convert", way, "--onto", original, "-o", back, *words)
        assert back.read_bytes() == original.read_bytes(), original.name


def png(pixels):
    """Rows of colours as a PNG."""
    def part(tag, data):
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    rows = b"".join(b"\0" + b"".join(bytes(color) for color in row) for row in pixels)
    return (b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 6, 0, 0, 0)) +
            part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))


def tga(pixels):
    """32 bits, uncompressed, from the top down."""
    head = struct.pack("<BBBHHBHHHHBB", 0, 0, 2, 0, 0, 0, 0, 0, len(pixels[0]), len(pixels), 32, 0x28)
    return head + b"".join(bytes([b, g, r, a]) for row in pixels for r, g, b, a in row)


def few_colors(chance, side=16):
    palette = [[chance.randrange(256) for _ in range(3)] + [255] for _ in range(6)]
    return [[chance.choice(palette) for _ in range(side)] for _ in range(side)]


@check
def pictures_of_a_map(folder):
    for seed in range(SEEDS):
        chance = random.Random(seed)
        at = folder / str(seed)
        ending = chance.choice(["blp", "tga", "blp"])
        (at / "map/war3mapImported").mkdir(parents=True)
        pixels = few_colors(chance)
        skin = at / f"map/war3mapImported/knight.{ending}"
        if ending == "tga":
            skin.write_bytes(tga(pixels))
        else:
            (at / "skin.png").write_bytes(png(pixels))
            thaw("convert", at / "skin.png", "-o", skin)
        model = at / "map/knight.mdx"
        thaw("edit", SAMPLES / "knight.mdx", "--repath", "Textures\\*.blp=war3mapImported\\*." + ending, "-o", model)
        thaw("convert", model, "--source", at / "map", "-o", at / "way.glb")
        output = thaw("convert", at / "way.glb", "-o", at / "back/knight.mdx")
        # Under the name that the model has for it, and with the same pixels.
        assert "war3mapImported\\knight.blp" in thaw("info", at / "back/knight.mdx", code=None)
        thaw("convert", at / "back/knight.blp", "-o", at / "back/skin.png")
        thaw("convert", skin, "-o", at / "map/skin.png")
        assert (at / "back/skin.png").read_bytes() == (at / "map/skin.png").read_bytes(), (seed, output)
        assert "war3mapImported\\knight." + ending not in output or ending == "tga", output
        # Those that were not there have nothing to come back.
        assert not (at / "back/knight_rune.blp").exists()


def glb_with_picture(name, pixels):
    """A triangle with a picture."""
    picture = png(pixels)
    points = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    coordinates = struct.pack("<6f", 0, 0, 1, 0, 0, 1)
    data = points + coordinates + picture
    data += b"\0" * (-len(data) % 4)
    views = [{"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 24},
             {"buffer": 0, "byteOffset": 60, "byteLength": len(picture)}]
    image = {"bufferView": 2, "mimeType": "image/png", **({"name": name} if name else {})}
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}], "images": [image], "bufferViews": views, "buffers": [{"byteLength": len(data)}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0],
                       "max": [1, 1, 0]}, {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"}]}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    return (struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text +
            struct.pack("<I4s", len(data), b"BIN\0") + data)


@check
def pictures_of_other_models(folder):
    """Two models after each other into one folder, with -f."""
    for seed in range(SEEDS):
        chance = random.Random(seed)
        name = chance.choice(["", "Image_0", "texture", "image0", "skin", "Gold.png"])
        at = folder / str(seed)
        at.mkdir()
        pictures = []
        for model in ("first", "second"):
            (at / f"{model}.glb").write_bytes(glb_with_picture(name, few_colors(chance)))
            output = thaw("convert", at / f"{model}.glb", "-o", at / "out" / f"{model}.mdx", "-f")
            pictures.append(files_in(at / "out"))
        kept = all(pictures[1].get(path) == data for path, data in pictures[0].items())
        assert kept or "existed with other content and was overwritten" in output, (seed, name, output)
        assert kept == (name not in ("skin", "Gold.png")), (seed, name, sorted(pictures[1]))
        # The same once more is nothing new.
        assert "replaced" not in thaw("convert", at / "second.glb", "-o", at / "out/second.mdx", "-f")


@check
def small_pictures(folder):
    """Blocks of pixels want sides of four, and what is written passes its own rules."""
    for seed in range(SEEDS):
        chance = random.Random(seed)
        side = chance.choice([1, 2, 3, 4])
        (folder / f"{seed}.glb").write_bytes(glb_with_picture("small", few_colors(chance, side)))
        made = folder / str(seed)
        version = chance.choice([800, 1100])
        thaw("convert", folder / f"{seed}.glb", "-o", made / "model.mdx", "--format-version", version)
        for line in thaw("validate", "-r", "--json", made, code=None).splitlines():
            codes = {finding["code"] for finding in json.loads(line).get("findings", [])} if line.startswith("{") else {}
            assert not any(code.startswith(("dds.", "blp.")) for code in codes), (side, codes)


@check
def maps_within_folders(folder):
    """--into-archives: what lies in archives below folders is found like files, each below the archive's name."""
    models = ("knight.mdx", "chest.mdx", "banner.mrf")
    for seed in range(SEEDS):
        chance = random.Random(seed)
        at = folder / str(seed)
        expected = set()
        for number in range(chance.randint(1, 3)):
            inside = at / "in" / str(number)
            inside.mkdir(parents=True)
            place = chance.choice(["", "sub/", "sub/deeper/"])
            for name in chance.sample(models, chance.randint(1, 3)):
                (inside / name).write_bytes((SAMPLES / name).read_bytes())
                expected.add(f"{place}{number}.mpq/{pathlib.Path(name).stem}.glb")
            (at / "maps" / place).mkdir(parents=True, exist_ok=True)
            thaw("pack", inside, "-o", at / "maps" / place / f"{number}.mpq")
        thaw("convert", "-r", at / "maps", "-o", at / "none", code=None)
        assert not list((at / "none").rglob("*.glb")), "archives in folders are files without the option"
        thaw("convert", "-r", "--into-archives", at / "maps", "-o", at / "out", code=None)
        made = {path.relative_to(at / "out").as_posix() for path in (at / "out").rglob("*.glb")}
        assert made == expected, (seed, made, expected)


@check
def skins_of_blender(folder):
    """A skin has joints: models without bones have none."""
    for model in sorted(SAMPLES.rglob("*.m*3")) + sorted(SAMPLES.rglob("*.mrf")) + sorted(SAMPLES.glob("*.wmo")):
        way = folder / f"{model.name}.glb"
        thaw("convert", model, "-o", way, "--profile", "blender", "-f")
        assert all(skin["joints"] for skin in glb_json(way).get("skins", [])), model.name


@check
def red_in_alpha(folder):
    assert "8 × 8, bc3-rxgb" in thaw("info", FIELD / "dds/rxgb.dds", code=None)
    thaw("convert", FIELD / "dds/rxgb.dds", "-o", folder / "rxgb.png", code=None)
    assert (folder / "rxgb.png").exists()


@check
def two_lists_of_textures(folder):
    output = thaw("edit", FIELD / "mdx/two-texs.mdx", "--repath", "Textures\\*=war3mapImported\\*", "-o", folder / "two.mdx")
    for place in ("TEXS[0]", "TEXS[4]", "TEXS#2[0]", "TEXS#2[4]"):
        assert f"{place}.path: Textures\\knight" in output, output
    assert thaw("tree", folder / "two.mdx").count("war3mapImported") == 8


@check
def names_in_code_pages(folder):
    for archive, page, name in (("m26_names_gbk.w3x", "gbk", "单位模型"), ("m27_names_korean.w3x", "cp949", "유닛모델")):
        file = FIELD / "mpq" / archive
        stated = thaw("ls", "-v", file, "--encoding-of-names", page)
        assert f"war3mapImported/{name}.mdx" in stated and "names.code-page" not in stated, stated
        guessed = thaw("ls", "-v", file)
        assert f"war3mapImported/{name}.mdx" in guessed and f"names.code-page: the encoding {page} is guessed" in guessed, guessed
    texture = folder / "贴图/箭.blp"
    texture.parent.mkdir()
    texture.write_bytes((FIELD / "mdl/Textures/arrow.blp").read_bytes())
    model = folder / "gbk.mdl"
    model.write_bytes((FIELD / "mdl/gbk_names.mdl").read_bytes())
    for words in ((), ("--encoding-of-names", "gbk")):
        output = thaw("info", "-v", model, *words)
        assert "站立 Stand" in output and "贴图\\箭.blp" in output and "not found" not in output, output
        assert ("names.code-page: the encoding gbk is guessed" in output) == (words == ()), output
    name = "单位模型"
    knight = (SAMPLES / "knight.mdx").read_bytes()
    assert knight.count(b"Walk" + bytes(76)) == 1
    (folder / "named.mdx").write_bytes(knight.replace(b"Walk" + bytes(76), name.encode("gbk") + bytes(72)))
    output = thaw("validate", folder / "named.mdx")
    assert f'"{name}" does not begin with a name that the game uses' in output, output


@check
def headers_of_protectors(folder):
    right, _ = extracted("ok.w3x", folder)
    added = folder / "new.txt"
    added.write_text("new")
    refused = {"m01_version1_size32_junk": "states version 2", "m02_version1_size44_junk": "states version 2",
               "m03_version_random": "states version", "m04_version3_size32": "states version 4",
               "m07_hash_upper_bits": "the header states", "m08_block_upper_bits": "the header states",
               "m14_locale_korean": "", "m15_locale_platform_ff": "", "m18_block_count_huge": "the block table is"}
    for name, why in refused.items():
        read, _ = extracted(f"{name}.w3x", folder)
        locale = {path.replace(".0412", "").replace(".0000", ""): data for path, data in read.items()}
        assert sorted(locale.values()) == sorted(right.values()), (name, sorted(read))
        output = thaw("add", FIELD / f"mpq/{name}.w3x", f"{added}=new.txt", "-o", folder / f"{name}.new", code=3 if why else 0)
        assert why in output, (name, output)


@check
def models_of_the_game(folder):
    for name in ("words_game", "swirl_plain", "swirl_xyquad", "teamglow", "uv_rotation", "alpha_hole_0", "alpha_hole_8"):
        model = FIELD / f"mdl/{name}.mdl"
        output = thaw("info", "-v", model)
        assert "mdl.unknown" not in output and "not found" not in output, output
        thaw("convert", model, "-o", folder / f"{name}.mdx")
        thaw("convert", folder / f"{name}.mdx", "-o", folder / f"{name}.mdl")
        thaw("diff", model, folder / f"{name}.mdl")


@check
def armatures_of_blender(folder):
    for name in ("g01_plain", "g02_mirrored_armature", "g03_cm_rotated_armature", "g07_uniform_bone_scale",
                 "g09_armature_uniform_negative"):
        output = thaw("convert", "-v", FIELD / f"glb/{name}.glb", "-o", folder / f"{name}.mdx")
        assert "scene.lost" not in output and "scene.changed" not in output, (name, output)
        assert ": error " not in thaw("validate", folder / f"{name}.mdx", code=None), name


@check
def front_of_a_default_export(folder):
    output = thaw("convert", "-v", FIELD / "glb/g10_default_export_of_chest.glb", "--onto", SAMPLES / "chest.mdx", "-o", folder / "chest.mdx")
    assert "its front; the original's (+X) is used" in output, output
    extents = []
    for model in (SAMPLES / "chest.mdx", folder / "chest.mdx"):
        found = json.loads(thaw("info", "--json", model, code=None).splitlines()[0])
        extents.append(found["facts"]["bounds"] if "facts" in found else found["bounds"])
    for side in ("minimum", "maximum"):
        assert all(abs(a - b) < 0.1 for a, b in zip(extents[0][side], extents[1][side])), extents


@check
def unusual_chunks(folder):
    assert "687 tiles" in thaw("info", FIELD / "wow/no_mwmo/Azeroth.wdt")
    assert thaw("tree", FIELD / "wow/no_mwmo/Azeroth_38_46.adt", code=None).count("heights") == 256
    thaw("convert", FIELD / "wow/mliq_then_motv_mocv/trolltent.wmo", "-o", folder / "tent.glb")
    attributes = [part["attributes"] for mesh in glb_json(folder / "tent.glb")["meshes"] for part in mesh["primitives"]]
    assert any({"TEXCOORD_0", "COLOR_0"} <= set(one) for one in attributes), attributes


@check
def textures_as_they_are_met(folder):
    for texture in sorted((FIELD / "dds").glob("*.dds")):
        thaw("convert", texture, "-o", folder / f"{texture.stem}.png", code=None)
        assert (folder / f"{texture.stem}.png").exists(), texture.name


@check
def hostile_files(folder):
    hostile = FIELD / "hostile"
    thaw("bundle", hostile / "bundle-ssh-key.mdx", "-o", folder / "bundle.zip", code=None)
    names = zipfile.ZipFile(folder / "bundle.zip").namelist()
    assert names == ["bundle-ssh-key.mdx"], names
    thaw("convert", hostile / "private-picture.mdx", "-o", folder / "private.glb", code=None)
    assert "\x1b" not in thaw("tree", hostile / "esc-chunk-tag.mdx", code=None)
    for name in ("buf_abs", "sparsebig", "cyc"):
        output = thaw("convert", hostile / f"{name}.gltf", "-o", folder / f"{name}.mdx", code=3)
        assert "gltf.reference" in output and not (folder / f"{name}.mdx").exists(), output
    thaw("extract", hostile / "map-with-thaw-toml.w3x", "-o", folder / "map")
    assert not (folder / "map/thaw.toml").exists() and (folder / "map/_thaw.toml").exists()
    thaw("extract", hostile / "names.w3x", "-o", folder / "deep/names", code=None)
    assert {path.name for path in (folder / "deep").iterdir()} == {"names"}
    assert not any(".." in path.parts for path in (folder / "deep").rglob("*"))
    assert "16000 × 16000" in thaw("info", hostile / "png-16000-1bit.png")


def main():
    if not FIELD.is_dir():
        print("skipped: no field/ in the corpus (THAW_CORPUS)")
        sys.exit(77)
    failed = 0
    for function in CHECKS:
        if sys.argv[1:] and function.__name__ not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            try:
                function(pathlib.Path(scratch))
                print("ok", function.__name__)
            except (AssertionError, KeyError) as fault:
                failed += 1
                print(f"FAILED: {function.__name__}: {fault!r}")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
