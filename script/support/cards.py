"""Draws the cards of forty hosts and lays them side by side as a board with columns of 240 pixels shows them."""
import fcntl
import io
import json
import os
import socket
import struct
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[2]
DECODER = Path(os.environ.get("PINPOST_BUILD", ROOT / ".build/debug")) / "pinpost-decoder-full"
HOSTS = json.loads((ROOT / "script/support/cards.json").read_text())
COLUMNS, WIDTH, GAP = 8, 240, 12
# Sources/DecoderProtocol: Frame, Job and Output.
JOB, READY, FINISHED, DRAW_CARD = 1, 2, 3, 4


def read(channel):
    head = channel.recv(8, socket.MSG_WAITALL)
    length = struct.unpack("<I", head[4:])[0]
    return head[3], channel.recv(length, socket.MSG_WAITALL) if length else b""


def ascii_form(address):
    host, slash, path = address.partition("/")
    try:
        host = host.encode("idna").decode()
    except UnicodeError:
        pass  # longer than a host may be, or an IPv6 address
    return host + slash + path


def icon(color):
    """A site's icon as it might be: a ring of that colour on nothing, twice as fine as a card shows it."""
    picture = Image.new("RGBA", (180, 180))
    ImageDraw.Draw(picture).ellipse((6, 6, 174, 174), outline=color, width=44)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def draw(card):
    """One card as the service would draw it, by the sandboxed process itself."""
    ours, theirs = socket.socketpair()
    given, made = os.memfd_create("input"), os.memfd_create("output")
    if "icon" in card:
        os.write(given, icon(card["icon"]))
    # Numbers above 9, so that no redirection hits the source of the next one.
    sources = [fcntl.fcntl(number, fcntl.F_DUPFD, 10) for number in (theirs.fileno(), given, made)]
    process = subprocess.Popen(
        ["bash", "-c", 'exec "$0" card 3<&{} 4<&{} 5<&{}'.format(*sources), DECODER], pass_fds=sources)
    theirs.close()
    for number in sources:
        os.close(number)
    assert read(ours)[0] == READY, "the decoder did not start"
    texts = [card["domain"], card.get("title", ""), ascii_form(card["url"].split("://")[1]), card.get("site", "")]
    payload = bytes([DRAW_CARD]) + b"".join(struct.pack("<H", len(t.encode())) + t.encode() for t in texts)
    ours.sendall(b"PD\x03" + bytes([JOB]) + struct.pack("<I", len(payload)) + payload)
    kind, answer = read(ours)
    assert kind == FINISHED, answer
    process.wait()
    ours.close()
    count = struct.unpack("<BIII", answer[:13])[3]
    return os.pread(made, count, 0)


def main(target):
    rows = -(-len(HOSTS) // COLUMNS)
    height = WIDTH * 3 // 4
    sheet = Image.new(
        "RGB", (COLUMNS * (WIDTH + GAP) + GAP, rows * (height + GAP) + GAP), (0xEE, 0xEE, 0xEE))
    sizes = []
    for index, card in enumerate(HOSTS):
        file = draw(card)
        sizes.append(len(file))
        picture = Image.open(io.BytesIO(file)).convert("RGB").resize((WIDTH, height), Image.LANCZOS)
        column, row = index % COLUMNS, index // COLUMNS
        sheet.paste(picture, (GAP + column * (WIDTH + GAP), GAP + row * (height + GAP)))
    sheet.save(target, optimize=True)
    print(f"{len(HOSTS)} cards in {target}; {min(sizes)} to {max(sizes)} bytes each")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/cards.png")
