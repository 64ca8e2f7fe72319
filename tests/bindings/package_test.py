"""package_test.py SAMPLES ARCHIVE HELP: what the Python package promises beyond the ten jobs. HELP is `thaw help --json`."""
import doctest
import gc
import json
import re
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import thaw

try:
    import numpy
except ImportError:
    numpy = None

SAMPLES, ARCHIVE, HELP = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
KNIGHT = SAMPLES / "knight.mdx"


def raises(kind, function, *arguments, **how):
    try:
        function(*arguments, **how)
    except kind as error:
        return error
    raise AssertionError(f"{function} does not raise {kind.__name__}")


def test_doctests():
    done = doctest.testmod(thaw, extraglobs={"SAMPLES": SAMPLES})
    assert done.attempted > 15 and not done.failed, done


def test_closed_documents_raise():
    model = thaw.open(KNIGHT)
    clips, scene = model.sequences, model.scene()
    mesh = scene.meshes[0]
    with model, scene:
        assert clips[0].name == "Stand" and mesh.vertices == 2442
    for use in (lambda: model.name, lambda: clips[0], lambda: len(clips), lambda: model.get("SEQS[0].name"),
                lambda: model.convert("glb"), lambda: mesh.positions, lambda: mesh.name, lambda: scene.clips[0]):
        assert "closed" in str(raises(ValueError, use))
    assert "closed" in repr(model) and "closed" in repr(scene)


def address(array):
    return array.__array_interface__["data"][0]


def test_arrays_are_views_that_keep_their_memory():
    model = thaw.open(KNIGHT)
    scene = model.scene()
    seen, held = scene.meshes[0].positions, model.GEOS[0].positions
    if numpy is not None:
        assert address(seen) == scene.meshes[0]._struct.positions == address(scene.meshes[0].positions)
        # Of two tables of fields: it is the document's own.
        model._fields = None
        assert address(held) == address(model.GEOS[0].positions)
        assert seen.shape == held.shape == (2442, 3) and not seen.flags.writeable
        raises(ValueError, seen.__setitem__, 0, 1)
    else:
        assert seen.shape == (2442, 3) and seen.readonly
    before = seen.tolist(), held.tolist()
    scene.close()
    model.close()
    del scene, model
    gc.collect()
    others = [thaw.open(KNIGHT).scene() for _ in range(20)]  # what memory is free is used
    assert (seen.tolist(), held.tolist()) == before and others


def test_nodes_follow_edits():
    model = thaw.open(KNIGHT)
    first = model.sequences[0]
    first.name = "Stand Ready"
    assert first.name == "Stand Ready" and str(first) == "SEQS[0]"
    model.remove("SEQS[1]")
    assert [clip.name for clip in model.sequences] == ["Stand Ready", "Attack", "Death", "Portrait"]
    model.sequences[0].extent.minimum = (-1, -2, -3)
    assert model.SEQS[0].extent.minimum == (-1.0, -2.0, -3.0)
    assert model.SEQS["Death"].start == 5500
    assert "SEQS" in list(model) and len(model.SEQS) == 4
    assert thaw.build(model.dump(), "knight.mdx").to_bytes() == model.to_bytes()
    assert raises(AttributeError, lambda: model.SEQS[0].nome) and raises(IndexError, lambda: model.SEQS[9])


def test_control():
    model = thaw.open(KNIGHT)

    def fail(*_):
        raise RuntimeError("out of it")
    assert str(raises(RuntimeError, model.convert, "glb", progress=fail)) == "out of it"
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background begins with it ignored
    raises(KeyboardInterrupt, model.convert, "glb", progress=lambda *_: signal.raise_signal(signal.SIGINT))
    control = thaw.Control()
    control.stop()
    assert raises(thaw.Stopped, model.convert, "glb", control=control).code == "limit.stopped"
    assert raises(thaw.Stopped, thaw.open, KNIGHT, control=control)


