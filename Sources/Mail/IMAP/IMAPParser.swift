internal import PinpostCore

/// Reads one answer after the other; bodies go straight to their writers.
struct IMAPParser {
    private var reader: IMAPReader
    private let limits: IMAPLimits

    init(_ reader: IMAPReader, limits: IMAPLimits) {
        self.reader = reader
        self.limits = limits
    }

    var hasBytes: Bool { reader.hasBytes }

    mutating func beginCommand() { reader.beginCommand() }

    /// The next answer; `makeMail` gives the place for a body that comes with it, nil throws bodies away.
    mutating func next(storing makeMail: (() -> ArrivingMail)?) throws(IMAPError) -> IMAPResponse {
        if try reader.take(UInt8(ascii: "+")) {
            _ = try reader.text()
            return .goAhead
        }
        let tag = try reader.atom()
        try reader.expect(UInt8(ascii: " "))
        guard tag == "*" else {
            let word = try reader.atom()
            guard let condition = IMAPStatus.Condition(rawValue: word.uppercased()) else {
                throw IMAPError(.broken, "\"\(word.prefix(40))\" behind a tag")
            }
            return .completed(tag: tag, try status(condition))
        }
        let word = try reader.atom().uppercased()
        if let number = UInt32(word) { return try numbered(number, makeMail) }
        if let condition = IMAPStatus.Condition(rawValue: word) { return .status(try status(condition)) }
        switch word {
        case "SEARCH": return .search(try numbers())
        case "CAPABILITY": return .capabilities(try reader.text().uppercased().split(separator: " ").map(String.init))
        default:
            try skipLine()
            return .other
        }
    }

    private mutating func status(_ condition: IMAPStatus.Condition) throws(IMAPError) -> IMAPStatus {
        IMAPStatus(condition, String(try reader.text().drop { $0 == " " }))
    }

    private mutating func numbered(
        _ number: UInt32, _ makeMail: (() -> ArrivingMail)?
    ) throws(IMAPError) -> IMAPResponse {
        try reader.expect(UInt8(ascii: " "))
        switch try reader.atom().uppercased() {
        case "EXISTS":
            _ = try reader.text()
            return .exists(Int(number))
        case "EXPUNGE":
            _ = try reader.text()
            return .expunged
        case "FETCH":
            try reader.expect(UInt8(ascii: " "))
            let item = try fetchedItem(makeMail)
            try reader.endOfLine()
            return .fetched(item)
        default:
            try skipLine()
            return .other
        }
    }

    /// The UIDs of a SEARCH; what follows them (`(MODSEQ …)`) is of no use.
    private mutating func numbers() throws(IMAPError) -> [UInt32] {
        var numbers: [UInt32] = []
        while try reader.take(UInt8(ascii: " ")) {
            let next = try reader.peek()
            if next == UInt8(ascii: "(") || next == UInt8(ascii: "\r") { break }
            guard let number = UInt32(try reader.atom()) else { throw IMAPError(.broken, "SEARCH gives no number") }
            numbers.append(number)
        }
        try skipLine()
        return numbers
    }

    private mutating func fetchedItem(_ makeMail: (() -> ArrivingMail)?) throws(IMAPError) -> FetchedItem {
        try reader.expect(UInt8(ascii: "("))
        var item = FetchedItem()
        while try !reader.take(UInt8(ascii: ")")) {
            let name = try reader.atom().uppercased()
            try reader.expect(UInt8(ascii: " "))
            switch name {
            case "UID": item.uid = UInt32(try reader.atom())
            case "RFC822.SIZE": item.size = UInt64(try reader.atom()).map { Int(clamping: $0) }
            case "BODY[]":
                item.hasContent = try [UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "~")].contains(reader.peek())
                item.mail = try body(makeMail) ?? item.mail
            case "INTERNALDATE":
                let next = try reader.peek()
                guard next == UInt8(ascii: "\"") else {
                    try skipValue()
                    break
                }
                item.arrival = MailDate.seconds(String(decoding: try reader.quoted(), as: UTF8.self))
            default:
                try skipValue()
                item.hasContent = item.hasContent || name.hasPrefix("BODY[")
            }
            while try reader.take(UInt8(ascii: " ")) {}
        }
        return item
    }

    /// A whole mail: literal, quoted string, or NIL, which is no mail.
    private mutating func body(_ makeMail: (() -> ArrivingMail)?) throws(IMAPError) -> ArrivingMail? {
        let mail = makeMail?()
        switch try reader.peek() {
        case UInt8(ascii: "\""):
            try reader.quoted().lend { (bytes) throws(IMAPError) in try Self.store(bytes, in: mail) }
        case UInt8(ascii: "{"), UInt8(ascii: "~"):
            let length = try reader.literalLength()
            guard length <= limits.messageBytes else {
                throw IMAPError(.broken, "a mail of \(length) bytes, over \(limits.messageBytes >> 20) MiB")
            }
            try reader.literal(length) { (bytes) throws(IMAPError) in try Self.store(bytes, in: mail) }
        default:
            _ = try reader.atom()
            return nil
        }
        return mail
    }

    private static func store(_ bytes: UnsafeRawBufferPointer, in mail: ArrivingMail?) throws(IMAPError) {
        do throws(StoreError) { try mail?.take(bytes) } catch { throw IMAPError(error) }
    }

    /// Passes over a value of any kind.
    private mutating func skipValue(depth: Int = 0) throws(IMAPError) {
        guard depth < limits.depth else { throw IMAPError(.broken, "lists inside more than \(limits.depth) lists") }
        switch try reader.peek() {
        case UInt8(ascii: "("):
            _ = try reader.next()
            while try !reader.take(UInt8(ascii: ")")) {
                if try !reader.take(UInt8(ascii: " ")) { try skipValue(depth: depth + 1) }
            }
        case UInt8(ascii: "\""): _ = try reader.quoted()
        case UInt8(ascii: "{"), UInt8(ascii: "~"):
            let length = try reader.literalLength()
            guard length <= limits.tokenBytes else { throw IMAPError(.broken, "a text of \(length) bytes") }
            try reader.literal(length) { (_) throws(IMAPError) in }
        default: _ = try reader.atom()
        }
    }

    /// Passes over the rest of a line, literals included.
    private mutating func skipLine() throws(IMAPError) {
        while true {
            switch try reader.peek() {
            case UInt8(ascii: " "), UInt8(ascii: ")"): _ = try reader.next()
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return try reader.endOfLine()
            default: try skipValue()
            }
        }
    }
}
