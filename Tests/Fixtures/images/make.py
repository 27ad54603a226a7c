#!/usr/bin/env python3
"""Draws the pictures of this folder; all of them are ours.

Needs cjpeg and jpegtran (libjpeg-turbo-progs), cwebp and img2webp (webp), heif-enc (libheif-examples) and cjxl
(libjxl-tools):
    python3 Tests/Fixtures/images/make.py
"""
import math
import os
import struct
import subprocess
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
RED, GREEN, BLUE, YELLOW = (200, 30, 30), (30, 160, 40), (30, 50, 200), (230, 210, 40)


def path(name):
    return os.path.join(HERE, name)


def save(name, data):
    with open(path(name), "wb") as file:
        file.write(data)


def run(*arguments):
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def corners(width, height):
    """Red and green above, blue and yellow below: every orientation looks different."""
    return [[(RED if x < width // 2 else GREEN) if y < height // 2 else (BLUE if x < width // 2 else YELLOW)
             for x in range(width)] for y in range(height)]


def landscape(width, height):
    """Hills under an evening sky."""
    def pixel(x, y):
        u, v = x / width, y / height
        for depth, (base, swing, color) in enumerate(
                [(0.82, 0.05, (40, 26, 48)), (0.70, 0.08, (74, 44, 82)), (0.58, 0.07, (120, 66, 116))]):
            ridge = base + swing * math.sin(u * (5 + 3 * depth) + depth) + swing / 3 * math.sin(u * 23 + 2 * depth)
            if v > ridge:
                return tuple(int(c * (1 - 0.3 * (v - ridge))) for c in color)
        if math.hypot((u - 0.68) * width / height, v - 0.40) < 0.07:
            return (255, 236, 170)
        return tuple(int(a + (b - a) * v) for a, b in zip((40, 60, 130), (255, 150, 120)))
    return [[pixel(x, y) for x in range(width)] for y in range(height)]


def ppm(rows):
    return b"P6 %d %d 255\n" % (len(rows[0]), len(rows)) + bytes(c for row in rows for p in row for c in p)


def chunk(kind, payload):
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", zlib.crc32(kind + payload))


def png(rows, extra=b"", more=b""):
    """Encodes rows of 3- or 4-tuples; `extra` stands before the pixels, `more` after them."""
    width, height, channels = len(rows[0]), len(rows), len(rows[0][0])
    raw = b"".join(b"\0" + bytes(c for p in row for c in p) for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 6 if channels == 4 else 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(raw, 9))
            + more + chunk(b"IEND", b""))


def deep_png(rows):
    """Encodes rows of 3-tuples with 16 bits a sample, and fine steps that 8 bits do not have."""
    width, height = len(rows[0]), len(rows)
    raw = b"".join(b"\0" + b"".join(struct.pack(">HHH", *(min(c * 257 + 37 * (x % 7), 65535) for c in p))
                                    for x, p in enumerate(row)) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def apng():
    width, height = 24, 16
    first, second = corners(width, height), [row[::-1] for row in corners(width, height)]
    control = lambda number: chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, 0, 0, 1, 2, 0, 0))
    raw = b"".join(b"\0" + bytes(c for p in row for c in p) for row in second)
    frame = chunk(b"fdAT", struct.pack(">I", 2) + zlib.compress(raw, 9))
    return png(first, chunk(b"acTL", struct.pack(">II", 2, 0)) + control(0), control(1) + frame)


