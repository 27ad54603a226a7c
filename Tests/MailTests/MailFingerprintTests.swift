import PinpostCore
import Testing

@testable import Mail

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

    @Test("is the same where the writer hashes what is behind the header", arguments: [1, 3, .max])
    func sections(_ pieces: Int) throws {
        let mails = [
            ("Message-ID: <x@y>\r\n\r\nbody", true), ("Message-ID: <x@y>\n\n", true),
            ("Subject: a\n\nbody", false), ("Message-ID: <x@y>", false),
        ]
        for (mail, isSectioned) in mails {
            let writer = SectionWriter()
            let arriving = ArrivingMail(writer)
            var rest = Array(mail.utf8)[...]
            while !rest.isEmpty {
                try arriving.take(Array(rest.prefix(pieces)))
                rest = rest.dropFirst(pieces)
            }
            _ = try arriving.finish()
            #expect(arriving.keys(for: ["a"]) == [key(mail)])
            #expect(writer.bytes == Array(mail.utf8))
            #expect((writer.sectionDigest != nil) == isSectioned)
        }
    }

    @Test("depends on address, id and content")
    func differs() {
        let plain = key("Message-ID: <x@y>\n\nbody")
        #expect(key("Message-ID: <x@y>\n\nbody", for: "b") != plain)
        #expect(key("Message-ID: <z@y>\n\nbody") != plain)
        #expect(key("Message-ID: <x@y>\n\nbodies") != plain)
    }

    @Test("takes a mail without Message-ID as a whole")
    func withoutID() {
        #expect(key("Subject: a\n\nbody") != key("Subject: b\n\nbody"))
        #expect(key("Subject: a\n\nbody", pieces: 2) == key("Subject: a\n\nbody"))
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

/// Hashes the second section as a spool does.
private final class SectionWriter: BlobWriter {
    private(set) var bytes: [UInt8] = []
    private var start: Int?
    private(set) var sectionDigest: [UInt8]?

    func write(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }

    func beginSection() -> Bool {
        start = bytes.count
        return true
    }

    func finish() throws(StoreError) -> StoredBytes {
        if let start { sectionDigest = try MeasuringBlobStore().store(Array(bytes[start...])).sha256 }
        return StoredBytes(place: .inline(bytes), count: bytes.count, sha256: [])
    }

    func discard() {}
}
