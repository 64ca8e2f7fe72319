"""Files of the formats that the samples lack, made of the samples."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

def thaw_says(thaw: str, *arguments) -> bytes:
    return subprocess.run([thaw, *map(str, arguments)], capture_output=True, check=False).stdout


def jpeg_of(thaw: str, blp: Path) -> bytes:
    """The largest level of a texture with JPEG inside."""
    told = json.loads(thaw_says(thaw, "dump", "-q", blp))
    return bytes(told["jpegHeader"] + told["level0"]["data"])


def more_samples(thaw: str, samples: Path, folder: Path) -> list:
    """Puts them into a folder, and tells which."""
    picture, model = samples / "Textures/banner.blp", samples / "knight.mdx"
    for source, *more in ((model, folder / "knight.mdl"), (model, folder / "knight.glb"), (picture, folder / "banner.png"),
                          (picture, folder / "jpeg.blp", "--encoding", "jpeg"),
                          (samples / "house.wmo", folder / "later", "--to", "wmo-v17"),
                          (samples / "World/Maps/Island/Island.wdt", folder / "tiles", "--to", "adt-lk")):
        thaw_says(thaw, "convert", source, "-f", "-q", "-o", *more)
    (folder / "picture.jpg").write_bytes(jpeg_of(thaw, folder / "jpeg.blp"))
    head = bytes([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 24, 0])
    (folder / "picture.tga").write_bytes(head + bytes(range(12)) + bytes(8) + b"TRUEVISION-XFILE.\0")
    # What nothing is converted to: seeds of the fuzzers.
    for seed, name in (("adr/seed-layouts", "materials.xml"), ("m3/seed-library", "library.mtl3lib")):
        (folder / name).write_bytes((ROOT / "fuzz/corpus" / seed).read_bytes())
    return sorted(path for path in folder.rglob("*") if path.is_file())
