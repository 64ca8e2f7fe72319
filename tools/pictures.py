"""Pictures of the command, and how alike two of them are. Only what the standard library has."""

import struct
import zlib

WINDOW = 8
STEP = 4
# Constants of SSIM for values from 0 to 255.
DARK, FLAT = 6.5025, 58.5225


def read_png(path):
    """Width, height, and a list of luma; of 8 bits per channel, RGB or RGBA, not interlaced."""
    content = path.read_bytes()
    at, data, width, height, channels = 8, b"", 0, 0, 0
    while at < len(content):
        size, kind = struct.unpack(">I4s", content[at:at + 8])
        body = content[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", body[:10])
            channels = {2: 3, 6: 4}[color]
        elif kind == b"IDAT":
            data += body
        at += size + 12
    return width, height, lumas(rows(zlib.decompress(data), width * channels, height, channels), channels)


def rows(data, length, height, step):
    before = bytearray(length)
    for row in range(height):
        start = row * (length + 1)
        kind, line = data[start], bytearray(data[start + 1:start + 1 + length])
        for i in range(length if kind else 0):
            left = line[i - step] if i >= step else 0
            above = before[i]
            corner = before[i - step] if i >= step else 0
            line[i] = (line[i] + predicted(kind, left, above, corner)) & 255
        yield line
        before = line


def predicted(kind, left, above, corner):
    if kind < 3:
        return (0, left, above)[kind]
    if kind == 3:
        return (left + above) // 2
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))


def lumas(lines, channels):
    return [0.299 * line[i] + 0.587 * line[i + 1] + 0.114 * line[i + 2]
            for line in lines for i in range(0, len(line), channels)]


def similarity(one, other):
    """Mean SSIM of luma over the windows in which either shows anything: 1 for the same."""
    (width, height, a), (_, _, b) = one, other
    background = a[0]
    total, windows = 0.0, 0
    for top in range(0, height - WINDOW + 1, STEP):
        for left in range(0, width - WINDOW + 1, STEP):
            x, y = [], []
            for row in range(top, top + WINDOW):
                start = row * width + left
                x += a[start:start + WINDOW]
                y += b[start:start + WINDOW]
            if max(x) - min(x) < 3 and max(y) - min(y) < 3 and abs(x[0] - background) < 3 and abs(y[0] - background) < 3:
                continue
            total += alike(x, y)
            windows += 1
    return total / windows if windows else 1.0


def alike(x, y):
    count = len(x)
    mean_x, mean_y = sum(x) / count, sum(y) / count
    var_x = sum(value * value for value in x) / count - mean_x * mean_x
    var_y = sum(value * value for value in y) / count - mean_y * mean_y
    both = sum(p * q for p, q in zip(x, y)) / count - mean_x * mean_y
    return (2 * mean_x * mean_y + DARK) * (2 * both + FLAT) / (
        (mean_x * mean_x + mean_y * mean_y + DARK) * (var_x + var_y + FLAT))
