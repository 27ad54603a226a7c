import CCurl
import Glibc
public import PinpostCore

/// An http(s) URL as libcurl understands it: the one opinion about hosts, so that judge and client cannot disagree.
///
/// A class, so that handing it on costs one count and not one for each of its parts.
public final class ParsedURL: Sendable {
    /// `http` or `https`.
    public let scheme: String
    /// In lower case: a name in A-label form, or an address in its canonical form, IPv6 without brackets.
    public let host: String
    /// What the host stands for where it is an address.
    let address: NumericAddress?
    /// The scheme's own port where the URL names none.
    public let port: Int
    /// Starts with a slash; percent-encoded.
    public let path: String
    public let query: String?
    /// The whole URL, normalised, without fragment.
    public let text: String
    /// What all of this was read from; libcurl connects by it.
    let handle: URLHandle

    /// Throws `.badURL` for everything but plain http(s): other schemes, credentials, trick spellings of hosts.
    public init(_ text: String) throws(HTTPExchangeError) {
        let (handle, written, isSecure) = try Self.read(text)
        let small = written.lowercased()
        if small != written { try handle.set(host: small) }
        let isV6 = small.hasPrefix("[")
        host = isV6 ? String(small.dropFirst().dropLast()) : small
        address = NumericAddress(host)
        if !isV6, address == nil { try checkName(host.utf8.span) }
        scheme = isSecure ? "https" : "http"
        let ownPort = isSecure ? 443 : 80
        port = try handle.port() ?? ownPort
        path = try handle.part(CURLUPART_PATH)
        query = handle.optionalPart(CURLUPART_QUERY)
        self.handle = handle
        var whole = scheme
        whole.reserveCapacity(host.utf8.count + path.utf8.count + (query?.utf8.count ?? 0) + 20)
        whole += isV6 ? "://[" : "://"
        whole += host
        if isV6 { whole += "]" }
        if port != ownPort { whole += ":\(port)" }
        whole += path
        if let query { whole += "?\(query)" }
        self.text = whole
    }

    /// Has libcurl read the text: its parts, the host as written there, and whether the scheme is `https`.
    private static func read(
        _ text: String
    ) throws(HTTPExchangeError) -> (handle: URLHandle, host: String, isSecure: Bool) {
        let isSecure = try checkAuthority(of: text.utf8.span)
        let handle = try URLHandle(text)
        let host = try handle.part(CURLUPART_HOST)
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return (handle, host, isSecure) }
        let label = try handle.part(CURLUPART_HOST, UInt32(CURLU_PUNYCODE)).lowercased()
        // Letters that fold to plain ASCII (`ｌｏｃａｌｈｏｓｔ`, `①②⑦.⓪.⓪.①`) only ever hide a host.
        guard label.contains("xn--") else {
            throw HTTPExchangeError(.badURL, "the host name is written in letters that hide another one")
        }
        // Once more with the final host, so that numeric forms are normalised too.
        return try read(handle.part(CURLUPART_URL, UInt32(CURLU_PUNYCODE)))
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

    /// Refuses what libcurl would silently repair or decode, before it is asked; says whether the scheme is `https`.
    private static func checkAuthority(of text: Span<UInt8>) throws(HTTPExchangeError) -> Bool {
        guard text.count <= 8_192 else { throw HTTPExchangeError(.badURL, "the URL is longer than 8,192 bytes") }
        let isSecure = text.starts(with: "https://")
        guard isSecure || text.starts(with: "http://") else {
            throw HTTPExchangeError(.badURL, "the URL has to start with http:// or https://")
        }
        let start = isSecure ? 8 : 7
        var end = start
        var (hasCredentials, hasOddBytes) = (false, false)
        while end < text.count, !endsAuthority(text[end]) {
            if text[end] == UInt8(ascii: "@") { hasCredentials = true }
            if isOdd(text[end]) { hasOddBytes = true }
            end += 1
        }
        guard end > start else { throw HTTPExchangeError(.badURL, "the URL has no host") }
        if hasCredentials { throw HTTPExchangeError(.badURL, "the URL contains credentials") }
        if hasOddBytes { throw HTTPExchangeError(.badURL, "the host contains characters that no host has") }
        return isSecure
    }
}

extension Span<UInt8> {
    /// Letters of either case are the same; `prefix` has small ones.
    fileprivate func starts(with prefix: StaticString) -> Bool {
        guard count >= prefix.utf8CodeUnitCount else { return false }
        for index in 0..<prefix.utf8CodeUnitCount {
            guard self[index].asciiLowercased == prefix.utf8Start[index] else { return false }
        }
        return true
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

/// Throws unless the host, in lower case, is a name: dots with labels of 1 to 63 bytes between them.
private func checkName(_ host: Span<UInt8>) throws(HTTPExchangeError) {
    var start = 0
    var last = 0..<0
    for end in 0...host.count {
        if end < host.count, host[end] != UInt8(ascii: ".") {
            guard isNameByte(host[end]) else {
                throw HTTPExchangeError(.badURL, "the host contains characters that no host has")
            }
            continue
        }
        // Behind the last dot there may be nothing: the root.
        let isRoot = start == host.count && start > 0
        if !isRoot, start == end || host[start] == UInt8(ascii: "-") || end - start > 63 {
            throw HTTPExchangeError(.badURL, "the host is not a host name")
        }
        if !isRoot { last = start..<end }
        start = end + 1
    }
    if host.count > 254 { throw HTTPExchangeError(.badURL, "the host is not a host name") }
    // `127.0.0.1.`, `1.2.3.4.5` and `0x`: neither an address nor a name (WHATWG URL, section 3.5).
    if isNumber(host.extracting(last)) {
        throw HTTPExchangeError(.badURL, "the host is neither a name nor an address")
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

/// Digits, or hexadecimal digits behind `0x`.
private func isNumber(_ label: Span<UInt8>) -> Bool {
    let isHex = label.starts(with: "0x")
    for index in (isHex ? 2 : 0)..<label.count {
        switch label[index] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): continue
        case UInt8(ascii: "a")...UInt8(ascii: "f") where isHex: continue
        default: return false
        }
    }
    return true
}