def test_sources():
    data = KNIGHT.read_bytes()
    skin = (SAMPLES / "Textures/knight.blp").read_bytes()
    asked = []

    def give(name):
        asked.append(name)
        return skin if name == "textures/knight.blp" else None
    for sources in (None, {"Textures\\Knight.blp": skin}, give, SAMPLES, thaw.Archive(ARCHIVE)):
        picture = thaw.open(data, "units/knight.mdx", sources=sources).scene().images[0]
        assert picture.placeholder == (sources is None), sources
    assert "textures/knight.blp" in asked
    with thaw.Archive(ARCHIVE) as archive:
        assert "units/knight.mdx" in archive and archive["UNITS\\knight.mdx"] == data and "absent" not in archive
        assert len(archive) == len(list(archive))
    raises(ValueError, lambda: archive["units/knight.mdx"])
    assert not thaw.Archive(ARCHIVE).findings
    raises(thaw.Error, lambda: thaw.Archive(ARCHIVE, encoding_of_names="latin"))
    with thaw.Archive(ARCHIVE, encoding_of_names="gbk") as archive:
        assert archive.open("units/knight.mdx").dump() == thaw.open(data).dump()


def test_dependencies():
    wanted = {one["path"]: one["state"] for one in thaw.open(KNIGHT).dependencies()}
    assert wanted["Textures/knight.blp"] == "found", wanted
    alone = {one["path"]: one["state"] for one in thaw.open(KNIGHT.read_bytes(), "knight.mdx").dependencies()}
    assert alone["Textures/knight.blp"] == "missing", alone


def test_threads():
    model = thaw.open(KNIGHT)
    expected = model.convert("glb").data
    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(lambda _: model.convert("glb").data, range(32))) == {expected}


def test_onto():
    model = thaw.open(KNIGHT)
    edited = thaw.open(model.convert("glb").data, "knight.glb")
    assert edited.convert("mdx", onto=model).data == KNIGHT.read_bytes()


def test_errors_name_files_and_choices():
    absent = raises(thaw.Error, thaw.open, SAMPLES / "absent.mdx")
    assert absent.code == "input.unreadable" and "absent.mdx: no such file" in str(absent)
    model = thaw.open(KNIGHT)
    assert "knight.mdx: " in str(raises(thaw.Error, model.save, KNIGHT))
    assert "cannot be converted to png:" in str(raises(thaw.Error, model.convert, "png"))
    assert "hive|game|strict" in str(raises(thaw.Error, model.validate, target="nobody"))
    assert "Stand, Walk" in str(raises(thaw.Error, model.render, clip="Swim"))


def test_textures_and_outputs():
    image = thaw.open(SAMPLES / "Textures/knight.blp").image()
    assert image.array.shape == (image.height, image.width, 4)
    if numpy is not None:
        assert numpy.asarray(image).shape == image.array.shape
    made = thaw.open(KNIGHT).convert("gltf")
    assert next(iter(made)) == "knight.gltf" and len(made) > 1 and made.facts["clips"] == 5


def test_options_are_those_of_the_command():
    commands = {one["command"]: {option["name"] for option in one["options"]} for one in json.loads(HELP.read_text())["commands"]}
    for group, options in thaw.options().items():
        unknown = {name.replace("_", "-") for name in options} - commands[group]
        assert not unknown, f"{group}: {unknown}"
    error = raises(thaw.Error, thaw.open(KNIGHT).convert, "glb", team_colour=3)
    assert error.code == "option.value" and "team-colour" in error.message


def annotations():
    """The classes of formats.pyi and the types of their members."""
    source = (Path(thaw.__file__).parent / "formats.pyi").read_text()
    lines = [re.match(r"(?:class (\w+)|    (\w+): (.*))", line) for line in source.splitlines()]
    found, members = {}, {}
    for line in filter(None, lines):
        if line[1]:
            members = found[line[1]] = {}
        else:
            members[line[2]] = line[3]
    return found


def test_types_are_true():
    known, looked = annotations(), 0
    plain = {"int": int, "float": float, "str": str}

    def look(value, kind):
        nonlocal looked
        looked += 1
        if kind in plain:
            assert isinstance(value, plain[kind]), (value, kind)
        elif kind.startswith("tuple["):
            assert isinstance(value, tuple) and len(value) == kind.count(",") + 1, (value, kind)
        elif kind.startswith("Items["):
            kinds = kind[6:-1].split(" | ")
            for item in list(value)[:3] if len(kinds) == 1 else []:
                look(item, kinds[0])
        elif kind in known:
            for name in set(value) & set(known[kind]):
                look(getattr(value, name), known[kind][name])

    for path in sorted(SAMPLES.rglob("*")):
        try:
            document = thaw.open(path) if path.is_file() else None
        except thaw.Error:
            continue
        if document is not None:
            look(document, type(document).__name__)
    assert looked > 2000, looked


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print(f"ok       {name[5:].replace('_', ' ')}", flush=True)
