import CCurl
import Glibc
public import PinpostCore

/// An http(s) URL as libcurl understands it: the one opinion about hosts, so that judge and client cannot disagree.
public struct ParsedURL: Sendable, Hashable {
    /// `http` or `https`.
    public let scheme: String
    /// In lower case: a name in A-label form, or an address in its canonical form, IPv6 without brackets.
    public let host: String
    /// The scheme's own port where the URL names none.
    public let port: Int
    /// Starts with a slash; percent-encoded.
    public let path: String
    public let query: String?
    /// The whole URL, normalised, without fragment: what is given to libcurl.
    public let text: String

    /// Throws `.badURL` for everything but plain http(s): other schemes, credentials, trick spellings of hosts.
    public init(_ text: String) throws(HTTPExchangeError) {
        try Self.checkAuthority(of: text)
        let first = try URLHandle(text)
        let written = try first.part(CURLUPART_HOST)
        if written.utf8.contains(where: { $0 >= 0x80 }) {
            let label = try first.part(CURLUPART_HOST, UInt32(CURLU_PUNYCODE)).lowercased()
            // Letters that fold to plain ASCII (`ｌｏｃａｌｈｏｓｔ`, `①②⑦.⓪.⓪.①`) only ever hide a host.
            guard label.contains("xn--") else {
                throw HTTPExchangeError(.badURL, "the host name is written in letters that hide another one")
            }
            // Once more with the final host, so that numeric forms are normalised too.
            self = try ParsedURL(first.part(CURLUPART_URL, UInt32(CURLU_PUNYCODE)))
            return
        }
        scheme = try first.part(CURLUPART_SCHEME).lowercased()
        var host = written.lowercased()
        if host.hasPrefix("[") { host = String(host.dropFirst().dropLast()) }
        try Self.check(host)
        self.host = host
        guard let port = Int(try first.part(CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT))), port > 0 else {
            throw HTTPExchangeError(.badURL, "the port is not a number from 1 to 65535")
        }
        self.port = port
        path = try first.part(CURLUPART_PATH)
        query = first.optionalPart(CURLUPART_QUERY)
        let hostText = host.contains(":") ? "[\(host)]" : host
        let portText = port == (scheme == "https" ? 443 : 80) ? "" : ":\(port)"
        self.text = "\(scheme)://\(hostText)\(portText)\(path)\(query.map { "?\($0)" } ?? "")"
    }

    /// Scheme, host and port: what must not change while credentials are sent.
    public var origin: String { "\(scheme)://\(host):\(port)" }

    /// The URL that a `Location` or a link on this page leads to.
    public func resolving(_ reference: String) throws(HTTPExchangeError) -> ParsedURL {
        if reference.hasPrefix("//") { return try ParsedURL("\(scheme):\(reference)") }
        let beforePath = reference.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if beforePath.contains(":") { return try ParsedURL(reference) }
        let handle = try URLHandle(text)
        try handle.set(reference)
        return try ParsedURL(handle.part(CURLUPART_URL))
    }

    /// What libcurl would silently repair or decode is refused here, before it is asked.
    private static func checkAuthority(of text: String) throws(HTTPExchangeError) {
        let bytes = text.utf8
        guard bytes.count <= 8_192 else { throw HTTPExchangeError(.badURL, "the URL is longer than 8,192 bytes") }
        let start = bytes.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        guard let scheme = schemes.first(where: { start.starts(with: $0) }) else {
            throw HTTPExchangeError(.badURL, "the URL has to start with http:// or https://")
        }
        let authority = bytes.dropFirst(scheme.count).prefix { !endsAuthority($0) }
        guard !authority.isEmpty else { throw HTTPExchangeError(.badURL, "the URL has no host") }
        if authority.contains(UInt8(ascii: "@")) { throw HTTPExchangeError(.badURL, "the URL contains credentials") }
        if authority.contains(where: isOdd) {
            throw HTTPExchangeError(.badURL, "the host contains characters that no host has")
        }
    }

    private static let schemes = ["http://", "https://"].map { Array($0.utf8) }

    private static func check(_ host: String) throws(HTTPExchangeError) {
        let isAddress = host.contains(":") || NumericAddress(host) != nil
        if !isAddress {
            guard host.utf8.allSatisfy(isNameByte) else {
                throw HTTPExchangeError(.badURL, "the host contains characters that no host has")
            }
            let labels = host.split(separator: ".", omittingEmptySubsequences: false)
            let isOdd = labels.dropLast(labels.last == "" ? 1 : 0).contains {
                $0.isEmpty || $0.hasPrefix("-") || $0.utf8.count > 63
            }
            if isOdd || host.utf8.count > 254 { throw HTTPExchangeError(.badURL, "the host is not a host name") }
            // `127.0.0.1.`, `1.2.3.4.5` and `0x`: neither an address nor a name (WHATWG URL, section 3.5).
            if let last = labels.last(where: { !$0.isEmpty }), isNumber(last) {
                throw HTTPExchangeError(.badURL, "the host is neither a name nor an address")
            }
        }
    }
}

