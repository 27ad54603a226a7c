"""Plays Pinpost's first whole way on this machine: a mailed photo and a webhook's link become pins."""
import argparse, http.server, json, pathlib, threading
from programs import Failure, Stage, build, fetch, run, wait_until
from samples import PHOTO, mail

TENANT, BOARD = "ada", "Evenings"
PAGE = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>A walk over the hills</title>
<p>A small page that only the demo serves.</p></html>"""


def show(label, text):
    print(f"  {label:<12} {text}", flush=True)


class Page(http.server.BaseHTTPRequestHandler):
    """Serves the page that the webhook links to."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


def serve_page(stage):
    """Starts the page's server; returns its host and port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    stage.callback(server.shutdown)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"127.0.0.1:{server.server_address[1]}"


def add_tenant(service, pinry, token):
    """Adds the tenant with its two entrances: a mail address and a webhook."""
    board = [] if pinry.is_real else ["--board", BOARD]
    tenant = service.ask("tenant", "add", TENANT, "--server", pinry.url, "--token-file", "-", "--allow-private",
                         *board, stdin=token)
    show("tenant", f"{tenant['tenant']}, who is {tenant['username']} on {tenant['server']}")
    address = service.ask("address", "add", TENANT)["address"]
    show("address", address)
    hook = service.ask("hook", "add", TENANT)
    show("hook", hook["url"])
    return address, hook


def send_mail(service, address):
    text = "Seen on the way home. #hills\n\n-- \nSent from my phone\n"
    message = mail(address, "Evening over the hills #sunset", text, PHOTO, "IMG_0001.HEIC")
    done = service.run("ingest", "mail", "--recipient", address, stdin=message)
    if done.returncode != 0:
        raise Failure(f"`pinpost ingest mail` ended with status {done.returncode}: {done.stderr.decode().strip()}")
    show("mail sent", f"a photo mail with {len(PHOTO) // 1024} KiB of HEIC")


def call_hook(hook, link):
    body = json.dumps({"url": link, "description": "A walk over the hills", "tags": ["reading"]}).encode()
    status, answer = fetch(hook["url"], "POST", body, {
        "Content-Type": "application/json", "Authorization": f"Bearer {hook['token']}"})
    if status != 202:
        raise Failure(f"the webhook answered {status}: {answer.decode(errors='replace')}")
    show("hook called", f"with the link {link}")


def outcomes(service):
    """Every item with its pin once all are pinned; None while one is on its way."""
    items = service.ask("item", "list", TENANT)
    for item in items:
        if item["state"] in ("parked", "cancelled"):
            raise Failure(f"the {item['kind']} was {item['state']}: {item['reason']}")
    return items if len(items) == 2 and all(item["state"] == "done" for item in items) else None


class Pinry:
    """Where the demo pins: the double, or the Pinry that the caller named."""

    def __init__(self, stage, options):
        self.is_real = options.pinry is not None
        if self.is_real:
            self.url, self.token = options.pinry, options.token_file.read_bytes()
        else:
            self.url = stage.double([f"{TENANT}:demo-token"], [f"{TENANT}:{BOARD}"]).url
            self.token = b"demo-token"
        show("Pinry", self.url + ("" if self.is_real else "   (a double: nothing leaves this machine)"))


def play(options):
    print("Building; the first time takes some minutes.", flush=True)
    with Stage(build()) as stage:
        pinry = Pinry(stage, options)
        page = serve_page(stage)
        service = stage.start(stage.pinpost(PINPOST_EGRESS_ALLOW=page, PINPOST_PINRY_QUIET=2))
        show("Pinpost", service.url)
        address, hook = add_tenant(service, pinry, pinry.token)
        send_mail(service, address)
        call_hook(hook, f"http://{page}/walk")
        items = wait_until(lambda: outcomes(service), options.patience, pause=0.2)
        if not items:
            raise Failure(f"not pinned within {options.patience} s; the service said:\n{service.output()}")
        for item in sorted(items, key=lambda item: item["pin"]["id"]):
            show("pinned", f"{item['pin']['url']}  from {item['name']}")
        print(f"\nOpen {pinry.url}/ to see them.", flush=True)
        if not options.once:
            wait_for_end(service, hook)


def wait_for_end(service, hook):
    print(f"""Pin something yourself:
  curl -H 'Authorization: Bearer {hook['token']}' -F image=@photo.jpg -F description=Hello {hook['url']}
Ctrl-C ends the demo and removes its data.""", flush=True)
    while service.is_running:
        try:
            service.process.wait()
        except KeyboardInterrupt:
            print()
            return
    raise Failure(f"the service ended by itself:\n{service.output()}")


def main():
    parser = argparse.ArgumentParser(prog="script/demo", description="Pins a mailed photo and a link, end to end.")
    parser.add_argument("--once", action="store_true", help="end when both are pinned, with status 0")
    parser.add_argument("--pinry", metavar="URL", help="a real Pinry instead of the double")
    parser.add_argument("--token-file", type=pathlib.Path, metavar="F", help="file with the API token of that Pinry")
    parser.add_argument("--patience", type=int, default=90, metavar="SECONDS", help="how long to wait for the pins")
    options = parser.parse_args()
    if (options.pinry is None) != (options.token_file is None):
        parser.error("--pinry and --token-file belong together")
    if options.token_file and not options.token_file.is_file():
        parser.error(f"the token file {options.token_file} is not there")
    play(options)


run("demo", main)
