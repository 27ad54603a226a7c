internal import PinpostCore

/// What a sender sent, as far as signatures can cover it.
public struct SignedRequest: Sendable {
    public struct Header: Sendable, Hashable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The longest header that a signature is looked for in, in bytes.
    static let longestHeader = 8 << 10

    public let headers: [Header]
    /// The raw bytes of the body, before anything was decoded.
    public let body: [UInt8]
    /// The address that the sender was given, with its query; never made from the `Host` header.
    public let url: String?

    public init(headers: [Header], body: [UInt8], url: String? = nil) {
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// The value of a header that has to be there exactly once; names in any case.
    func header(_ name: String) throws(SignatureRefusal) -> String {
        guard let value = try optionalHeader(name) else {
            throw SignatureRefusal(.incomplete, "The header \(name) is missing.")
        }
        guard !value.isEmpty else { throw SignatureRefusal(.incomplete, "The header \(name) is empty.") }
        guard value.utf8.count <= Self.longestHeader else {
            throw SignatureRefusal(.malformed, "The header \(name) is over \(Self.longestHeader) bytes.")
        }
        return value
    }

    /// The value of a header that may be there once.
    ///
    /// Where two stand, proxies and servers disagree which one counts.
    func optionalHeader(_ name: String) throws(SignatureRefusal) -> String? {
        let wanted = name.lowercased()
        let values = headers.filter { $0.name.lowercased() == wanted }
        guard values.count <= 1 else {
            throw SignatureRefusal(.incomplete, "The header \(name) is there more than once.")
        }
        return values.first?.value.trimmed
    }
}
