"""Sends what servers read in different ways (request smuggling) to the listener, and again with nginx or Caddy in front.

Behind each request follows another one, of another status. A row is right when the trick is refused and nothing after
it is answered, or when it is read in the one way that is meant. libmicrohttpd hides three things from us: bare line
feeds, folded lines and NUL in a value; both proxies, with the shipped settings, refuse them or write them anew.
"""
import argparse, os, pathlib, re, shutil, socket
from programs import ROOT, Failure, Program, Stage, build, free_port, run

LINK = "url=https://example.org/"
FOLLOWER = "GET /follower HTTP/1.1\r\nHost: pins.example\r\nConnection: close\r\n\r\n"
REFUSED = {400, 408, 411, 413, 414, 417, 431, 494, 501, 505}
# What the listener itself cannot see; read as it is meant, it is harmless there.
HIDDEN = {"header lines with bare LF", "chunk lines with bare LF", "obs-fold", "NUL in a value"}


def rows(path, token):
    """Each trick with its name; `200` stands for a hook's 202 in what is read in one way."""
    def post(fields, body="", line=f"POST {path} HTTP/1.1", host="Host: pins.example\r\n", end="\r\n"):
        kind = "Content-Type: application/x-www-form-urlencoded\r\n"
        return f"{line}\r\n{host}Authorization: Bearer {token}\r\n{kind}{fields}{end}{body}"

    length, size = f"Content-Length: {len(LINK)}\r\n", f"{len(LINK):x}"
    chunks = f"{size}\r\n{LINK}\r\n0\r\n\r\n"
    chunked = "Transfer-Encoding: chunked\r\n"
    yield "a plain request", post(length, LINK)
    yield "a chunked request", post(chunked, chunks)
    yield "two different Content-Length", post(length + "Content-Length: 4\r\n", LINK)
    yield "two equal Content-Length", post(length + length, LINK)
    yield "Content-Length + chunked", post(length + chunked, chunks)
    yield "Content-Length +24", post(f"Content-Length: +{len(LINK)}\r\n", LINK)
    yield "Content-Length 0x18", post(f"Content-Length: 0x{size}\r\n", LINK)
    yield "TE: xchunked", post("Transfer-Encoding: xchunked\r\n", chunks)
    yield "TE: gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", chunks)
    yield "TE twice", post(chunked + chunked, chunks)
    yield "a space before the colon", post("Transfer-Encoding : chunked\r\n", chunks)
    yield "chunk size 0x18", post(chunked, f"0x{size}\r\n{LINK}\r\n0\r\n\r\n")
    yield "chunk lines with bare LF", post(chunked, f"{size}\n{LINK}\n0\n\n")
    yield "header lines with bare LF", post(length, LINK).replace("\r\n", "\n")
    yield "obs-fold", post(f"X-Folded: a\r\n b\r\n{length}", LINK)
    yield "bare CR in a value", post(f"X-Return: a\rb\r\n{length}", LINK)
    yield "NUL in a value", post(f"X-Null: a\0b\r\n{length}", LINK)
    yield "no Host", post(length, LINK, host="")
    yield "two Hosts", post(length, LINK, host="Host: pins.example\r\nHost: other.example\r\n")
    yield "HTTP/1.0 + chunked", post(chunked, chunks, line=f"POST {path} HTTP/1.0")
    yield "a header of 64 KiB", post(f"X-Long: {'a' * 65_536}\r\n{length}", LINK)
    yield "Content-Length of 1 GB and Expect", post("Content-Length: 1000000000\r\nExpect: 100-continue\r\n")
    yield "two Authorization", post(f"Authorization: Bearer x\r\n{length}", LINK)


