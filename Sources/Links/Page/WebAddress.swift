/// An http(s) address taken apart and put together by the rules of browsers (WHATWG URL), as far as links need it.
///
/// It only spells addresses; where a request may go is decided by the HTTP client's own parser alone.
struct WebAddress: Hashable, Sendable {
    /// `http` or `https`.
    let scheme: String
    /// In lower case, with the port where one is written.
    let host: String
    /// Begins with a slash.
    let path: String
    let query: String?
    let fragment: String?

    /// Nothing longer is worth a request.
    static let longest = 4_096

    /// Reads an absolute address; nil for other schemes, credentials and giants.
    init?(_ text: String) {
        let text = Self.cleaned(text)
        guard text.utf8.count <= Self.longest, let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[text.index(after: colon)...].drop { $0 == "/" || $0 == "\\" }
        let host = rest.prefix { !"/?#\\".contains($0) }
        guard !host.isEmpty, !host.contains("@"), !host.contains(where: \.isWhitespace), Self.hasPort(host) else {
            return nil
        }
        self.init(scheme: scheme, host: Self.withoutStandardPort(host.lowercased(), scheme), rest[host.endIndex...])
    }

    private init(scheme: String, host: String, _ rest: Substring) {
        let body = rest.prefix { $0 != "#" }
        let path = body.prefix { $0 != "?" }
        self.scheme = scheme
        self.host = host
        self.path = Self.encoded(Self.withoutDots(path.isEmpty ? "/" : path))
        query = path.endIndex < body.endIndex ? Self.encoded(String(body[path.endIndex...].dropFirst())) : nil
        fragment = body.endIndex < rest.endIndex ? String(rest[body.endIndex...].dropFirst()) : nil
    }

    var text: String { withoutFragment + (fragment.map { "#\($0)" } ?? "") }
    var withoutFragment: String { "\(scheme)://\(host)\(path)\(query.map { "?\($0)" } ?? "")" }

    /// The host without its port.
    var hostName: String {
        guard !host.hasPrefix("[") else { return String(host.prefix { $0 != "]" }) + "]" }
        return String(host.prefix { $0 != ":" })
    }

    var origin: String { "\(scheme)://\(host)" }

    /// The last part of the path.
    var fileName: Substring { path.split(separator: "/").last ?? "" }

    /// Where a reference on a page of this address leads; nil where it is no http(s) address.
    func resolving(_ reference: String) -> WebAddress? {
        let text = Self.cleaned(reference)
        guard !text.isEmpty, text.utf8.count <= Self.longest else { return nil }
        if text.hasPrefix("//") || text.hasPrefix("\\\\") { return WebAddress("\(scheme):\(text)") }
        if let scheme = Self.scheme(of: text) {
            // `http:path` is relative to browsers too, but nobody means it.
            return scheme == "http" || scheme == "https" ? WebAddress(text) : nil
        }
        switch text.first {
        case "/", "\\": return WebAddress(scheme: self.scheme, host: host, text[...])
        case "?": return WebAddress(scheme: self.scheme, host: host, (path + text)[...])
        case "#": return WebAddress(scheme: self.scheme, host: host, (withoutOrigin + text)[...])
        default:
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
            return WebAddress(scheme: self.scheme, host: host, (folder + text)[...])
        }
    }

    private var withoutOrigin: String { path + (query.map { "?\($0)" } ?? "") }

    private static func scheme(of text: String) -> String? {
        let head = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        guard head.endIndex < text.endIndex, text[head.endIndex] == ":", head.first?.isLetter == true else {
            return nil
        }
        return head.lowercased()
    }

    /// Without white space around and without line breaks inside, as browsers read it.
    private static func cleaned(_ text: String) -> String {
        let inner = text.unicodeScalars.filter { !["\n", "\r", "\t"].contains($0) }
        let start = inner.drop { $0.value <= 0x20 }
        return String(String.UnicodeScalarView(start.reversed().drop { $0.value <= 0x20 }.reversed()))
    }

    /// Whether what follows the host is a port, or nothing.
    private static func hasPort(_ host: Substring) -> Bool {
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return true }
        let digits = host[host.index(after: colon)...]
        return digits.allSatisfy { $0.isASCII && $0.isNumber } && (digits.isEmpty || UInt16(digits) != nil)
    }

    private static func withoutStandardPort(_ host: String, _ scheme: String) -> String {
        let port = scheme == "http" ? ":80" : ":443"
        return host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    }

    private static func withoutDots(_ path: Substring) -> String {
        let path = path.contains("\\") ? Substring(path.map { $0 == "\\" ? "/" : $0 }) : path
        guard path.contains("/.") || path.contains("./") else { return path.hasPrefix("/") ? String(path) : "/" + path }
        var parts: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(path.hasPrefix("/") ? 1 : 0)
        for (index, part) in all.enumerated() {
            let isLast = index == all.count - 1
            switch part.lowercased() {
            case ".", "%2e": if isLast { parts.append("") }
            case "..", ".%2e", "%2e.", "%2e%2e":
                _ = parts.popLast()
                if isLast { parts.append("") }
            default: parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// What may not stand in an address is written with percent signs.
    private static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == 0x22 || $0 == 0x3C || $0 == 0x3E }) else {
            return text
        }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte <= 0x20 || byte >= 0x7F || [0x22, 0x3C, 0x3E].contains(byte) {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