def gif():
    """Two frames of four colours, a loop and a comment; the codes are written without compression."""
    palette = bytes(c for color in (RED, GREEN, BLUE, YELLOW) for c in color)
    def frame(order):
        pixels = [order[(y >= 8) * 2 + (x >= 12)] for y in range(16) for x in range(24)]
        bits, count = 0, 0
        for index, color in enumerate(pixels):
            for code in ([4] if index % 2 == 0 else []) + [color]:  # a clear code keeps the code size at 3
                bits |= code << count
                count += 3
        bits |= 5 << count
        data = bits.to_bytes((count + 3 + 7) // 8, "little")
        blocks = b"".join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255))
        return b"\x21\xf9\x04\x04\x14\0\0\0" + b"\x2c" + struct.pack("<HHHHB", 0, 0, 24, 16, 0) + b"\x02" + blocks + b"\0"
    return (b"GIF89a" + struct.pack("<HHBBB", 24, 16, 0x91, 0, 0) + palette
            + b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0" + b"\x21\xfe\x10taken at my home\0"
            + frame((0, 1, 2, 3)) + frame((3, 2, 1, 0)) + b"\x3b")


def exif(orientation):
    """A camera name, an orientation and a place (Exif 2.32)."""
    make = b"Pinpost test camera\0"
    def entry(tag, kind, count, value):
        return struct.pack(">HHI", tag, kind, count) + value
    start = 8 + 2 + 3 * 12 + 4
    gps_start = start + len(make)
    directory = struct.pack(">H", 3) + entry(0x10F, 2, len(make), struct.pack(">I", start)) + \
        entry(0x112, 3, 1, struct.pack(">HH", orientation, 0)) + entry(0x8825, 4, 1, struct.pack(">I", gps_start)) + b"\0\0\0\0"
    values = gps_start + 2 + 4 * 12 + 4
    degrees = lambda d, m, s: struct.pack(">IIIIII", d, 1, m, 1, s, 1)
    gps = struct.pack(">H", 4) + entry(1, 2, 2, b"N\0\0\0") + entry(2, 5, 3, struct.pack(">I", values)) + \
        entry(3, 2, 2, b"E\0\0\0") + entry(4, 5, 3, struct.pack(">I", values + 24)) + b"\0\0\0\0"
    return b"MM\0\x2a\0\0\0\x08" + directory + make + gps + degrees(48, 8, 14) + degrees(11, 34, 31)


