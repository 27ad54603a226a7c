"""Measures the whole conversion of a HEIC, sandbox included, beside other programs: CPU time, memory, instructions."""
import argparse, json, os, pathlib, re, shutil, statistics, subprocess, sys
from peers import BENCHMARKS, compiled, python_with_peers
from programs import ROOT, Failure, build, run

MEDIA = BENCHMARKS / "media"
sys.path.insert(0, str(MEDIA))
import heic  # noqa: E402

SHARED = pathlib.Path(os.environ.get("PINPOST_SHARED", ROOT.parent / "shared")) / "images/phone"
# Size and the photo that lends its tiles: a dense one, and one under 0.1 byte per pixel.
SIZES = {"12": (4032, 3024), "24": (5712, 4284), "48": (8064, 6048)}
LIMITS = {  # what the closing figures have to keep: ratio to the peer, by name of the file
    "bare": {"": 1.15},
    "heif-convert": {"classic-car": 0.70, "sparse": 0.55},
    "libheif-rgb": {"classic-car": 0.75, "sparse": 0.60},
}
MEMORY = {"48": 25, "200": 40}
SLOW = 4000  # ms


def files(folder):
    """The files to convert, each with its pack for the bare loop."""
    if not SHARED.exists():
        raise Failure(f"the photos of phones are missing: PINPOST_SHARED must name the folder that has images/phone ({SHARED})")
    car, large = (SHARED / name for name in ("classic-car.heic", "200MP.heic"))
    photos = {"classic-car": (car, heic.read(car.read_bytes())), "sparse-200": (large, heic.read(large.read_bytes()))}
    for name, source in (("dense", "classic-car"), ("sparse", "sparse-200")):
        for size, (width, height) in SIZES.items():
            photo = photos[source][1].enlarged(width, height)
            path = folder / f"{name}-{size}.heic"
            path.write_bytes(photo.file())
            photos[path.stem] = (path, photo)
    for name, (path, photo) in photos.items():
        (folder / f"{name}.pack").write_bytes(photo.pack())
    return {name: path for name, (path, _) in photos.items()}


def programs(binaries, folder):
    """The command of each program, as a function of the file, its pack and the output."""
    bare = compiled(MEDIA / "bare.c", folder, "-lde265", "-lturbojpeg")
    rgb = compiled(MEDIA / "libheif_rgb.c", folder, "-lheif", "-lturbojpeg")
    python = python_with_peers(MEDIA / "requirements.txt", "media")
    return {
        "pinpost": lambda file, pack, out: [binaries / "pinpost", "convert", file, out, "--force"],
        "bare": lambda file, pack, out: [bare, pack, out],
        "libheif-rgb": lambda file, pack, out: [rgb, file, out],
        "heif-convert": lambda file, pack, out: ["heif-convert", "-q", "85", file, out],
        "pillow-heif": lambda file, pack, out: [python, MEDIA / "pillow.py", file, out],
        "vips": lambda file, pack, out: ["vips", "copy", file, f"{out}[Q=85]"],
        "graphicsmagick": lambda file, pack, out: ["gm", "convert", file, "-quality", "85", out],
        "imagemagick": lambda file, pack, out: ["convert", file, "-quality", "85", out],
    }


