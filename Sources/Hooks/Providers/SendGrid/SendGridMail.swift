internal import PinpostCore

/// A mail that SendGrid has taken apart: each text in a charset of its own, which a further field names.
struct SendGridMail {
    private var texts: [String: [UInt8]] = [:]
    private var files: [(field: String, part: FoundPart)] = []
    private let intake: Intake

    init(_ delivery: StoredDelivery, _ intake: Intake) throws(HookError) {
        self.intake = intake
        try delivery.formParts { name, part throws(HookError) in
            switch part {
            case .text(let bytes): texts[name] = texts[name] ?? bytes
            case .file(let file, _, let body): files.append((name, try body.picture(named: file, into: intake)))
            }
        }
    }

    func draft() -> Draft {
        var mail = InboundMail()
        let charsets = object("charsets")
        mail.subject = EncodedWords.decode(text("subject", charsets))
        mail.text = text("text", charsets)
        mail.html = text("html", charsets)
        mail.autoSubmitted = RawHeader(texts["headers"] ?? []).value(of: "Auto-Submitted") ?? ""
        let info = object("attachment-info")
        let inline = Set(object("content-ids")?.members.values.compactMap(\.text) ?? [])
        for (field, part) in files {
            let about = info?[field]
            let isInline = inline.contains(field) || about?["content-id"]?.text != nil
            mail.add(part.named(about?["filename"]?.text.flatMap(FileName.clean)), isInline: isInline)
        }
        return mail.draft(discardingInto: intake)
    }

    private func text(_ name: String, _ charsets: JSONTree?) -> String {
        Charset.decode(texts[name] ?? [], label: charsets?[name]?.text)
    }

    /// A field in JSON; `dkim` and others only look like it, and nobody asks for those.
    private func object(_ name: String) -> JSONTree? {
        guard let bytes = texts[name] else { return nil }
        return try? JSONTree(reading: ByteSource(BodyReader(bytes), limit: bytes.count), limits: HookLimits())
    }
}
