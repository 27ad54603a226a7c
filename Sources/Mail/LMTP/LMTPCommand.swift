/// One command line of a client (RFC 2033 section 4, RFC 5321 section 4.1).
enum LMTPCommand: Sendable, Hashable {
    case hello
    case mail(from: String, Parameters)
    case recipient(String)
    case data, reset, noop, verify, quit
    /// Understood as wrong: the reply says why.
    case wrong(LMTPReply)

    struct Parameters: Sendable, Hashable {
        /// The size that the client announces, in bytes (RFC 1870).
        var size: Int?
        var isUTF8 = false
    }

    /// Reads a line without its end.
    init(_ line: [UInt8]) {
        guard let text = String(validating: line, as: UTF8.self), !text.utf8.contains(0) else {
            self = .wrong(.badSyntax)
            return
        }
        let verb = text.prefix { $0 != " " }
        let rest = text.dropFirst(verb.count).drop { $0 == " " }
        switch verb.uppercased() {
        case "LHLO": self = rest.isEmpty ? .wrong(.badSyntax) : .hello
        // RFC 2033 section 4.1: whoever says these is no LMTP client.
        case "HELO", "EHLO": self = .wrong(LMTPReply(500, "5.5.1", "This is LMTP: say LHLO"))
        case "MAIL": self = Self.mail(rest)
        case "RCPT": self = Self.recipient(rest)
        case "DATA": self = rest.isEmpty ? .data : .wrong(.badSyntax)
        case "RSET": self = .reset
        case "NOOP": self = .noop
        case "VRFY": self = .verify
        case "QUIT": self = .quit
        default: self = .wrong(.unknownCommand)
        }
    }

    private static func mail(_ rest: Substring) -> LMTPCommand {
        guard let (path, words) = path(in: rest, behind: "FROM:") else { return .wrong(.badSyntax) }
        var parameters = Parameters()
        for word in words {
            let keyword = word.prefix { $0 != "=" }
            let value = word.dropFirst(keyword.count + 1)
            switch (keyword.uppercased(), keyword.endIndex == word.endIndex ? nil : value.uppercased()) {
            case ("", _): return .wrong(.badSyntax)
            case ("SIZE", let size?):
                guard let size = Self.size(size) else { return .wrong(.badSyntax) }
                parameters.size = size
            case ("BODY", "7BIT"), ("BODY", "8BITMIME"): break
            case ("SMTPUTF8", nil): parameters.isUTF8 = true
            default: return .wrong(.unknownParameter)
            }
        }
        guard parameters.isUTF8 || path.utf8.allSatisfy({ $0 < 0x80 }) else { return .wrong(.needsUTF8) }
        return .mail(from: path, parameters)
    }

    /// Up to twenty digits (RFC 1870 section 5); more than there can be counts as the most there can be.
    private static func size(_ digits: String) -> Int? {
        guard (1...20).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(digits) ?? .max
    }

    private static func recipient(_ rest: Substring) -> LMTPCommand {
        guard let (path, words) = path(in: rest, behind: "TO:"), !path.isEmpty else { return .wrong(.badSyntax) }
        return words.isEmpty ? .recipient(path) : .wrong(.unknownParameter)
    }

    /// What stands in the angle brackets, without a source route, and the words behind them.
    private static func path(in text: Substring, behind keyword: String) -> (String, [Substring])? {
        guard text.prefix(keyword.count).uppercased() == keyword else { return nil }
        let text = text.dropFirst(keyword.count).drop { $0 == " " }
        guard text.first == "<", let end = endOfPath(in: text) else { return nil }
        var path = text[text.index(after: text.startIndex)..<end]
        // RFC 5321 appendix C: `@a,@b:` in front is read and ignored.
        if path.first == "@", let colon = path.firstIndex(of: ":") { path = path[path.index(after: colon)...] }
        let rest = text[text.index(after: end)...]
        guard rest.isEmpty || rest.first == " ", path.utf8.count <= 320,
            path.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) || path.contains("\"")
        else { return nil }
        return (String(path), rest.split(separator: " "))
    }

    /// The `>` that is in no quoted string.
    private static func endOfPath(in text: Substring) -> Substring.Index? {
        var isQuoted = false
        var isEscaped = false
        return text.indices.first { index in
            let character = text[index]
            defer { isEscaped = character == "\\" && isQuoted && !isEscaped }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            return character == ">" && !isQuoted
        }
    }
}