def profile():
    """A small profile with the primaries of Display P3 and a plain gamma of 2.2."""
    xyz = lambda *v: b"XYZ \0\0\0\0" + b"".join(struct.pack(">i", round(c * 65536)) for c in v)
    text = b"Pinpost P3\0"
    tags = [(b"desc", b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + b"\0" * 79),
            (b"cprt", b"text\0\0\0\0MIT\0"), (b"wtpt", xyz(0.9642, 1, 0.8249)),
            (b"rXYZ", xyz(0.5151, 0.2412, -0.0011)), (b"gXYZ", xyz(0.2920, 0.6922, 0.0419)),
            (b"bXYZ", xyz(0.1571, 0.0666, 0.7841))]
    curve = b"curv\0\0\0\0\0\0\0\x01\x02\x33\0\0"
    tags += [(name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")]
    offset, table, body = 128 + 4 + 12 * len(tags), b"", b""
    for name, data in tags:
        data += b"\0" * (-len(data) % 4)
        table += name + struct.pack(">II", offset + len(body), len(data))
        body += data
    header = struct.pack(">I4sI4s4s4s12s4s", offset + len(body), b"none", 0x02400000, b"mntr", b"RGB ", b"XYZ ",
                         b"\x07\xea\0\x01\0\x01\0\0\0\0\0\0", b"acsp")
    header += b"\0" * (68 - len(header)) + struct.pack(">iii", 63190, 65536, 54061)
    return header + b"\0" * (128 - len(header)) + struct.pack(">I", len(tags)) + table + body


def jpeg(rows, *options, segments=b""):
    with tempfile.NamedTemporaryFile(suffix=".ppm") as file:
        file.write(ppm(rows))
        file.flush()
        data = subprocess.run(["cjpeg", "-quality", "95", *options, file.name], check=True, capture_output=True).stdout
    return data[:20] + segments + data[20:]  # after the JFIF header


def app(number, payload):
    return bytes([0xFF, 0xE0 + number]) + struct.pack(">H", len(payload) + 2) + payload


def metadata(orientation):
    return app(1, b"Exif\0\0" + exif(orientation)) + app(2, b"ICC_PROFILE\0\x01\x01" + profile())


def main():
    save("corners.jpg", jpeg(corners(96, 64)))
    save("corners-odd.jpg", jpeg(corners(90, 62)))
    save("corners-progressive.jpg", jpeg(corners(96, 64), "-progressive"))
    save("corners-grey.jpg", jpeg(corners(90, 62), "-grayscale"))
    save("corners-422.jpg", jpeg(corners(90, 62), "-sample", "2x1"))
    save("corners.png", png(corners(48, 32)))
    save("animated.png", apng())
    save("animated.gif", gif())
    alpha = [[p + (255 if x > 12 else 0,) for x, p in enumerate(row)] for row in corners(64, 48)]
    speck = [[p + (255 if x or y else 0,) for x, p in enumerate(row)] for y, row in enumerate(corners(64, 48))]
    with tempfile.TemporaryDirectory() as folder:
        def temporary(name, data):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
            return file.name
        source = temporary("corners.png", png(corners(96, 64)))
        run("cwebp", "-q", "95", source, "-o", path("corners.webp"))
        run("cwebp", "-lossless", source, "-o", path("corners-lossless.webp"))
        mirrored = temporary("mirrored.png", png([row[::-1] for row in corners(96, 64)]))
        run("img2webp", "-loop", "0", "-d", "200", source, mirrored, "-o", path("animated.webp"))
        run("heif-enc", "-q", "80", "-A", source, "-o", path("corners.avif"))
        run("heif-enc", "-q", "80", source, "-o", path("corners.heic"))
        run("heif-enc", "-q", "80", temporary("tile.png", png(corners(64, 64))), "-o", path("tile.heic"))
        view = landscape(192, 128)
        for number in range(6):  # two rows of three
            left, top = number % 3 * 64, number // 3 * 64
            piece = [row[left:left + 64] for row in view[top:top + 64]]
            run("heif-enc", "-q", "80", temporary("piece.png", png(piece)), "-o", path("piece-%d.heic" % (number + 1)))
        deep = temporary("deep.png", deep_png(view))
        for bits in (10, 12):
            for chroma in ("420", "422", "444"):
                run("heif-enc", "-q", "90", "-b", str(bits), "-p", "chroma=" + chroma, deep,
                    "-o", path("deep-%d-%s.heic" % (bits, chroma)))
        plain = temporary("view.png", png(view))
        for chroma in ("422", "444"):
            run("heif-enc", "-q", "90", "-p", "chroma=" + chroma, plain, "-o", path("chroma-%s.heic" % chroma))
        grey = temporary("grey.jpg", jpeg(view, "-grayscale"))
        run("heif-enc", "-q", "90", grey, "-o", path("mono.heic"))
        with open(path("corners-arithmetic.jpg"), "wb") as file:
            subprocess.run(["jpegtran", "-arithmetic", path("corners-odd.jpg")], check=True, stdout=file)
        run("cjxl", "-d", "1", "--container=0", plain, path("view.jxl"))
        run("cjxl", "-d", "0", "--container=1", source, path("corners.jxl"))
        run("heif-enc", "-q", "80", temporary("alpha.png", png(alpha)), "-o", path("alpha.heic"))
        run("heif-enc", "-q", "80", temporary("speck.png", png(speck)), "-o", path("speck.heic"))
        upright = landscape(1200, 1600)
        sideways = [[upright[x][1199 - y] for x in range(1600)] for y in range(1200)]  # as a phone held upright stores it
        photo = temporary("photo.jpg", jpeg(sideways, segments=metadata(6)))
        run("heif-enc", "-q", "60", photo, "-o", path("photo.heic"))


main()
