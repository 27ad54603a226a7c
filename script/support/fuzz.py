"""Builds the fuzz program, gathers seeds, and runs one target of it; status 1 when something was found."""
import argparse, os, pathlib, re, shutil, subprocess
from fuzz_seeds import SEEDS
from programs import ROOT, Failure, run

PLACE = pathlib.Path(os.environ.get("PINPOST_FUZZ_PLACE", ROOT / ".build/fuzz"))
SHARED = pathlib.Path(os.environ.get("PINPOST_SHARED", ROOT.parent / "shared"))
PROGRAM = PLACE / "build/release/fuzz"
FIXTURES = ROOT / "Tests/Fixtures"
FLAGS = ["-c", "release", "--product", "fuzz", "--sanitize=address", "-Xswiftc", "-sanitize=fuzzer",
         "-Xswiftc", "-enable-testing", "-Xswiftc", "-use-ld=lld"]  # gold dies of an internal error
# The largest input of each target in bytes, and the endings of the files that it starts from.
PICTURES = {"heif": (8192, (".heic", ".heif", ".hif", ".avif")), "jpeg": (4096, (".jpg", ".jpeg")),
            "foreign": (4096, (".tif", ".tiff", ".bmp", ".ico", ".cur", ".jxl", ".arw", ".nef", ".cr3", ".raf", ".rw2")),
            "png": (2048, (".png",)), "gif": (2048, (".gif",)), "webp": (2048, (".webp",)), "picture": (4096, ("",))}
OTHERS = {"reply": 1024, "outline": 2048, "mail": 4096, "tnef": 2048, "json": 2048, "form": 2048, "multipart": 4096,
          "imap": 2048, "lmtp": 2048}
LARGEST = {name: size for name, (size, _) in PICTURES.items()} | OTHERS
KEPT = ROOT / "Fuzz/Corpus"
LARGEST_KEPT = 128 << 10  # of one target together, in bytes


def parts(target, samples):
    """The inputs that a target starts from: our own, and of the folders of samples the files of its kind."""
    yield from (path.read_bytes() for path in sorted((KEPT / target).glob("*")))
    yield from SEEDS.get(target, tuple)()
    if target in PICTURES:
        endings = PICTURES[target][1]
        for folder in (FIXTURES / "images", *(place / "images" for place in samples)):
            yield from (path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name.endswith(endings)
                        and path.stat().st_size <= 1 << 16)
    elif target in ("mail", "tnef"):
        for folder in (FIXTURES / "mail", *(place / "mail" for place in samples)):
            yield from (path.read_bytes() for path in folder.rglob("*.eml"))
        for folder in samples:
            yield from (path.read_bytes() for path in folder.rglob("winmail*.dat"))
    elif target in ("json", "form", "multipart"):
        for folder in (FIXTURES / "hooks", *(place / "webhooks" for place in samples)):
            yield from (path.read_bytes() for path in folder.rglob("*.json"))
            for path in folder.rglob("*.http"):
                body = re.split(rb"\r?\n\r?\n", path.read_bytes(), maxsplit=1)[-1]
                boundary = re.match(rb"--([^\r\n]{1,70})", body)
                yield body.replace(boundary[1], b"b") if boundary else body


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def gather(target, folder, samples):
    fresh(folder)
    for number, seed in enumerate(parts(target, samples)):
        (folder / f"{number:04}").write_bytes(seed[:LARGEST[target]])
    return folder


def run_program(words, log):
    """Runs the fuzz program; its status, and what it said."""
    # The backtracer of Swift and that of the sanitizer would wait for each other. Where memory was allocated and freed is
    # told when a finding is run alone; to note it each time takes a quarter of the time.
    environment = os.environ | {"SWIFT_BACKTRACE": "enable=no",
                                "ASAN_OPTIONS": "malloc_context_size=1:quarantine_size_mb=16"}
    with log.open("w") as output:
        status = subprocess.run([str(word) for word in (PROGRAM, *words)], stdout=output, stderr=subprocess.STDOUT,
                                env=environment).returncode
    return status, log.read_text(errors="replace")


def fuzz(target, options, corpus, seeds):
    found, log = PLACE / "found" / target, PLACE / f"{target}.log"
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    words = [target, corpus, seeds, f"-runs={options.runs}", f"-max_len={LARGEST[target]}", f"-artifact_prefix={found}/",
             "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1", "-verbosity=1", *options.more]
    dictionary = ROOT / f"Fuzz/Words/{target}.dict"
    if dictionary.exists():
        words.append(f"-dict={dictionary}")
    status, text = run_program(words, log)
    count = re.search(r"stat::number_of_executed_units:\s*(\d+)", text) or re.search(r"#(\d+)\s+DONE", text)
    covered = re.findall(r"cov: (\d+)", text)
    print(f"{target:10} {count[1] if count else '?':>9} runs, {covered[-1] if covered else '?'} places reached, "
          f"{'nothing found' if status == 0 else f'FOUND SOMETHING, see {log} and {found}'}", flush=True)
    return status == 0


def keep(target, options):
    """Fuzzes from inputs of our own alone, and replaces the kept corpus by the fewest that reach the same places."""
    place = fresh(PLACE / "own" / target)
    corpus, seeds, merged = place / "corpus", gather(target, place / "seeds", ()), fresh(place / "merged")
    if not fuzz(target, options, corpus, seeds):
        return False
    words = [target, "-set_cover_merge=1", "-use_counters=0", f"-max_len={LARGEST[target]}", merged, corpus, seeds]
    status, text = run_program(words, place / "merge.log")
    if status != 0 or not any(merged.iterdir()):
        raise Failure(f"the corpus could not be merged:\n{text[-2000:]}")
    folder, left, count = fresh(KEPT / target), LARGEST_KEPT, 0
    for path in sorted(merged.iterdir(), key=lambda path: (path.stat().st_size, path.name)):
        left -= path.stat().st_size
        if left < 0:
            break
        shutil.copyfile(path, folder / path.name)
        count += 1
    print(f"{target:10} {count} of {len(list(merged.iterdir()))} inputs kept in {folder.relative_to(ROOT)}", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(prog="script/fuzz", description=__doc__)
    parser.add_argument("target", choices=[*LARGEST, "all"])
    parser.add_argument("runs", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--keep", action="store_true", help="renew Fuzz/Corpus, from inputs of our own alone")
    parser.add_argument("more", nargs="*", help="flags of libFuzzer, after --")
    options = parser.parse_args()
    command = ["swift", "build", "--package-path", ROOT, "--scratch-path", PLACE / "build", *FLAGS]
    done = subprocess.run(command, env=os.environ | {"PINPOST_FUZZ": "1"}, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure("the build failed:\n" + "\n".join(done.stdout.splitlines()[-30:]))
    targets = list(LARGEST) if options.target == "all" else [options.target]
    clean = [keep(target, options) if options.keep
             else fuzz(target, options, PLACE / "corpus" / target, gather(target, PLACE / "seeds" / target, (SHARED,)))
             for target in targets]
    if not all(clean):
        raise Failure("something was found; the input lies in the folder that is named above")


run("fuzz", main)
