import Mail
import PinpostCore
import Synchronization
import Testing

/// Counts what is stored and removed.
final class CountingBlobStore: BlobStore {
    private let measuring = MeasuringBlobStore()
    private let counts = Mutex((made: 0, discarded: 0))
    let failsToWrite: Bool

    init(failsToWrite: Bool = false) { self.failsToWrite = failsToWrite }

    var stored: Int { counts.withLock { $0.made - $0.discarded } }

    func makeWriter() -> any BlobWriter { Writer(store: self, writer: measuring.makeWriter()) }
    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { try measuring.open(bytes) }
    func discard(_ bytes: StoredBytes) { counts.withLock { $0.discarded += 1 } }

    private final class Writer: BlobWriter {
        let store: CountingBlobStore
        let writer: any BlobWriter

        init(store: CountingBlobStore, writer: any BlobWriter) { (self.store, self.writer) = (store, writer) }

        func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
            if store.failsToWrite { throw StoreError(.diskFull) }
            try writer.write(bytes)
        }
        func finish() throws(StoreError) -> StoredBytes {
            store.counts.withLock { $0.made += 1 }
            return try writer.finish()
        }
        func discard() { writer.discard() }
    }
}

@Suite("Reading a mail")
struct MailReaderTests {
    private func fixture(_ name: String) throws -> [UInt8] {
        try Samples.bytes("\(FixtureTests.folder)/\(name).eml")
    }

    @Test("what is stored is what becomes an item", arguments: FixtureTests.names)
    func blobs(_ name: String) throws {
        let store = CountingBlobStore()
        let content = try MailReader().read(MemoryReader(try fixture(name)), into: store)
        #expect(store.stored == content.images.count)
    }

