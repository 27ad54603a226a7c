"""Times a photo mail from its arrival in a watched mailbox of a real Dovecot to its pin in Pinry."""
import argparse, base64, json, statistics, subprocess, os, time
from dovecot import Dovecot
from programs import ROOT, Failure, Stage, build, run, wait_until

PHOTO = ROOT / "Tests/Fixtures/images/photo.heic"
# What is to be reached by nineteen mails of twenty, in seconds.
GOAL = 2.0


def photo_mail(number, address):
    photo = base64.encodebytes(PHOTO.read_bytes()).decode().replace("\n", "\r\n")
    return (f"Delivered-To: {address}\r\nFrom: Ada <ada@example.net>\r\nTo: pins@example.org\r\n"
            f"Message-ID: <idle-{number}@bench>\r\nSubject: Mail {number}\r\nMIME-Version: 1.0\r\n"
            "Content-Type: image/heic; name=photo.heic\r\nContent-Disposition: attachment; filename=photo.heic\r\n"
            f"Content-Transfer-Encoding: base64\r\n\r\n{photo}").encode()


def deliver(dovecot, number, mail):
    """As a mail server does: complete under `tmp`, then renamed into `new`."""
    name = f"{int(time.time())}.M{number}.idle"
    path = dovecot.inbox / "tmp" / name
    path.write_bytes(mail)
    if os.getuid() == 0:
        subprocess.run(["chown", ":".join(dovecot.owner), path], check=True)
    path.rename(dovecot.inbox / "new" / name)


def measure(stage, options):
    double = stage.double(["bench:" + "b" * 40])
    service = stage.start(stage.pinpost(PINPOST_LOG_LEVEL="warning"))
    service.ask("tenant", "add", "bench", "--server", double.url, "--allow-private", "--token-file", "-", stdin=b"b" * 40)
    address = service.ask("address", "add", "bench")["address"]
    dovecot = Dovecot(stage.folder / "dovecot")
    dovecot.fill([])
    stage.start(dovecot)
    service.ask("mailbox", "add", "bench", "--host", "127.0.0.1", "--port", dovecot.port, "--encryption", "none", "--user",
                "ada", "--password-file", "-", stdin=b"secret")
    times = []
    for number in range(options.mails + 1):
        start = time.monotonic()
        deliver(dovecot, number, photo_mail(number, address))
        if not wait_until(lambda: len(double.state()["pins"]) > number, 30, pause=0.01):
            raise Failure(f"mail {number} was not pinned within 30 s: {service.output()}")
        # The first one finds the connection before it has come to IDLE.
        if number:
            times.append(time.monotonic() - start)
            print(f"{times[-1]:6.2f} s", end="\n" if number % 10 == 0 else "", flush=True)
    return times


def main():
    parser = argparse.ArgumentParser(prog="script/bench idle", description=__doc__)
    parser.add_argument("bench", choices=["idle"])
    parser.add_argument("--mails", type=int, default=50)
    options = parser.parse_args()
    scratch = ROOT / ".build/bench"
    scratch.mkdir(parents=True, exist_ok=True)
    with Stage(build("release"), scratch) as stage:
        times = sorted(measure(stage, options))
    figures = {"p50_s": round(statistics.median(times), 2), "p95_s": round(times[int(len(times) * 0.95)], 2),
               "max_s": round(times[-1], 2)}
    print(json.dumps({"bench": "idle", "mails": options.mails, **figures}))
    return int(figures["p95_s"] > GOAL)


run("bench", main)
