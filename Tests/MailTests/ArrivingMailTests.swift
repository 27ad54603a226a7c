import Cryptography
import PinpostCore
import Testing

@testable import Mail

@Suite("An arriving mail")
struct ArrivingMailTests {
    @Test("has the same key where the writer hashes what is behind its header", arguments: [1, 3, .max])
    func sections(_ pieces: Int) throws {
        let mails = [
            ("Message-ID: <x@y>\r\n\r\nbody", true), ("Message-ID: <x@y>\n\n", true), ("Subject: a\n\nbody", true),
            ("Message-ID: <x@y>", false), ("Message-ID: <x@y>\n\na\nb\r\n\r\n\r", true),
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
            var fingerprint = MailFingerprint()
            fingerprint.update(Array(mail.utf8))
            #expect(arriving.keys(for: ["a"]) == [fingerprint.key(for: "a")])
            #expect(writer.bytes == Array(mail.utf8))
            #expect((writer.sectionDigest != nil) == isSectioned)
        }
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

    func finish() -> StoredBytes {
        var text = TextHash()
        if let start { text.update(Array(bytes[start...])) }
        sectionDigest = start.map { _ in text.finish() }
        return StoredBytes(place: .inline(bytes), count: bytes.count, sha256: [])
    }

    func discard() {}
}