def statuses(port, request):
    """The statuses of all answers until the server closes, 100 left out."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=15) as connection:
        try:
            connection.sendall(request.encode("latin-1") + FOLLOWER.encode())
            while piece := connection.recv(65_536):
                received += piece
        except ConnectionResetError:
            pass  # the rest of what we sent was not read
        except TimeoutError:
            return ["silence"]
    found = [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3})", received)]
    return [status for status in found if status != 100]


def judged(name, answers, through_proxy):
    """Whether that is a right ending."""
    # libmicrohttpd writes the head of its own refusals twice; what follows is not answered.
    if answers and set(answers) <= REFUSED:
        return True
    # A proxy has found the end of the request by itself: what follows may be answered, and only that. Where it cannot
    # read a body to its end it says 502; Caddy leaves out the body of HTTP/1.0, of which 422 is then said.
    if through_proxy and answers and answers[0] in REFUSED | {422, 502} and answers[1:] in ([], [404]):
        return True
    meant = answers in ([202, 404], [202])
    if name.startswith("a ") and "request" in name:
        return meant
    return meant and (through_proxy or name in HIDDEN)


def nginx(stage, port, upstream):
    """nginx with the settings that are shipped, on loopback and without TLS."""
    folder = stage.folder / "nginx"
    folder.mkdir()
    shutil.copy(ROOT / "deploy/nginx/pinpost-proxy.conf", folder)
    (folder / "nginx.conf").write_text(f"""
        daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
        events {{}}
        http {{ client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
            uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
            server {{ listen 127.0.0.1:{port}; include {folder}/pinpost-proxy.conf;
                location / {{ proxy_pass http://127.0.0.1:{upstream}; }} }} }}
        """)
    return Program("nginx", ["nginx", "-p", folder, "-c", folder / "nginx.conf"], folder / "log")


def caddy(stage, port, upstream):
    """Caddy with the file that is shipped, on loopback and without TLS."""
    folder = stage.folder / "caddy"
    folder.mkdir()
    shipped = (ROOT / "deploy/Caddyfile").read_text()
    options = f"{{\n admin off\n auto_https off\n default_bind 127.0.0.1\n storage file_system {folder}\n}}\n"
    (folder / "Caddyfile").write_text(options + shipped.replace("pinpost:8080", f"127.0.0.1:{upstream}"))
    hosts = {"PINS_HOST": f"http://pins.example:{port}", "PINRY_HOST": f"http://pinry.example:{port}"}
    return Program("caddy", ["caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"], folder / "log",
                   os.environ | hosts | {"HOME": str(folder)})


PROXIES = {"nginx": nginx, "caddy": caddy}


def started(stage, make, upstream):
    """Starts a proxy in front of the service; returns its port."""
    port = free_port()
    program = stage.start(make(stage, port, upstream))

    def listens():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0
    program.wait_until(listens)
    return port


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", type=pathlib.Path, help="a folder with built programs, instead of building them")
    options = parser.parse_args()
    proxies = {name: make for name, make in PROXIES.items() if shutil.which(name)}
    if not proxies:
        raise Failure("there is no proxy: apt-get install nginx-light caddy")
    with Stage(options.binaries or build()) as stage:
        double = stage.double(["hygiene:unused"])
        service = stage.start(stage.pinpost(PINPOST_LOG_LEVEL="warning"))
        service.ask("tenant", "add", "hygiene", "--server", double.url, "--allow-private")
        hook = service.ask("hook", "add", "hygiene")
        upstream = int(service.url.rsplit(":", 1)[1])
        ports = {"listener": upstream} | {
            f"behind {name}": started(stage, make, upstream) for name, make in proxies.items()}
        wrong = 0
        print(f"{'':36}" + "".join(f"{place:>16}" for place in ports))
        for name, request in rows(f"/v1/hooks/{hook['id']}", hook["token"]):
            answers = {place: statuses(port, request) for place, port in ports.items()}
            right = all(judged(name, found, place != "listener") for place, found in answers.items())
            wrong += not right
            shown = [" ".join(map(str, found)) or "closed" for found in answers.values()]
            print(f"{name:36}" + "".join(f"{text:>16}" for text in shown) + ("" if right else "   WRONG"))
        for name in PROXIES.keys() - proxies.keys():
            print(f"{name} is not installed: its column is missing")
        print("all rows are right" if not wrong else f"{wrong} rows are wrong")
        return 1 if wrong else 0


run("hygiene", main)
