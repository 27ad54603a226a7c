"""Measures Pinpost beside a peer: same machine, same minutes, same load; rounds alternate, medians are compared."""
import argparse, json, os, pathlib, secrets, shutil, statistics, subprocess
from peers import BENCHMARKS, python_with_peers
from programs import ROOT, Failure, Program, Stage, build, fetch, free_port, processes, run

COLUMNS = ("requests_s", "p50_ms", "p99_ms", "cpu_us")
TICKS = os.sysconf("SC_CLK_TCK")
# What is measured is the work, not the limits.
LIMITLESS = {"PINPOST_RATE_HOOK": "0", "PINPOST_TENANT_DAILY_MIB": "0", "PINPOST_TENANT_HOURLY_ITEMS": "0",
             "PINPOST_TENANT_QUEUED_ITEMS": "0"}


def cpu_seconds(session):
    """What the processes of a session have used so far, their finished children included."""
    return sum(sum(numbers[10:14]) for numbers in processes(session)) / TICKS


def measure(program, url, token, options):
    """One round of load on a running server."""
    fetch(url, "POST", b"{}", {"Authorization": f"Bearer {token}"})
    before = cpu_seconds(program.process.pid)
    done = subprocess.run(
        ["wrk", "-t1", f"-c{options.connections}", f"-d{options.seconds}s", "-s", BENCHMARKS / "load.lua", url, "--",
         token, secrets.token_hex(4)], capture_output=True, text=True)
    if done.returncode != 0 or not program.is_running:
        raise Failure(f"the load on {program.name} failed: {done.stderr or program.output()}")
    figures = json.loads(done.stdout.strip().splitlines()[-1])
    figures["requests_s"] = figures["requests"] / figures["seconds"]
    figures["cpu_us"] = (cpu_seconds(program.process.pid) - before) / max(figures["requests"], 1) * 1e6
    return figures


def pinpost(stage, options, token=None):
    """The service with a tenant that has no token: what is stored is split and then waits, nothing is delivered."""
    double = stage.double(["bench:unused"])
    service = stage.start(stage.pinpost(PINPOST_LOG_LEVEL="warning", **LIMITLESS))
    service.ask("tenant", "add", "bench", "--server", double.url, "--allow-private")
    hook = service.ask("hook", "add", "bench")
    return measure(service, hook["url"], token or hook["token"], options)


def peer(stage, options, batch=256):
    port, token = free_port(), secrets.token_urlsafe(32)
    environment = os.environ | {
        "PEER_TOKEN": token, "PEER_DATABASE": str(stage.folder / "peer.db"), "PEER_BATCH": str(batch)}
    program = Program("the FastAPI peer", [
        python_with_peers(), "-B", "-m", "uvicorn", "--app-dir", BENCHMARKS / "peers", "ingest:app", "--host",
        "127.0.0.1", "--port", port, "--no-access-log", "--log-level", "warning"],
        stage.folder / "peer.log", environment)
    return measure(started(stage, program, port), f"http://127.0.0.1:{port}/v1/hooks/bench", token, options)


def nginx_binary():
    binary = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if not binary:
        raise Failure("this bench needs nginx; install nginx-light (Debian starts it on port 80, stop it there)")
    return binary


def nginx(stage, options):
    port, configuration = free_port(), stage.folder / "nginx.conf"
    configuration.write_text((BENCHMARKS / "peers/nginx.conf").read_text().replace("PORT", str(port)))
    program = Program("nginx", [nginx_binary(), "-p", stage.folder, "-c", configuration, "-e", "stderr"], stage.folder / "nginx.log")
    return measure(started(stage, program, port), f"http://127.0.0.1:{port}/v1/hooks/bench", "wrong", options)


def started(stage, program, port):
    stage.start(program)
    program.wait_until(lambda: fetch(f"http://127.0.0.1:{port}/readyz", timeout=1)[0] == 200)
    return program


BENCHES = {
    "ingest": {"pinpost": pinpost, "fastapi": peer,
               "each alone": lambda stage, options: peer(stage, options, batch=1)},
    "reject": {"pinpost": lambda stage, options: pinpost(stage, options, token="wrong"), "nginx": nginx},
}
# The least ratio of calls in a second, and the most of p99.
GOALS = {"ingest": {"fastapi": (1.5, 1), "each alone": (3, 1)}, "reject": {"nginx": (0.35, float("inf"))}}


