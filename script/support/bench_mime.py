"""Reads the same mails with Pinpost's MIME reader and with GMime; rounds alternate, medians of CPU time are compared.

Pinpost also sniffs and measures the pictures and makes the texts that its rules need; GMime only decodes.
"""
import argparse, base64, json, pathlib, quopri, random, resource, shutil, statistics, subprocess, sys
from programs import ROOT, Failure, build, run

BENCHMARKS = ROOT / "Benchmarks"
GOAL = 2.0
# One hostile mail may cost so much, in seconds of CPU and in KiB above the memory of a plain one.
HOSTILE_SECONDS, HOSTILE_KIB = 2.0, 64 << 10
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc0000b080bb80fa001011100ffda0008010100003f00")


def mail(number, parts):
    """A multipart mail of (type, name, encoding, encoded bytes)."""
    head = (f"From: Ada <ada@example.net>\r\nTo: pins@example.org\r\nMessage-ID: <{number}@bench>\r\n"
            f"Subject: Mail {number}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"bound-of-mail\"\r\n\r\n")
    pieces = [head.encode()]
    for kind, name, encoding, body in parts:
        pieces.append((f"\r\n--bound-of-mail\r\nContent-Type: {kind}; name={name}\r\nContent-Disposition: attachment; "
                       f"filename={name}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n").encode())
        pieces.append(body.replace(b"\n", b"\r\n"))
    return b"".join(pieces) + b"\r\n--bound-of-mail--\r\n"


def photos(random, number):
    return mail(number, [("image/jpeg", f"IMG_{k}.jpg", "base64", base64.encodebytes(
        JPEG + random.randbytes(2_000_000).replace(b"\xff", b"\xfe") + b"\xff\xd9")) for k in range(3)])


def small(random, number):
    return mail(number, [("application/pdf", f"f{k}.pdf", "base64", base64.encodebytes(random.randbytes(1_200)))
                         for k in range(400)])


def quoted(random, number):
    # German prose in HTML: one character in forty has to be encoded.
    words = ("das Bild vom Hafen am Abend ist <p> schön geworden und wir fahren morgen früh mit dem Schiff weiter nach "
             "Norden </p> <img alt='x'> bis dahin grüßen alle aus der Ferne <br> im Anhang sind noch mehr").split()
    text = " ".join(random.choice(words) for _ in range(60_000))
    lines = quopri.encodestring("\n".join(text[at:at + 200] for at in range(0, len(text), 200)).encode())
    return mail(number, [("application/x-data", f"p{k}.bin", "quoted-printable", lines) for k in range(6)])


KINDS = {"base64": (photos, 40), "small": (small, 100), "quoted": (quoted, 60)}


def measured(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600)
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else done.stderr.strip()


def compare(folder, ours, theirs, rounds):
    worst = None
    for kind, (make, count) in KINDS.items():
        generator = random.Random(7)
        files = []
        for number in range(count):
            files.append(folder / f"{kind}-{number}.eml")
            files[-1].write_bytes(make(generator, number))
        rates = {"pinpost": [], "gmime": []}
        for _ in range(rounds):
            for name, program in (("pinpost", ours), ("gmime", theirs)):
                status, figures = measured([program, *files])
                if status != 0:
                    raise Failure(f"{name} failed: {figures}")
                rates[name].append(figures["bytes"] / figures["cpu_s"] / 1e6)
        medians = {name: statistics.median(values) for name, values in rates.items()}
        ratio = medians["pinpost"] / medians["gmime"]
        worst = ratio if worst is None else min(worst, ratio)
        print(f"{kind:8} pinpost {medians['pinpost']:6.0f} MB/s   gmime {medians['gmime']:6.0f} MB/s   ratio {ratio:.2f}")
    return worst


def hostile(folder, ours, shared):
    """Every mail that is built to hurt, alone in a process."""
    subprocess.run([sys.executable, "-B", shared / "mail/gen_hostile.py", folder], check=True, capture_output=True)
    plain = folder / "plain.eml"
    plain.write_bytes(b"Subject: x\r\n\r\nx\r\n")
    idle = measured([ours, plain])[1]["rss_kib"]
    failed = False
    for path in sorted(folder.glob("**/*.eml")):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, figures = measured([ours, "--limited", path])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        above = figures["rss_kib"] - idle if isinstance(figures, dict) else 0
        verdict = figures.get("refused", "read") if isinstance(figures, dict) else f"ended with {status}"
        isBad = cpu > HOSTILE_SECONDS or above > HOSTILE_KIB or status != 0
        failed = failed or isBad
        print(f"{'FAIL' if isBad else 'ok':4} {path.name:34} {path.stat().st_size / 1e6:7.1f} MB {cpu:6.2f} s "
              f"{above / 1024:6.1f} MiB  {verdict}")
    return failed


def main():
    parser = argparse.ArgumentParser(prog="script/bench mime", description=__doc__)
    parser.add_argument("bench", choices=["mime"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--hostile", type=pathlib.Path, metavar="SHARED",
                        help="read the mails that SHARED/mail/gen_hostile.py makes instead")
    parser.add_argument("--binary", type=pathlib.Path, help="a bench-mime that is built already")
    options = parser.parse_args()
    ours = options.binary or build("release") / "bench-mime"
    folder = ROOT / ".build/bench/mime"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if options.hostile:
        return int(hostile(folder, ours, options.hostile))
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gmime-3.0"], check=True, capture_output=True, text=True)
    theirs = folder / "gmime_decode"
    subprocess.run(["cc", "-O2", "-o", theirs, BENCHMARKS / "peers/gmime_decode.c", *flags.stdout.split()], check=True)
    worst = compare(folder, ours, theirs, options.rounds)
    shutil.rmtree(folder)
    print(json.dumps({"worst_ratio": round(worst, 2), "goal": GOAL}))
    return int(worst < GOAL)


run("bench", main)
