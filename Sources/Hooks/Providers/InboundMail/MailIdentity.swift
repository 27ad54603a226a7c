internal import Cryptography

/// What makes a mail that a service posts the same one when it posts it again: its recipient and what
/// `MailFingerprint` knows a mail by.
///
/// Texts and files of a mail that was taken apart count in the order in which they came, not how the request frames
/// them: a second attempt has another boundary, another signature and other marks about spam.
final class MailIdentity {
    private var mail = MailFingerprint()
    private var content = PartsDigest()
    private var header: [UInt8] = []

    /// Takes fields of the mail's header as they stand in it; they may come in several calls.
    func add(header bytes: some Collection<UInt8>) {
        guard header.count < MailFingerprint.headerLimit else { return }
        // An empty line ends the header: none may come from a service's field.
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) { header += Array(line) + [0x0A] }
    }

    func add(field name: String, _ value: String) {
        add(header: Array("\(name): ".utf8) + value.utf8.map { $0 < 0x20 ? 0x20 : $0 })
    }

    /// Takes a text or a file of the mail.
    func add(_ name: String, _ bytes: [UInt8]) {
        content.add([name], bytes: bytes)
    }

    /// Takes a file of the mail, the bytes of which `stream` hands over.
    func add(
        _ name: String, _ stream: (ProviderRequest.MailConsumer) throws(HookError) -> Void
    ) throws(HookError) {
        try content.add([name], stream)
    }

    /// By what a repeat for this recipient is recognised; nil for a mail without header, which nothing tells apart.
    func id(for recipient: String?) -> String? {
        guard !header.isEmpty else { return nil }
        mail.update(header + [0x0A])
        return mail.id(for: recipient, content: SHA256.hash(content.finish()))
    }
}

extension MailFingerprint {
    /// By what a repeat of the raw mail for this recipient is recognised.
    mutating func id(for recipient: String?, content known: [UInt8]? = nil) -> String {
        keys(for: [recipient ?? ""], content: known)[0].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
    }
}

extension JSONReader {
    /// Takes a value of any kind as a part of the mail, without the members of these names.
    func add(_ name: String, to identity: MailIdentity, without ignored: Set<String> = []) throws(HookError) {
        switch try kind() {
        case .object:
            try members { key throws(HookError) in
                guard !ignored.contains(key) else { return try self.skip() }
                try self.add("\(name).\(key)", to: identity, without: ignored)
            }
        case .array: try elements { () throws(HookError) in try self.add(name, to: identity, without: ignored) }
        case .string: try identity.add(name) { consume throws(HookError) in try self.string(consume) }
        case .number, .flag, .null: identity.add(name, Array(try literal().utf8))
        }
    }
}
