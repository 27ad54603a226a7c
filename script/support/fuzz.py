"""Builds the fuzz program, gathers seeds, and runs one target of it; status 1 when something was found."""
import argparse, os, pathlib, re, subprocess
from programs import ROOT, Failure, run

PLACE = pathlib.Path(os.environ.get("PINPOST_FUZZ_PLACE", ROOT / ".build/fuzz"))
SHARED = pathlib.Path(os.environ.get("PINPOST_SHARED", ROOT.parent / "shared"))
FIXTURES = ROOT / "Tests/Fixtures"
FLAGS = ["-c", "release", "--product", "fuzz", "--sanitize=address", "-Xswiftc", "-sanitize=fuzzer",
         "-Xswiftc", "-enable-testing", "-Xswiftc", "-use-ld=lld"]  # gold dies of an internal error
# The largest input of each target in bytes, and the endings of the files that it starts from.
PICTURES = {"heif": (8192, (".heic", ".heif", ".hif", ".avif")), "jpeg": (4096, (".jpg", ".jpeg")),
            "foreign": (4096, (".tif", ".tiff", ".bmp", ".ico", ".cur", ".jxl", ".arw", ".nef", ".cr3", ".raf", ".rw2")),
            "png": (2048, (".png",)), "gif": (2048, (".gif",)), "webp": (2048, (".webp",)), "picture": (4096, ("",))}
OTHERS = {"reply": 1024, "outline": 2048, "mail": 4096, "tnef": 2048, "json": 2048, "form": 2048, "multipart": 4096,
          "imap": 2048}
LARGEST = {name: size for name, (size, _) in PICTURES.items()} | OTHERS
IMAP_SEEDS = (
    b'* 1 FETCH (UID 7 FLAGS (\\Seen) BODY[] {3}\r\nabc MODSEQ (12))\r\nx OK [UIDVALIDITY 17] done\r\n',
    b'* 23 EXISTS\r\n* SEARCH 4 9 (MODSEQ 5)\r\n* LIST (\\Marked) "/" {5}\r\nINBOX\r\n* BYE [UNAVAILABLE] later\r\n',
    b'* CAPABILITY IMAP4rev1 IDLE\r\n+ idling\r\n* 1 FETCH (X-GM-LABELS ("a b") RFC822.SIZE 12 BODY[] ~{1+}\r\nz)\r\na NO no\r\n')
TNEF = bytes.fromhex("789f3e22 0100 02 02900600 0e000000 01000000000000000000000000000000 0100"
                     "02 10800100 06000000 612e706e6700 0000 02 0f800600 04000000 89504e47 6a01")


def parts(target):
    """The inputs that a target starts from: our own fixtures, and what the folder of samples has."""
    if target in PICTURES:
        endings = PICTURES[target][1]
        for folder in (FIXTURES / "images", SHARED / "images"):
            yield from (path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name.endswith(endings)
                        and path.stat().st_size <= 1 << 16)
    elif target in ("mail", "tnef"):
        yield TNEF
        for folder in (FIXTURES / "mail", SHARED / "mail"):
            yield from (path.read_bytes() for path in folder.rglob("*.eml"))
        yield from (path.read_bytes() for path in SHARED.rglob("winmail*.dat"))
    elif target == "imap":
        yield from IMAP_SEEDS
    elif target in ("json", "form", "multipart"):
        yield from (path.read_bytes() for path in (SHARED / "webhooks").rglob("*.json"))
        for folder in (FIXTURES / "hooks", SHARED / "webhooks"):
            for path in folder.rglob("*.http"):
                body = re.split(rb"\r?\n\r?\n", path.read_bytes(), maxsplit=1)[-1]
                boundary = re.match(rb"--([^\r\n]{1,70})", body)
                yield body.replace(boundary[1], b"b") if boundary else body
        yield b"url=https%3A%2F%2Fa.example&image=iVBORw0KGgo&tags=a%2Cb&private=1"


def gather(target):
    folder = PLACE / "seeds" / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(parts(target)):
        (folder / f"{number:04}").write_bytes(seed[:LARGEST[target]])
    return folder


def fuzz(program, target, options):
    corpus, found = PLACE / "corpus" / target, PLACE / "found" / target
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    words = [program, target, corpus, gather(target), f"-runs={options.runs}", f"-max_len={LARGEST[target]}",
             f"-artifact_prefix={found}/", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1",
             "-verbosity=1", *options.more]
    dictionary = ROOT / f"Fuzz/Words/{target}.dict"
    if dictionary.exists():
        words.append(f"-dict={dictionary}")
    # The backtracer of Swift and that of the sanitizer would wait for each other.
    environment = os.environ | {"SWIFT_BACKTRACE": "enable=no"}
    log = PLACE / f"{target}.log"
    with log.open("w") as output:
        status = subprocess.run([str(word) for word in words], stdout=output, stderr=subprocess.STDOUT, env=environment).returncode
    text = log.read_text(errors="replace")
    count = re.search(r"stat::number_of_executed_units:\s*(\d+)", text) or re.search(r"#(\d+)\s+DONE", text)
    covered = re.findall(r"cov: (\d+)", text)
    print(f"{target:10} {count[1] if count else '?':>9} runs, {covered[-1] if covered else '?'} places reached, "
          f"{'nothing found' if status == 0 else f'FOUND SOMETHING, see {log} and {found}'}", flush=True)
    return status == 0


def main():
    parser = argparse.ArgumentParser(prog="script/fuzz", description=__doc__)
    parser.add_argument("target", choices=[*LARGEST, "all"])
    parser.add_argument("runs", type=int, nargs="?", default=1_000_000)
    parser.add_argument("more", nargs="*", help="flags of libFuzzer, after --")
    options = parser.parse_args()
    command = ["swift", "build", "--package-path", ROOT, "--scratch-path", PLACE / "build", *FLAGS]
    done = subprocess.run(command, env=os.environ | {"PINPOST_FUZZ": "1"}, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure("the build failed:\n" + "\n".join(done.stdout.splitlines()[-30:]))
    targets = list(LARGEST) if options.target == "all" else [options.target]
    clean = [fuzz(PLACE / "build/release/fuzz", target, options) for target in targets]
    if not all(clean):
        raise Failure("something was found; the input lies in the folder that is named above")


run("fuzz", main)
