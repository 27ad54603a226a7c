internal import PinpostCore

extension JSONReader {
    /// A text of any length, of which so much is kept, in bytes; other values are skipped and count as none.
    func text(upTo limit: Int = InboundMail.longestText) throws(HookError) -> String {
        guard try kind() == .string else {
            try skip()
            return ""
        }
        var bytes: [UInt8] = []
        try string { run in bytes.append(contentsOf: run.prefix(max(limit - bytes.count, 0))) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Text, or a number as written; other values are skipped and count as none.
    func scalar(upTo limit: Int = 4_096) throws(HookError) -> String {
        switch try kind() {
        case .number, .flag: return try literal()
        default: return try text(upTo: limit)
        }
    }

    /// The elements of an array, each a JSON object of which `member` has to take the values; others are skipped.
    func objects(
        atMost limit: Int, _ begin: () -> Void, member: (String) throws(HookError) -> Void
    ) throws(HookError) {
        guard try kind() == .array else { return try skip() }
        var count = 0
        try elements { () throws(HookError) in
            guard try kind() == .object else { return try skip() }
            count += 1
            guard count <= limit else { throw HookError(.tooLarge, "More than \(limit) entries.") }
            begin()
            try members(member)
        }
    }

    /// A picture in base64, or why it is none; links are no pictures here.
    func base64Picture(_ intake: Intake) throws(HookError) -> FoundPart {
        guard try kind() == .string else {
            try skip()
            return .nothing
        }
        var picture = PictureText(intake)
        try string { run throws(HookError) in try picture.consume(run) }
        let found = try picture.finish()
        guard case .link = found else { return found }
        return .skipped(SkippedPart(.file, name: nil, reason: "not a picture"))
    }
}
