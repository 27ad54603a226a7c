/// The form of a payload that browsers and `curl -d` send: `application/x-www-form-urlencoded` (WHATWG URL section 5).
struct FormPayload {
    private let source: ByteSource
    private let intake: Intake

    init(_ source: ByteSource, _ intake: Intake) {
        self.source = source
        self.intake = intake
    }

    func read() throws(HookError) -> Draft {
        var draft = Draft()
        var fields = 0
        while try source.peek() != nil {
            fields += 1
            guard fields <= intake.limits.entries else {
                throw HookError(.tooLarge, "More than \(intake.limits.entries) form fields.")
            }
            try readField(into: &draft)
        }
        return draft
    }

    private func readField(into draft: inout Draft) throws(HookError) {
        let field = Field(named: try text(isName: true))
        if try source.peek() == UInt8(ascii: "=") { _ = try source.next() }
        let isDataURL = try beginsDataURL()
        switch field {
        case nil: try component(isName: false, plusIsSpace: true) { _ in }
        case .some(let field) where field == .image || field.isLink && isDataURL:
            var picture = PictureText(intake)
            // Many clients forget to escape the plus signs of base64.
            try component(isName: false, plusIsSpace: false) { run throws(HookError) in try picture.consume(run) }
            draft.add(try picture.finish())
        case .some(let field): try draft.set(field, to: try text(isName: false))
        }
        if try source.peek() == UInt8(ascii: "&") { _ = try source.next() }
    }

    private func beginsDataURL() throws(HookError) -> Bool {
        let start = String(decoding: try source.prefix(7), as: UTF8.self).lowercased()
        return start.hasPrefix("data:") || start == "data%3a"
    }

    private func text(isName: Bool) throws(HookError) -> String {
        var bytes: [UInt8] = []
        try component(isName: isName, plusIsSpace: true) { run throws(HookError) in
            try intake.budget.check(bytes.count + run.count)
            bytes.append(contentsOf: run)
        }
        try intake.budget.spend(bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A name up to `=` or `&`, a value up to `&`, decoded; a percent sign without two digits stands for itself.
    private func component(
        isName: Bool, plusIsSpace: Bool, _ consume: (UnsafeRawBufferPointer) throws(HookError) -> Void
    ) throws(HookError) {
        while true {
            try source.run(
                until: { byte in
                    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "%") || isName && byte == UInt8(ascii: "=")
                        || plusIsSpace && byte == UInt8(ascii: "+")
                }, consume)
            switch try source.peek() {
            case UInt8(ascii: "%"): try [escaped()].lend(consume)
            case UInt8(ascii: "+"):
                _ = try source.next()
                try [UInt8(ascii: " ")].lend(consume)
            default: return
            }
        }
    }

    private func escaped() throws(HookError) -> UInt8 {
        let bytes = try source.prefix(3)
        _ = try source.next()
        guard bytes.count == 3, let high = bytes[1].hexDigitValue, let low = bytes[2].hexDigitValue else {
            return UInt8(ascii: "%")
        }
        _ = try source.next()
        _ = try source.next()
        return high << 4 | low
    }
}
