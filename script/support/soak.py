"""A kill -9 loop around the service while messages come in and Pinry misbehaves.

Three tenants share one Pinry and one has its own; each has three boards, one of them private, and for each board a
webhook and a mail address. Every message is told by its description, is sent until it is acknowledged, and some are
sent again after that. At the end each must be pinned once, by the right user, on the right board. The last line is
one JSON object.
"""
import argparse, base64, dataclasses, json, queue, random, shutil, sys, threading, time
from programs import PATIENCE, ROOT, Failure, Stage, build, fetch, processes, run, wait_until
from samples import PHOTO, mail, png

FAULTS = [
    {"match": "POST /api/v2/", "when": "after", "do": "reset", "probability": 0.05},
    {"match": "POST /api/v2/", "when": "after", "do": "truncate", "probability": 0.05},
    {"match": "POST /api/v2/", "when": "before", "do": "status", "status": 500, "probability": 0.05},
    {"match": "POST /api/v2/", "when": "after", "do": "status", "status": 500, "probability": 0.05},
    {"match": "POST /api/v2/", "when": "before", "do": "status", "status": 429, "retry_after": 1, "probability": 0.03},
    {"match": "PATCH /api/v2/", "when": "after", "do": "status", "status": 500, "probability": 0.05},
]
PINRIES = {"shared": ("alice", "bob", "carol"), "own": ("dave",)}
BOARDS = {"Home": False, "Trips": False, "Secret": True}  # the name, and whether it is private
QUIET = 5  # what a Pinry does with a request whose sender was killed it has to have done by then, on a slow machine too


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a pin has to appear."""
    pinry: str
    user: str
    board: str


@dataclasses.dataclass(frozen=True)
class Entrance:
    """A webhook or a mail address that leads to one place."""
    place: Place
    hook: dict
    address: str


class Sender:
    """Sends messages from a list until each is acknowledged."""

    def __init__(self, service, entrances, seed):
        self.service, self.entrances, self.seed = service, entrances, seed
        self.todo, self.lock, self.expected, self.refused = queue.SimpleQueue(), threading.Lock(), {}, []
        self.counts = {"hooks": 0, "mails": 0, "repeats": 0}

    def start(self, threads):
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(threads)]
        for thread in self.threads:
            thread.start()

    def add(self, numbers):
        for number in numbers:
            self.todo.put(number)

    def finish(self, patience):
        """Waits until all messages are acknowledged or refused."""
        for _ in self.threads:
            self.todo.put(None)
        if not wait_until(lambda: not any(thread.is_alive() for thread in self.threads), patience):
            raise Failure(f"the senders are not done: {self.todo.qsize()} messages are left")

    def work(self):
        while (number := self.todo.get()) is not None:
            rng = random.Random(f"{self.seed}/{number}")
            entrance, description = rng.choice(self.entrances), f"soak message {number}"
            prepare = self.mail if rng.random() < 0.1 else self.hook_call
            self.deliver(prepare(entrance, description, number), description, entrance, rng)

    def deliver(self, send, description, entrance, rng):
        while (code := send()) is None:
            time.sleep(0.05)
        with self.lock:
            if code != 0:
                self.refused.append((description, code))
                return
            self.expected[description] = entrance.place
        if rng.random() < 0.05:  # the answer got lost on the sender's side, say: it sends once more
            self.count("repeats")
            send()

    def count(self, what):
        with self.lock:
            self.counts[what] += 1

    # A prepared message is a function that sends it, the same bytes each time, and returns None when it was not
    # acknowledged and has to be sent again, 0 when it was, and else the status that refused it.

    def hook_call(self, entrance, description, number):
        body = json.dumps({"image": base64.b64encode(png(number)).decode(), "description": description}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {entrance.hook['token']}",
                   "Idempotency-Key": f"soak-{number}"}

        def send():
            status, _ = fetch(entrance.hook["url"], "POST", body, headers)
            if 200 <= status < 300:
                self.count("hooks")
                return 0
            return None if status == 0 or status >= 500 or status in (408, 409, 425, 429) else status
        return send

    def mail(self, entrance, description, number):
        picture, name = (PHOTO, f"{number}.heic") if number % 3 == 0 else (png(number), f"{number}.png")
        message = mail(entrance.address, description, "Sent by the soak test.", picture, name)

        def send():
            status = self.service.run("ingest", "mail", "--recipient", entrance.address, stdin=message).returncode
            if status == 0:
                self.count("mails")
                return 0
            return None if status in (69, 75) else status
        return send


class Victim:
    """The service, killed and started again."""

    def __init__(self, service, rng):
        self.service, self.rng, self.sessions, self.restarts = service, rng, [], []

    def start(self):
        """Starts the service; the command line may hold the store's lock for a moment."""
        deadline = time.monotonic() + PATIENCE
        while True:
            begun = time.monotonic()
            try:
                self.service.start()
                self.restarts.append(time.monotonic() - begun)
                return
            except Failure:
                if self.service.is_running or time.monotonic() > deadline:
                    raise
            finally:
                self.sessions.append(self.service.process.pid)

    def kill(self, longest):
        time.sleep(self.rng.uniform(0, longest))
        self.service.kill()
        if self.rng.random() < 0.2:  # also while it starts
            super(type(self.service), self.service).start()
            self.sessions.append(self.service.process.pid)
            time.sleep(self.rng.uniform(0, 0.3))
            self.service.kill()

    def left_over(self):
        """Processes that the service started and that outlived it."""
        def count():
            return sum(1 for session in self.sessions for _ in processes(session))
        return 0 if wait_until(lambda: count() == 0) else count()


