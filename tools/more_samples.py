"""Files of the formats that the samples lack, made of the samples."""

import json
import subprocess
from pathlib import Path


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
    (folder / "materials.xml").write_text(
        '<?xml version="1.0"?>\n<Object>\n <Array Name="InputLayouts">\n  <Object Class="InputLayout" Name="Vertex">\n'
        '   <Array Name="Entries">\n    <Object Class="LayoutEntry" Stream="0" Type="Float3" Usage="Position" UsageIndex="0"/>\n'
        "   </Array>\n  </Object>\n </Array>\n"
        ' <Array Name="MaterialDefinitions">\n  <Object Class="MaterialDefinition" Name="Plain" Hash="1">\n'
        '   <Array Name="DrawStyles">\n    <Object Class="DrawStyle" Name="Plain" InputLayout="Vertex"/>\n   </Array>\n'
        "  </Object>\n </Array>\n</Object>\n", encoding="utf-8")
    return sorted(path for path in folder.rglob("*") if path.is_file())
