#!/usr/bin/env python3
"""Converts textures with thaw and compares every pixel with what Pillow makes of them.

Made-up files cover the block formats (random blocks, every mode of BC7), uncompressed DDS and TGA; the corpus,
where it is there, every real BLP and DDS. Pillow's own BLP reader is not used: it expands 5 and 6 bits by a
shift and knows no alpha planes. Its DDS, JPEG and palette decoders get the same bytes in their own containers.

Exit codes: 0 equal, 1 different, 77 without Pillow.
"""

import io
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    from PIL import Image, JpegImagePlugin
except ImportError:
    # Debian's Pillow belongs to Debian's Python, which need not be the first on the PATH.
    system = "/usr/bin/python3"
    if os.path.exists(system) and os.path.realpath(sys.executable) != os.path.realpath(system):
        os.execv(system, [system, *sys.argv])
    print("skipped: no Pillow (package python3-pil)")
    sys.exit(77)

THAW = os.environ["THAW"]
CORPUS = pathlib.Path(os.environ.get("THAW_CORPUS", ""))

# --- containers


def dds(width, height, data, four_cc=b"", flags=4, bits=0, masks=(0, 0, 0, 0), extension=b""):
    header = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, height, width, 0, 0, 0)
    header += struct.pack("<2I4s5I", 32, flags, four_cc, bits, *masks)
    return header + struct.pack("<5I", 0x1000, 0, 0, 0, 0) + extension + data


def dx10(width, height, data, dxgi):
    return dds(width, height, data, b"DX10", extension=struct.pack("<5I", dxgi, 3, 0, 1, 0))


def by_pillow(data):
    image = Image.open(io.BytesIO(data))
    image.load()
    return image.convert("RGBA")


def opaque(image):
    image.putalpha(255)
    return image


# --- made-up files: yields (name, bytes, expected picture)


def random_bytes(source, count):
    return source.getrandbits(8 * count).to_bytes(count, "little") if count else b""