/// The bytes behind host and port: `/`, `?` and `#`.
private func endsAuthority(_ byte: UInt8) -> Bool { byte == 0x2F || byte == 0x3F || byte == 0x23 }

/// What libcurl would decode, cut or take for something else in front of a path.
private func isOdd(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "\""), UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
        UInt8(ascii: "}"):
        true
    default: false
    }
}

/// Letters, digits, and what names in use have between them; after folding there are no others.
private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
}

private func isNumber(_ label: Substring) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    if label.utf8.allSatisfy(digits.contains) { return true }
    return label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
}

/// Made once: glibc reads files for it.
private enum UTF8Locale {
    /// Safe to share: nobody changes or frees it.
    nonisolated(unsafe) static let shared = ccurl_utf8_locale()
}

/// Owns one `CURLU`.
private struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    init(_ text: String) throws(HTTPExchangeError) {
        guard let handle = curl_url() else { throw HTTPExchangeError(.localFailure, "no memory for a URL") }
        do throws(HTTPExchangeError) {
            try Self.set(text, on: handle)
        } catch {
            curl_url_cleanup(handle)
            throw error
        }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    /// Sets a reference relative to the URL that is set.
    func set(_ reference: String) throws(HTTPExchangeError) { try Self.set(reference, on: handle) }

    private static func set(_ text: String, on handle: OpaquePointer) throws(HTTPExchangeError) {
        // A NUL would end the C string early and hide the rest.
        guard !text.utf8.contains(0) else { throw HTTPExchangeError(.badURL, "the URL contains a NUL") }
        let code = curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE))
        guard code == CURLUE_OK else { throw HTTPExchangeError(.badURL, String(cString: curl_url_strerror(code))) }
    }

    func part(_ part: CURLUPart, _ flags: UInt32 = 0) throws(HTTPExchangeError) -> String {
        let (code, text) = get(part, flags)
        guard let text else { throw HTTPExchangeError(.badURL, String(cString: curl_url_strerror(code))) }
        return text
    }

    func optionalPart(_ part: CURLUPart) -> String? { get(part, 0).text }

    private func get(_ part: CURLUPart, _ flags: UInt32) -> (code: CURLUcode, text: String?) {
        // Only the conversion to ASCII looks at the locale.
        let before = flags & UInt32(CURLU_PUNYCODE) == 0 ? nil : UTF8Locale.shared.map { uselocale($0) }
        defer { if let before { uselocale(before) } }
        var text: UnsafeMutablePointer<CChar>?
        let code = curl_url_get(handle, part, &text, flags)
        defer { curl_free(text) }
        return (code, code == CURLUE_OK ? text.map { String(cString: $0) } : nil)
    }
}
