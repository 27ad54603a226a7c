internal import Cryptography
internal import FoundationEssentials
internal import PinpostCore

/// Twilio: HMAC with SHA-1 over the URL and the sorted fields of the form.
///
/// Another body than a form is covered by its hash, the URL's parameter `bodySHA256`.
struct TwilioCheck: SignatureCheck {
    private static let header = "X-Twilio-Signature"
    /// Far above what a message has; sorting stays cheap.
    private static let mostFields = 1_000

    private let secret: SharedSecret

    init(_ secret: Secret) throws(SignatureRefusal) { self.secret = try SharedSecret(secret) }

    func verify(_ request: SignedRequest, now _: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let text = try request.header(Self.header)
        guard let code = SignatureEncoding.base64.decode(text) else {
            throw .malformed("The header \(Self.header)", "base64")
        }
        guard let url = request.url, let target = TwilioURL(url) else {
            throw SignatureRefusal(.incomplete, "The signature covers the URL, and there is none with http or https.")
        }
        var fields: [UInt8] = []
        if let hash = target.bodyHash {
            try Self.check(request.body, against: hash)
        } else {
            fields = try Self.sortedFields(of: request.body)
        }
        guard target.spellings.contains(where: { secret.made(code, of: Array($0.utf8) + fields, hash: .sha1) }) else {
            throw .wrong("The header \(Self.header)")
        }
        return VerifiedDelivery(id: DeliveryIdentity.fields(["MessageSid", "CallSid"]).read(from: request))
    }

    private static func check(_ body: [UInt8], against hash: String) throws(SignatureRefusal) {
        guard let hash = SignatureEncoding.hex.decode(hash) else { throw .malformed("bodySHA256", "hexadecimal") }
        guard HMAC.areEqual(SHA256.hash(body), hash) else { throw .wrong("bodySHA256") }
    }

    /// Names and values one after the other, by name and then by value, each pair once.
    private static func sortedFields(of body: [UInt8]) throws(SignatureRefusal) -> [UInt8] {
        let fields = Array(FormFields(body).prefix(mostFields + 1))
        guard fields.count <= mostFields else {
            throw SignatureRefusal(.malformed, "The form has more than \(mostFields) fields.")
        }
        let sorted = fields.sorted { left, right in
            left.name == right.name
                ? left.value.lexicographicallyPrecedes(right.value) : left.name.lexicographicallyPrecedes(right.name)
        }
        var bytes: [UInt8] = []
        var last: FormFields.Field?
        for field in sorted where field != last {
            bytes += field.name + field.value
            last = field
        }
        return bytes
    }
}

/// The parts of a URL that Twilio writes in two ways.
private struct TwilioURL {
    private let scheme: Substring
    private let host: Substring
    private let port: Substring?
    /// Path and query.
    private let rest: Substring
    private let given: String

    init?(_ text: String) {
        given = text
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        scheme = text[..<colon]
        guard ["http", "https"].contains(scheme.lowercased()) else { return nil }
        let after = text[colon...].dropFirst(3)
        let authority = after.prefix { !"/?#".contains($0) }
        rest = after[authority.endIndex...]
        let start = authority.lastIndex(of: "]") ?? authority.lastIndex(of: "@") ?? authority.startIndex
        if let mark = authority[start...].lastIndex(of: ":") {
            host = authority[..<mark]
            port = authority[mark...].dropFirst()
        } else {
            host = authority
            port = nil
        }
        guard !host.isEmpty else { return nil }
    }

    /// As given, without a port, and with the scheme's own.
    var spellings: [String] {
        let port = port ?? (scheme.lowercased() == "https" ? "443" : "80")
        return [given, "\(scheme)://\(host)\(rest)", "\(scheme)://\(host):\(port)\(rest)"]
    }

    /// The value of `bodySHA256` in the query.
    var bodyHash: String? {
        guard let mark = rest.firstIndex(of: "?") else { return nil }
        let query = rest[mark...].dropFirst().prefix { $0 != "#" }
        return FormFields(Array(query.utf8)).first { $0.name.elementsEqual("bodySHA256".utf8) }
            .map { String(decoding: $0.value, as: UTF8.self) }
    }
}
