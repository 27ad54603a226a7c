/// Reads JSON (RFC 8259) piece by piece, in the order of the text, without a tree.
///
/// Strict where parsers differ: no trailing commas, no comments, no NUL, no invalid UTF-8; a byte order mark is
/// skipped, a lone surrogate becomes U+FFFD, a number of any size is read as text. The caller looks at `kind`, then
/// takes or skips the value.
final class JSONReader {
    enum Kind {
        case object, array, string, number, flag, null
    }

    private let source: ByteSource
    private let budget: TextBudget
    private let deepest: Int
    private var depth = 0

    init(_ source: ByteSource, budget: TextBudget, deepest: Int) throws(HookError) {
        self.source = source
        self.budget = budget
        self.deepest = deepest
        try source.skipByteOrderMark()
    }

    func failure(_ detail: String) -> HookError { HookError(.malformed, detail, at: source.position) }

    /// What comes next; nothing is taken but white space.
    func kind() throws(HookError) -> Kind {
        switch try nextByte() {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag
        case UInt8(ascii: "n"): return .null
        case nil: throw failure("The JSON ends too early.")
        default: throw failure("A JSON value is expected here.")
        }
    }

    /// Takes an object; `member` has to take the value of each key.
    func members(_ member: (String) throws(HookError) -> Void) throws(HookError) {
        try open(UInt8(ascii: "{"))
        var isFirst = true
        while try !closes(UInt8(ascii: "}"), isFirst: isFirst) {
            isFirst = false
            guard try nextByte() == UInt8(ascii: "\"") else { throw failure("A key in quotes is expected here.") }
            let key = try string()
            try expect(UInt8(ascii: ":"), "A colon is expected here.")
            try member(key)
        }
    }

    /// Takes an array; `element` has to take each value.
    func elements(_ element: () throws(HookError) -> Void) throws(HookError) {
        try open(UInt8(ascii: "["))
        var isFirst = true
        while try !closes(UInt8(ascii: "]"), isFirst: isFirst) {
            isFirst = false
            try element()
        }
    }

    /// Takes a value of any kind and forgets it.
    func skip() throws(HookError) {
        switch try kind() {
        case .object: try members { _ throws(HookError) in try self.skip() }
        case .array: try elements { () throws(HookError) in try self.skip() }
        case .string: try string { _ in }
        case .number, .flag, .null: _ = try literal()
        }
    }

    /// Nothing may follow.
    func finish() throws(HookError) {
        guard try nextByte() == nil else { throw failure("There is more after the end of the JSON.") }
    }

    // MARK: - Structure

    private func open(_ bracket: UInt8) throws(HookError) {
        depth += 1
        guard depth <= deepest else { throw failure("More than \(deepest) levels of objects and arrays.") }
        try expect(bracket, "A bracket is expected here.")
    }

    private func closes(_ bracket: UInt8, isFirst: Bool) throws(HookError) -> Bool {
        if try nextByte() == bracket {
            _ = try source.next()
            depth -= 1
            return true
        }
        if isFirst { return false }
        try expect(UInt8(ascii: ","), "A comma or a closing bracket is expected here.")
        guard try nextByte() != bracket else { throw failure("A comma must not stand before a closing bracket.") }
        return false
    }

    private func nextByte() throws(HookError) -> UInt8? {
        while let byte = try source.peek(), byte.isJSONSpace { _ = try source.next() }
        return try source.peek()
    }

    private func expect(_ byte: UInt8, _ complaint: String) throws(HookError) {
        guard let next = try nextByte() else { throw failure("The JSON ends too early.") }
        guard next == byte else { throw failure(complaint) }
        _ = try source.next()
    }

    // MARK: - Scalars

    /// A number as written, `true`, `false` or `null`.
    func literal() throws(HookError) -> String {
        var bytes: [UInt8] = []
        while let byte = try source.peek(), !byte.endsJSONLiteral {
            if bytes.count == 1_024 { throw failure("A number is over 1,024 characters.") }
            bytes.append(byte)
            _ = try source.next()
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text == "true" || text == "false" || text == "null" || JSONNumber.isValid(bytes) else {
            throw failure("This is neither a number nor true, false or null.")
        }
        return text
    }

    /// Whether the string that comes next begins with this, as written; nothing is taken.
    func stringBegins(with start: String) throws(HookError) -> Bool {
        try source.prefix(start.utf8.count + 1).dropFirst().elementsEqual(start.utf8)
    }

    /// A string; `.tooLarge` when it does not fit into the budget of text.
    func string() throws(HookError) -> String {
        var bytes: [UInt8] = []
        try string { run throws(HookError) in
            try budget.check(bytes.count + run.count)
            bytes.append(contentsOf: run)
        }
        try budget.spend(bytes.count)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("This text is not UTF-8.") }
        return text
    }

    /// A string of any length, decoded, in pieces.
    func string(_ consume: (UnsafeRawBufferPointer) throws(HookError) -> Void) throws(HookError) {
        try expect(UInt8(ascii: "\""), "A string is expected here.")
        while true {
            try source.run(until: \.interruptsJSONString, consume)
            switch try source.peek() {
            case UInt8(ascii: "\""):
                _ = try source.next()
                return
            case UInt8(ascii: "\\"):
                _ = try source.next()
                try escape(consume)
            case nil: throw failure("The JSON ends inside a string.")
            default: throw failure("A control character in a string has to be escaped.")
            }
        }
    }

    private func escape(_ consume: (UnsafeRawBufferPointer) throws(HookError) -> Void) throws(HookError) {
        let scalar: Unicode.Scalar
        switch try source.next() {
        case UInt8(ascii: "\""): scalar = "\""
        case UInt8(ascii: "\\"): scalar = "\\"
        case UInt8(ascii: "/"): scalar = "/"
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"): scalar = try unicodeEscape(consume)
        default: throw failure("There is no such escape.")
        }
        try emit(scalar, consume)
    }

    private func emit(
        _ scalar: Unicode.Scalar, _ consume: (UnsafeRawBufferPointer) throws(HookError) -> Void
    ) throws(HookError) {
        try Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter).lend(consume)
    }

    /// The last scalar of the escape; what has to come before it is emitted here.
    private func unicodeEscape(
        _ consume: (UnsafeRawBufferPointer) throws(HookError) -> Void
    ) throws(HookError) -> Unicode.Scalar {
        var unit = try codeUnit()
        while (0xD800...0xDBFF).contains(unit) {
            guard try source.prefix(2) == Array("\\u".utf8) else { return "\u{FFFD}" }
            _ = try source.next()
            _ = try source.next()
            let low = try codeUnit()
            if (0xDC00...0xDFFF).contains(low) {
                return Unicode.Scalar((unit - 0xD800) << 10 + (low - 0xDC00) + 0x10000) ?? "\u{FFFD}"
            }
            try emit("\u{FFFD}", consume)
            unit = low
        }
        guard unit != 0 else { throw failure("NUL is not allowed in text.") }
        return Unicode.Scalar(unit) ?? "\u{FFFD}"
    }

    private func codeUnit() throws(HookError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = try source.next(), let digit = byte.hexDigitValue else {
                throw failure("\\u needs four hexadecimal digits.")
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
