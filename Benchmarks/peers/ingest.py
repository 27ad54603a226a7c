"""The peer of `script/bench ingest`: a durable webhook as one would write it in Python today.

FastAPI under uvicorn with its fast loop and parser; SQLite in WAL mode with synchronous=FULL; one writer commits all
bodies that wait in one transaction, at most PEER_BATCH of them, and only then are their requests answered.
"""
import asyncio, contextlib, hashlib, hmac, json, os, secrets, sqlite3, time

import fastapi

TOKEN = hashlib.sha256(os.environ["PEER_TOKEN"].encode()).digest()
BATCH = int(os.environ.get("PEER_BATCH", "256"))


def open_store():
    store = sqlite3.connect(os.environ["PEER_DATABASE"], isolation_level=None, check_same_thread=False)
    for pragma in ("journal_mode = WAL", "synchronous = FULL"):
        store.execute(f"PRAGMA {pragma}")
    store.execute("CREATE TABLE messages (id TEXT PRIMARY KEY, key BLOB UNIQUE, body BLOB, received REAL)")
    return store


def commit(store, rows):
    store.execute("BEGIN IMMEDIATE")
    store.executemany("INSERT INTO messages VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", rows)
    store.execute("COMMIT")


async def write(waiting):
    """Commits whatever waits, one group after another."""
    store = open_store()
    while True:
        group = [await waiting.get()]
        while len(group) < BATCH and not waiting.empty():
            group.append(waiting.get_nowait())
        await asyncio.to_thread(commit, store, [row for row, _ in group])
        for _, done in group:
            done.set_result(None)


@contextlib.asynccontextmanager
async def lifespan(app):
    app.state.waiting = asyncio.Queue()
    writer = asyncio.create_task(write(app.state.waiting))
    yield
    writer.cancel()


app = fastapi.FastAPI(lifespan=lifespan, openapi_url=None)


@app.get("/readyz")
async def ready():
    return fastapi.Response("ok")


@app.post("/v1/hooks/bench")
async def hook(request: fastapi.Request):
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not hmac.compare_digest(hashlib.sha256(given.encode()).digest(), TOKEN):
        return fastapi.Response(status_code=401)
    body = await request.body()
    json.loads(body)
    identifier, done = secrets.token_hex(16), asyncio.get_running_loop().create_future()
    key = hashlib.sha256(request.headers.get("idempotency-key", identifier).encode()).digest()
    request.app.state.waiting.put_nowait(((identifier, key, body, time.time()), done))
    await done
    return fastapi.Response(status_code=202, headers={"Location": f"/v1/messages/{identifier}"})
