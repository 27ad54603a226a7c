"""Fetches the same mailbox of a real Dovecot with Pinpost and its peers; rounds alternate, medians are compared.

Every program is started, logs in, fetches what is there, makes it durable and ends: the whole of that is measured.
"""
import argparse, dataclasses, json, statistics, subprocess, sys
from dovecot import Dovecot
from mail_peers import Round, fetchmail, fetchmail_cat, imap_tools, imaplib, mbsync, pinpost, pinpost_service
from mail_samples import files, letters, photo_mailbox
from programs import ROOT, Failure, Program, Stage, build, free_port, run

DELAY = 20  # milliseconds each way


@dataclasses.dataclass(frozen=True)
class Row:
    """One comparison: which mails, which programs, and what is to be reached."""
    title: str
    mails: int
    programs: dict
    # Our rate divided by theirs, at least.
    goals: dict
    tls: bool = False
    delayed: bool = False
    # Our CPU time divided by theirs, and our memory in MiB, at most.
    cpu: float | None = None
    memory: float | None = None
    rounds: int | None = None

    def bodies(self, options, address):
        count = self.mails_with(options)
        if self.memory:
            return photo_mailbox(address, count)
        return letters(count, 4_300, address) if self.delayed else files(count, options.size, address)

    def mails_with(self, options):
        return options.mails or self.mails


ROWS = {
    "fetch": Row("fetched and durable", 500,
                 {"pinpost": pinpost, "mbsync": mbsync, "imaplib": imaplib, "fetchmail": fetchmail,
                  "fetchmail, nothing synced": fetchmail_cat},
                 {"mbsync": 1.0, "imaplib": 1.6, "fetchmail": 10.0}),
    "tls": Row("the same with TLS", 500, {"pinpost": pinpost, "mbsync": mbsync}, {"mbsync": 1.0}, tls=True),
    "delay": Row(f"letters over a way of {2 * DELAY} ms", 600, {"pinpost": pinpost, "one by one": imaplib},
                 {"one by one": 10.0}, delayed=True),
    "photos": Row("fetched with TLS, parsed, and the photo of every eighth mail saved", 2_000,
                  {"pinpost": pinpost_service, "imap-tools": imap_tools}, {"imap-tools": 3.0}, tls=True, cpu=1 / 4,
                  memory=40, rounds=1),
}


def relay(stage, port):
    """The port of a relay that holds back every byte."""
    own = free_port()
    program = stage.start(Program("relay", [sys.executable, "-B", ROOT / "script/support/delay_relay.py", own, port, DELAY],
                                  stage.folder / "relay.log"))
    program.wait_until(lambda: subprocess.run(["ss", "-Hltn", f"sport = :{own}"], capture_output=True).stdout)
    return own


def play(row, options, binaries, scratch, report):
    """One round: a fresh mailbox and data folder, then each program."""
    with Stage(binaries, scratch) as stage:
        double = stage.double(["bench:unused"])
        own = stage.pinpost_offline = stage.pinpost(PINPOST_LOG_LEVEL="error")
        own.ask("tenant", "add", "bench", "--server", double.url, "--allow-private")
        address = own.ask("address", "add", "bench")["address"]
        dovecot = Dovecot(stage.folder / "dovecot")
        size = dovecot.fill(row.bodies(options, address))
        stage.start(dovecot)
        near = Round(stage, dovecot, row.mails_with(options), dovecot.port)
        if not row.memory:
            imaplib(near)  # the server has seen all mails once
        port = relay(stage, near.port) if row.delayed else dovecot.tls_port if row.tls else near.port
        for name, program in row.programs.items():
            if options.only and name not in options.only:
                continue
            figures = program(dataclasses.replace(near, port=port, tls=row.tls))
            report(name, figures)
            print(f"{name:26} {near.mails / figures.wall:8.0f} mails/s {size / figures.wall / 1e6:8.1f} MB/s "
                  f"{figures.wall:7.2f} s {figures.cpu:7.2f} s CPU {figures.memory:7.1f} MiB", flush=True)


def judge(row, medians):
    """Prints what was reached; returns the ratios and what is missing."""
    own, ratios, missed = medians["pinpost"], {}, []
    for name, theirs in medians.items():
        if name == "pinpost":
            continue
        ratio, goal = theirs["wall_s"] / own["wall_s"], row.goals.get(name)
        ratios[name] = {"rate": round(ratio, 2), "cpu": round(own["cpu_s"] / theirs["cpu_s"], 3)}
        print(f"pinpost / {name}: {ratio:.2f} x the rate" + (f" (goal {goal:g})" if goal else "")
              + f", {ratios[name]['cpu']:.2f} x the CPU" + (f" (goal {row.cpu:g})" if row.cpu else ""))
        if goal and ratio < goal:
            missed.append(f"the rate beside {name}")
        if row.cpu and ratios[name]["cpu"] > row.cpu:
            missed.append(f"the CPU time beside {name}")
    if row.memory:
        print(f"pinpost's memory: {own['memory_mib']:.1f} MiB (goal {row.memory:g})")
        if own["memory_mib"] > row.memory:
            missed.append("the memory")
    return ratios, missed


def measure(name, row, options, binaries, scratch):
    print(f"\n{name}: {row.mails_with(options)} mails {row.title}", flush=True)
    rounds = {}
    for _ in range(options.rounds or row.rounds or 3):
        play(row, options, binaries, scratch, lambda program, figures: rounds.setdefault(program, []).append(figures))
    medians = {program: {"wall_s": statistics.median(f.wall for f in all_), "cpu_s": statistics.median(f.cpu for f in all_),
                         "memory_mib": max(f.memory for f in all_)} for program, all_ in rounds.items()}
    ratios, missed = judge(row, medians) if "pinpost" in medians else ({}, [])
    print(json.dumps({"bench": "mail", "row": name, "mails": row.mails_with(options), **medians, "ratios": ratios}))
    return [f"{name}: {what}" for what in missed]


def main():
    parser = argparse.ArgumentParser(prog="script/bench mail", description=__doc__)
    parser.add_argument("bench", choices=["mail"])
    parser.add_argument("--rows", choices=ROWS, nargs="+", default=list(ROWS), help="leave the other comparisons out")
    parser.add_argument("--mails", type=int, help="mails in each mailbox")
    parser.add_argument("--size", type=int, default=100_000, help="bytes of one mail of the first two comparisons")
    parser.add_argument("--rounds", type=int, help="rounds of each comparison (3; 1 for the photos)")
    parser.add_argument("--only", choices=sorted({name for row in ROWS.values() for name in row.programs}), action="append",
                        help="leave the other programs out")
    parser.add_argument("--binaries", help="a folder with programs that are built already")
    options = parser.parse_args()
    binaries = options.binaries or build("release")
    scratch = ROOT / ".build/bench"  # a disk, not the memory that /tmp may be
    scratch.mkdir(parents=True, exist_ok=True)
    missed = [what for name in options.rows for what in measure(name, ROWS[name], options, binaries, scratch)]
    if missed:
        print("not reached: " + "; ".join(missed))
    return int(bool(missed))


if __name__ == "__main__":
    run("bench", main)
