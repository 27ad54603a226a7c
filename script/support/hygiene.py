"""Sends what servers read in different ways (request smuggling) to the listener, and again with nginx in front.

Behind each request follows another one, of another status. A row is right when the trick is refused and nothing after
it is answered, or when it is read in the one way that is meant. libmicrohttpd hides three things from us: bare line
feeds, folded lines and NUL in a value; nginx with the shipped settings refuses them or writes them anew.
"""
import argparse, pathlib, re, shutil, socket
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
    program = stage.start(Program("nginx", ["nginx", "-p", folder, "-c", folder / "nginx.conf"], folder / "log"))

    def listens():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0
    program.wait_until(listens, 10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binaries", type=pathlib.Path, help="a folder with built programs, instead of building them")
    options = parser.parse_args()
    if not shutil.which("nginx"):
        raise Failure("nginx is not there: apt-get install nginx-light")
    with Stage(options.binaries or build()) as stage:
        double = stage.double(["hygiene:unused"])
        service = stage.start(stage.pinpost(PINPOST_LOG_LEVEL="warning"))
        service.ask("tenant", "add", "hygiene", "--server", double.url, "--allow-private")
        hook = service.ask("hook", "add", "hygiene")
        upstream, proxy = int(service.url.rsplit(":", 1)[1]), free_port()
        nginx(stage, proxy, upstream)
        wrong = 0
        print(f"{'':36}{'listener':>16}{'behind nginx':>16}")
        for name, request in rows(f"/v1/hooks/{hook['id']}", hook["token"]):
            answers = [statuses(port, request) for port in (upstream, proxy)]
            right = judged(name, answers[0], False) and judged(name, answers[1], True)
            wrong += not right
            shown = [" ".join(map(str, found)) or "closed" for found in answers]
            print(f"{name:36}{shown[0]:>16}{shown[1]:>16}{'' if right else '   WRONG'}")
        print("all rows are right" if not wrong else f"{wrong} rows are wrong")
        return 1 if wrong else 0


run("hygiene", main)
