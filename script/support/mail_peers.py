"""How each program fetches the mailbox of `ada`, or a copy of it; each run is measured and what it brought is counted."""
import contextlib, dataclasses, os, shutil, sqlite3, subprocess, sys, time
from peers import BENCHMARKS, compiled, python_with_peers
from programs import Failure, processes, wait_until

FAR_FUTURE = 1 << 62  # microseconds since 1970
LDA = "/usr/lib/dovecot/dovecot-lda"


@dataclasses.dataclass(frozen=True)
class Figures:
    """One run: seconds from start to end, seconds of CPU with all children, MiB of the largest process."""
    wall: float
    cpu: float
    memory: float


@dataclasses.dataclass(frozen=True)
class Round:
    """What a program is to fetch, and from where."""
    stage: object
    dovecot: object
    mails: int
    port: int
    tls: bool = False

    def folder(self, name):
        """A fresh folder for what a program fetches."""
        folder = self.stage.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder


def measured(stage, command, environment=None, patience=900):
    """Runs a program to its end."""
    meter = stage.folder / "measure"
    if not meter.exists():
        compiled(BENCHMARKS / "media/measure.c", stage.folder)
    start = time.monotonic()
    done = subprocess.run([str(word) for word in (meter, *command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          env=environment, stdin=subprocess.DEVNULL, timeout=patience)
    wall = time.monotonic() - start
    if done.returncode != 0:
        raise Failure(f"{command[0]} ended with {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    micro, memory = map(int, done.stderr.split()[-2:])
    return Figures(wall, micro / 1e6, memory / 1024)


def check(name, found, wanted):
    if found != wanted:
        raise Failure(f"{name} fetched {found} of {wanted} mails")


def watch(round):
    """Adds the mailbox to Pinpost, which forgets what it knew of it."""
    own = round.stage.pinpost_offline
    if any(mailbox["mailbox"] == "bench" for mailbox in own.ask("mailbox", "list")):
        own.ask("mailbox", "remove", "bench")
    protection = ["tls", "--ca-file", round.dovecot.certificate] if round.tls else ["none"]
    own.ask("mailbox", "add", "bench", "--host", "127.0.0.1", "--port", round.port, "--encryption", *protection, "--user",
            "ada", "--password-file", "-", "--untested", stdin=b"secret")
    return own


def pinpost(round):
    """The command line does what the service does for one look at the folder."""
    own = watch(round)
    figures = measured(round.stage, [own.binary, "mailbox", "poll-now", "bench"], own.environment)
    check("pinpost", own.ask("mailbox", "show", "bench")["settings"]["taken"], round.mails)
    return figures


def pinpost_service(round):
    """The service itself, from its start until the last mail is read and its pictures are stored."""
    own = watch(round)
    with contextlib.closing(sqlite3.connect(own.data / "pinpost.db", isolation_level=None)) as database:
        # Pinry counts as away: converting and uploading wait.
        database.execute("UPDATE servers SET paused_until = ?1, wake_at = ?1", [FAR_FUTURE])
    start = time.monotonic()
    own.start()
    database = sqlite3.connect(f"file:{own.data}/pinpost.db?mode=ro", uri=True, isolation_level=None)

    def read():
        total, unread = database.execute("SELECT count(*), coalesce(sum(state IN ('accepted', 'reading')), 0) "
                                         "FROM messages").fetchone()
        return total == round.mails and unread == 0

    try:
        if not wait_until(read, 900, pause=0.1):
            raise Failure(f"pinpost did not read all mails within 900 s: {own.output()}")
        wall = time.monotonic() - start
        with open(f"/proc/{own.process.pid}/status") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        ticks = sum(sum(process[10:14]) for process in processes(own.process.pid))
        pictures = database.execute("SELECT count(*) FROM items WHERE original_count IS NOT NULL").fetchone()[0]
    finally:
        database.close()
        own.stop()
    if pictures != round.mails // 8:
        raise Failure(f"pinpost stored {pictures} of {round.mails // 8} pictures")
    return Figures(wall, ticks / os.sysconf("SC_CLK_TCK"), peak / 1024)


def mbsync(round):
    target = round.folder("mbsync")
    # It takes no certificate for an address.
    protection = f"Host localhost\nSSLType IMAPS\nCertificateFile {round.dovecot.certificate}\n" if round.tls else (
        "Host 127.0.0.1\nSSLType None\n")
    settings = round.stage.folder / "mbsyncrc"
    settings.write_text(
        f"IMAPAccount a\nPort {round.port}\nUser ada\nPass secret\n{protection}"
        "AuthMechs LOGIN\n\nIMAPStore far\nAccount a\n\n"
        f"MaildirStore near\nPath {target}/\nInbox {target}/INBOX\n\n"
        "Channel c\nFar :far:\nNear :near:\nPatterns INBOX\nSync Pull\nCreate Near\nSyncState *\n")
    figures = measured(round.stage, ["mbsync", "-c", settings, "-q", "c"])
    check("mbsync", len(list((target / "INBOX").glob("*/*.*"))), round.mails)
    return figures


def imaplib(round):
    target = round.stage.folder / "imaplib"
    shutil.rmtree(target, ignore_errors=True)
    figures = measured(round.stage, [sys.executable, "-B", BENCHMARKS / "peers/imap_fetch.py", round.port, target])
    check("imaplib", len(list(target.glob("*.eml"))), round.mails)
    return figures


def fetchmail(round):
    """As its manual has it: each mail is deleted once a delivery agent has it, here Dovecot's, which syncs."""
    target = round.folder("fetchmail")
    (target / "Maildir").mkdir()
    round.dovecot.give(target / "Maildir")
    round.dovecot.copy_for("bob")
    agent = f"{LDA} -c {round.dovecot.configuration} -d bob -o mail_location=maildir:{target}/Maildir"
    figures = run_fetchmail(round, target, "bob", f'fetchall mda "{agent}"')
    check("fetchmail", len(list(target.glob("Maildir/new/*"))), round.mails)
    return figures


def fetchmail_cat(round):
    """As fast as it goes: the mails stay on the server, and nothing is synced."""
    target = round.folder("fetchmail")
    figures = run_fetchmail(round, target, "ada", f'keep fetchall mda "cat >> {target}/mbox"')
    check("fetchmail", (target / "mbox").read_bytes().count(b"Message-ID: <"), round.mails)
    return figures


def run_fetchmail(round, target, user, how):
    settings = target / "rc"
    settings.write_text(f'poll 127.0.0.1 protocol imap port {round.port} user "{user}" password "secret" sslproto "" {how}\n')
    settings.chmod(0o600)
    environment = os.environ | {"FETCHMAILHOME": str(target), "HOME": str(target)}
    return measured(round.stage, ["fetchmail", "-f", settings, "--pidfile", target / "pid", "--idfile", target / "ids", "-s"],
                    environment)


def imap_tools(round):
    target = round.stage.folder / "imap-tools"
    shutil.rmtree(target, ignore_errors=True)
    python = python_with_peers(BENCHMARKS / "peers/mail-requirements.txt", "mail")
    program = BENCHMARKS / "peers/imap_tools_save.py"
    figures = measured(round.stage, [python, "-B", program, round.port, target, round.dovecot.certificate])
    check("imap-tools", len(list(target.iterdir())), round.mails // 8)
    shutil.rmtree(target)
    return figures
