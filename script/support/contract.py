"""Tests the service against its own description of the HTTP interface with schemathesis.

The tenant has no token, so nothing is delivered. What the description cannot say is allowed: a body of the right form
in which nothing can be pinned (422), that NUL is refused in every text of JSON, and a head that is too long before anything in it is looked at (431).
"""
import argparse, hashlib, hmac, json, os, pathlib, shutil, subprocess
from programs import Failure, Stage, build, fetch, run

CONFIGURATION = """
[generation]
allow-x00 = false

[checks]
positive_data_acceptance.expected-statuses = ["2xx", "3xx", 401, 403, 404, 409, 422, 429]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 431]

[[operations]]
include-path-regex = "^/v1/hooks/"
parameters = {{ "path.id" = "{hook}", "path.secret" = "{token}" }}

[[operations]]
include-path-regex = "^/v1/messages/"
parameters = {{ "path.id" = "{message}", "path.secret" = "{token}", "path.key" = "{key}" }}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=60, help="for each operation and kind of test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--binaries", type=pathlib.Path, help="a folder with built programs, instead of building them")
    parser.add_argument("--schemathesis", default="schemathesis", help="the program, when it is not in PATH")
    options = parser.parse_args()
    if not shutil.which(options.schemathesis):
        raise Failure("schemathesis is not there: pip install schemathesis")
    with Stage(options.binaries or build()) as stage:
        return check(stage, options)


def check(stage, options):
    double = stage.double(["contract:unused"])
    service = stage.start(stage.pinpost(PINPOST_LOG_LEVEL="warning"))
    service.ask("tenant", "add", "contract", "--server", double.url, "--allow-private")
    hook = service.ask("hook", "add", "contract")
    authorization = f"Bearer {hook['token']}"
    status, body = fetch(hook["url"], "POST", b"url=https://example.org/", {
        "Authorization": authorization, "Content-Type": "application/x-www-form-urlencoded"})
    if status != 202:
        raise Failure(f"the hook answers {status} to a link")
    message = json.loads(body)["id"]
    (stage.folder / "schemathesis.toml").write_text(CONFIGURATION.format(
        hook=hook["id"], token=hook["token"], message=message, key=undo_key(message, hook["token"])))
    done = subprocess.run(
        [options.schemathesis, "run", service.url + "/openapi.json", "--header", f"Authorization: {authorization}",
         "--phases", "examples,coverage,fuzzing", "--max-examples", str(options.examples), "--seed", str(options.seed),
         "--request-timeout", "70", "--continue-on-failure", "--no-color"],
        cwd=stage.folder, env={**os.environ, "NO_PROXY": "127.0.0.1"})
    if fetch(service.url + "/healthz")[0] != 200:
        raise Failure("the service does not answer any more")
    return done.returncode


def undo_key(message, token):
    """What `undo_url` would end with, if something of the message were pinned."""
    return hmac.new(hashlib.sha256(token.encode()).digest(), f"undo\n{message}".encode(), hashlib.sha256).hexdigest()


run("contract", main)
