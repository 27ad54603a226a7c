"""Fetches a mailbox as a careful Python program would: imaplib, one file a mail with fsync, one commit a mail."""
import hashlib, imaplib, os, pathlib, sqlite3, sys

port, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
folder.mkdir(parents=True)
database = sqlite3.connect(folder / "mails.db", isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
database.execute("PRAGMA synchronous = FULL")
database.execute("CREATE TABLE mails (validity INTEGER, uid INTEGER, file TEXT, sha256 BLOB, PRIMARY KEY (validity, uid))")
imaplib._MAXLINE = 10_000_000
server = imaplib.IMAP4("127.0.0.1", port)
server.login("ada", "secret")
server.select("INBOX", readonly=True)
validity = int(server.response("UIDVALIDITY")[1][0])
for uid in server.uid("SEARCH", "UID", "1:*")[1][0].split():
    body = server.uid("FETCH", uid, "(BODY.PEEK[])")[1][0][1]
    path = folder / f"{int(uid)}.eml"
    with open(f"{path}.tmp", "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    os.rename(f"{path}.tmp", path)
    parent = os.open(folder, os.O_RDONLY)
    os.fsync(parent)
    os.close(parent)
    database.execute("INSERT INTO mails VALUES (?, ?, ?, ?)", (validity, int(uid), path.name, hashlib.sha256(body).digest()))
server.logout()
print(len(list(folder.glob("*.eml"))))
