"""Measures durable multipart photos beside a bare loop that writes as many bytes to files and syncs them."""
import argparse, json, pathlib, random, statistics, subprocess, sys
from bench import LIMITLESS, cpu_seconds
from peers import BENCHMARKS
from programs import ROOT, Failure, Stage, build, run

BOUNDARY = "photo-of-script-bench"
GOAL = 0.8  # of the bytes per second of one bare loop
GROWTH = 16  # MiB that the service may be larger after the load than after its first second
# Threads (None: as many as connections) and whether they name the files: one bare loop is what the goal is set against,
# the others say how far the disk itself would go.
FLOORS = {"loop": (1, "bare"), "loops": (None, "bare"), "named": (None, "named")}


def body(size):
    """A form as phones send it: a text field and one JPEG file; what is no header of it is noise."""
    head = bytes.fromhex("ffd8ffe000104a46494600010100000100010000")
    photo = head + random.Random(1).randbytes(size - len(head) - 2) + bytes.fromhex("ffd9")
    disposition = "Content-Disposition: form-data; name="
    return b"".join((
        f'--{BOUNDARY}\r\n{disposition}"title"\r\n\r\nA day out\r\n--{BOUNDARY}\r\n'.encode(),
        f'{disposition}"file"; filename="IMG_0001.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'.encode(), photo,
        f"\r\n--{BOUNDARY}--\r\n".encode()))


def memory(pid):
    """MiB that the process has in memory."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def load(service, hook, path, seconds, options):
    done = subprocess.run(
        ["wrk", "-t1", f"-c{options.connections}", f"-d{seconds}s", "--timeout", "30s", "-s", BENCHMARKS / "photos.lua",
         hook["url"], "--", hook["token"], path], capture_output=True, text=True)
    if done.returncode != 0 or not service.is_running:
        raise Failure(f"the load on the service failed: {done.stderr or service.output()}")
    figures = json.loads(done.stdout.strip().splitlines()[-1])
    if figures["refused"] or figures["broken"] or not figures["requests"]:
        raise Failure(f"{figures['refused']} of {figures['requests']} calls were refused, {figures['broken']} broke")
    return figures


def pinpost(stage, path, options):
    double = stage.double(["bench:unused"])
    service = stage.start(stage.pinpost(PINPOST_LOG_LEVEL="warning", **LIMITLESS))
    service.ask("tenant", "add", "bench", "--server", double.url, "--allow-private")
    hook = service.ask("hook", "add", "bench")
    load(service, hook, path, 1, options)
    start, before = memory(service.process.pid), cpu_seconds(service.process.pid)
    figures = load(service, hook, path, options.seconds, options)
    figures["rss_start"], figures["rss_end"] = start, memory(service.process.pid)
    figures["cpu_ms"] = (cpu_seconds(service.process.pid) - before) / figures["requests"] * 1e3
    return figures


def floor(stage, path, options, name):
    threads, mode = FLOORS[name]
    folder = stage.folder / name
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-B", BENCHMARKS / "peers/photo_files.py", folder, path, str(threads or options.connections),
         str(options.seconds), mode], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"the bare loop failed: {done.stderr}")
    return json.loads(done.stdout)


def show(name, figures):
    text = f"{name:10} {figures['mb_s']:8.0f} MB/s {figures['requests']:6} files"
    if "rss_end" in figures:
        text += (f"   p50 {figures['p50_ms']:.1f} ms, p99 {figures['p99_ms']:.1f} ms, {figures['cpu_ms']:.1f} ms CPU each, "
                 f"RSS {figures['rss_start']:.0f} -> {figures['rss_end']:.0f} MiB")
    print(text, flush=True)


def main():
    parser = argparse.ArgumentParser(prog="script/bench", description=__doc__)
    parser.add_argument("bench", choices=["photos"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=6, help="length of one round")
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--size", type=int, default=2_500_000, help="bytes of the photo")
    parser.add_argument("--binaries", type=pathlib.Path, help="a folder with built programs, instead of building them")
    options = parser.parse_args()
    binaries, scratch = options.binaries or build("release"), ROOT / ".build/bench"
    scratch.mkdir(parents=True, exist_ok=True)
    content = body(options.size)
    rounds = {name: [] for name in ("pinpost", *FLOORS)}
    for _ in range(options.rounds):
        for name in rounds:
            with Stage(binaries, scratch) as stage:
                path = stage.folder / "photo.form"
                path.write_bytes(content)
                figures = pinpost(stage, path, options) if name == "pinpost" else floor(stage, path, options, name)
            figures["mb_s"] = figures["requests"] * len(content) / figures["seconds"] / 1e6
            rounds[name].append(figures)
            show(name, figures)
    medians = {name: statistics.median(figures["mb_s"] for figures in all_) for name, all_ in rounds.items()}
    ratios = {name: round(medians["pinpost"] / medians[name], 3) for name in FLOORS}
    growth = max(figures["rss_end"] - figures["rss_start"] for figures in rounds["pinpost"])
    print(json.dumps({"bench": "photos", "connections": options.connections, "size": options.size,
                      "mb_s": {name: round(median) for name, median in medians.items()}, "ratio": ratios,
                      "growth_mib": round(growth, 1)}))
    return 1 if ratios["loop"] < GOAL or growth > GROWTH else 0


run("bench", main)
