internal import PinpostCore

/// The address of a Pinry as an admin writes it, brought into the one form that is stored and compared.
///
/// Scheme and host in lower case, no default port, no trailing slash; a path prefix stays.
public struct ServerURL: Sendable, Hashable, CustomStringConvertible {
    public static let limit = 1_024

    public let description: String

    /// Throws `.badValue` with the corrected form where one can be given.
    public init(_ text: String) throws(AdministrationError) {
        let text = text.trimmed
        guard text.utf8.count <= Self.limit else {
            throw .badValue("The server URL is longer than \(Self.limit) characters.")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .badValue(
                "The server URL may hold only printable ASCII characters; write a foreign host in punycode.")
        }
        let (scheme, rest) = try Self.scheme(of: text)
        if let extra = rest.first(where: { $0 == "?" || $0 == "#" }) {
            throw .badValue("The server URL must end before the \"\(extra)\": give only https://HOST[:PORT][/PATH].")
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = try Self.authority(rest[..<slash].lowercased(), scheme: scheme)
        let path = rest[slash...].split(separator: "/", omittingEmptySubsequences: true).joined(separator: "/")
        description = "\(scheme)://\(authority)" + (path.isEmpty ? "" : "/\(path)")
    }

    private static func scheme(of text: String) throws(AdministrationError) -> (String, Substring) {
        guard let (head, rest) = text.split(around: "://") else {
            throw .badValue(
                "The server URL needs http:// or https:// in front: https://\(text.isEmpty ? "HOST" : text)")
        }
        let scheme = head.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw .badValue("The server URL must begin with http:// or https://, not \(scheme)://.")
        }
        return (scheme, rest)
    }

    private static func authority(_ text: String, scheme: String) throws(AdministrationError) -> String {
        guard !text.contains("@") else {
            throw .badValue("The server URL must not hold a user name or password; give the token with --token-file.")
        }
        var host = Substring(text)
        var port: Substring?
        if let colon = text.lastIndex(of: ":"), !text[colon...].contains("]") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        guard isHost(host) else {
            throw .badValue("The server URL has no valid host: write https://HOST[:PORT][/PATH].")
        }
        guard let port else { return String(host) }
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port),
            (1...65_535).contains(number)
        else { throw .badValue("The port in the server URL must be a number from 1 to 65535, not \"\(port)\".") }
        return number == (scheme == "http" ? 80 : 443) ? String(host) : "\(host):\(number)"
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.count > 3 && host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        return !host.isEmpty && host.utf8.count <= 253
            && host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }
}

extension StringProtocol {
    /// What stands before and after the first occurrence of a separator.
    func split(around separator: String) -> (SubSequence, SubSequence)? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(separator) {
                return (self[..<index], self[self.index(index, offsetBy: separator.count)...])
            }
            index = self.index(after: index)
        }
        return nil
    }
}