def measure(meter, command):
    """CPU time in ms and the largest process in MB, children included; None where the program gives up."""
    done = subprocess.run([str(word) for word in (meter, *command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode != 0:
        return None
    micro, memory = map(int, done.stderr.splitlines()[-1].split())
    return micro / 1000, memory / 1024


def media(options, folder, binaries):
    """Rounds alternate between the programs; medians of CPU time are compared."""
    commands, broken, results = programs(binaries, folder), [], {}
    meter = compiled(MEDIA / "measure.c", folder)
    chosen = {name: path for name, path in files(folder).items() if options.only in name}
    for name, path in chosen.items():
        pack, out = folder / f"{name}.pack", folder / "out.jpg"
        rounds = {program: [] for program in commands}
        for _ in range(options.rounds):
            for program, command in commands.items():
                # Who takes seconds is measured once: the next round would tell the same.
                if not any(figure is None or figure[0] > SLOW for figure in rounds[program]):
                    rounds[program].append(measure(meter, command(path, pack, out)))
        results[name] = show(name, path, {program: middle(figures) for program, figures in rounds.items()}, broken)
    tables(results)
    print(json.dumps({"bench": "media", "rounds": options.rounds, **results}))
    if broken:
        raise Failure("over the limit: " + "; ".join(broken))


def middle(figures):
    done = [figure for figure in figures if figure]
    return (statistics.median(cpu for cpu, _ in done), max(memory for _, memory in done)) if done else None


def tables(results):
    """All files beside each other: how many times as much CPU time as ours, and the memory of the largest process."""
    width = max(map(len, results)) + 2
    for title, cell in (("CPU time / ours", lambda own, figure: f"{figure[0] / own[0]:.2f}"),
                        ("memory in MB", lambda own, figure: f"{figure[1]:.0f}")):
        print(f"\n{title:17}" + "".join(f"{name:>{width}}" for name in results))
        for program in next(iter(results.values())):
            cells = (cell(figures["pinpost"], figures[program]) if figures[program] else "-" for figures in results.values())
            print(f"  {program:15}" + "".join(f"{text:>{width}}" for text in cells))


def show(name, path, figures, broken):
    own, memory = figures["pinpost"]
    print(f"{name}: {path.stat().st_size / 1e6:.2f} MB")
    for program, figure in figures.items():
        ratio = own / figure[0] if figure else None
        words = f"{figure[0]:8.0f} ms {figure[1]:7.0f} MB   {ratio:.2f}" if figure else "        gives up"
        print(f"  {program:15}{words}", flush=True)
        for part, limit in LIMITS.get(program, {}).items():
            if part in name and ratio and ratio > limit:
                broken.append(f"{name} / {program} {ratio:.3f} > {limit}")
    for part, limit in MEMORY.items():
        if name.endswith(part) and memory > limit:
            broken.append(f"{name} {memory:.0f} MB > {limit} MB")
    return {program: figure and [round(number, 1) for number in figure] for program, figure in figures.items()}


def instructions(options, folder, binaries):
    """What callgrind counts does not depend on the load of the machine: our decoder's whole life, and two peers'."""
    photo = ROOT / "Tests/Fixtures/images/photo.heic"
    library = folder / "unguarded.so"
    compiled_library = ["cc", "-O2", "-shared", "-fPIC", "-o", library, MEDIA / "unguarded.c"]
    subprocess.run(compiled_library, check=True)
    grid = heic.Photo(4800, 3600, 1600, 1200, 3, *single(photo.read_bytes())).enlarged(4032, 3024)
    (folder / "grid.heic").write_bytes(grid.file())
    (folder / "grid.pack").write_bytes(grid.pack())
    counts = {"pinpost-decoder": decoder_count(folder, binaries, library)}
    for name, flags, source in (("bare", ("-lde265",), "grid.pack"), ("libheif_rgb", ("-lheif",), "grid.heic")):
        program = compiled(MEDIA / f"{name}.c", folder, *flags, "-lturbojpeg")
        counts[name] = count(folder / f"{name}.out", [program, folder / source, folder / "out.jpg"])
    for name, number in counts.items():
        print(f"{name:16}{number / 1e6:10.1f} M   {counts['pinpost-decoder'] / number:.3f}")
    print(json.dumps({"bench": "instructions", **counts}))
    if counts["pinpost-decoder"] > 1.05 * counts["bare"] or counts["pinpost-decoder"] > 0.61 * counts["libheif_rgb"]:
        raise Failure("more than 1.05 of the bare loop's instructions, or more than 0.61 of libheif's")


def single(data):
    """Parameters and tile of a HEIC with one coded picture."""
    meta = next((start + 4, end) for kind, start, end in heic.boxes(data, 0, len(data)) if kind == b"meta")
    parts = {kind: (start, end) for kind, start, end in heic.boxes(data, *meta)}
    primary = heic.number(data, parts[b"pitm"][0] + 4, 2)
    return heic.read_properties(data, parts, primary)[b"hvcC"], [heic.read_places(data, parts)[primary]]


def decoder_count(folder, binaries, library):
    """Puts valgrind between pinpost and its decoder; the sandbox is off there, it costs 18 rules once."""
    place = folder / "wrapped"
    place.mkdir(exist_ok=True)
    shutil.copy(binaries / "pinpost", place)
    wrapper, dump = place / "pinpost-decoder", place / "count"
    wrapper.write_text(f"#!/bin/sh\nLD_PRELOAD={library} exec {shutil.which('valgrind')} --tool=callgrind --log-file={place}/log "
                       f'--callgrind-out-file={dump} {binaries}/pinpost-decoder "$@"\n')
    wrapper.chmod(0o755)
    for old in place.glob("count.*"):
        old.unlink()
    subprocess.run([place / "pinpost", "convert", folder / "grid.heic", folder / "out.jpg", "--force"], check=True,
                   stdout=subprocess.DEVNULL, env=os.environ | {"LD_PRELOAD": str(library)})
    return sum(total(path) for path in place.glob("count.*"))


def count(dump, command):
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={dump}", *command], check=True, capture_output=True)
    return total(dump)


def total(dump):
    return int(re.search(r"^(?:totals|summary): (\d+)", dump.read_text(), re.M)[1])


def main():
    parser = argparse.ArgumentParser(prog="script/bench", description=__doc__)
    parser.add_argument("bench", choices=("media", "instructions"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="a part of the names of the files to convert")
    parser.add_argument("--binaries", type=pathlib.Path, help="a folder with the programs, instead of building them")
    options = parser.parse_args()
    folder = ROOT / ".build/bench/media"
    folder.mkdir(parents=True, exist_ok=True)
    {"media": media, "instructions": instructions}[options.bench](options, folder, options.binaries or build("release"))


run("bench", main)
