/// A mail address that is safe to put into a command of SMTP: dot-atom at a domain name (RFC 5321 section 4.1.2).
///
/// Quoted local parts, address literals and addresses beyond ASCII are not taken: libcurl passes on what it is given,
/// line ends included, so that what is not plain is refused here.
public struct MailAddress: Sendable, Hashable {
    public let localPart: String
    /// In lower case.
    public let domain: String

    private static let localLimit = 64
    private static let limit = 254

    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.limit, let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return nil }
        let (local, domain) = (bytes[..<at], bytes[(at + 1)...])
        guard local.count <= Self.localLimit, Self.atoms(local).allSatisfy(Self.isAtom) else { return nil }
        let labels = Self.atoms(domain)
        guard labels.count >= 2, labels.allSatisfy(Self.isLabel), !Self.isNumber(labels[labels.count - 1]) else {
            return nil
        }
        localPart = String(decoding: local, as: UTF8.self)
        self.domain = String(decoding: domain, as: UTF8.self).lowercased()
    }

    private static func atoms(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    }

    /// RFC 5322, section 3.2.3.
    private static func isAtom(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
    }

    private static func isLabel(_ bytes: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...63).contains(bytes.count) && bytes.first != hyphen && bytes.last != hyphen
            && bytes.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
    }

    private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension MailAddress: CustomStringConvertible {
    public var description: String { "\(localPart)@\(domain)" }
}
