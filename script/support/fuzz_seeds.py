"""Inputs of our own from which the fuzz targets of messages and servers start: one small one for every rule.

Each function is one target's; what it yields is as short as the rule allows, since short inputs are changed fastest.
"""
import base64, binascii, json, quopri, struct, urllib.parse, zlib


def png(side=3):
    """A whole grey picture of so many pixels on each side."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = zlib.compress(bytes(side * (side + 1)))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def box(kind, data):
    return struct.pack(">I", len(data) + 8) + kind + data


# Pictures as far as the service reads them: their structure, without pixels that a decoder would take.
GIF = bytes.fromhex("474946383961 0300 0300 800000 ffffff000000 2c 00000000 0300 0300 00 02 03 448c05 00 3b")
JPEG = bytes.fromhex("ffd8 ffe0 0010 4a46494600 0101 00 0001 0001 0000 ffc0 000b 08 0050 0050 01 01 11 00"
                     "ffda 0008 01 01 00 00 3f 00 d2 ffd9")
WEBP = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x02\x80\0\0\x07\x50\x08\0\0\0\0\0\0"
BMP = b"BM" + struct.pack("<IIIIiiHHIIiiII", 58, 0, 54, 40, 1, -1, 1, 24, 0, 4, 0, 0, 0, 0) + bytes(4)
ICON = bytes.fromhex("0000 0100 0100 1010 0000 0100 2000 04000000 16000000 00000000")
HEIC = (box(b"ftyp", b"heic\0\0\0\0mif1heic")
        + box(b"meta", bytes(4) + box(b"iprp", box(b"ipco", box(b"ispe", struct.pack(">III", 0, 80, 80)))))
        + box(b"mdat", b"x"))


# ── mails ──

def mail(*fields, body=b"", end=b"\r\n"):
    """A mail or a part: header fields, and a body of bytes or text."""
    head = [field.encode() if isinstance(field, str) else field for field in fields]
    return end.join(head) + end * 2 + (body.encode() if isinstance(body, str) else body)


def multipart(kind, *parts, boundary="b", fields=("From: Ada <ada@a.example>", "Subject: x"), closed=True):
    inner = b"".join(b"--%s\r\n%s\r\n" % (boundary.encode(), part) for part in parts)
    inner += b"--%s--\r\n" % boundary.encode() if closed else b""
    return mail(*fields, f'Content-Type: multipart/{kind}; boundary="{boundary}"', body=inner)


def encoded(data, *fields, coding="base64"):
    text = {"base64": base64.encodebytes, "quoted-printable": quopri.encodestring}[coding](data)
    return mail(*fields, f"Content-Transfer-Encoding: {coding}", body=text.replace(b"\n", b"\r\n"))


def uuencoded(data, name="a.png"):
    lines = b"".join(binascii.b2a_uu(data[start:start + 45]) for start in range(0, len(data), 45))
    return b"begin 644 %s\n%s`\nend\n" % (name.encode(), lines)


def picture(*fields, data=None, kind="image/png"):
    return encoded(data or png(), f"Content-Type: {kind}", *fields)


def tnef_attribute(level, identifier, data):
    return bytes([level]) + struct.pack("<II", identifier, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def mapi(*properties):
    """Properties as (type, identifier, encoded value)."""
    return struct.pack("<I", len(properties)) + b"".join(
        struct.pack("<HH", kind, identifier) + value for kind, identifier, value in properties)


def mapi_text(text, count=True):
    padded = text + bytes(-len(text) % 4)
    return (struct.pack("<I", 1) if count else b"") + struct.pack("<I", len(text)) + padded


def tnef():
    begin = tnef_attribute(2, 0x69002, bytes(14))
    title = tnef_attribute(2, 0x18010, b"a.png\0")
    data = tnef_attribute(2, 0x6800F, png())
    long_name = "über.png\0".encode("utf-16le")
    named = b"\0" * 16 + struct.pack("<I", 1) + mapi_text("n\0".encode("utf-16le"), count=False)
    properties = mapi(
        (0x03, 0x3705, struct.pack("<I", 1)), (0x1F, 0x3707, mapi_text(long_name)),
        (0x1E, 0x3704, mapi_text(b"A~1.PNG\0")),
        (0x40, 0x3007, bytes(8)), (0x48, 0x0001, bytes(16)), (0x1003, 0x0002, struct.pack("<II", 1, 7)),
        (0x102, 0x8001, named + mapi_text(b"abc")), (0x1E, 0x8002, bytes(16) + bytes(8) + mapi_text(b"d\0")))
    code_page = tnef_attribute(1, 0x69007, struct.pack("<II", 1251, 0))
    text = tnef_attribute(1, 0x2800C, b"words\0")
    start = bytes.fromhex("789f3e22 0100")
    yield start + tnef_attribute(1, 0x89006, bytes.fromhex("00000100")) + code_page + text + begin + title + data
    yield start + begin + data + tnef_attribute(2, 0x69005, properties)
    yield start + code_page + begin + tnef_attribute(2, 0x18010, "жук.png\0".encode("cp1251")) + data + begin + data
    yield start + data + data  # without the mark before an attachment
    yield start + begin + title + data[:40]
    yield start + begin + tnef_attribute(2, 0x6800F, b"") + tnef_attribute(2, 0x6800F, GIF)
    yield start + b"\3" + bytes(8)
    yield start + begin + tnef_attribute(2, 0x69005, mapi((0x1E, 0x3707, struct.pack("<I", 9000)))) + data


def structures():
    """Which parts there are, and how they are cut."""
    text = mail("Content-Type: text/plain; charset=utf-8", body="Look https://a.example/x\r\n#tag")
    page = mail("Content-Type: text/html", body='<p>See <img src="cid:a@b"> <a href="https://a.example/">here</a></p>')
    shown = picture("Content-ID: <a@b>", "Content-Disposition: inline; filename=a.png")
    attached = picture('Content-Disposition: attachment; filename="b.jpg"', data=JPEG, kind="image/jpeg")
    yield multipart("mixed", text, attached, attached)
    yield multipart("alternative", text, multipart("related; type=\"text/html\"", page, shown, boundary="c", fields=()))
    yield multipart("digest", mail("", body=mail("Subject: in", body=text)), mail("", body=mail("From: b@b.example")))
    forwarded = mail("Content-Type: message/rfc822", body=multipart("mixed", attached, boundary="c"))
    yield multipart("mixed", text, forwarded, fields=("Subject: Fwd: x",))
    yield multipart("mixed", encoded(multipart("mixed", attached), "Content-Type: message/rfc822; name=x.eml"))
    yield multipart("mixed", text, attached, closed=False)
    yield multipart("mixed", text, attached).replace(b"\r\n", b"\n")
    yield multipart("mixed", text, attached).replace(b"\r\n", b"\r")
    yield multipart("mixed", text, attached) + b"words behind the end\r\n--b\r\n\r\nand a part\r\n"
    yield multipart("mixed", text).replace(b'; boundary="b"', b"")
    yield multipart("mixed", multipart("mixed", text, boundary="b", fields=()), attached)
    yield multipart("appledouble", picture(kind="application/applefile", data=b"\0\5\x16\7" + bytes(22)), attached)
    yield multipart('signed; protocol="application/pgp-signature"', text, mail("Content-Type: application/pgp-signature"))
    yield multipart("encrypted", mail("Content-Type: application/pgp-encrypted", body="Version: 1"), attached)
    yield multipart("mixed", picture("Content-Disposition: attachment", data=png()[:60]), attached[:200])
    yield mail("From ada Mon Jan  1", "From: a@a.example", "Content-Type: image/gif", "", body=GIF)
    yield mail(">From x", "Subject : blank before the colon", "X-NUL: a\0b", body=b"a\0b\rc\nd\r\r\n")
    yield b"\r\n\r\n\xef\xbb\xbf" + mail("Subject: x", body="y")
    yield mail("Content-Type: message/partial; number=1; total=2; id=a", body=text)
    yield mail("Content-Type: message/external-body; access-type=URL; URL=\"https://a.example/a.png\"", "", body="")
    kinds = ("application/octet-stream", "image/svg+xml", "image/tiff", "video/mp4", "text/calendar", "x", "/")
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
    for kind, data in zip(kinds, (WEBP, BMP, ICON, HEIC, HEIC[:-9], GIF[:20], svg)):
        yield multipart("mixed", picture(data=data, kind=kind), text)


CHARSETS = {"koi8-r": "Привет", "windows-1252": "grün", "gb18030": "漢字", "shift_jis": "カナ", "iso-2022-jp": "日本",
            "utf-7": "ä", "utf-16": "a", "euc-kr": "한글", "big5": "中文", "iso-2022-kr": "한", "cp437": "é", "utf-8": "😀",
            "iso-8859-8-i": "א"}


def codings():
    """Transfer encodings, and the pictures that stand in texts."""
    link = "data:image/png;base64," + base64.b64encode(png()).decode()
    yield mail("Content-Type: text/html",
               body=f'<img src="{link}"><img src=\'{link[:60]}\'><img src="data:image/png,a">')
    yield encoded(f'<img src="{link}">'.encode(), "Content-Type: text/html", coding="quoted-printable")
    yield mail("Subject: uu", body=b"Hi\r\n" + uuencoded(png()) + b"more\r\n" + uuencoded(GIF, "b c.gif"))
    yield mail("Content-Type: image/png", "Content-Transfer-Encoding: x-uuencode", body=uuencoded(png()))
    yield mail("Content-Type: text/plain", body=b"begin 644 a\nno data\nbegin 644 b\n" + uuencoded(png())[20:60])
    yield mail("Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable",
               body="a=\r\nb=20=\nc=C3=A4 =zz =\r\n=3D  \t\r\nend=")
    yield mail("Content-Transfer-Encoding: base64", body="aGVs bG8=\r\n!aGVsbG8\r\n--\r\nQQ==QQ==")
    yield mail("Content-Type: image/png", "Content-Transfer-Encoding: BASE64 (x)", body=base64.b64encode(png()))
    yield mail("Content-Transfer-Encoding: 8bit", "Content-Transfer-Encoding: base64", body="äöü")
    yield mail("Content-Type: application/ms-tnef; name=winmail.dat", body=next(tnef()))
    for charset, words in CHARSETS.items():
        data = words.encode(charset.removesuffix("-i"))
        yield mail(b"Subject: " + (data if charset != "utf-16" else b"x"),
                   f"Content-Type: text/plain; charset={charset}", body=data + b" #" + data)
        word = f"=?{charset}?B?{base64.b64encode(data).decode()}?="
        yield mail(f"Subject: {word} {word}", f"From: {word} <a@a.example>", body=data[:-1])


def signed_content():
    """S/MIME with the mail inside: BER with definite lengths, indefinite ones, and pieces."""
    def ber(tag, *values):
        data = b"".join(values)
        return bytes([tag, 0x82]) + struct.pack(">H", len(data)) + data

    def open_ended(tag, *values):
        return bytes([tag, 0x80]) + b"".join(values) + b"\0\0"
    signed, plain = (bytes.fromhex("06092a864886f70d0107") + bytes([number]) for number in (2, 1))
    version, digests = bytes.fromhex("020101"), bytes.fromhex("310d300b0609608648016503040201")
    inner = multipart("mixed", mail("", body="#tag"), picture("Content-Disposition: attachment"), fields=())
    pieces = b"".join(ber(0x04, inner[start:start + 300]) for start in range(0, len(inner), 300))
    for wrap, octets in ((ber, ber(0x04, inner)), (open_ended, open_ended(0x24, pieces)), (ber, ber(0x24, pieces)),
                         (open_ended, ber(0x04, inner)[:80])):
        data = wrap(0x30, signed, wrap(0xA0, wrap(0x30, version, digests, wrap(0x30, plain, wrap(0xA0, octets)))))
        yield encoded(data, "Subject: s",
                      "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m")


FILE_NAMES = (
    "filename*=utf-8''%C3%A4.png", "filename*0*=utf-8'de'%C3; filename*1*=%A4; filename*2=\".png\"",
    "filename*0=\"a\"; filename*1=\"b.png\"", "filename*=iso-8859-1''%E4.png; filename=x",
    "filename=\"=?utf-8?Q?=C3=A4.png?=\"", "filename*1=b; filename*0=a", "filename*=''%", "name=a b.png",
    "filename=\"a\\\"b;c.png\" (comment \\) (x))", "filename=../../C:\\x\\\u202egnp.exe", ";;filename", "=")
SUBJECTS = (
    "=?utf-8?Q?a_=C3?= =?utf-8?Q?=A4?=", "=?utf-8*de?b?w6Q=?= b =?x?Q?", "=?iso-8859-1?q?=E4?=\r\n\t folded",
    "Re: AW: [Trips] Fwd: x #a #b", "[Trips] private", "=??Q?a?=", "=?utf-8?B?w6Q?==?utf-8?Q?=?=")
SENDERS = (
    '"Ada, \\"L\\" (x)" <ada@a.example>', "g: a@a.example, B <b@b.example>;, c@[1.2.3.4]", "<>", "ada@ä.example",
    "a@a.example, b@b.example", "(c (c) \\) <x>) ada(d)@(e)a.example (f)", "<@r.example:a@a.example>")
RESULTS = (
    "mx.example; dmarc=pass (p=none dis=none) header.from=a.example",
    'mx.example 1; spf=pass reason="a; b" smtp.mailfrom="x@a.example"; dkim=pass (1024 (bit) \\)) header.d=a.example',
    "mx.example; none", "mx.example; dmarc=fail header.from=a.example; dkim/1=pass header.i=@a.example",
    '"mx.example" (c) ; (c) dkim (c) = (c) pass (c) header (c) . (c) d (c) = (c) a.example (c) ;', "mx.example;;")
AUTOMATIC = (
    "Auto-Submitted: auto-replied (x)", "Precedence: bulk", "List-Id: <l.example>", "X-Autoreply: yes",
    "X-Auto-Response-Suppress: All", "Return-Path: <>", "From: MAILER-DAEMON@a.example", "Auto-Submitted: no")


def headers():
    """Names, subjects, addresses, and what they say about the sender."""
    for name in FILE_NAMES:
        yield multipart("mixed", picture(f"Content-Disposition: attachment; {name}"))
    for subject in SUBJECTS:
        yield mail(f"Subject: {subject}", "Subject: again", body="tags: a, b\r\nboard: Trips\r\nprivate\r\n\r\nwords")
    for sender in SENDERS:
        yield mail(f"From: {sender}", f"To: {sender}", f"Delivered-To: {sender}", "Return-Path: <>")
    for results in RESULTS:
        yield mail("From: Ada <ada@a.example>", f"Authentication-Results: {results}",
                   "DKIM-Signature: v=1; d=a.example; l=9; h=From", "Authentication-Results: other.example; dmarc=pass")
    for field in AUTOMATIC:
        yield mail("From: a@a.example", field, "Subject: x", body="https://a.example/")
    status = mail("Content-Type: message/delivery-status", body="Reporting-MTA: dns; a.example\r\n\r\nAction: failed\r\n")
    yield multipart("report; report-type=delivery-status", mail("", body="sorry"), status,
                    mail("Content-Type: text/rfc822-headers", body="Subject: y"),
                    mail("Content-Type: message/rfc822", body=picture()))


PHRASES = (  # attributions with their quotes, forward marks, signatures; in several languages
    "On Mon, 1 Jan 2024 Ada <ada@a.example>\nwrote:\n> https://q.example/\n>> b\n\nmine",
    "Am 1.1.2024 um 10:00 schrieb Ada:\n> q\n\n-- \nAda\nhttps://sig.example/",
    "Le 1 janv. 2024, Ada a écrit :\n> q\n\nEnvoyé de mon iPhone",
    "1 января 2024 г. Ada пишет 5:\n> q\n\nОтправлено с iPhone",
    "2024年1月1日 Ada:\n> q\n\niPhoneから送信",
    "---------- Forwarded message ---------\nFrom: Ada <a@a.example>\nDate: Mon\nSubject: x\nTo: b@b.example\n\n"
    "https://f.example/",
    "-----Ursprüngliche Nachricht-----\nVon: Ada\nGesendet: Montag\nAn: Bob\nBetreff: x\n\nq",
    "________________________________\nFrom: Ada\nSent: Monday\nTo: Bob\nSubject: x\n\nq",
    "Begin forwarded message:\n\n> From: Ada\n> Subject: x\n>\n> <https://f.example/a,>.",
    "[image: a.png] words <photo.jpg> [cid:a@b]\n\n" + "_" * 45 + "\nlist footer https://l.example/\n"
    "Unsubscribe: https://u.example/",
    "https://safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F&data=x\n"
    "https://urldefense.com/v3/__https://a.example/__;!!x$")
PAGE = (
    '<!DOCTYPE html><!-- c --><style>a{}</style><div class="gmail_quote">On 1 Jan Ada wrote:<blockquote>q<br>'
    '</blockquote></div>&auml;&#228;&#xe4;&amp &bogus; <pre>a\n b</pre><ul><li>x<li>y</ul>'
    '<table><tr><td>1<td>2</table><div class="gmail_signature">--<br><img src="cid:a"></div>'
    '<a href=" https://a.example/?a=1&amp;b=2 ">https://b.example/</a><script>"</script"</script>'
    '<p hidden title=\'>\'>z<![CDATA[x]]><img width=1 height="1" src=https://t.example/p.gif/>')


def texts():
    """Quotes, forwards and signatures, as plain text and as a page."""
    for phrase in PHRASES:
        yield mail("Subject: Fwd: x" if "orward" in phrase else "Subject: Re: x",
                   "Content-Type: text/plain; charset=utf-8", body=phrase.replace("\n", "\r\n"))
    yield mail("Content-Type: text/plain; format=flowed; delsp=yes",
               body="a \r\nb \r\n> q \r\n> r\r\n>>s \r\n -- \r\n-- \r\nsig")
    yield mail("Content-Type: text/html; charset=utf-8", body=PAGE)
    yield mail("Content-Type: text/html", body=(
        '<div id="appendonsend"></div><hr><b>From:</b> Ada<br><b>Sent:</b> Mo<br><b>To:</b> B<br><div id=Signature>x'
        '</div><blockquote type="cite"><a href="https://q.example/">q</a></blockquote>'))


def mails():
    yield from structures()
    yield from codings()
    yield from signed_content()
    yield from headers()
    yield from texts()


# ── payloads of webhooks ──

FIELDS = ("url", "image_url", "image", "description", "title", "text", "source", "board", "tags", "private", "again",
          "filename", "click", "value1", "attach", "message")
B64 = base64.b64encode(png()).decode()
VALUES = ("https://a.example/a?b=1", B64, "data:image/png;base64," + B64, "a, b #c", "1", "false", "é😀",
          "[Trips] private", "")
BROKEN_JSON = (
    b"[[[[[[{}]]]]]]", b"null", b'"https://a.example/"', b"[1,2", b'{"a":01}', b'{"a"1}', b"{'a':1}", b'{"a":"\x01"}',
    b'["\xff\xc0\x80"]', b'{"url":"https://a.example/"}{}', b"[,]", b'{"a":tru}', b"-", b'{"image":{"image":{}}}')


def json_payloads():
    for field in FIELDS:
        yield json.dumps({field: VALUES[0], "description": "d"}).encode()
        values = [VALUES[2], {"base64": B64, "filename": "a.png"}, {"url": VALUES[0]}, None]
        yield json.dumps([{field: values}]).encode()
    item = {"url": VALUES[0], "tags": ["a", "b"], "private": True}
    yield json.dumps({"items": [item, VALUES[0]], "board": "Trips"}).encode()
    yield json.dumps({"binary": {"a": {"data": B64, "fileName": "a.png", "mimeType": "image/png"}, "b": 1}}).encode()
    yield json.dumps({field: value for field, value in zip(FIELDS, VALUES * 2)}, ensure_ascii=False).encode()
    yield (b'{"n":[-0,0.5,1e9,1E-9,12345678901234567890],"u":"\\ud83d\\ude00\\u00e4\\/\\b\\f\\n\\r\\t\\"\\\\",'
           b'"t":[true,false,null]}')
    yield b'{"text":"\\ud800","url":"https://a.example/\\ude00\\ud83d"}'
    yield b'\xef\xbb\xbf {"url":"https://a.example/","url":"x"} '
    yield from BROKEN_JSON


def forms():
    for field in FIELDS:
        for value in VALUES:
            yield urllib.parse.urlencode([(field, value), ("tags[]", "a"), ("x", "y z")]).encode()
    yield (b"image=" + B64.encode() + b"&image[0]=data:image/gif;base64," + base64.b64encode(GIF)
           + b"&url=DATA%3Aimage/png;base64,%")
    yield b"&&=&url&url=&%75%72%6c=https%3a//a.example/%&%zz=%e4%f6&private&text=" + "ä+ö".encode() + b"%00%0a"


def multiparts():
    def part(*fields, body=b"x"):
        return mail(*fields, body=body)
    disposition = "Content-Disposition: form-data; name="
    picture_part = part(disposition + '"image"; filename="a.png"', "Content-Type: image/png", body=png())
    for field in FIELDS:
        for value in VALUES[:5]:
            yield form_data(part(f'{disposition}"{field}"', body=value.encode()), picture_part)
    for name in ('"a\\"b.png"', '"a%22b.png"', "a.png", '""', '"..\\\\x/\u202ea.png"', "\"\"; filename*=utf-8''%C3%A4.png", '"'):
        yield form_data(part(f'{disposition}file; filename={name}', body=GIF))
    whole = form_data(picture_part, part(f"{disposition}url", body=b"https://a.example/"))
    yield b"lead\r\n" + whole + b"behind"
    yield whole[:-8]
    yield whole.replace(b"\r\n", b"\n")
    yield whole.replace(b"--b\r\n", b"--b \t\r\n").replace(b"--b--", b"--b-")
    yield form_data(part(disposition + '"text"', "Content-Transfer-Encoding: base64", "no colon", ":",
                         body=b"--b\r--bb\r\n--"))
    yield form_data(part("Content-Type: IMAGE/PNG; x=y", body=png()), part("X: y"), b"\r\n")


def form_data(*parts):
    return b"".join(b"--b\r\n" + part + b"\r\n" for part in parts) + b"--b--\r\n"


# ── servers and decoder processes ──

ANSWERS = (
    (b"* 1 FETCH (UID 7 FLAGS (\\Seen) BODY[] {3}\r\nabc MODSEQ (12))", b"x OK [UIDVALIDITY 17] done"),
    (b"* 23 EXISTS", b"* SEARCH 4 9 (MODSEQ 5)", b'* LIST (\\Marked) "/" {5}\r\nINBOX', b"* BYE [UNAVAILABLE] later"),
    (b"* CAPABILITY IMAP4rev1 IDLE", b"+ idling", b'* 1 FETCH (X-GM-LABELS ("a b") RFC822.SIZE 12 BODY[] ~{1+}\r\nz)',
     b"a NO no"),
    (b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hi", b"* PREAUTH x", b"a BAD [ALERT] what", b"* 4294967295 EXPUNGE\n"),
    (b'* 2 FETCH (UID 1 BODY[] "a\\"\\\\b")', b"* 2 FETCH (BODY[] NIL UID 9)", b"* 3 FETCH (BODY[] {0}\r\n UID 4294967296)"),
    (b'* 2 FETCH (BODY[HEADER.FIELDS (TO CC)] {2}\r\nab ENVELOPE ("d" NIL (("n" NIL "m" "h")) ((())) {1}\r\nx))', b"* SEARCH"),
    (b"* 1 FETCH (BODY[]<0> {2}\r\nab BODY[]<2> {2}\r\ncd)", b"* 1 FETCH (BODY[] {60000000}", b"x"),
    (b"* VANISHED (EARLIER) 1:5,7", b'* STATUS "a b" (MESSAGES 2 UIDNEXT 3)', b'* NAMESPACE (("" "/")) NIL NIL', b"* ID NIL"),
    (b"+ eyJzdGF0dXMiOiI0MDAifQ==", b'a NO [AUTHENTICATIONFAILED] "x" {3}\r\nabc', b'* ESEARCH (TAG "a") UID ALL 1:3,5'),
    (b"* 1 FETCH (FLAGS (" + b"(" * 30 + b")" * 30 + b"))", b"a OK [COPYUID 1 2:3 4:5] y", b"* 1 FETCH (UID"))


def imap():
    for answers in ANSWERS:
        yield b"".join(answer + b"\r\n" for answer in answers)


# A session after its greeting; the client does not wait for answers.
SESSIONS = (
    (b"MAIL FROM:<ada@b.example> SIZE=30 BODY=8BITMIME SMTPUTF8", b"RCPT TO:<pins+abc@a.example>",
     b"RCPT TO:<pins+abd.trips@a.example>", b"DATA", b"Subject: x", b"", b"..a", b"b", b".", b"QUIT"),
    (b"MAIL FROM:<> =", b"MAIL FROM:<a@b> SIZE", b"MAIL FROM:<a@b> SIZE=99999999999999999999", b"mail from: <a@b> =x",
     b"MAIL FROM:<@c,@d:\"a b\\\"\"@b> SIZE=0 BODY=7BIT", b"MAIL FROM:<a@b>", b"RSET", b"VRFY a", b"NOOP x", b"XYZZY"),
    (b"MAIL FROM:<>", b"RCPT TO:<pins@a.example>", b"RCPT TO:<pins+abc@other.example>", b"RCPT TO:<>",
     *(b"RCPT TO:<pins+abc.%d@a.example>" % number for number in range(4)), b"RCPT TO:<a@b> NOTIFY=NEVER", b"DATA",
     b"From: ada@b.example", b"", b"x" * 320, b".", b"DATA"),
    (b"RCPT TO:<a@b>", b"DATA", b"LHLO", b"EHLO x", b"MAIL FROM:<\xc3\xbc@b>", b"MAIL FROM:<a@b", b"\xff", b"a" * 121),
    (b"MAIL FROM:<>", *(b"RCPT TO:<pins+%d@a.example>" % number for number in range(9)), b"DATA", b"To: x\n.\r\rx\n.", b"."),
    (b"MAIL FROM:<>", b"RCPT TO:<pins+abc@a.example>", b"DATA", b"no mail", b".", b"MAIL FROM:<>",
     b"RCPT TO:<pins+abe@a.example>", b"DATA", b"To: x", b"", b"\r", b"no end"))


def sessions():
    for lines in SESSIONS:
        yield b"".join(line + b"\r\n" for line in (b"LHLO x", *lines))


def text(words, width="<H"):
    data = words.encode()
    return struct.pack(width, len(data)) + data


def replies():
    yield b"\2"
    for codec in range(1, 9):
        yield struct.pack("<BBIIIB", 3, codec, 640, 480, 9000, codec % 8)
    for code in range(1, 8):
        yield bytes([4, code]) + text("bad marker ü" * code)
    yield struct.pack("<BI", 5, 77)
    yield bytes([4, 1]) + text("x" * 600)
    yield b"\1\0"


def element(name, attributes, place=0, around="", link="", words=""):
    fields = b"".join(text(key) + text(value) for key, value in attributes.items())
    return (text(name) + bytes([len(attributes)]) + fields + struct.pack("<I", place) + text(around) + text(link)
            + text(words, "<I"))


def outlines():
    meta = element("meta", {"property": "og:image", "content": "https://a.example/a.png"})
    image = element("img", {"src": "/b.jpg", "srcset": "/c.jpg 2x", "alt": "ä", "width": "640"}, 1 | 128,
                    "content post", "https://a.example/")
    script = element("script", {"type": "application/ld+json"}, words='{"@type":"Article","image":["/d.png"]}')
    yield b""
    yield meta
    yield meta + image + script + element("title", {}, words="Title")
    yield image * 3 + meta[:-1]
    yield element("a", {f"k{number}": "v" for number in range(33)})
    yield element("x" * 200, {"a": ""}, 0xFFFFFFFF) + b"\xff" * 8


SEEDS = {"mail": mails, "tnef": tnef, "json": json_payloads, "form": forms, "multipart": multiparts, "imap": imap,
         "lmtp": sessions, "reply": replies, "outline": outlines}
