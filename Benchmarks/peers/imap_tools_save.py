"""Fetches a mailbox with imap-tools, parses each mail and saves its attachments to files; nothing is synced."""
import pathlib, ssl, sys

from imap_tools import MailBox

port, folder, certificate = int(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
folder.mkdir(parents=True)
mails = files = 0
with MailBox("127.0.0.1", port, ssl_context=ssl.create_default_context(cafile=certificate)).login("ada", "secret") as box:
    for mail in box.fetch(mark_seen=False):
        mails += 1
        mail.subject, mail.from_, mail.text, mail.html
        for number, attachment in enumerate(mail.attachments):
            (folder / f"{mail.uid}-{number}").write_bytes(attachment.payload)
            files += 1
print(mails, files)
