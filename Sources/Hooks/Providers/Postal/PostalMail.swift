internal import PinpostCore

/// A mail that Postal has taken apart, with its attachments in base64.
struct PostalMail {
    private struct Attachment {
        var name = ""
        var found = FoundPart.nothing
    }

    private var mail = InboundMail()
    /// By the place in the form's names; of JSON, in order.
    private var attachments: [(key: String, attachment: Attachment)] = []
    private let intake: Intake

    init(_ delivery: StoredDelivery, _ intake: Intake) throws(HookError) {
        self.intake = intake
        if case .json = try PayloadKind(contentType: delivery.contentType) {
            try delivery.members { key, json throws(HookError) in
                guard key == "attachments" else { return take(key, try json.text()) }
                try json.objects(atMost: intake.limits.entries, { attachments.append(("", Attachment())) }) {
                    field throws(HookError) in
                    switch field {
                    case "filename": attachments[attachments.count - 1].attachment.name = try json.text(upTo: 4_096)
                    case "data": attachments[attachments.count - 1].attachment.found = try json.base64Picture(intake)
                    default: try json.skip()
                    }
                }
            }
        } else {
            try delivery.formParts { name, part throws(HookError) in try takeField(name, part) }
        }
    }

    mutating func draft() -> Draft {
        for (_, attachment) in attachments { mail.add(attachment.found.named(FileName.clean(attachment.name))) }
        return mail.draft(discardingInto: intake)
    }

    private mutating func take(_ key: String, _ value: String) {
        switch key {
        case "subject": mail.subject = EncodedWords.decode(value)
        case "plain_body": mail.text = value
        case "html_body": mail.html = value
        case "auto_submitted": mail.autoSubmitted = value
        default: break
        }
    }

    /// `attachments[0][data]`.
    private mutating func takeField(_ name: String, _ part: FormPart) throws(HookError) {
        guard case .text(let bytes) = part else { return }
        let path = FieldPath.split(name)
        guard path.count == 3, path[0] == "attachments" else { return take(name, part.string ?? "") }
        let known = attachments.firstIndex { $0.key == path[1] }
        guard known != nil || attachments.count < intake.limits.entries else {
            throw HookError(.tooLarge, "Too many attachments.")
        }
        if known == nil { attachments.append((path[1], Attachment())) }
        let index = known ?? attachments.count - 1
        switch path[2] {
        case "filename": attachments[index].attachment.name = part.string ?? ""
        case "data":
            var picture = PictureText(intake)
            try bytes.lend { run throws(HookError) in try picture.consume(run) }
            let found = try picture.finish()
            if case .link = found { return }
            attachments[index].attachment.found = found
        default: break
        }
    }
}