def prepare(stage, seed):
    """Starts both Pinrys and the service, and adds the tenants; returns doubles, service and entrances."""
    doubles = {}
    for pinry, users in PINRIES.items():
        boards = [f"{user}:{board}" + (":private" if private else "") for user in users
                  for board, private in BOARDS.items()]
        doubles[pinry] = stage.double([f"{user}:token-of-{user}" for user in users], boards, name=f"pinry-{pinry}",
                                      seed=seed)
    service = stage.start(stage.pinpost(PINPOST_PINRY_QUIET=QUIET, PINPOST_LOG_LEVEL="debug"))
    entrances = []
    for pinry, users in PINRIES.items():
        for user in users:
            service.ask("tenant", "add", user, "--server", doubles[pinry].url, "--token-file", "-",
                        "--allow-private", "--board", "Home", stdin=f"token-of-{user}".encode())
            for board in BOARDS:
                entrances.append(Entrance(
                    Place(pinry, user, board), service.ask("hook", "add", user, "--board", board),
                    service.ask("address", "add", user, "--board", board)["address"]))
    return doubles, service, entrances


def pins(doubles):
    """Every pin of every double: its description, its place (the names of all its boards), whether it is private."""
    for pinry, double in doubles.items():
        for pin in double.state()["pins"]:
            yield pin["description"], Place(pinry, pin["user"], " and ".join(pin["boards"])), pin["private"]


class Verdict:
    """What the doubles hold, compared with what was acknowledged."""

    def __init__(self, doubles, expected):
        found = {}
        for description, place, private in pins(doubles):
            found.setdefault(description, []).append((place, private))
        self.found = len(found)
        self.orphans = sum(double.state()["image_count"] for double in doubles.values()) - sum(map(len, found.values()))
        self.lost = sorted(set(expected) - set(found))
        self.doubled = sorted(name for name, places in found.items() if len(places) > 1)
        places = [(name, place, private) for name, all_ in found.items() for place, private in all_ if name in expected]
        self.crossed = sorted(name for name, place, _ in places
                              if (place.pinry, place.user) != (expected[name].pinry, expected[name].user))
        self.misplaced = sorted(name for name, place, private in places if name not in self.crossed
                                and (place != expected[name] or private != BOARDS[expected[name].board]))

    @property
    def is_complete(self):
        return not self.lost and not self.misplaced


