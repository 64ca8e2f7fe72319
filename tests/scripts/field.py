#!/usr/bin/env python3
"""field.py [NAME...]: inputs that people met in the field (field/ of the corpus; its INDEX.tsv says what is right), each
by the command and with its right value. NAMEs choose checks. Exit code 77 without that corpus.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

THAW = os.environ["THAW"]
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
    assert "mpq.checksum: the Adler-32 of" in output, output


@check
def entries_that_lie(folder):
    right, _ = extracted("ok.w3x", folder)
    read, output = extracted("m16_fakes_900.w3x", folder, 5)
    assert read == right, sorted(read)
    assert "4 ok, 0 of them with warnings, 900 failed" in output, output[-300:]
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
    assert "MCAL states 0 bytes, the header of its MCNK 2048; the header's are taken" in output, output


def glb_json(path):
    data = path.read_bytes()
    return json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])


@check
def second_coordinates_and_colors(folder):
    output = thaw("convert", FIELD / "wow/two_motv_two_mocv/trolltent.wmo", "-o", folder / "tent.glb")
    assert "TEXCOORD_1" in glb_json(folder / "tent.glb")["meshes"][0]["primitives"][0]["attributes"]
    assert "scene.lost: the second colours of the vertices" in output, output


@check
def unedited_onto(folder):
    for name in ("mdx/coord-id.mdx", "mdx/groups.mdx", "m3/no-uv.m3"):
        original = FIELD / name
        thaw("convert", original, "-o", folder / "way.glb", "-f")
        back = folder / original.name
        thaw("convert", folder / "way.glb", "--onto", original, "-o", back)
        assert back.read_bytes() == original.read_bytes(), name


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