    @Test("nothing stays behind when a mail is refused half way")
    func refusal() throws {
        let store = CountingBlobStore()
        let mail = try fixture("broken-structure")
        var limits = MailLimits()
        limits.messageBytes = 10_000
        let error = #expect(throws: MailError.self) {
            try MailReader(limits: limits).read(MemoryReader(mail), into: store)
        }
        #expect(error?.code == .overLimit)
        #expect(store.stored == 0)
    }

    @Test("a full disk is said and may pass")
    func diskFull() throws {
        let mail = try fixture("names")
        let error = #expect(throws: MailError.self) {
            try MailReader().read(MemoryReader(mail), into: CountingBlobStore(failsToWrite: true))
        }
        #expect(error?.cause?.code == .diskFull)
        #expect(error?.isTransient == true)
    }

    @Test("what is no mail is refused", arguments: ["", "\n\n\n", "hello there", "\u{0}\u{1}\u{2}"])
    func noMail(_ text: String) {
        let error = #expect(throws: MailError.self) { try read(text) }
        #expect(error?.code == .notAMail)
        #expect(error?.isTransient == false)
    }

    @Test(
        "a mail is told from other files by its beginning",
        arguments: [
            ("Subject: x\n", true), ("   \n\nFrom a Mon\nA: b\n", true), ("{\"url\": \"https://a.b\"}", false),
            ("https://a.b/", false), ("hello", false), ("", false), ("--b\nContent-Disposition: x", false),
        ])
    func recognition(head: String, isMail: Bool) {
        #expect(MailReader.recognises(Array(head.utf8)) == isMail)
    }

    @Test("items over the limit are reported")
    func itemLimit() throws {
        var limits = MailLimits()
        limits.items = 2
        let store = CountingBlobStore()
        let pictures = try MailReader(limits: limits).read(MemoryReader(try fixture("names")), into: store)
        #expect(pictures.items.count == 2)
        #expect(pictures.skipped.count == 3)
        #expect(store.stored == 2)
        let links = try read("A: b\n\nhttps://a.b/1 https://a.b/2 https://a.b/3", limits: limits)
        #expect(links.itemLinks == ["https://a.b/1", "https://a.b/2"])
        #expect(links.skipped.map(\.name) == ["https://a.b/3"])
        #expect(links.links.count == 3)
        limits.links = 2
        let listed = try read("A: b\n\nhttps://a.b/1 https://a.b/2 https://a.b/3", limits: limits)
        #expect(listed.links.count == 2)
        #expect(listed.skipped.last?.reason == "more than 2 links; the rest is not listed")
    }

    @Test("a picture over the limit is reported with its size")
    func pictureLimit() throws {
        var limits = MailLimits()
        limits.pictureBytes = 2_000
        let content = try read(try fixture("bare-line-feeds"), limits: limits)
        #expect(content.items.isEmpty)
        #expect(content.skipped.first?.bytes == 2_056)
    }

    @Test("what the sender wanted and did not get is told from what nobody misses")
    func losses() throws {
        let gif = Array("GIF89a".utf8) + [40, 0, 30, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 40, 0, 30, 0, 0, 2, 1, 0, 0, 0x3B]
        let pixel = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0, 0, 0x3B]
        let cut =
            [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0, 90, 0, 0, 0, 90, 8, 2, 0, 0, 0, 1, 2, 3, 4]
        let parts: [(head: String, bytes: [UInt8])] = [
            ("Content-Type: image/gif; name=good.gif", gif), ("Content-Type: image/gif; name=again.gif", gif),
            ("Content-Type: image/png; name=cut.png", cut),
            ("Content-Type: image/jpeg; name=empty.jpg", []), ("Content-Type: image/webp; name=text.webp", [65, 66]),
            ("Content-Type: image/gif; name=pixel.gif\nContent-ID: <p>\nContent-Disposition: inline", pixel),
            ("Content-Type: application/pdf; name=paper.pdf", [1, 2]),
        ]
        var mail = Array("A: b\nContent-Type: multipart/mixed; boundary=x\n\n".utf8)
        for part in parts {
            mail += Array("--x\n\(part.head)\nContent-Transfer-Encoding: base64\n\n".utf8) + base64(part.bytes)
            mail.append(10)
        }
        let content = try read(mail + Array("--x--\n".utf8))
        #expect(content.images.map(\.name) == ["good.gif"])
        #expect(content.skipped.filter { $0.isLoss == true }.map(\.name) == ["cut.png", "empty.jpg", "text.webp"])
        #expect(Set(content.skipped.map(\.name)).isSuperset(of: ["again.gif", "pixel.gif", "paper.pdf"]))
    }

    @Test("text over the limit is cut and reported")
    func textLimit() throws {
        var limits = MailLimits()
        limits.textBytes = 20
        let content = try read("A: b\n\nhttps://a.b/1 and\nhttps://a.b/2", limits: limits)
        #expect(content.links == ["https://a.b/1"])
        #expect(content.skipped.count == 1)
    }

    @Test("a picture in base64 HTML of some megabytes is found, whatever the text limit is")
    func longDataLink() throws {
        let text = Array("A: b\nContent-Type: text/html\n\n<img src=\"data:image/gif;base64,".utf8)
        var gif = Array("GIF89a".utf8) + [40, 0, 30, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 40, 0, 30, 0, 0, 2]
        for _ in 0..<8_000 { gif += [255] + [UInt8](repeating: 7, count: 255) }
        gif += [0, 0x3B]
        let content = try read(text + base64(gif) + Array("\"><a href=\"https://a.b/c\">".utf8))
        #expect(content.images.map(\.bytes.count) == [gif.count])
        #expect(content.wishes.source == "https://a.b/c")
    }

    @Test("a data link whose head is too long is text, wherever the mail was cut")
    func longDataHead() throws {
        let head = "data:image/p" + String(repeating: "x", count: 150)
        let html = "<p>Drawn</p><img src=\"\(head)\(head)data:image/png;base64,AAAA\">"
        let mail = Array("A: b\nContent-Type: text/html\n\n\(html)".utf8)
        let whole = try MailReader().read(SlowReader(mail, piece: .max), into: MeasuringBlobStore())
        for piece in 1...60 {
            let cut = try MailReader().read(SlowReader(mail, piece: piece), into: MeasuringBlobStore())
            #expect(cut == whole, "in pieces of \(piece) bytes")
        }
    }

    @Test("a mail whose lines end with CR alone is read like any other")
    func carriageReturns() throws {
        let lines = [
            "Subject: Old", "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "https://a.b/1",
            "https://a.b/2", "--b", "Content-Type: text/plain; name=a.txt", "", "x", "--b--", "",
        ]
        let content = try read(lines.joined(separator: "\r"))
        #expect(content == (try read(lines.joined(separator: "\n"))))
        #expect(content.itemLinks == ["https://a.b/1", "https://a.b/2"])
    }

    @Test("links are listed as written, and pinned without the line breaks in them")
    func writtenLinks() throws {
        let content = try read("Content-Type: text/html\r\n\r\n<a href=\" https://a.b/1\r\n2 \">x</a>\r\n")
        #expect(content.links == ["https://a.b/1\r\n2"])
        #expect(content.itemLinks == ["https://a.b/12"])
    }

    @Test("what is encrypted says so")
    func encrypted() throws {
        let content = try read(
            """
            Content-Type: multipart/encrypted; boundary=b

            --b
            Content-Type: application/pgp-encrypted

            Version: 1
            --b
            Content-Type: application/octet-stream; name=encrypted.asc

            -----BEGIN PGP MESSAGE-----
            --b--
            """)
        #expect(content.skipped.map(\.reason) == ["encrypted; send it unencrypted", "encrypted; send it unencrypted"])
    }

    @Test("recipients are printed as the file has them, what the server noted first")
    func recipients() throws {
        let content = try read(
            "To: Pins <PINS+Tok@Example.org>, b@c.d\nCc: b@c.d\nDelivered-To: pins+tok@example.org\n\nx")
        #expect(content.recipients == ["pins+tok@example.org", "PINS+Tok@Example.org", "b@c.d"])
    }

    @Test("a text with a file name is the mail's text only where there is no other")
    func namedText() throws {
        let named = "Content-Type: text/plain; name=a.txt\n\nhttps://a.b/named\n"
        #expect(try read(named).itemLinks == ["https://a.b/named"])
        let both = try read(
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttps://a.b/text\n--b\n\(named)--b--")
        #expect(both.itemLinks == ["https://a.b/text"])
        #expect(both.skipped.map(\.name) == ["a.txt"])
    }

    @Test(
        "mails by programs are told from mails by people",
        arguments: [
            ("Auto-Submitted: auto-replied", "auto-submitted: auto-replied"), ("Auto-Submitted: no", nil),
            ("Precedence: bulk", "precedence"), ("List-Id: <a.b>", "list-id"), ("X-Autoreply: yes", "auto-reply"),
            ("From: MAILER-DAEMON@a.b", "bounce"), ("Content-Type: multipart/report; boundary=b", "multipart/report"),
            ("From: a@b.c", nil),
        ])
    func automation(field: String, reason: String?) throws {
        #expect(try read(field + "\n\nhttps://a.b/").automated == reason)
    }
}
