"""Feeds damaged and hostile pictures to the real decoders: each must end in a picture or in a reason, within bounds."""
import argparse, collections, json, os, pathlib, random, shutil, struct, subprocess, sys, tempfile, time, zlib
from peers import BENCHMARKS, compiled
from programs import ROOT, Failure, build, run
from samples import PHOTO

SHARED = pathlib.Path(os.environ.get("PINPOST_SHARED", ROOT.parent / "shared"))
FIXTURES = ROOT / "Tests/Fixtures/images"
ENDINGS = (".heic", ".heif", ".avif", ".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".ico", ".jxl")
# What may be wrong with a picture; anything else is wrong with us.
REASONS = {"damaged", "over_limit", "unsupported_format", "decoder_failed", "empty"}
BATCH = 2000
SLOW = 5_000  # ms for one damaged picture, waiting for its turn included
CPU, MEMORY, REFUSAL = 20, 512, 100  # s and MB of the whole program; ms for a refusal


def samples(largest):
    """Small pictures of all kinds, by name, the smallest first."""
    folders = [FIXTURES] + [SHARED / "images" / name for name in ("avif", "heif-small", "image-rs", "jpeg-odd", "pillow", "pngsuite", "magic")]
    found = {path.name: path.read_bytes() for folder in folders for path in sorted(folder.rglob("*"))
             if path.suffix.lower() in ENDINGS and 0 < path.stat().st_size <= largest}
    return dict(sorted(found.items(), key=lambda pair: len(pair[1])))


def prefixes(options):
    """Every beginning of twenty files, no more than four of a kind."""
    kinds, chosen = collections.Counter(), {}
    for name, data in samples(largest=4096).items():
        kind = pathlib.PurePath(name).suffix.lower()
        if len(data) > 60 and kinds[kind] < 4 and len(chosen) < 20:
            kinds[kind] += 1
            chosen[name] = data
    print(f"prefixes: {len(chosen)} files, {sum(map(len, chosen.values()))} beginnings", flush=True)
    for name, data in chosen.items():
        for length in range(1, len(data)):
            yield f"{length:05}-{name}", data[:length]


def flips(options):
    """Small pictures with one to four bytes changed: anywhere, or in the first kilobytes, where the structure is."""
    generator, all_samples = random.Random(options.seed), list(samples(largest=65536).items())
    print(f"flips: {options.flips} changed pictures from {len(all_samples)} files, seed {options.seed}", flush=True)
    for number in range(options.flips):
        name, data = generator.choice(all_samples)
        changed = bytearray(data)
        end = len(data) if generator.random() < 0.5 else min(len(data), 3000)
        for _ in range(generator.randint(1, 4)):
            changed[generator.randrange(end)] = generator.randrange(256)
        yield f"{number:06}-{name}", bytes(changed)


class Tally:
    def __init__(self):
        self.codes, self.details, self.slowest, self.wrong, self.count = collections.Counter(), set(), [], [], 0

    def take(self, report):
        self.codes["no_picture"] += report["left_alone"]
        self.count += report["left_alone"]
        for file in report["files"]:
            self.count += 1
            error = file["error"]
            code = error["code"] if error else "converted"
            self.codes[code] += 1
            self.slowest = sorted(self.slowest + [(file["milliseconds"], file["path"], code)], reverse=True)[:5]
            if error and (code not in REASONS or not error["detail"]):
                self.wrong.append(f"{file['path']}: {code} {error['detail']}")
            if code == "decoder_failed":
                self.details.add(error["detail"])
            if file["milliseconds"] > SLOW:
                self.wrong.append(f"{file['path']}: {file['milliseconds']} ms")


def batches(pictures):
    batch = []
    for picture in pictures:
        batch.append(picture)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def damaged(pinpost, pictures, place):
    tally, begun = Tally(), time.monotonic()
    for batch in batches(pictures):
        folder, out = place / "in", place / "out"
        for path in (folder, out):
            shutil.rmtree(path, ignore_errors=True)
        folder.mkdir()
        for name, data in batch:
            (folder / name).write_bytes(data)
        (folder / "0-good.heic").write_bytes(PHOTO)
        done = subprocess.run([pinpost, "convert", folder, out, "--json"], capture_output=True, timeout=1200)
        if done.returncode not in (0, 65):
            raise Failure(f"pinpost ended with {done.returncode}: {(done.stderr or done.stdout).decode()[-500:]}")
        report = json.loads(done.stdout)
        tally.take(report)
        if not any(file["path"] == "0-good.heic" and file["output"] for file in report["files"]):
            raise Failure("a good picture among the damaged ones was not converted")
        for line in tally.wrong:  # kept, so that it can be looked at
            name = line.split(":")[0]
            if (folder / name).exists():
                shutil.copy(folder / name, place / name)
    seconds = time.monotonic() - begun
    print(f"{tally.count} pictures in {seconds:.0f} s: {dict(tally.codes.most_common())}")
    print("slowest: " + ", ".join(f"{ms} ms {code} {name}" for ms, name, code in tally.slowest))
    for detail in sorted(tally.details):
        print(f"  decoder_failed: {detail}")
    if tally.wrong:
        raise Failure(f"{len(tally.wrong)} without a reason or too slow, kept in {place}: " + "; ".join(tally.wrong[:10]))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, rows, frames=0):
    """A PNG of one colour whose data is as small as it can be."""
    data = zlib.compress(bytes(1 + width) * rows, 9)
    animation = chunk(b"acTL", struct.pack(">II", frames, 0)) if frames else b""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) + animation
            + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def own_bombs():
    """Files that cost as much as the limits let them, and some beyond."""
    photo = (FIXTURES / "corners-progressive.jpg").read_bytes()
    scan = photo.rfind(b"\xff\xda")
    huge = bytearray((FIXTURES / "corners.jpg").read_bytes())
    frame = huge.find(b"\xff\xc0")
    huge[frame + 5:frame + 9] = struct.pack(">HH", 65500, 65500)
    limit = bytearray(huge)
    limit[frame + 5:frame + 9] = struct.pack(">HH", 10000, 9999)
    gif = b"GIF89a" + struct.pack("<HH", 1000, 1000) + b"\x80\0\0\0\0\0\xff\xff\xff"
    image = b"," + struct.pack("<HHHH", 0, 0, 1, 1) + b"\0\x02\x02\x44\x01\0"
    return {
        "png-4-gigapixels.png": png(65535, 65535, 1), "png-99-megapixels.png": png(9999, 9999, 9999),
        "png-with-a-million-frames.png": png(100, 100, 100, frames=1_000_000),
        "png-with-100000-chunks.png": png(8, 8, 8)[:33] + chunk(b"tEXt", b"a\0b") * 100_000 + png(8, 8, 8)[33:],
        "jpeg-4-gigapixels.jpg": bytes(huge), "jpeg-100-megapixels-without-data.jpg": bytes(limit),
        "jpeg-with-90-scans.jpg": photo[:scan] + photo[scan:-2] * 60 + b"\xff\xd9",
        "jpeg-with-10000-scans.jpg": photo[:scan] + photo[scan:-2] * 10_000 + b"\xff\xd9",
        "jpeg-of-fill-bytes.jpg": b"\xff\xd8" + b"\xff" * (20 << 20), "jpeg-of-comments.jpg": b"\xff\xd8" + b"\xff\xfe\0\2" * (5 << 20),
        "gif-with-1999-frames.gif": gif + image * 1999 + b";", "gif-with-3000-frames.gif": gif + image * 3000 + b";",
        "gif-of-stray-bytes.gif": gif + bytes(20 << 20), "riff-of-nothing.webp": b"RIFF\xff\xff\xff\x7fWEBPVP8X" + bytes(1 << 20),
        "boxes.heic": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0\0\0\x08free" * (3 << 20),
        "nested.heic": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + nested(),
    }


