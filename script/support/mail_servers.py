"""Tries the examples of docs/mail-servers.md: a real Postfix and a real Exim on loopback hand mail over by LMTP.

usage: mail_servers.py [--binaries FOLDER]; EXIM names an Exim that is not in the path. Wants to be root, as they do.
"""
import os, pathlib, re, shutil, smtplib, subprocess, sys, time
from programs import ROOT, Failure, Program, Stage, build, free_port, run, wait_until
from samples import mail, png

DOCUMENT = ROOT / "docs" / "mail-servers.md"


def example(name):
    """The block of that name as it stands in the documentation."""
    found = re.search(rf"^```{re.escape(name)}\n(.*?)^```$", DOCUMENT.read_text(), re.M | re.S)
    if not found:
        raise Failure(f"{DOCUMENT} has no example {name}")
    return found[1]


class Postfix:
    """Debian's Postfix with the documented settings, and those that keep it on loopback and in one folder."""

    def __init__(self, name, folder, domain, lmtp_port):
        self.name, self.domain, self.port = name, domain, free_port()
        self.folder, self.etc = folder / name, folder / name / "etc"
        for part in ("etc", "spool", "data"):
            (self.folder / part).mkdir(parents=True)
        folder.chmod(0o755)
        shutil.chown(self.folder / "data", "postfix", "postfix")
        settings = example(name).replace("127.0.0.1:2003", f"127.0.0.1:{lmtp_port}")
        (self.etc / "main.cf").write_text(settings + f"""
compatibility_level = 3.6
queue_directory = {self.folder}/spool
data_directory = {self.folder}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = {self.folder}/log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.example.org
mydestination =
mynetworks = 127.0.0.2/32
alias_maps =
minimal_backoff_time = 1s
queue_run_delay = 1s
smtp_fallback_relay = [127.0.0.1]:9
""")
        services = pathlib.Path("/etc/postfix/master.cf").read_text()
        master = re.sub(r"^(smtp|maildrop|uucp|ifmail|bsmtp|scalemail-backend|mailman)\s.*\n(\s+.*\n)*", "",
                        services, flags=re.M)
        master = re.sub(r"^(\S+\s+\S+\s+\S+\s+\S+\s+)y(\s)", r"\1n\2", master, flags=re.M)
        (self.etc / "master.cf").write_text(
            f"127.0.0.1:{self.port} inet n - n - - smtpd\nsmtp unix - - n - - smtp\n{master}")

    def start(self, stage):
        stage.callback(lambda: self.command("postfix", "stop"))
        self.command("postfix", "start")

    def command(self, program, *words):
        """Output and errors of one of Postfix' programs with this configuration."""
        done = subprocess.run([f"/usr/sbin/{program}", "-c", str(self.etc), *words], capture_output=True, text=True)
        return done.stdout + done.stderr

    def flush(self):
        self.command("postqueue", "-f")

    def queue(self):
        return self.command("postqueue", "-j").count("queue_id")

    def log(self):
        log = self.folder / "log"
        return log.read_text(errors="replace") if log.exists() else ""


class Exim:
    """Exim with the documented router, transport and ACL around which only the listening side is added."""

    def __init__(self, binary, folder, domain, lmtp_port):
        self.name, self.domain, self.port, self.binary = "exim", domain, free_port(), binary
        self.folder = folder / "exim"
        self.folder.mkdir()
        (self.folder / "spool").mkdir()
        folder.chmod(0o755)
        shutil.chown(self.folder, "Debian-exim")
        shutil.chown(self.folder / "spool", "Debian-exim")
        configuration = self.folder / "exim.conf"
        transports = example("exim-transports").replace("port = 2003", f"port = {lmtp_port}")
        configuration.write_text(f"""
primary_hostname = mx.example.org
exim_path = {binary}
spool_directory = {self.folder}/spool
log_file_path = {self.folder}/%slog
pid_file_path = {self.folder}/pid
daemon_smtp_ports = {self.port}
local_interfaces = <; 127.0.0.1
disable_ipv6
acl_smtp_rcpt = check_rcpt
queue_run_in_order
keep_environment =
message_size_limit = 60M
begin acl
check_rcpt:
{example("exim-acl")}  accept domains = {domain}
  deny message = relay not permitted
begin routers
{example("exim-routers")}
begin transports
{transports}
begin retry
* * F,1h,1s
""")
        self.program = Program("exim", [binary, "-C", configuration, "-bdf", "-q1s"], self.folder / "output")

    def start(self, stage):
        stage.start(self.program)

    def flush(self):
        subprocess.run([self.binary, "-C", self.folder / "exim.conf", "-qff"], capture_output=True)

    def queue(self):
        return len(list((self.folder / "spool" / "input").rglob("*-H")))

    def log(self):
        return "\n".join(log.read_text(errors="replace") for log in self.folder.glob("*log"))


