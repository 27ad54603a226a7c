"""Fetches the same mailbox of a real Dovecot with Pinpost and its peers; rounds alternate, medians are compared.

Every program is started, logs in, fetches what is there, makes it durable and ends: the whole of that is measured.
"""
import argparse, base64, grp, json, os, pathlib, pwd, random, resource, shutil, socket, statistics, subprocess, sys, time
from programs import ROOT, Failure, Program, Stage, build, free_port, run

BENCHMARKS = ROOT / "Benchmarks"
NAMES = ("pinpost", "mbsync", "imaplib", "fetchmail")
# What is to be reached: our rate divided by theirs.
GOALS = {"mbsync": 1.0, "imaplib": 1.6, "fetchmail": 10.0}


def mails(count, size, address):
    """Mails of `size` bytes, no two alike, each with one attachment."""
    generator = random.Random(7)
    for number in range(count):
        picture = base64.encodebytes(generator.randbytes(size * 3 // 4 * 76 // 77)).decode()
        yield (f"Delivered-To: {address}\r\nFrom: Ada <ada@example.net>\r\nTo: pins@example.org\r\n"
               f"Message-ID: <{number}@bench>\r\nSubject: Mail {number}\r\nMIME-Version: 1.0\r\n"
               "Content-Type: application/octet-stream; name=data.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n"
               + picture.replace("\n", "\r\n")).encode()


class Dovecot(Program):
    """Dovecot with one user, `ada`, whose password is `secret`."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        owner = ("nobody", "nogroup") if os.getuid() == 0 else (
            pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name)
        self.inbox = folder / "home/ada/Maildir"
        for name in ("cur", "new", "tmp"):
            (self.inbox / name).mkdir(parents=True)
        (folder / "run").mkdir()
        for path in [folder, *folder.parents]:
            if path.is_relative_to(ROOT) and os.getuid() == 0:
                path.chmod(0o755)
        text = (BENCHMARKS / "peers/dovecot.conf").read_text()
        for word, value in {"FOLDER": folder, "PORT": self.port, "USER": owner[0], "GROUP": owner[1]}.items():
            text = text.replace(word, str(value))
        (folder / "dovecot.conf").write_text(text)
        self.owner = owner
        super().__init__("dovecot", ["/usr/sbin/dovecot", "-F", "-c", folder / "dovecot.conf"], folder / "out.log")

    def fill(self, bodies):
        for number, body in enumerate(bodies):
            (self.inbox / "cur" / f"{1_700_000_000 + number}.M{number}.bench:2,").write_bytes(body)
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", ":".join(self.owner), self.folder / "home"], check=True)

    def start(self):
        super().start()
        self.wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", self.port)) == 0, 20)


def timed(command, environment=None, accept=(0,)):
    """Runs a program; its wall time, CPU time and the memory of its largest process."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], capture_output=True, env=environment, stdin=subprocess.DEVNULL,
                          timeout=120)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in accept:
        raise Failure(f"{command[0]} ended with {done.returncode}: {(done.stderr or done.stdout).decode()[-500:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def check(name, found, wanted):
    if found != wanted:
        raise Failure(f"{name} fetched {found} of {wanted} mails")


def pinpost(stage, dovecot, options):
    """The command line does what the service does for one look at the folder."""
    own = stage.pinpost_offline
    try:
        own.ask("mailbox", "remove", "bench")
    except Failure:
        pass
    own.ask("mailbox", "add", "bench", "--host", "127.0.0.1", "--port", dovecot.port, "--encryption", "none", "--user",
            "ada", "--password-file", "-", "--untested", stdin=b"secret")
    figures = timed([own.binary, "mailbox", "poll-now", "bench"], own.environment)
    check("pinpost", own.ask("mailbox", "show", "bench")["settings"]["taken"], options.mails)
    return figures


def mbsync(stage, dovecot, options):
    target = stage.folder / "mbsync"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    (stage.folder / "mbsyncrc").write_text(
        f"IMAPAccount a\nHost 127.0.0.1\nPort {dovecot.port}\nUser ada\nPass secret\nSSLType None\n"
        "AuthMechs LOGIN\n\nIMAPStore far\nAccount a\n\n"
        f"MaildirStore near\nPath {target}/\nInbox {target}/INBOX\n\n"
        "Channel c\nFar :far:\nNear :near:\nPatterns INBOX\nSync Pull\nCreate Near\nSyncState *\n")
    figures = timed(["mbsync", "-c", stage.folder / "mbsyncrc", "-q", "c"])
    check("mbsync", len(list((target / "INBOX").glob("*/*.*"))), options.mails)
    return figures


def imaplib(stage, dovecot, options):
    target = stage.folder / "imaplib"
    shutil.rmtree(target, ignore_errors=True)
    figures = timed([sys.executable, "-B", BENCHMARKS / "peers/imap_fetch.py", dovecot.port, target, "127.0.0.1"])
    check("imaplib", len(list(target.glob("*.eml"))), options.mails)
    return figures


def fetchmail(stage, dovecot, options):
    target = stage.folder / "fetchmail"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    (target / "rc").write_text(
        f'poll 127.0.0.1 protocol imap port {dovecot.port} user "ada" password "secret" keep fetchall '
        f'mda "cat >> {target}/mbox" sslproto ""\n')
    (target / "rc").chmod(0o600)
    environment = os.environ | {"FETCHMAILHOME": str(target), "HOME": str(target)}
    figures = timed(["fetchmail", "-f", target / "rc", "--pidfile", target / "pid", "--idfile", target / "ids", "-s"],
                    environment)
    check("fetchmail", (target / "mbox").read_bytes().count(b"Message-ID: <"), options.mails)
    return figures


def main():
    parser = argparse.ArgumentParser(prog="script/bench mail", description=__doc__)
    parser.add_argument("bench", choices=["mail"])
    parser.add_argument("--mails", type=int, default=500)
    parser.add_argument("--size", type=int, default=100_000, help="bytes of one mail")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=NAMES, action="append", help="leave the others out")
    options = parser.parse_args()
    binaries = build("release")
    scratch = ROOT / ".build/bench"  # a disk, not the memory that /tmp may be
    scratch.mkdir(parents=True, exist_ok=True)
    rounds = {name: [] for name in NAMES if not options.only or name in options.only}
    plays = {"pinpost": pinpost, "mbsync": mbsync, "imaplib": imaplib, "fetchmail": fetchmail}
    for _ in range(options.rounds):
        with Stage(binaries, scratch) as stage:
            double = stage.double(["bench:unused"])
            own = stage.pinpost_offline = stage.pinpost(PINPOST_LOG_LEVEL="error")
            own.ask("tenant", "add", "bench", "--server", double.url, "--allow-private")
            address = own.ask("address", "add", "bench")["address"]
            dovecot = Dovecot(stage.folder / "dovecot")
            dovecot.fill(mails(options.mails, options.size, address))
            stage.start(dovecot)
            timed([sys.executable, "-B", BENCHMARKS / "peers/imap_fetch.py", dovecot.port, stage.folder / "warm", "127.0.0.1"])
            for name in rounds:
                wall, cpu = plays[name](stage, dovecot, options)
                figures = {"mails_s": options.mails / wall, "cpu_s": cpu}
                rounds[name].append(figures)
                print(f"{name:10} {figures['mails_s']:8.0f} mails/s {cpu:7.2f} s CPU", flush=True)
    medians = {name: {key: statistics.median(r[key] for r in all_) for key in ("mails_s", "cpu_s")}
               for name, all_ in rounds.items()}
    ratios = {}
    for name, figures in medians.items():
        if name != "pinpost" and "pinpost" in medians:
            ratios[name] = round(medians["pinpost"]["mails_s"] / figures["mails_s"], 2)
            print(f"pinpost / {name}: {ratios[name]:.2f} (goal {GOALS[name]})")
    print(json.dumps({"bench": "mail", "mails": options.mails, "size": options.size, **medians, "ratios": ratios}))
    return int(any(ratio < GOALS[name] for name, ratio in ratios.items()))


if __name__ == "__main__":
    run("bench", main)
