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
}
