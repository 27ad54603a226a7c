internal import PinpostCore

/// A mail that Postmark has taken apart, with its attachments in base64.
enum PostmarkMail {
    private struct Attachment {
        var name = ""
        var contentID = ""
        var found = FoundPart.nothing
    }

    static func draft(of delivery: StoredDelivery, _ intake: Intake) throws(HookError) -> Draft {
        var mail = InboundMail()
        var attachments: [Attachment] = []
        try delivery.members { key, json throws(HookError) in
            switch key {
            case "Subject": mail.subject = try json.text()
            case "TextBody": mail.text = try json.text()
            case "StrippedTextReply": mail.ownText = try json.text()
            case "HtmlBody": mail.html = try json.text()
            case "Headers": mail.autoSubmitted = try autoSubmitted(json)
            case "Attachments": attachments = try read(json, intake)
            default: try json.skip()
            }
        }
        for attachment in attachments {
            mail.add(attachment.found.named(FileName.clean(attachment.name)), isInline: !attachment.contentID.isEmpty)
        }
        return mail.draft(discardingInto: intake)
    }

    private static func read(_ json: JSONReader, _ intake: Intake) throws(HookError) -> [Attachment] {
        var attachments: [Attachment] = []
        try json.objects(atMost: intake.limits.entries, { attachments.append(Attachment()) }) { key throws(HookError) in
            switch key {
            case "Name": attachments[attachments.count - 1].name = try json.text(upTo: 4_096)
            case "ContentID": attachments[attachments.count - 1].contentID = try json.text(upTo: 4_096)
            // The test button of the web page calls it otherwise.
            case "Content", "Data": attachments[attachments.count - 1].found = try json.base64Picture(intake)
            default: try json.skip()
            }
        }
        return attachments
    }

    private static func autoSubmitted(_ json: JSONReader) throws(HookError) -> String {
        var fields: [(name: String, value: String)] = []
        try json.objects(atMost: 1_000, { fields.append(("", "")) }) { key throws(HookError) in
            switch key {
            case "Name": fields[fields.count - 1].name = try json.text(upTo: 256)
            case "Value": fields[fields.count - 1].value = try json.text(upTo: 256)
            default: try json.skip()
            }
        }
        return fields.first { $0.name.lowercased() == "auto-submitted" }?.value ?? ""
    }
}
