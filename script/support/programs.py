"""Starts the programs that a script needs, waits until they answer, and ends them by their own process ids."""
import contextlib, ctypes, http.client, json, os, pathlib, re, shutil, signal, socket, subprocess, sys, tempfile, time
import urllib.error, urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Seconds after which what has to come is missing: long enough for a slow or halted machine, it says nothing about speed.
PATIENCE = 120
PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>
LIBC = ctypes.CDLL(None)
# Everything here is on loopback: a proxy from the environment must not see it.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Failure(Exception):
    """Something a person has to know, in one sentence."""


def build(configuration="debug"):
    """Builds the programs, quietly unless it fails; returns the folder that they are in."""
    flags = {"debug": ["-Xswiftc", "-warnings-as-errors"],  # as script/test does: other flags would compile all again
             "release": ["-c", "release", "--static-swift-stdlib"]}[configuration]
    command = ["swift", "build", "--package-path", ROOT, *flags]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise Failure("the build failed:\n" + "\n".join(done.stdout.splitlines()[-30:]))
    place = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True)
    return pathlib.Path(place.stdout.strip())


def free_port():
    """A loopback port that nobody uses at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fetch(url, method="GET", body=None, headers=None, timeout=PATIENCE):
    """Status and body of an answer; status 0 and the reason when there was none."""
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    try:
        with DIRECT.open(request, timeout=timeout) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()
    except (OSError, http.client.HTTPException) as error:
        return 0, str(error).encode()


def wait_until(condition, seconds=PATIENCE, pause=0.05):
    """The first true value of `condition`, or None when the time is over."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > deadline:
            return value or None
        time.sleep(pause)


def processes(session):
    """The running processes of a session, each as the numbers of /proc/PID/stat from the parent's id onwards."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # a process may end while we look
            numbers = [int(number) for number in stat.read_text().rpartition(")")[2].split()[1:]]
            if numbers[2] == session:
                yield numbers


class Program:
    """One child process; what it prints goes to a log file."""

    def __init__(self, name, command, log, environment=None):
        self.name, self.command, self.log = name, [str(word) for word in command], pathlib.Path(log)
        self.environment, self.process = environment, None

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def start(self):
        with open(self.log, "ab") as log:
            # Its own session keeps a Ctrl-C from it: this script decides when it ends, also by dying.
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment,
                start_new_session=True, preexec_fn=lambda: LIBC.prctl(PARENT_DEATH_SIGNAL, signal.SIGTERM))

    def stop(self, grace=PATIENCE):
        """Asks the program to end, and ends it when it does not; returns its exit status."""
        if self.is_running:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(grace)
        return self.kill()

    def kill(self):
        if self.is_running:
            self.process.kill()
        return self.process.wait() if self.process else None

    def output(self, lines=15):
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return "\n".join(text.splitlines()[-lines:])

    def wait_until(self, condition, seconds=PATIENCE):
        """Waits for the program's sign of life; a program that ends or stays silent is a failure."""
        value = wait_until(lambda: condition() or not self.is_running, seconds)
        if value is True and not self.is_running:
            raise Failure(f"{self.name} ended with status {self.process.returncode}:\n{self.output()}")
        if value is None:
            raise Failure(f"{self.name} was not ready within {seconds} s:\n{self.output()}")
        return value


class Double(Program):
    """The Pinry double; its base URL is known once it has started."""

    def __init__(self, binary, folder, users, boards=(), name="pinry-double", seed=1):
        words = ["--seed", seed]
        words += [word for user in users for word in ("--user", user)]
        words += [word for board in boards for word in ("--board", board)]
        super().__init__(name, [binary, "--listen", "127.0.0.1:0", *words], folder / f"{name}.log")
        self.url = None

    def start(self):
        super().start()
        pattern = re.compile(r"http://127\.0\.0\.1:\d+/?")
        self.url = self.wait_until(lambda: pattern.search(self.output()))[0].rstrip("/")

    def state(self):
        status, body = fetch(self.url + "/_state")
        if status != 200:
            raise Failure(f"{self.name} answered {status} to a request for its state")
        return json.loads(body)

    def set_faults(self, faults):
        status, body = fetch(self.url + "/_faults", "POST", json.dumps(faults).encode(),
                             {"Content-Type": "application/json"})
        if not 200 <= status < 300:
            raise Failure(f"{self.name} refused the faults: {status} {body.decode(errors='replace')}")


class Pinpost(Program):
    """The service, and its command line with the same settings."""

    def __init__(self, binary, folder, **settings):
        self.binary, self.data = pathlib.Path(binary), folder / "data"
        self.url = f"http://127.0.0.1:{free_port()}"
        own = {"PINPOST_DATA": self.data, "PINPOST_LISTEN": self.url.removeprefix("http://"),
               "PINPOST_PUBLIC_URL": self.url, "PINPOST_LOG": "text", **settings}
        # Settings of the person's own service must not reach this one.
        outer = {name: value for name, value in os.environ.items() if not name.startswith("PINPOST_")}
        super().__init__("pinpost serve", [binary, "serve"], folder / "pinpost.log",
                         outer | {name: str(value) for name, value in own.items()})

    def start(self, seconds=PATIENCE):
        super().start()
        self.wait_until(lambda: fetch(self.url + "/readyz", timeout=1)[0] == 200, seconds)

    def run(self, *words, stdin=b"", environment=None, timeout=5 * PATIENCE):
        """Runs one command, with more settings if given; returns the finished process."""
        return subprocess.run([self.binary, *map(str, words)], input=stdin, capture_output=True,
                              env=self.environment | (environment or {}), timeout=timeout)

    def ask(self, *words, stdin=b""):
        """Runs one command that has to succeed; returns its JSON."""
        done = self.run(*words, "--json", stdin=stdin)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).decode(errors="replace").strip()
            raise Failure(f"`pinpost {' '.join(map(str, words))}` ended with status {done.returncode}: {said}")
        return json.loads(done.stdout)


class Stage(contextlib.ExitStack):
    """A temporary folder and the programs in it; both are gone afterwards, however the script ends."""

    def __init__(self, binaries, parent=None):
        super().__init__()
        self.binaries = pathlib.Path(binaries)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pinpost-", dir=parent))
        self.callback(shutil.rmtree, self.folder, ignore_errors=True)

    def start(self, program):
        """Starts a program that ends with the stage."""
        self.callback(program.stop)
        program.start()
        return program

    def double(self, users, boards=(), **options):
        return self.start(Double(self.binaries / "pinry-double", self.folder, users, boards, **options))

    def pinpost(self, **settings):
        """The service with its own data folder and free port, not yet started."""
        return Pinpost(self.binaries / "pinpost", self.folder, **settings)


def run(name, main):
    """Runs a script's `main`: failures become one message and status 1, signals end it in order."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job starts with it ignored
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"{name}: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
