#!/usr/bin/env python3
"""cli_names.py [SEEDS]: names in code pages, as maps and models of their time have them, stated and guessed.

For each page and seed an archive and a model whose names are words of its language, and names of any of its letters,
which only who states the page can read.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import mpq_make

THAW = os.environ["THAW"]
SAMPLES = pathlib.Path(os.environ["THAW_SAMPLES"])
SEEDS = int(sys.argv[1]) if sys.argv[1:] else 5
# The word of the option, Python's codec, words of names, and whether the page can be guessed.
PAGES = [
    ("gbk", "gbk", "单位 模型 英雄 技能 特效 贴图 武器 圣骑士 暗夜精灵 火焰 冰霜 雷电 建筑 城墙 树木 龙骑兵 治疗 护甲 狼人 毒蛇 宝剑 "
     "攻击 背景音乐 按钮 地形 剑客 神器 黑暗 光环 箭矢", True),
    ("big5", "big5", "單位 模型 英雄 技能 特效 貼圖 武器 聖騎士 暗夜精靈 火焰 冰霜 雷電 建築 城牆 樹木 龍騎兵 治療 護甲 狼人 毒蛇 寶劍 "
     "攻擊 背景音樂 按鈕 地形 劍客 神器 黑暗 光環 箭矢", True),
    ("cp949", "cp949", "유닛 모델 영웅 스킬 효과 텍스처 무기 성기사 나이트엘프 불꽃 얼음 번개 건물 성벽 나무 용기병 치유 갑옷 늑대 독사 "
     "보검 공격 배경음악 버튼 지형 검객 마법사 어둠 오라 화살", True),
    ("shift-jis", "cp932", "ユニット モデル 英雄 スキル エフェクト テクスチャ 武器 聖騎士 ナイトエルフ 炎 氷の壁 雷 建物 城壁 木 ドラゴン "
     "回復 鎧 狼 毒蛇 剣 攻撃 音楽 ボタン 地形 魔法使い 闇 オーラ 矢 きのこ", True),
    ("cp1251", "cp1251", "юнит Модель герой навык Эффект текстура Оружие паладин Эльф огонь лёд молния здание Стена дерево дракон "
     "лечение броня волк змея меч атака музыка кнопка земля маг тьма аура стрела гриб", True),
    ("cp1252", "cp1252", "Unité Modèle Héros Compétence Effet Épée Bûcheron Feuß Größe Übung Bär Drachenhöhle Glühen Fée Forêt Château "
     "Señor Dragón Espadaña Música Flèche Mäuse Vögel Schlüssel Tür Rüstung Blöcke Schloß Pêcheur Maçon", True),
    ("cp1250", "cp1250", "Žoldák Dwór Žeton Królik Świątynia Łucznik Rycerz Mędrzec Śmierć Źródło", False),
]
TWO = {"gbk": (0xB0, 0xF7, 0xA1), "big5": (0xA4, 0xC5, 0xA1), "cp949": (0xB0, 0xC8, 0xA1), "shift-jis": (0x89, 0x97, 0x9F)}


def thaw(*words, code=0):
    done = subprocess.run([THAW, *map(str, words)], capture_output=True, env={**os.environ, "THAW_CONFIG": ""})
    output = (done.stdout + done.stderr).decode()
    assert code is None or done.returncode == code, f"{words}: exit code {done.returncode}, not {code}: {output[-2000:]}"
    return output


def any_letters(chance, page, codec):
    """A name of any letters of the page."""
    text = ""
    while len(text) < 6:
        if page in TWO:
            first, last, trail = TWO[page]
            data = bytes([chance.randint(first, last), chance.randint(trail, 0xFC)])
        else:
            data = bytes([chance.randint(0xC0, 0xFF)])
        try:
            letter = data.decode(codec)
        except UnicodeDecodeError:
            continue
        text += letter if letter.isalpha() and letter.encode(codec, "replace") == data else ""
    return text


def model(texture, clip, codec):
    text = (f'Version {{\n\tFormatVersion 800,\n}}\nModel "m" {{\n\tBlendTime 150,\n}}\nSequences 1 {{\n\tAnim "{clip}" {{\n'
            f'\t\tInterval {{ 0, 1000 }},\n\t}}\n}}\nTextures 1 {{\n\tBitmap {{\n\t\tImage "{texture}",\n\t}}\n}}\n'
            'Bone "b" {\n\tObjectId 0,\n}\nPivotPoints 1 {\n\t{ 0, 0, 0 },\n}\n')
    return text.encode(codec)


def listed(archive, *words):
    # ls prints its totals on stderr and one line for each file.
    output = json.loads([line for line in thaw("ls", "--json", archive, *words).splitlines() if line.startswith("{")][0])
    names = {entry["name"] for entry in output["entries"]} - {"(listfile)"}
    codes = {finding["code"]: finding["message"] for finding in output["diagnostics"]}
    return names, codes.get("names.code-page", "")


def try_writing(folder, archive, content, what):
    """Names that are written are in the stated page."""
    page, codec, seed = what
    state = ("--encoding-of-names", page)
    new = folder / "new.txt"
    # A new archive has names in the stated page, and so has its list.
    for name in content:
        (folder / "packed" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "packed" / name).write_bytes(content[name])
    thaw("pack", folder / "packed", "-o", folder / "packed.w3x", *state)
    thaw("extract", folder / "packed.w3x", "(listfile)", "-o", folder / "list", *state)
    listed_names = (folder / "list/(listfile)").read_bytes().split(b"\r\n")
    assert {name.replace("/", "\\").encode(codec) for name in content} <= {*listed_names}, (page, seed, listed_names)
    thaw("extract", folder / "packed.w3x", "-o", folder / "unpacked", *state)
    for name, right in content.items():
        assert (folder / "unpacked" / name).read_bytes() == right, (page, seed, name)
    # A name that the page cannot spell is refused.
    output = thaw("add", archive, f"{new}=\u0e2b\u0e19\u0e36\u0e48\u0e07.txt", "-f", *state, code=None)
    assert f"has characters that {page} lacks" in output, (page, seed, output)


def try_archive(folder, page, codec, words, guessed, seed):
    chance = random.Random(f"{page} {seed}")
    names = {"war3mapImported/" + "".join(chance.sample(words, chance.randint(1, 2))) + f"{i}.txt" for i in range(chance.randint(4, 8))}
    odd = "war3mapImported/" + any_letters(chance, page, codec) + ".txt"
    content = {name: f"{name} {seed}".encode() for name in [*names, odd]}
    raw = {name.replace("/", "\\").encode(codec): content[name] for name in names}
    with_odd = {**raw, odd.replace("/", "\\").encode(codec): content[odd]}
    archive = folder / "map.w3x"
    archive.write_bytes(mpq_make.make(with_odd, prefix=mpq_make.map_prefix("-".join(chance.sample(words, 2)).encode(codec))))
    state = ("--encoding-of-names", page)
    found, finding = listed(archive, *state)
    assert found == {*names, odd} and not finding, (page, seed, found, names, odd, finding)
    thaw("extract", archive, "-o", folder / "out", *state)
    for name, right in content.items():
        assert (folder / "out" / name).read_bytes() == right, (page, seed, name)
    one = chance.choice([*content])
    thaw("extract", archive, one, "-o", folder / "one", *state)
    assert (folder / "one" / one).read_bytes() == content[one], (page, seed, one)
    # In a map without a list a name is found by its hash, in whatever page it was.
    archive.write_bytes(mpq_make.make(with_odd, list_names=False))
    thaw("extract", archive, one, "-o", folder / "bare", *(state if page == "cp1250" else ()))
    assert (folder / "bare" / one).read_bytes() == content[one], (page, seed, one)
    # Files that are given in UTF-8 take the place of those that the archive has.
    archive.write_bytes(mpq_make.make(raw))
    new = folder / "new.txt"
    new.write_bytes(b"new")
    one = chance.choice([*names])
    output = thaw("add", archive, f"{new}={one}", "-f", *state)
    assert "1 replaced" in output, (page, seed, output)
    thaw("extract", archive, one, "-o", folder / "after", *state)
    assert (folder / "after" / one).read_bytes() == b"new"
    assert one.replace("/", "\\").encode(codec) in b"\\".join(raw)
    if seed % 4 == 0:
        try_writing(folder, archive, content, (page, codec, seed))
    if guessed:
        found, finding = listed(archive)
        assert found == names and finding.startswith(f"the encoding {page} is guessed for"), (page, seed, found, names, finding)
        assert "set another with --encoding-of-names" in finding
        if seed % 4 == 0:
            # It is reported by default, also by what changes the archive; not with -q.
            for words in (("ls", archive), ("add", archive, f"{new}=more.txt", "-o", folder / "more.w3x"), ("extract", archive, "-o", folder / "all")):
                assert f"names.code-page: the encoding {page} is guessed for" in thaw(*words), (page, seed, words)
            assert "names.code-page" not in thaw("ls", "-q", archive)


def try_typing(folder, texture, what):
    """What somebody types into a dump is in UTF-8, and is written in the page."""
    page, codec, seed = what
    stated = ("--encoding-of-names", page)
    dump = json.loads((folder / "model.json").read_text())
    first = next(chunk for chunk in dump["chunks"] if chunk["tag"] == "TEXS")["items"][0]
    assert first["path"]["text"] == texture, first
    first["path"] = "a" + texture
    (folder / "typed.json").write_text(json.dumps(dump))
    thaw("build", folder / "typed.json", "-o", folder / "typed.mdx", *stated)
    assert b"a" + texture.encode(codec) in (folder / "typed.mdx").read_bytes(), (page, seed)
    first["path"] = "\u0e2b\u0e19\u0e36\u0e48\u0e07"
    (folder / "typed.json").write_text(json.dumps(dump))
    output = thaw("build", folder / "typed.json", "-o", folder / "other.mdx", *stated, code=None)
    assert "build.value" in output and f"the string has characters that {page} lacks" in output and not (folder / "other.mdx").exists(), output


def try_archives_of_models(folder, words, what):
    """A model in an archive is read with the archive's page, which its own short names may not give away."""
    page, codec, seed = what
    inside = {name.encode(codec): b"" for name in words[:8]}
    short = model("a\\" + words[1] + ".blp", "Stand", codec)
    (folder / "maps").mkdir()
    (folder / "maps/map.w3x").write_bytes(mpq_make.make({**inside, b"short.mdl": short}))
    output = thaw("info", f"{folder}/maps/map.w3x//short.mdl")
    assert f"names.code-page: the encoding {page} is guessed for 1 name" in output and words[1] in output, (page, seed, output)
    output = thaw("validate", "-r", "--into-archives", "--json", folder / "maps", code=None)
    found = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    pages = [one["message"] for file in found for one in file.get("findings", []) if one["code"] == "names.code-page"]
    assert len(pages) == 1 and pages[0].startswith(f"the encoding {page} is guessed for 1 name"), (page, seed, output)