def nested():
    box = b""
    for _ in range(100_000):
        box = struct.pack(">I4s", len(box) + 8, b"iprp") + box if len(box) < 3 << 20 else box
    return struct.pack(">I4sI", len(box) + 12, b"meta", 0) + box


def bomb_files(place):
    """Our own, those of the folder of samples, and those that its tool makes."""
    for name, data in own_bombs().items():
        (place / name).write_bytes(data)
        yield place / name
    for folder in ("crafted", "magic"):
        yield from (path for path in sorted((SHARED / "images" / folder).glob("*")) if path.is_file())
    tool, car = SHARED / "tools/media/bombs.py", SHARED / "images/phone/classic-car.heic"
    if tool.exists() and car.exists():
        subprocess.run([sys.executable, "-B", tool, car], cwd=place, check=True, capture_output=True)
        yield from sorted((place / "bombs").glob("*.heic"))


def bombs(pinpost, place):
    """Each alone, the start of the program included: CPU time, memory, and how it ends."""
    wrong, meter = [], compiled(BENCHMARKS / "media/measure.c", place)
    print(f"{'':44}{'ms':>8}{'CPU ms':>8}{'MB':>6}  what became of it; refusals under {REFUSAL} ms are left out")
    for path in bomb_files(place):
        out, begun = place / "out.json", time.monotonic()
        with out.open("wb") as output:
            # A small program in between: what this script has in memory would count as the child's.
            done = subprocess.run([meter, pinpost, "convert", path, place, "--force", "--json"], stdout=output, stderr=subprocess.PIPE)
        wall = (time.monotonic() - begun) * 1000
        micro, memory = (int(word) for word in done.stderr.split()[-2:])
        cpu, memory = micro / 1000, memory / 1024
        answer = json.loads(out.read_text() or "{}")
        error = answer.get("error")
        if done.returncode not in (0, 65) or error and error["code"] not in REASONS or cpu > CPU * 1000 or memory > MEMORY:
            wrong.append(path.name)
        if path.name in wrong or not error or cpu > REFUSAL:
            said = error["detail"] if error else ", ".join(answer.get("actions", ["?"]))
            print(f"{path.name:44}{wall:8.0f}{cpu:8.0f}{memory:6.0f}  {said[:120]}", flush=True)
    if wrong:
        raise Failure("over the bounds or without a reason: " + ", ".join(wrong))


def main():
    parser = argparse.ArgumentParser(prog="script/damage", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("prefixes", "flips", "bombs"), help="all of them without it")
    parser.add_argument("--flips", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--binaries", type=pathlib.Path, help="a folder with the programs, instead of building them")
    options = parser.parse_args()
    pinpost = (options.binaries or build("release")) / "pinpost"
    place = pathlib.Path(tempfile.mkdtemp(prefix="pinpost-damage-"))  # stays when something goes wrong in it
    for name, source in (("prefixes", prefixes), ("flips", flips)):
        if options.what in (None, name):
            damaged(pinpost, source(options), place)
    if options.what in (None, "bombs"):
        bombs(pinpost, place)
    shutil.rmtree(place)


run("damage", main)
