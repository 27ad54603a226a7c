"""Dovecot with its own configuration and mail folders, on loopback, for the benches of mail."""
import grp, os, pwd, shutil, socket, subprocess
from programs import ROOT, Program, free_port

CONFIGURATION = ROOT / "Benchmarks/peers/dovecot.conf"


class Dovecot(Program):
    """A server of users `ada` and `bob`, whose password is `secret`; plain and with TLS."""

    def __init__(self, folder):
        self.folder, self.port, self.tls_port = folder, free_port(), free_port()
        self.owner = ("nobody", "nogroup") if os.getuid() == 0 else (
            pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name)
        self.inbox = self.maildir("ada")
        for name in ("cur", "new", "tmp"):
            (self.inbox / name).mkdir(parents=True)
        (folder / "run").mkdir()
        for path in [folder, *folder.parents]:
            if path.is_relative_to(ROOT) and os.getuid() == 0:
                path.chmod(0o755)
        self.certificate = folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", self.certificate],
                       check=True, capture_output=True)
        text = CONFIGURATION.read_text()
        for word, value in {"FOLDER": folder, "TLS_PORT": self.tls_port, "PORT": self.port, "USER": self.owner[0],
                            "GROUP": self.owner[1]}.items():
            text = text.replace(word, str(value))
        self.configuration = folder / "dovecot.conf"
        self.configuration.write_text(text)
        super().__init__("dovecot", ["/usr/sbin/dovecot", "-F", "-c", self.configuration], folder / "out.log")

    def maildir(self, user):
        return self.folder / "home" / user / "Maildir"

    def fill(self, bodies):
        """Puts mails into the inbox of `ada`, which may be more than memory holds; returns how many bytes they have."""
        total = 0
        for number, body in enumerate(bodies):
            (self.inbox / "cur" / f"{1_700_000_000 + number}.M{number}.bench:2,").write_bytes(body)
            total += len(body)
        self.give(self.folder / "home")
        return total

    def copy_for(self, user):
        """Gives a user all that `ada` has, for a program that deletes what it has read."""
        target = self.maildir(user)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.inbox, target, ignore=shutil.ignore_patterns("*.bench:2,*"))
        for mail in (self.inbox / "cur").iterdir():
            os.link(mail, target / "cur" / mail.name)
        self.give(target.parent)

    def give(self, folder):
        """Lets the server's own user have a folder."""
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", ":".join(self.owner), folder], check=True)

    def start(self):
        super().start()
        self.wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", self.port)) == 0)
