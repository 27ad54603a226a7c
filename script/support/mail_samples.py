"""Mails for the benches: made anew each time, the same bytes each time."""
import base64, random, struct
from programs import ROOT
from samples import PHOTO

JPEG = (ROOT / "Tests/Fixtures/images/corners-422.jpg").read_bytes()


def header(number, address, kind, name):
    return (f"Delivered-To: {address}\r\nFrom: Ada <ada@example.net>\r\nTo: pins@example.org\r\n"
            f"Message-ID: <{kind}-{number}@bench>\r\nSubject: Mail {number}\r\nMIME-Version: 1.0\r\n"
            f"Content-Type: {name}\r\n")


def in_base64(content):
    return "Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(content).decode().replace("\n", "\r\n")


def files(count, size, address):
    """Mails of `size` bytes, no two alike, each with one attachment that is no picture."""
    generator = random.Random(7)
    for number in range(count):
        content = generator.randbytes(size * 3 // 4 * 76 // 77)
        yield (header(number, address, "file", "application/octet-stream; name=data.bin") + in_base64(content)).encode()


def letters(count, size, address):
    """Mails of about `size` bytes of text."""
    for number in range(count):
        line = f"This is line after line of letter {number}, and nothing in it is to be pinned.\r\n"
        text = line * (size // len(line))
        yield (header(number, address, "letter", "text/plain; charset=utf-8") + "\r\n" + text).encode()


class PhotoBytes:
    """Random bytes without 0xFF in base64, made once: of these, each photo has a stretch of its own."""
    LINE, ENCODED = 57, 78

    def __init__(self, lines=200_000):
        self.lines = lines
        plain = random.Random(11).randbytes(lines * self.LINE).replace(b"\xff", b"\xfe")
        self.text = base64.encodebytes(plain).replace(b"\n", b"\r\n")

    def stretch(self, start, lines):
        return self.text[start * self.ENCODED:(start + lines) * self.ENCODED]


def photos(count, address):
    """Mails with one photo of 3.9 to 5.5 MB, JPEG and HEIC in turn; no two alike."""
    generator, source = random.Random(11), PhotoBytes()
    for number in range(count):
        lines = generator.randrange(68_000, 97_000)
        size = lines * source.LINE
        kind, head, tail = ("heic", heic_head(size), b"") if number % 2 else ("jpeg", jpeg_head(), b"\xff\xd9")
        boundary = f"border-{number}"
        yield ((header(number, address, "photo", f'multipart/mixed; boundary="{boundary}"')
                + f"\r\n--{boundary}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nFrom my phone.\r\n"
                + f"--{boundary}\r\nContent-Type: image/{kind}; name=IMG_{number:04}.{kind}\r\n"
                + f"Content-Disposition: attachment; filename=IMG_{number:04}.{kind}\r\n" + in_base64(head)).encode()
               + source.stretch(generator.randrange(source.lines - lines), lines)
               + base64.encodebytes(tail).replace(b"\n", b"\r\n") + f"--{boundary}--\r\n".encode())


def heic_head(size):
    """A real photo, and the head of one more box of media data with `size` bytes to come; whole lines of base64."""
    fill = -(len(PHOTO) + 16) % PhotoBytes.LINE
    return PHOTO + struct.pack(">I4s", 8 + fill, b"free") + bytes(fill) + struct.pack(">I4s", size + 8, b"mdat")


def jpeg_head():
    """The tables of a real picture and the size of a phone's; the coefficients to come are decoded by nobody here."""
    size = JPEG.index(b"\xff\xc0") + 5
    scan = JPEG.index(b"\xff\xda")
    scan += 2 + int.from_bytes(JPEG[scan + 2:scan + 4], "big")
    head = JPEG[:size] + struct.pack(">HH", 3_024, 4_032) + JPEG[size + 4:scan]
    fill = -(len(head) + 4) % PhotoBytes.LINE
    return head[:2] + struct.pack(">HH", 0xFFFE, 2 + fill) + bytes(fill) + head[2:]


def photo_mailbox(address, mails=2_000):
    """A mailbox in which every eighth mail has a photo."""
    large, small = photos(mails // 8, address), letters(mails - mails // 8, 4_300, address)
    for number in range(mails):
        yield next(large if number % 8 == 7 else small)