def try_model(folder, page, codec, words, guessed, seed):
    chance = random.Random(f"model {page} {seed}")
    texture = "".join(chance.sample(words, 2)) + "\\" + chance.choice(words) + ".blp"
    clip = "Stand " + chance.choice(words)
    text = folder / "model.mdl"
    text.write_bytes(model(texture, clip, codec))
    place = folder / texture.replace("\\", "/")
    place.parent.mkdir(exist_ok=True)
    place.write_bytes((SAMPLES / "knight_rune.blp").read_bytes() if (SAMPLES / "knight_rune.blp").exists() else b"BLP1")
    thaw("convert", text, "-o", folder / "model.mdx", "-f")
    assert texture.encode(codec) in (folder / "model.mdx").read_bytes(), "the file keeps its bytes"
    for file in (text, folder / "model.mdx"):
        for state in ((("--encoding-of-names", page),) if not guessed else (("--encoding-of-names", page), ())):
            output = thaw("info", "-v", file, *state)
            line = next(line for line in output.splitlines() if line.startswith("  textures"))
            assert texture in line and "not found" not in line, (page, seed, state, output)
            assert clip in output, (page, seed, state, output)
            assert ("names.code-page" in output) == (state == ()), (page, seed, state, output)
            assert ("names.code-page" in thaw("info", file, *state)) == (state == ()), (page, seed, state)
    stated = ("--encoding-of-names", page)
    assert texture.replace("\\", "/") in thaw("deps", text, *stated, code=None)
    thaw("convert", text, "-o", folder / "model.glb", "-f", *stated)
    assert clip.encode() in (folder / "model.glb").read_bytes()
    output = thaw("edit", text, "--repath", texture + "=war3mapImported\\" + words[0] + ".blp", "-o", folder / "edited.mdl", "-f", *stated)
    assert ("war3mapImported\\" + words[0] + ".blp").encode(codec) in (folder / "edited.mdl").read_bytes(), (page, seed, output)
    # What is dumped and built has the same bytes.
    (folder / "model.json").write_text(thaw("dump", folder / "model.mdx", *stated))
    thaw("build", folder / "model.json", "-o", folder / "built.mdx", "-f")
    assert (folder / "built.mdx").read_bytes() == (folder / "model.mdx").read_bytes(), (page, seed)
    if seed % 4 == 0:
        try_typing(folder, texture, (page, codec, seed))
        if guessed:
            try_archives_of_models(folder, words, (page, codec, seed))


