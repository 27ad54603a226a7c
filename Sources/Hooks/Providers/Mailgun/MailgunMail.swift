internal import PinpostCore

/// A mail that Mailgun has taken apart, with its attachments as files or as addresses.
struct MailgunMail {
    private var mail = InboundMail()
    /// The attachments that the text shows: names of fields or addresses.
    private var inline: Set<String> = []
    private var files: [(field: String, part: FoundPart)] = []
    private var stored: [StoredAttachment] = []
    private let hook: Hook.ID
    private let intake: Intake

    private struct StoredAttachment {
        var url = ""
        var name = ""
        var type = ""
        var count: Int?
    }

    init(_ delivery: StoredDelivery, _ intake: Intake) throws(HookError) {
        hook = delivery.hook
        self.intake = intake
        try delivery.formParts { name, part throws(HookError) in try take(name, part, intake) }
    }

    consuming func draft() -> Draft {
        // The map may come behind the files.
        for (field, part) in files { mail.add(part, isInline: inline.contains(field)) }
        for file in stored {
            let isPicture = MediaKind.mayBePicture(type: file.type, name: file.name)
            let name = FileName.clean(file.name)
            guard isPicture else {
                mail.add(.skipped(MediaKind.skipped(name: name, type: file.type, count: file.count)))
                continue
            }
            let media = MediaReference(hook: hook, file: file.url, name: name, type: file.type, count: file.count)
            mail.add(media, isInline: inline.contains(file.url))
        }
        return mail.draft(discardingInto: intake)
    }

    private mutating func take(_ name: String, _ part: FormPart, _ intake: Intake) throws(HookError) {
        if case .file(let file, _, let body) = part {
            files.append((name, try body.picture(named: file, into: intake)))
            return
        }
        guard case .text(let bytes) = part, let text = part.string else { return }
        switch name {
        case "subject": mail.subject = text
        case "Subject" where mail.subject.isEmpty: mail.subject = text
        case "body-plain": mail.text = text
        case "stripped-text": mail.ownText = text
        case "body-html": mail.html = text
        case "Auto-Submitted": mail.autoSubmitted = text
        case "content-id-map": readInline(bytes)
        case "attachments": readStored(bytes)
        default: break
        }
    }

    /// `{"<ii_1>": "attachment-2"}`; keys may be empty or there twice, and it may be no JSON at all.
    private mutating func readInline(_ bytes: [UInt8]) {
        let reader = try? JSONReader(
            ByteSource(BodyReader(bytes), limit: bytes.count), budget: TextBudget(HookLimits()), deepest: 4)
        guard let reader, (try? reader.kind()) == .object else { return }
        var found: Set<String> = []
        try? reader.members { _ throws(HookError) in found.insert(try reader.text(upTo: 4_096)) }
        inline.formUnion(found)
    }

    /// What is no list in JSON names no attachment; the mail's words count all the same.
    private mutating func readStored(_ bytes: [UInt8]) {
        let source = ByteSource(BodyReader(bytes), limit: bytes.count)
        guard let tree = try? JSONTree(reading: source, limits: HookLimits()) else { return }
        stored = tree.elements.compactMap { element in
            guard let url = element["url"]?.text else { return nil }
            return StoredAttachment(
                url: url, name: element["name"]?.text ?? "", type: element["content-type"]?.text ?? "",
                count: element["size"]?.int)
        }
    }
}
