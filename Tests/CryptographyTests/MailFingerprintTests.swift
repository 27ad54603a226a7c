import Testing

@testable import Cryptography

@Suite("Mail fingerprint")
struct MailFingerprintTests {
    private func key(_ mail: String, for address: String = "a", pieces: Int = .max) -> [UInt8] {
        var fingerprint = MailFingerprint()
        var rest = Array(mail.utf8)[...]
        while !rest.isEmpty {
            fingerprint.update(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return fingerprint.key(for: address)
    }

    @Test(
        "does not depend on trace fields, line ends of the header, or how the mail is cut",
        arguments: [1, 2, 3, 7, .max])
    func stable(_ pieces: Int) {
        let plain = key("Message-ID: <x@y>\n\nbody")
        #expect(key("Received: z\nMessage-ID: <x@y>\n\nbody", pieces: pieces) == plain)
        #expect(key("Received: z\r\nmessage-id:\r\n <x@y>\r\n\r\nbody", pieces: pieces) == plain)
    }

    @Test("depends on address, id and content")
    func differs() {
        let plain = key("Message-ID: <x@y>\n\nbody")
        #expect(key("Message-ID: <x@y>\n\nbody", for: "b") != plain)
        #expect(key("Message-ID: <z@y>\n\nbody") != plain)
        #expect(key("Message-ID: <x@y>\n\nbodies") != plain)
    }

    @Test(
        "two mails with one Message-ID are two where anything differs that decides what is pinned",
        arguments: ["Subject: b", "From: c@d", "Date: Mon", "Content-Type: image/png", "Message-ID: <z@y>"])
    func sharedID(_ field: String) {
        let fields = ["Message-ID: <x@y>", "From: a@b", "Subject: a", "Date: Sun", "Content-Type: text/plain"]
        let name = field.prefix { $0 != ":" }
        let others = fields.map { $0.hasPrefix(name) ? field : $0 }
        let mails = [fields, others].map { $0.joined(separator: "\n") + "\n\nbody" }
        #expect(key(mails[0]) != key(mails[1]))
    }

    @Test("a mail that comes again another way is the same one")
    func otherWay() {
        let first = "Received: a\nX-Spam: 1\nSubject: a long one\nMessage-Id: <x@y>\n\nbody"
        let second = "Delivered-To: b\r\nmessage-ID: <x@y>\r\nSubject: a\r\n long one\r\n\r\nbody"
        #expect(key(first) == key(second))
    }

    @Test("without Message-ID the Date has to do; a mail with neither counts as a whole")
    func withoutID() {
        #expect(key("Received: a\nDate: Sun\n\nbody") == key("Received: b\nDate: Sun\n\nbody"))
        #expect(key("Date: Mon\n\nbody") != key("Date: Sun\n\nbody"))
        #expect(key("Received: a\nMessage-ID:\n\nbody") != key("Received: b\nMessage-ID:\n\nbody"))
        #expect(key("Subject: a\n\nbody") != key("Subject: b\n\nbody"))
        #expect(key("Subject: a\n\nbody", pieces: 2) == key("Subject: a\n\nbody"))
    }

    @Test(
        "a mail that comes once over IMAP and once through a pipe is one mail",
        arguments: [
            "Message-ID: <x@y>\nSubject: a\n long one\n\nbody\n\nmore", "Date: Sun\n\n\nbody",
            "Subject: a\nFrom: b\n\nbody",
            "Message-ID: <x@y>\n\n", "Message-ID: <x@y>", "Subject: a",
        ], [1, 2, 5, .max])
    func lineEnds(_ mail: String, _ pieces: Int) {
        let plain = key(mail)
        for end in ["", "\n", "\n\n\n"] {
            let whole = mail + end
            #expect(key(whole, pieces: pieces) == plain)
            #expect(key(whole.replacing("\n", with: "\r\n"), pieces: pieces) == plain)
        }
    }

    @Test("a mail in wait keeps its header alone, whatever piece it came in")
    func keepsTheHeader() {
        let header = "Message-ID: <x@y>\n\n"
        var fingerprint = MailFingerprint()
        fingerprint.update(Array((header + String(repeating: "body ", count: 20_000)).utf8))
        #expect(fingerprint.header == Array(header.utf8))
        #expect(fingerprint.header.capacity < 8 << 10)
    }

    @Test("a header without end does not make the key depend on how the mail is cut", arguments: [1_000, 70_001])
    func endlessHeader(_ pieces: Int) {
        let mail = "Message-ID: <x@y>\n" + String(repeating: "X-Line: and on it goes\n", count: 15_000)
        #expect(key(mail, pieces: pieces) == key(mail))
    }
}