def block_files(source):
    for width, height in ((256, 128), (37, 22), (4, 4), (1, 1)):
        blocks = ((width + 3) // 4) * ((height + 3) // 4)
        for four_cc, size in ((b"DXT1", 8), (b"DXT3", 16), (b"DXT5", 16), (b"ATI1", 8), (b"ATI2", 16)):
            file = dds(width, height, random_bytes(source, blocks * size), four_cc)
            yield f"{four_cc.decode()}-{width}x{height}.dds", file, by_pillow(file)
    width, height = 256, 256
    for mode in range(8):
        # The mode is the number of zeros below the lowest one bit.
        data = bytearray(random_bytes(source, width * height))
        for at in range(0, len(data), 16):
            data[at] = (data[at] >> (mode + 1) << (mode + 1)) | 1 << mode
        file = dx10(width, height, bytes(data), 98)
        yield f"BC7-mode{mode}.dds", file, by_pillow(file)


def plain_files(source):
    width, height = 33, 17
    rgba = random_bytes(source, width * height * 4)
    with_alpha = (0xFF0000, 0xFF00, 0xFF, 0xFF000000)
    without = (0xFF0000, 0xFF00, 0xFF, 0)
    luminance = (0xFF, 0, 0, 0)
    for name, file in (
        ("bgra", dds(width, height, rgba, flags=0x41, bits=32, masks=with_alpha)),
        ("bgr", dds(width, height, rgba[: width * height * 3], flags=0x40, bits=24, masks=without)),
        ("luminance", dds(width, height, rgba[: width * height], flags=0x20000, bits=8, masks=luminance)),
        ("rgba", dx10(width, height, rgba, 28)),
    ):
        yield f"{name}.dds", file, by_pillow(file)


def tga_files(source):
    base = Image.frombytes("RGBA", (45, 31), random_bytes(source, 45 * 31 * 4))
    # Enlarged without smoothing, so that there are runs.
    base = base.resize((225, 62), Image.NEAREST)
    for mode in ("RGBA", "RGB", "L", "LA", "P"):
        image = base.convert("RGB").convert("P") if mode == "P" else base.convert(mode)
        for compression in (None, "tga_rle"):
            for orientation in (-1, 1):
                file = io.BytesIO()
                image.save(file, "TGA", compression=compression, orientation=orientation)
                yield f"{mode}-{compression}-{orientation}.tga", file.getvalue(), image.convert("RGBA")


def png_files(source):
    base = Image.frombytes("RGBA", (67, 41), random_bytes(source, 67 * 41 * 4))
    for mode in ("RGBA", "RGB", "L", "LA", "P", "1"):
        file = io.BytesIO()
        image = base.convert(mode)
        image.save(file, "PNG")
        yield f"{mode}.png", file.getvalue(), image.convert("RGBA")


# --- real files


class Blp:
    """The header of a BLP file, read without thaw."""

    def __init__(self, data):
        self.data = data
        self.is_first = data[:4] == b"BLP1"
        if self.is_first:
            self.compression, self.alpha, self.width, self.height = struct.unpack_from("<4I", data, 4)
            self.offset, self.size = struct.unpack_from("<I", data, 28)[0], struct.unpack_from("<I", data, 92)[0]
            self.tables = 156
        else:
            self.compression, self.encoding, self.alpha, self.alpha_type = struct.unpack_from("<I3B", data, 4)
            self.width, self.height = struct.unpack_from("<2I", data, 12)
            self.offset, self.size = struct.unpack_from("<I", data, 20)[0], struct.unpack_from("<I", data, 84)[0]
            self.tables = 148

    def level(self):
        return self.data[self.offset : self.offset + self.size]

    def jpeg(self):
        """Pillow takes four components for inverted CMYK, as Adobe's files have it."""
        length = struct.unpack_from("<I", self.data, self.tables)[0]
        header = self.data[self.tables + 4 : self.tables + 4 + length]
        image = JpegImagePlugin.JpegImageFile(io.BytesIO(header + self.level()))
        assert image.mode == "CMYK"
        blue, green, red, alpha = (band.point(lambda value: 255 - value) for band in image.split())
        return Image.merge("RGBA", (red, green, blue, alpha))

    def palette(self):
        entries = self.data[self.tables : min(self.offset, self.tables + 1024)].ljust(1024, b"\0")
        count = self.width * self.height
        data = self.level()
        image = Image.frombytes("P", (self.width, self.height), data[:count])
        image.putpalette(entries, "BGRX")
        image = image.convert("RGBA")
        plane = data[count:]
        line = (count, 1)  # planes do not stop at the ends of rows
        if self.alpha == 1:
            alpha = Image.frombytes("1", line, plane[: (count + 7) // 8], "raw", "1;R").convert("L")
        elif self.alpha == 4:
            swapped = bytes((byte & 15) << 4 | byte >> 4 for byte in plane[: (count + 1) // 2])
            alpha = Image.frombytes("L", line, swapped, "raw", "L;4")
        elif self.alpha == 8:
            alpha = Image.frombytes("L", line, plane[:count])
        else:
            return opaque(image)
        image.putalpha(Image.frombytes("L", image.size, alpha.tobytes()))
        return image

    def picture(self):
        if self.compression == 0 or self.is_first and self.compression != 1:
            image = self.jpeg()
        elif self.is_first or self.encoding == 1:
            return self.palette()
        elif self.encoding == 2:
            four_cc = {0: b"DXT1", 1: b"DXT3", 7: b"DXT5"}[self.alpha_type]
            image = by_pillow(dds(self.width, self.height, self.level(), four_cc))
        else:
            image = Image.frombytes("RGBA", (self.width, self.height), self.level(), "raw", "BGRA")
        return image if self.alpha else opaque(image)


# Its table of levels is garbage.
UNREADABLE = "risk_asia.w3x/ReplaceableTextures/CommandButtons/BTNGeneralMedal.blp"


def real_files():
    for part in ("wc3", "alpha"):
        for path in sorted((CORPUS / part).rglob("*")) if (CORPUS / part).is_dir() else ():
            suffix = path.suffix.lower()
            if suffix not in (".blp", ".dds", ".png") or str(path).endswith(UNREADABLE):
                continue
            data = path.read_bytes()
            yield path.name, data, Blp(data).picture() if suffix == ".blp" else by_pillow(data)


# --- files that thaw writes, read without it


def smooth_picture(width, height):
    """Gradients with an edge; alpha falls from left to right."""
    image = Image.new("RGBA", (width, height))
    for y in range(height):
        for x in range(width):
            red, green = 255 * x // (width - 1), 255 * y // (height - 1)
            image.putpixel((x, y), (red, green, 200 if (x // 16 + y // 16) % 2 else 40, 255 - 255 * x // (width - 1)))
    return image


def root_mean_square(a, b):
    mine, theirs = a.tobytes(), b.tobytes()
    return (sum((x - y) ** 2 for x, y in zip(mine, theirs)) / len(mine)) ** 0.5


def written_files(scratch):
    """Yields (what, picture by an independent reader, the picture it was made from, largest mean error)."""
    with_alpha = smooth_picture(64, 32)
    pictures = {"alpha": with_alpha, "opaque": opaque(with_alpha.copy()), "odd": opaque(smooth_picture(37, 22))}
    pictures["few"] = with_alpha.quantize(200).convert("RGBA")
    exact = {"auto": ("few",), "palette": ("few",), "bgra": tuple(pictures)}
    for name, picture in pictures.items():
        source = scratch / f"{name}.png"
        picture.save(source)
        for target, encodings in (
            ("blp", ("auto", "jpeg", "palette")),
            ("blp2", ("auto", "palette", "bc1", "bc3", "bgra")),
            ("dds", ("auto", "bc1", "bc3", "bgra")),
        ):
            for encoding in encodings:
                if encoding == "bc1" and name in ("alpha", "few"):
                    continue
                output = scratch / f"{name}-{encoding}.{target[:3]}"
                command = [THAW, "convert", source, "-o", output, "-f", "--to", target, "--encoding", encoding]
                subprocess.run([str(word) for word in command], capture_output=True, check=True)
                data = output.read_bytes()
                seen = by_pillow(data) if target == "dds" else Blp(data).picture()
                lossless = name in exact.get(encoding, ()) and not (target == "dds" and encoding == "auto")
                yield f"{name} as {target}, {encoding}", seen, picture, 0 if lossless else 6


def compare_written(scratch):
    folder = scratch / "written"
    folder.mkdir()
    failures, count = 0, 0
    for what, seen, picture, allowed in written_files(folder):
        count += 1
        error = root_mean_square(seen, picture) if seen.size == picture.size else None
        if error is None or error > allowed:
            print(f"written/{what}: {seen.size}, mean error {error}, allowed {allowed}")
            failures += 1
    print(f"written: {count - failures} of {count} near enough")
    return failures


# --- comparison


def difference(ours, expected):
    if ours.size != expected.size:
        return f"{ours.size} instead of {expected.size}"
    mine, theirs = ours.tobytes(), expected.tobytes()
    if mine == theirs:
        return None
    wrong = [i for i in range(0, len(mine), 4) if mine[i : i + 4] != theirs[i : i + 4]]
    first = wrong[0]
    place = (first // 4 % ours.width, first // 4 // ours.width)
    return f"{len(wrong)} pixels, first at {place}: {list(mine[first:first + 4])} instead of {list(theirs[first:first + 4])}"


def compare(group, cases, scratch):
    inputs, outputs = scratch / group, scratch / f"{group}-out"
    inputs.mkdir()
    expected = {}
    for number, (name, data, picture) in enumerate(cases):
        stem = f"{number:04}-{pathlib.Path(name).stem}"
        (inputs / (stem + pathlib.Path(name).suffix.lower())).write_bytes(data)
        expected[stem] = picture
    command = [THAW, "convert", "-r", str(inputs), "-o", str(outputs), "--quiet"]
    subprocess.run(command, capture_output=True, check=False)
    failures = 0
    for stem, picture in expected.items():
        output = outputs / (stem + ".png")
        wrong = difference(Image.open(output).convert("RGBA"), picture) if output.exists() else "not converted"
        if wrong:
            print(f"{group}/{stem}: {wrong}")
            failures += 1
    print(f"{group}: {len(expected) - failures} of {len(expected)} equal")
    return failures


def main():
    source = random.Random(20080101)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="thaw-pillow-"))
    try:
        failures = compare("blocks", block_files(source), scratch)
        failures += compare("plain", plain_files(source), scratch)
        failures += compare("tga", tga_files(source), scratch)
        failures += compare("png", png_files(source), scratch)
        failures += compare("real", real_files(), scratch)
        failures += compare_written(scratch)
    finally:
        shutil.rmtree(scratch)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