def settle(doubles, expected, patience):
    """Waits until everything is pinned and on its board, or nothing moves for `patience` seconds."""
    last, moved = None, time.monotonic()
    while time.monotonic() - moved < patience:
        verdict = Verdict(doubles, expected)
        if verdict.is_complete:
            time.sleep(QUIET + 2)  # a second pin would come now
            return Verdict(doubles, expected)
        progress = (verdict.found, len(verdict.misplaced))
        if progress != last:
            last, moved = progress, time.monotonic()
        time.sleep(0.5)
    return Verdict(doubles, expected)


def soak(options):
    begun = time.monotonic()
    with Stage(build(options.build)) as stage:
        doubles, service, entrances = prepare(stage, options.seed)
        for double in doubles.values():
            double.set_faults(FAULTS)
        victim = Victim(service, random.Random(options.seed))
        victim.sessions.append(service.process.pid)
        sender = Sender(service, entrances, options.seed)
        sender.start(options.senders)
        for kill in range(options.kills):
            sender.add(range(options.messages * kill // options.kills, options.messages * (kill + 1) // options.kills))
            victim.kill(options.longest)
            victim.start()
        sender.finish(5 * PATIENCE)
        for double in doubles.values():
            double.set_faults([])
        verdict = settle(doubles, sender.expected, options.patience)
        parked = sum(len(service.ask("item", "list", user, "--state", "parked"))
                     for users in PINRIES.values() for user in users)
        states = {pinry: double.state() for pinry, double in doubles.items()}
        status = service.stop()
        if report(options, sender, victim, verdict, parked, status, time.monotonic() - begun):
            keep(stage, states)
            sys.exit(1)


def keep(stage, states):
    """Puts the evidence where it survives: logs, data folder, and what the Pinrys held."""
    evidence = ROOT / ".build/soak"
    shutil.rmtree(evidence, ignore_errors=True)
    shutil.copytree(stage.folder, evidence, ignore=shutil.ignore_patterns("*.sock"))
    for pinry, state in states.items():
        (evidence / f"pinry-{pinry}.json").write_text(json.dumps(state, indent=1))
    print(f"soak: logs and data are in {evidence}", file=sys.stderr)


def report(options, sender, victim, verdict, parked, status, seconds):
    """Prints the counts; true when a promise was broken."""
    faults = {"unacknowledged": options.messages - len(sender.expected), "refused": len(sender.refused),
              "lost": len(verdict.lost), "doubled": len(verdict.doubled), "crossed": len(verdict.crossed),
              "misplaced": len(verdict.misplaced), "parked": parked, "left_over": victim.left_over(),
              "exit_status": status}
    for what in ("lost", "doubled", "crossed", "misplaced"):
        for name in getattr(verdict, what)[:10]:
            print(f"soak: {what}: {name}", file=sys.stderr)
    for name, code in sender.refused[:10]:
        print(f"soak: refused with {code}: {name}", file=sys.stderr)
    print(json.dumps({"messages": options.messages, "acknowledged": len(sender.expected), **sender.counts,
                      "orphan_images": verdict.orphans, "kills": options.kills, "starts": len(victim.sessions),
                      **faults,
                      "restart_s_max": round(max(victim.restarts, default=0), 2), "seconds": round(seconds),
                      "seed": options.seed}))
    return any(faults.values())


def main():
    parser = argparse.ArgumentParser(prog="script/soak", description=__doc__.splitlines()[0])
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--senders", type=int, default=4, help="messages that are sent at the same time")
    parser.add_argument("--longest", type=float, default=2, metavar="SECONDS", help="how long the service may live")
    parser.add_argument("--patience", type=float, default=900, metavar="SECONDS", help="how long nothing may move")
    parser.add_argument("--build", choices=("debug", "release"), default="debug")
    parser.add_argument("--quick", action="store_true", help="60 messages and 6 kills, as script/test does it")
    options = parser.parse_args()
    if options.quick:
        options.messages, options.kills = 60, 6
    soak(options)


run("soak", main)
