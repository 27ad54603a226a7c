"""Runs the command line as a person would, against a Pinry double, and checks what it says and how it ends."""
import json, re, sys, time
from programs import Failure, Stage, build, fetch, run, wait_until
from samples import PHOTO, mail, png


class Checker:
    """Compares what commands do with what was expected of them."""

    def __init__(self, service):
        self.service, self.count, self.wrong = service, 0, []

    def check(self, what, holds, detail=""):
        self.count += 1
        if not holds:
            self.wrong.append(what)
            print(f"smoke: {what}: {detail}", file=sys.stderr)

    def run(self, *words, status=0, says="", stdin=b"", environment=None):
        """A command has to end with a status and say something that matches; returns what it printed."""
        done = self.service.run(*words, stdin=stdin, environment=environment)
        text = (done.stdout + done.stderr).decode(errors="replace")
        name = " ".join(["pinpost", *map(str, words)])
        self.check(f"`{name}` ends with {status}", done.returncode == status, f"it was {done.returncode}: {text}")
        self.check(f"`{name}` says “{says}”", re.search(says, text), text)
        return done.stdout

    def ask(self, *words, **expected):
        """The same for a command with --json."""
        answer = self.run(*words, "--json", **expected)
        try:
            return json.loads(answer)
        except ValueError:
            self.check(f"`pinpost {' '.join(words)} --json` prints JSON", False, answer[:300])
            return None


def check_words(checker):
    checker.run("version", says=r"^pinpost \d+\.\d+\.\d+")
    checker.run(says="serve")
    for noun in ("", "tenant", "address", "hook", "board", "pin", "message", "item", "ingest", "keys", "config"):
        checker.run("help", *noun.split(), says=f"pinpost {noun}".strip())
    checker.run("tenant", "add", "--help", says="--token-file")
    checker.run("tennant", "list", status=2, says="Did you mean \"pinpost tenant\"")
    checker.run("tenant", "lst", status=2, says="Did you mean \"pinpost tenant list\"")
    checker.run("tenant", "add", "ada", "--sever", "x", status=2, says="--server")
    checker.run("tenant", "add", "ada", "--token", "secret", status=2, says="--token-file")
    checker.run("tenant", "add", status=2, says="SLUG")


def check_configuration(checker):
    checker.run("config", "check", says="right")
    checker.run("config", "check", status=78, says=r"(?s)PINPOST_LOGLEVEL.*PINPOST_LISTEN",
                environment={"PINPOST_LISTEN": "nowhere", "PINPOST_LOGLEVEL": "info"})


def check_explain_and_convert(checker, folder):
    letter, call, photo, text = (folder / name for name in ("photo.eml", "call.json", "photo.heic", "notes.txt"))
    letter.write_bytes(mail("pins@example.org", "Hills #sunset", "Look. #walk\n", PHOTO, "IMG_1.HEIC"))
    call.write_text('{"url": "https://example.org/page", "description": "A page"}')
    photo.write_bytes(PHOTO)
    text.write_text("no picture")
    told = checker.ask("explain", letter) or {}
    checker.check("explain finds the photo", [item["name"] for item in told.get("items", [])] == ["IMG_1.HEIC"], told)
    checker.check("explain reads the tags", sorted(told.get("tags", [])) == ["sunset", "walk"], told)
    told = checker.ask("explain", call, "--as", "hook") or {}
    checker.check("explain finds the link",
                  [item.get("url") for item in told.get("items", [])] == ["https://example.org/page"], told)
    made = checker.ask("convert", photo, folder / "photo.jpg") or {}
    checker.check("a HEIC becomes a JPEG", (made.get("out") or {}).get("width") == 1600, made)
    jpeg = (folder / "photo.jpg").read_bytes() if (folder / "photo.jpg").exists() else b""
    checker.check("the JPEG has no EXIF", jpeg.startswith(b"\xff\xd8") and b"Exif\0" not in jpeg, jpeg[:60])
    checker.run("convert", photo, folder / "photo.jpg", status=1, says="--force")
    checker.run("convert", photo, folder / "photo.png", status=2, says="photo[.]jpg")
    checker.check("a wrong name is not written", not (folder / "photo.png").exists())
    checker.run("convert", photo, folder / "nowhere/photo.jpg", status=2, says="cannot be written .No such file")
    streamed = checker.run("convert", photo, "-")
    checker.check("standard output gets the same JPEG", streamed == jpeg, len(streamed or b""))
    check_folder(checker, folder)
    page = folder / "page.html"
    page.write_text('<!-- saved --><!DOCTYPE html><link rel="canonical" href="https://example.org/a/">'
                    '<meta property="og:image" content="../b.jpg">')
    told = checker.ask("explain", page) or {}
    checker.check("a page that names itself is explained", told.get("image") == "https://example.org/b.jpg", told)
    page.write_text("<html><body>nowhere")
    checker.run("explain", page, status=2, says="--url")
    refused = checker.ask("convert", text, folder / "notes.jpg", status=65) or {}
    checker.check("a refusal has a code", "code" in refused.get("error", {}), refused)


