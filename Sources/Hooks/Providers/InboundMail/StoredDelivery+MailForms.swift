internal import PinpostCore

/// What a service sends under one name of a form.
enum FormPart {
    /// At most `InboundMail.longestText` bytes of it.
    case text([UInt8])
    /// The name is as sent; empty where it was lost on the way.
    case file(name: String, type: String, PartBody)

    /// The text where it is UTF-8, with what is not replaced.
    var string: String? {
        guard case .text(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StoredDelivery {
    /// The fields of a form of either kind, in order.
    func formParts(_ visit: (String, FormPart) throws(HookError) -> Void) throws(HookError) {
        switch try PayloadKind(contentType: contentType) {
        case .multipart:
            try parts { head, body throws(HookError) in
                let name = head.disposition.parameters["name"] ?? ""
                if let file = head.disposition.fileName {
                    try visit(name, .file(name: file, type: head.contentType, body))
                } else {
                    try visit(name, .text(try body.bytes(upTo: InboundMail.longestText)))
                }
            }
        case .form:
            var count = 0
            for field in FormFields(try bytes()) {
                count += 1
                guard count <= limits.entries else { throw HookError(.tooLarge, "Too many fields.") }
                try visit(String(decoding: field.name, as: UTF8.self), .text(field.value))
            }
        default: throw HookError(.unsupportedType, "A form of either kind is expected.")
        }
    }

    /// The members of a JSON object in order; `visit` has to take each value.
    func members(_ visit: (String, JSONReader) throws(HookError) -> Void) throws(HookError) {
        // Texts are cut, not refused: `JSONReader.text(upTo:)`.
        let json = try JSONReader(try source(), budget: TextBudget(limits), deepest: limits.depth)
        guard try json.kind() == .object else { throw HookError(.malformed, "The body has to be a JSON object.") }
        var seen: Set<String> = []
        try json.members { key throws(HookError) in
            // Parsers differ in which of two equal keys counts: neither does.
            guard seen.insert(key).inserted else { throw json.failure("A key is there twice.") }
            try visit(key, json)
        }
        try json.finish()
    }

    /// As much of the body as the header of a mail may be long.
    func beginning() throws(HookError) -> [UInt8] { try source().prefix(RawHeader.longest) }

    /// Hands over the first field of these names in a form, however large it is; throws `.malformed` without one.
    func cut(field names: Set<String>, _ consume: ProviderRequest.MailConsumer) throws(HookError) {
        var isFound = false
        switch try PayloadKind(contentType: contentType) {
        case .multipart:
            try parts { head, body throws(HookError) in
                guard !isFound, let name = head.disposition.parameters["name"], names.contains(name) else { return }
                isFound = true
                try body.stream(consume)
            }
        default:
            for field in FormFields(try bytes()) where !isFound {
                guard names.contains(String(decoding: field.name, as: UTF8.self)) else { continue }
                isFound = true
                try field.value.lend(consume)
            }
        }
        guard isFound else { throw HookError(.malformed, "The mail is not where it was.") }
    }

    /// Hands over the text of a member at the top of a JSON object, decoded where it is base64.
    func cut(
        member name: String, isBase64: Bool, _ consume: ProviderRequest.MailConsumer
    ) throws(HookError) {
        var isFound = false
        try members { key, json throws(HookError) in
            guard key == name, !isFound, try json.kind() == .string else { return try json.skip() }
            isFound = true
            guard isBase64 else { return try json.string(consume) }
            var decoder = Base64Decoder()
            var bytes: [UInt8] = []
            try json.string { run throws(HookError) in
                bytes.removeAll(keepingCapacity: true)
                decoder.decode(run, into: &bytes)
                try bytes.lend(consume)
            }
            bytes.removeAll()
            decoder.finish(into: &bytes)
            try bytes.lend(consume)
            guard decoder.isValid else { throw HookError(.malformed, "The mail is not base64.") }
        }
        guard isFound else { throw HookError(.malformed, "The mail is not where it was.") }
    }
}

extension PartBody {
    /// The beginning of the part; the rest is skipped.
    func bytes(upTo limit: Int) throws(HookError) -> [UInt8] {
        var bytes: [UInt8] = []
        try stream { run in bytes.append(contentsOf: run.prefix(max(limit - bytes.count, 0))) }
        return bytes
    }

    /// The part as a picture, or why it is none; nothing for a file without name and content.
    func picture(named name: String, into intake: Intake) throws(HookError) -> FoundPart {
        let picture = intake.picture()
        var isEmpty = true
        try stream { run throws(HookError) in
            isEmpty = false
            try picture.write(run)
        }
        if isEmpty, name.isEmpty {
            picture.discard()
            return .nothing
        }
        return try picture.finish(name: FileName.clean(name))
    }
}