def main():
    with tempfile.TemporaryDirectory() as scratch:
        for page, codec, words, guessed in PAGES:
            for seed in range(SEEDS):
                folder = pathlib.Path(scratch) / f"{page}-{seed}"
                folder.mkdir()
                try_archive(folder, page, codec, words.split(), guessed, seed)
                try_model(folder, page, codec, words.split(), guessed, seed)
            print(page, SEEDS, "archives and models")
        folder = pathlib.Path(scratch)
        archive = folder / "plain.mpq"
        archive.write_bytes(mpq_make.make({"Größe.txt".encode(): b"1", b"plain.txt": b"2"}))
        assert listed(archive) == ({"Größe.txt", "plain.txt"}, ""), "UTF-8 is no guess"
        assert "encoding-of-names" in thaw("ls", archive, "--encoding-of-names", "latin", code=2)
        archive.write_bytes(mpq_make.make({"单位模型.txt".encode("gbk"): b"1"}))
        settings = folder / "thaw.toml"
        settings.write_text('encoding-of-names = "cp1251"\n')
        done = subprocess.run([THAW, "ls", archive], capture_output=True, env={**os.environ, "THAW_CONFIG": str(settings)}, check=True)
        assert "µҐО»ДЈРН.txt" in done.stdout.decode(), done.stdout.decode()
        isolated = subprocess.run([THAW, "ls", "--isolate", archive], capture_output=True, env={**os.environ, "THAW_CONFIG": ""})
        if isolated.returncode == 0:
            assert "单位模型.txt" in isolated.stdout.decode(), isolated.stdout.decode()


if __name__ == "__main__":
    main()
