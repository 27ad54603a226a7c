internal import PinpostCore

/// The address of a From field that has exactly one (RFC 5322 section 3.4): anything that two programs could read in two
/// ways has none.
enum OneMailbox {
    /// In lower case, the domain in ASCII; nil for none, several, groups, and what is not well formed.
    static func address(in field: [UInt8]) -> String? {
        var scanner = FieldScanner(field)
        guard scanner.skipCFWS() else { return nil }
        var bare = scanner
        if let address = addressSpec(&bare), bare.skipCFWS(), bare.isAtEnd { return address }
        guard skipDisplayName(&scanner), scanner.take(UInt8(ascii: "<")), scanner.skipCFWS(),
            let address = addressSpec(&scanner), scanner.take(UInt8(ascii: ">")), scanner.skipCFWS(), scanner.isAtEnd
        else { return nil }
        return address
    }

    /// Words and quoted strings; a dot may be among them, as in `John Q. Public`, but no `@` outside of quotes.
    private static func skipDisplayName(_ scanner: inout FieldScanner) -> Bool {
        while let byte = scanner.next, byte != UInt8(ascii: "<") {
            let isWord =
                byte == UInt8(ascii: "\"")
                ? scanner.quotedString() != nil
                : scanner.run(where: { $0.isAtomText || $0 == UInt8(ascii: ".") }) != nil
            guard isWord, scanner.skipCFWS() else { return false }
        }
        return true
    }

    private static func addressSpec(_ scanner: inout FieldScanner) -> String? {
        let isQuoted = scanner.next == UInt8(ascii: "\"")
        let local = isQuoted ? scanner.quotedString() : dotAtom(&scanner)
        guard let local, !local.isEmpty, scanner.skipCFWS(), scanner.take(UInt8(ascii: "@")), scanner.skipCFWS(),
            let domain = dotAtom(&scanner), scanner.skipCFWS(),
            let text = String(validating: local, as: UTF8.self), let host = String(validating: domain, as: UTF8.self),
            host.contains("."), local.count + domain.count < 320
        else { return nil }
        return "\(text.lowercased())@\(HostName.ascii(host))"
    }

    private static func dotAtom(_ scanner: inout FieldScanner) -> [UInt8]? {
        let dot = UInt8(ascii: ".")
        guard let text = scanner.run(where: { $0.isAtomText || $0 == dot }), text.first != dot, text.last != dot,
            !zip(text, text.dropFirst()).contains(where: { $0 == dot && $1 == dot })
        else { return nil }
        return text
    }
}