def check(name, bench, figures):
    """An ingest round with a refusal has measured something else; a reject round is all refusals."""
    wanted = figures["requests"] if bench == "reject" else 0
    if figures["refused"] != wanted or figures["broken"]:
        raise Failure(f"{name}: {figures['refused']} of {figures['requests']} calls were refused, "
                      f"{figures['broken']} connections broke")


def bench(options):
    binaries = options.binaries or build("release")
    scratch = ROOT / ".build/bench"  # a disk, not the memory that /tmp may be
    scratch.mkdir(parents=True, exist_ok=True)
    rounds = {name: [] for name in BENCHES[options.bench]}
    print(f"{'':12}" + "".join(f"{column:>12}" for column in COLUMNS))
    for _ in range(options.rounds):
        for name, play in BENCHES[options.bench].items():
            with Stage(binaries, scratch) as stage:
                figures = play(stage, options)
            check(name, options.bench, figures)
            rounds[name].append(figures)
            show(name, figures)
    medians = {name: {column: statistics.median(r[column] for r in all_) for column in COLUMNS}
               for name, all_ in rounds.items()}
    print("medians")
    for name, figures in medians.items():
        show(name, figures)
    own, missed = medians["pinpost"], []
    for name, (rate, tail) in GOALS[options.bench].items():
        ratios = {column: own[column] / medians[name][column] for column in COLUMNS}
        show(f"/ {name}", ratios, ".2f")
        if ratios["requests_s"] < rate or ratios["p99_ms"] > tail:
            missed.append(name)
    print(json.dumps({"bench": options.bench, "rounds": options.rounds, "connections": options.connections, **medians,
                      "missed": missed}))
    return 1 if missed else 0


def show(name, figures, form=None):
    whole = ("requests_s", "cpu_us")
    cells = (format(figures[column], form or (".0f" if column in whole else ".2f")) for column in COLUMNS)
    print(f"{name:12}" + "".join(f"{cell:>12}" for cell in cells), flush=True)


def http_clients(options):
    """The service's HTTP client beside libcurl's multi interface in C: the same requests to the same nginx."""
    folder = options.binaries or build("release")
    scratch = ROOT / ".build/bench"
    scratch.mkdir(parents=True, exist_ok=True)
    peer_client = scratch / "curl_multi"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libcurl"], check=True, capture_output=True, text=True)
    subprocess.run(["gcc", "-O2", "-o", peer_client, BENCHMARKS / "peers/curl_multi.c", *flags.stdout.split()], check=True)
    clients = {"pinpost": folder / "bench-http", "curl_multi": peer_client}
    rounds = {name: [] for name in clients}
    port = free_port()
    with Stage(folder, scratch) as stage:
        configuration = stage.folder / "nginx.conf"
        text = (BENCHMARKS / "peers/nginx.conf").read_text().replace("PORT", str(port))
        configuration.write_text(text.replace("return 401;", f'return 200 "{"x" * 100}";'))
        server = Program("nginx", [nginx_binary(), "-p", stage.folder, "-c", configuration, "-e", "stderr"],
                         stage.folder / "nginx.log")
        started(stage, server, port)
        for _ in range(options.rounds):
            for name, client in clients.items():
                done = subprocess.run([client, str(port), str(options.requests), str(options.connections)],
                                      capture_output=True, text=True)
                if done.returncode != 0:
                    raise Failure(f"{name} failed: {done.stderr}")
                figures = json.loads(done.stdout)
                rounds[name].append(figures)
                print(f"{name:10} {figures['requests_s']:10.0f} requests/s {figures['cpu_us']:8.1f} µs CPU each", flush=True)
    rates, cpu = ({name: round(statistics.median(r[figure] for r in all_), 1) for name, all_ in rounds.items()}
                  for figure in ("requests_s", "cpu_us"))
    ratio = rates["pinpost"] / rates["curl_multi"]
    print(json.dumps({"bench": "http", "rounds": options.rounds, "connections": options.connections, **rates,
                      "ratio": round(ratio, 3), "cpu_us": cpu}))


def main():
    parser = argparse.ArgumentParser(prog="script/bench", description=__doc__)
    parser.add_argument("bench", choices=[*BENCHES, "http"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=6, help="length of one round")
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--requests", type=int, default=200_000, help="requests of one round of http")
    parser.add_argument("--binaries", type=pathlib.Path, help="a folder with built programs, instead of building them")
    options = parser.parse_args()
    return http_clients(options) if options.bench == "http" else bench(options)


if __name__ == "__main__":
    run("bench", main)
