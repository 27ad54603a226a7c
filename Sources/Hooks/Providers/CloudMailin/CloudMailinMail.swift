internal import PinpostCore

/// A mail that CloudMailin has taken apart: JSON or multipart, with the attachments inside or as addresses of the
/// user's own storage, which anybody may read.
struct CloudMailinMail {
    private struct Attachment {
        var url = ""
        var name = ""
        var type = ""
        var disposition = ""
        var contentID = ""
        var found: FoundPart?

        mutating func set(_ field: String, to value: String) {
            switch field {
            case "url": url = value
            case "file_name", "filename": name = value
            case "content_type": type = value
            case "disposition": disposition = value
            case "content_id": contentID = value
            default: break
            }
        }
    }

    private var mail = InboundMail()
    /// By their place, in the order in which they came.
    private var attachments: [(key: String, attachment: Attachment)] = []
    private let intake: Intake

    init(_ delivery: StoredDelivery, _ intake: Intake) throws(HookError) {
        self.intake = intake
        if case .json = try PayloadKind(contentType: delivery.contentType) {
            try delivery.members { key, json throws(HookError) in try take(key, json) }
        } else {
            try delivery.formParts { name, part throws(HookError) in try take(FieldPath.split(name), part) }
        }
    }

    mutating func draft() -> Draft {
        for (_, attachment) in attachments {
            let name = FileName.clean(attachment.name)
            let isInline = attachment.disposition.lowercased().hasPrefix("inline") || !attachment.contentID.isEmpty
            if let found = attachment.found {
                mail.add(found.named(name), isInline: isInline)
            } else if attachment.url.isEmpty {
                continue
            } else if MediaKind.mayBePicture(type: attachment.type, name: name) {
                mail.add(.link(attachment.url))
            } else {
                mail.add(.skipped(MediaKind.skipped(name: name, type: attachment.type)))
            }
        }
        return mail.draft(discardingInto: intake)
    }

    // MARK: - JSON

    private mutating func take(_ key: String, _ json: JSONReader) throws(HookError) {
        switch key {
        case "plain": mail.text = try json.text()
        case "html": mail.html = try json.text()
        case "reply_plain": mail.ownText = try json.text()
        case "headers":
            guard try json.kind() == .object else { return try json.skip() }
            try json.members { name throws(HookError) in take(header: name, try json.scalar(upTo: 64 << 10)) }
        case "attachments":
            guard try json.kind() == .array else { return try json.skip() }
            try json.objects(atMost: intake.limits.entries, { attachments.append(("", Attachment())) }) {
                field throws(HookError) in
                if field == "content" {
                    attachments[attachments.count - 1].attachment.found = try json.base64Picture(intake)
                } else {
                    attachments[attachments.count - 1].attachment.set(field, to: try json.scalar())
                }
            }
        default: try json.skip()
        }
    }

    // MARK: - Forms

    private mutating func take(_ path: [String], _ part: FormPart) throws(HookError) {
        let rest = path.dropFirst()
        switch (path.first ?? "", part) {
        case ("plain", .text): mail.text = part.string ?? ""
        case ("html", .text): mail.html = part.string ?? ""
        case ("reply_plain", .text): mail.ownText = part.string ?? ""
        case ("headers", .text): take(header: rest.first ?? "", part.string ?? "")
        case ("subject", .text): mail.subject = part.string ?? ""
        case ("attachments", .file(let name, _, let body)):
            let key = rest.first ?? ""
            try add(try body.picture(named: name, into: intake), at: key)
        case ("attachments", .text):
            let index = try index(of: rest.first ?? "")
            attachments[index].attachment.set(rest.dropFirst().first ?? "", to: part.string ?? "")
        default: break
        }
    }

    private mutating func add(_ found: FoundPart, at key: String) throws(HookError) {
        // `attachments[]` names no place.
        if key.isEmpty { attachments.append(("", Attachment())) }
        let index = key.isEmpty ? attachments.count - 1 : try index(of: key)
        attachments[index].attachment.found = found
    }

    private mutating func index(of key: String) throws(HookError) -> Int {
        if let index = attachments.firstIndex(where: { $0.key == key && !key.isEmpty }) { return index }
        guard attachments.count < intake.limits.entries else { throw HookError(.tooLarge, "Too many attachments.") }
        attachments.append((key, Attachment()))
        return attachments.count - 1
    }

    private mutating func take(header name: String, _ value: String) {
        switch Self.headerName(name) {
        case "subject": mail.subject = EncodedWords.decode(value)
        case "auto_submitted": mail.autoSubmitted = value
        default: break
        }
    }

    /// The normalized formats write `message_id`, the older ones `Message-ID`.
    static func headerName(_ name: String) -> String { String(name.lowercased().map { $0 == "-" ? "_" : $0 }) }
}
