/// Whose Authentication-Results are believed: one authserv-id, or with a dot in front all below a domain.
///
/// Some providers write the name of the machine that took the mail, another one each time; for those is the suffix.
public struct AuthServerPattern: Sendable, Hashable, CustomStringConvertible {
    /// In lower case.
    private let name: String
    private let isSuffix: Bool

    /// Reads `mx.example.org`, `.example.org` or `*.example.org`; nil for what can be no id, and for a whole top level.
    public init?(_ text: String) {
        var name = text.lowercased()
        if name.hasPrefix("*.") { name.removeFirst() }
        isSuffix = name.hasPrefix(".")
        if isSuffix { name.removeFirst() }
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard isPlain, name.utf8.count <= 253, labels.allSatisfy({ !$0.isEmpty }), !isSuffix || labels.count > 1 else {
            return nil
        }
        self.name = name
    }

    /// The domain itself is not below itself.
    public func matches(_ id: String) -> Bool {
        let id = id.lowercased()
        return isSuffix ? id.hasSuffix("." + name) && id.utf8.count > name.utf8.count + 1 : id == name
    }

    public var description: String { (isSuffix ? "." : "") + name }
}