def send(server, recipients, letter, sender="ada@example.com"):
    """The answer to each recipient, and 250 where the mail was taken."""
    with smtplib.SMTP("127.0.0.1", server.port, timeout=60) as client:
        client.ehlo("client.example")
        client.mail(sender)
        answers = {recipient: client.rcpt(recipient) for recipient in recipients}
        if any(code == 250 for code, _ in answers.values()):
            code, text = client.data(letter)
            if code != 250:
                raise Failure(f"{server.name} refused a mail: {code} {text.decode()}")
    return answers


def expect(holds, what, server):
    if not holds:
        raise Failure(f"{server.name}: {what}\n" + "\n".join(server.log().splitlines()[-25:]))


def try_server(server, stage, service, double, address):
    begun = time.monotonic()
    server.start(stage)
    if not wait_until(lambda: is_listening(server.port)):
        raise Failure(f"{server.name} does not listen:\n{server.log()}")
    pins = len(double.state()["pins"])
    unknown = address.replace("pins+", "pins+a", 1)
    answers = send(server, [address, unknown], mail(address, f"By {server.name}", "Look.", png(server.name), "a.png"))
    expect(answers[address][0] == 250, f"a live address was refused: {answers[address]}", server)
    code, text = answers[unknown]
    expect(code == 550 and b"5.1.1" in text, f"an unknown address got {code} {text}", server)
    expect(wait_until(lambda: len(double.state()["pins"]) == pins + 1), "the mail was not pinned", server)
    # Known to be live, then Pinpost goes away: the mail waits in the server's queue.
    service.stop()
    answers = send(server, [address], b"") if server.name == "exim" else {}  # it asks about each mail
    expect(all(code in (450, 451) for code, _ in answers.values()), f"without Pinpost: {answers}", server)
    if server.name != "exim":
        answers = send(server, [address], mail(address, "Later", "Look.", png(server.name + "2"), "b.png"))
        expect(answers[address][0] == 250, f"an address that was verified was refused: {answers}", server)
        expect(wait_until(lambda: "deferred" in server.log()), "the mail was not kept", server)
    service.start()
    if server.name != "exim":
        expect(wait_until(lambda: server.flush() or len(double.state()["pins"]) == pins + 2, pause=1),
               "the kept mail was not pinned", server)
    expect(wait_until(lambda: server.queue() == 0), "something stays in the queue", server)
    expect(not re.search(r"status=bounced|non-delivery notification|R=<> |<= <> ", server.log()), "there was a bounce",
           server)
    print(f"{server.name}: pinned, refused at RCPT with 550, kept while Pinpost was away, no bounce; "
          f"{time.monotonic() - begun:.0f} s")


def is_listening(port):
    try:
        smtplib.SMTP("127.0.0.1", port, timeout=5).quit()
        return True
    except (OSError, smtplib.SMTPException):
        return False


def servers(stage, port):
    """What is installed, each with the domain of its example."""
    if pathlib.Path("/usr/sbin/postfix").exists():
        yield lambda: Postfix("postfix", stage.folder, "pins.example.org", port)
        yield lambda: Postfix("postfix-shared", stage.folder, "example.org", port)
    else:
        print("postfix: SKIPPED, it is not installed")
    exim = os.environ.get("EXIM") or shutil.which("exim4")
    if exim:
        yield lambda: Exim(exim, stage.folder, "pins.example.org", port)
    else:
        print("exim: SKIPPED, it is not installed")


def main():
    words = sys.argv[1:]
    binaries = pathlib.Path(words[1]) if words[:1] == ["--binaries"] else build()
    if os.geteuid() != 0:
        raise Failure("mail servers have to be started as root")
    with Stage(binaries) as stage:
        double = stage.double(["ada:token-of-ada"])
        port = free_port()
        for make in servers(stage, port):
            server = make()
            with Stage(binaries, parent=stage.folder) as own:
                service = own.pinpost(PINPOST_LMTP_LISTEN=f"127.0.0.1:{port}", PINPOST_PINRY_QUIET=1,
                                      PINPOST_MAIL_ADDRESS=f"pins@{server.domain}")
                own.start(service)
                service.ask("tenant", "add", "ada", "--server", double.url, "--token-file", "-", "--allow-private",
                            stdin=b"token-of-ada")
                try_server(server, own, service, double, service.ask("address", "add", "ada")["address"])


run("mail-servers", main)
