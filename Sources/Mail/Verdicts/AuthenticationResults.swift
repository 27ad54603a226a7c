/// One `Authentication-Results` field, read strictly (RFC 8601 section 2.2): who checked what, with which result.
struct AuthenticationResults: Sendable, Hashable {
    struct Result: Sendable, Hashable {
        /// `dkim`, `spf`, `dmarc` …; in lower case.
        let method: String
        /// `pass`, `fail` …; in lower case.
        let value: String
        /// By `header.d`, `smtp.mailfrom` …; the first of equal names.
        let properties: [String: String]
    }

    /// The authserv-id, in lower case.
    let server: String
    let results: [Result]

    /// Results of one field that are read; a field with more is no server's.
    private static let mostResults = 100

    /// nil for anything that does not keep to the grammar: nobody can say then what it means.
    init?(_ field: [UInt8]) {
        var scanner = FieldScanner(field)
        guard scanner.skipCFWS(), let server = scanner.value(), scanner.skipCFWS() else { return nil }
        if let version = scanner.run(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard version == [UInt8(ascii: "1")], scanner.skipCFWS() else { return nil }
        }
        var results: [Result] = []
        var isNone = false
        guard scanner.next == UInt8(ascii: ";") else { return nil }
        while scanner.take(UInt8(ascii: ";")) {
            guard scanner.skipCFWS() else { return nil }
            // Many servers end with a semicolon.
            if scanner.isAtEnd { break }
            guard !isNone, results.count < Self.mostResults, let result = scanner.result(isNone: &isNone) else {
                return nil
            }
            if !isNone { results.append(result) }
        }
        guard scanner.isAtEnd, !isNone || results.isEmpty else { return nil }
        self.server = server.lowercased()
        self.results = results
    }

    /// Whether it says anything about who sent the mail.
    var saysWhoSent: Bool { results.contains { ["dmarc", "dkim", "spf"].contains($0.method) } }

    func results(of method: String) -> [Result] { results.filter { $0.method == method } }
}

extension FieldScanner {
    /// A token or a quoted string.
    fileprivate mutating func value() -> String? {
        let bytes = next == UInt8(ascii: "\"") ? quotedString() : run(where: \.isTokenText)
        return bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// `method[/version] = result [reason = …] [type.property = value …]`, or `none`.
    fileprivate mutating func result(isNone: inout Bool) -> AuthenticationResults.Result? {
        let nothing = AuthenticationResults.Result(method: "none", value: "", properties: [:])
        guard let method = keyword(), skipCFWS() else { return nil }
        if method == "none", isAtEnd {
            isNone = true
            return nothing
        }
        if take(UInt8(ascii: "/")) {
            guard skipCFWS(), run(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) != nil, skipCFWS()
            else { return nil }
        }
        guard take(UInt8(ascii: "=")), skipCFWS(), let value = keyword(), skipCFWS() else { return nil }
        var properties: [String: String] = [:]
        while let byte = next, byte != UInt8(ascii: ";") {
            guard let (name, value) = property(), skipCFWS() else { return nil }
            if let name, properties[name] == nil { properties[name] = value }
        }
        return AuthenticationResults.Result(method: method, value: value, properties: properties)
    }

    /// Methods whose names are no property's: where one follows without a semicolon, nobody knows what belongs to what.
    private static let methods: Set<String> = [
        "arc", "auth", "bimi", "compauth", "dkim", "dkim-adsp", "dmarc", "domainkeys", "iprev", "none", "sender-id",
        "spf",
    ]

    /// The name is nil for what servers write without a dot, against the grammar, and what says nothing to us: Fastmail's
    /// `x-bits=2048`, Outlook's `action=none`, Yahoo's `arc_overridden_status=NOT_OVERRIDDEN`.
    private mutating func property() -> (name: String?, value: String)? {
        guard let type = keyword(), skipCFWS() else { return nil }
        var name: String? = type == "reason" ? type : nil
        if take(UInt8(ascii: ".")) {
            guard skipCFWS(), let property = keyword(), skipCFWS() else { return nil }
            name = "\(type).\(property)"
        } else if Self.methods.contains(type) {
            return nil
        }
        guard take(UInt8(ascii: "=")), skipCFWS(), let value = propertyValue() else { return nil }
        return (name, value)
    }

    private mutating func propertyValue() -> String? {
        guard next == UInt8(ascii: "\"") else { return bareValue() }
        let start = value()
        // `"local part"@domain`
        guard let start, next == UInt8(ascii: "@") else { return start }
        return bareValue().map { start + $0 }
    }

    /// Wider than a token: addresses, and signatures in Base64, which servers write without quotes.
    private mutating func bareValue() -> String? {
        run(where: { $0 > 0x20 && $0 < 0x7F && !";()\"\\".utf8.contains($0) })
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Letters, digits and hyphens (RFC 5321's Keyword), in lower case; `_` as some servers have it.
    private mutating func keyword() -> String? {
        run { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        .map { String(decoding: $0, as: UTF8.self).lowercased() }
    }
}
