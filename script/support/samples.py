"""Pictures and mails to send."""
import email.message, email.policy, email.utils, hashlib, pathlib, struct, zlib

# A landscape of our own, 1600 x 1200, as a phone would write it: HEIC with EXIF and a GPS position.
PHOTO = pathlib.Path(__file__).with_name("hills.heic").read_bytes()


def png(seed, width=16, height=16):
    """A PNG whose pixels follow from `seed`: another seed gives other bytes."""
    colours = hashlib.sha256(str(seed).encode()).digest()
    row = b"\0" + (colours * (width * 3 // len(colours) + 1))[: width * 3]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row * height))
            + chunk(b"IEND", b""))


def mail(address, subject, text, picture, name):
    """A mail as a phone sends it: some words and a picture. Each call makes another mail."""
    message = email.message.EmailMessage(policy=email.policy.SMTP)
    message["From"], message["To"], message["Subject"] = "Ada <ada@example.com>", address, subject
    message["Date"], message["Message-ID"] = email.utils.localtime(), email.utils.make_msgid(domain="example.com")
    message.set_content(text)
    message.add_attachment(picture, maintype="image", subtype=name.rpartition(".")[2].lower(), filename=name)
    return message.as_bytes()
