internal import PinpostCore

/// The form of a payload that carries files: `multipart/form-data` (RFC 7578).
struct MultipartPayload {
    private let parts: MultipartReader
    private let intake: Intake

    init(_ source: ByteSource, _ intake: Intake, boundary: String) {
        parts = MultipartReader(source, boundary: boundary, headLimit: intake.limits.partHead)
        self.intake = intake
    }

    func read() throws(HookError) -> Draft {
        var draft = Draft()
        var count = 0
        while let head = try parts.next() {
            count += 1
            guard count <= intake.limits.entries else {
                throw HookError(.tooLarge, "More than \(intake.limits.entries) parts.")
            }
            try read(head, into: &draft)
        }
        return draft
    }

    private func read(_ head: MultipartReader.Head, into draft: inout Draft) throws(HookError) {
        let field = head.disposition.parameters["name"].flatMap(Field.init(named:))
        let isDataURL = try parts.bodyBegins(with: "data:")
        if let name = head.disposition.fileName {
            draft.add(try file(named: name, isBase64: head.isBase64))
        } else if head.contentType.hasPrefix("image/") {
            draft.add(try file(named: nil, isBase64: head.isBase64))
        } else if field == .image || field?.isLink == true && isDataURL {
            draft.add(try base64())
        } else if let field {
            try draft.set(field, to: try text(in: head.charset))
        } else {
            try parts.body { _ in }
        }
    }

    /// Takes a part as a picture; its name is as sent, empty where a form was sent without choosing a file.
    private func file(named name: String?, isBase64: Bool) throws(HookError) -> FoundPart {
        guard !isBase64 else {
            return try base64().named(name.flatMap(FileName.clean))
        }
        let picture = intake.picture()
        var isEmpty = true
        try parts.body { run throws(HookError) in
            isEmpty = false
            try picture.write(run)
        }
        if isEmpty, name == "" {
            picture.discard()
            return .nothing
        }
        return try picture.finish(name: name.flatMap(FileName.clean))
    }

    private func base64() throws(HookError) -> FoundPart {
        var picture = PictureText(intake)
        try parts.body { run throws(HookError) in try picture.consume(run) }
        return try picture.finish()
    }

    /// Without a charset it is UTF-8, and what is not is replaced.
    private func text(in charset: String?) throws(HookError) -> String {
        var bytes: [UInt8] = []
        try parts.body { run throws(HookError) in
            try intake.budget.check(bytes.count + run.count)
            bytes.append(contentsOf: run)
        }
        try intake.budget.spend(bytes.count)
        return charset.map { Charset.decode(bytes, label: $0) } ?? String(decoding: bytes, as: UTF8.self)
    }
}