def check_folder(checker, folder):
    for path in ("in/a.heic", "in/below/b.heic"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(PHOTO)
    (folder / "in/cut.heic").write_bytes(PHOTO[:500])
    (folder / "in/notes.txt").write_text("no picture")
    told = checker.ask("convert", folder / "in", folder / "out", status=65) or {}
    checker.check("a folder is converted, and what is damaged is named",
                  (told.get("converted"), told.get("failed"), told.get("left_alone")) == (2, 1, 1), told)
    made = sorted(str(path.relative_to(folder / "out")) for path in (folder / "out").rglob("*") if path.is_file())
    checker.check("the output mirrors the names", made == ["a.jpg", "below/b.jpg"], made)
    told = checker.ask("explain", folder / "in/a.heic") or {}
    checker.check("a picture is explained", (told.get("verdict") or {}).get("treatment") == "tiles", told)


def check_tenants(checker, double):
    checker.run("tenant", "add", "ada", "--server", double.url.removeprefix("http://"), "--token-file", "-",
                status=2, says="http", stdin=b"token")
    checker.run("tenant", "add", "ada", "--server", double.url, "--token-file", "-", "--allow-private",
                status=77, says="[Tt]oken", stdin=b"wrong")
    checker.run("tenant", "add", "ada", "--server", double.url, "--token-file", "-", "--allow-private", "--board",
                "Nowhere", status=65, says="Nowhere", stdin=b"token-of-ada")
    tenant = checker.ask("tenant", "add", "ada", "--server", double.url, "--token-file", "-", "--allow-private",
                         "--board", "Home", stdin=b"token-of-ada") or {}
    checker.check("tenant add answers", (tenant.get("username"), tenant.get("board")) == ("ada", "Home"), tenant)
    checker.run("tenant", "check", "ada", says="works")
    checker.run("board", "list", "ada", says="Home")
    checker.run("keys", "status", says="current")
    checker.run("tenant", "show", "nobody", status=1, says="nobody")


def check_way(checker, double):
    """A mail and a webhook call, all the way."""
    address = (checker.ask("address", "add", "ada") or {}).get("address", "")
    hook = checker.ask("hook", "add", "ada") or {"url": checker.service.url, "token": ""}
    letter = mail(address, "From a mail", "Look.", PHOTO, "IMG_1.HEIC")
    checker.run("ingest", "mail", "--recipient", address, stdin=letter)
    checker.run("ingest", "mail", "--recipient", "pins+nobody@example.org", status=67, stdin=letter)
    headers = {"Authorization": f"Bearer {hook['token']}", "Content-Type": "image/png"}
    status, answer = fetch(hook["url"], "POST", png(1), headers)
    checker.check("the webhook answers 202", status == 202, answer)
    status, _ = fetch(hook["url"], "POST", png(1), headers | {"Authorization": "Bearer wrong"})
    checker.check("a wrong secret gets 401", status == 401, status)
    identifier = json.loads(answer).get("id", "-") if status and answer.startswith(b"{") else "-"
    shown = wait_until(lambda: finished(checker.service, identifier)) or {}
    checker.check("message show has the pin", [bool(item["pin"]) for item in shown.get("items", [])] == [True], shown)
    state = wait_until(lambda: len(double.state()["pins"]) == 2 and double.state()) or double.state()
    checker.check("both are pinned", len(state["pins"]) == 2, state["pins"])
    checker.run("message", "list", "ada", says="done")


def finished(service, message):
    done = service.run("message", "show", message, "--json")
    shown = json.loads(done.stdout) if done.returncode == 0 else {}
    return shown if shown.get("items") and all(item["state"] == "done" for item in shown["items"]) else None


def main():
    binaries = build()
    begun = time.monotonic()
    with Stage(binaries) as stage:
        service = stage.pinpost(PINPOST_PINRY_QUIET=1)
        checker = Checker(service)
        check_words(checker)
        check_configuration(checker)
        check_explain_and_convert(checker, stage.folder)
        double = stage.double(["ada:token-of-ada"], ["ada:Home"])
        stage.start(service)
        check_tenants(checker, double)
        check_way(checker, double)
    if checker.wrong:
        raise Failure(f"{len(checker.wrong)} of {checker.count} checks failed")
    print(f"smoke: {checker.count} checks passed in {time.monotonic() - begun:.0f} s")


run("smoke", main)
