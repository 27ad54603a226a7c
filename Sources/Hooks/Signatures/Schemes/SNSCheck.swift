internal import Cryptography
internal import FoundationEssentials
internal import PinpostCore

/// Amazon SNS: RSA over some of the fields, version 1 with SHA-1 and version 2 with SHA-256.
///
/// Everybody with an account there can have a topic whose notifications are signed just as well: only the topic says
/// whose they are. It states no window; repeats are recognised by `MessageId`.
struct SNSCheck: SignatureCheck {
    /// A mail of 150 KB in base64, in JSON, in JSON again.
    private static let limits: HookLimits = {
        var limits = HookLimits()
        limits.text = 1 << 20
        return limits
    }()
    private static let names: Set<String> = [
        "Message", "MessageId", "Signature", "SignatureVersion", "SigningCertURL", "Subject", "SubscribeURL",
        "Timestamp", "Token", "TopicArn", "Type",
    ]

    private let key: VerifyingKey
    /// nil for a bare key, which says nothing of how long it holds.
    private let certificate: Certificate?
    private let topics: [String]

    /// The secret is the certificate of `SigningCertURL` in PEM, or its public key; lines that begin with `arn:` name
    /// the only topics.
    init(_ secret: Secret) throws(SignatureRefusal) {
        _ = try SharedSecret(secret)
        let lines = secret.text.split(whereSeparator: \.isNewline).map(\.trimmed)
        topics = lines.filter { $0.hasPrefix("arn:") }
        if let start = lines.firstIndex(of: "-----BEGIN PUBLIC KEY-----") {
            certificate = nil
            key = try Self.key(lines[(start + 1)...].prefix { !$0.hasPrefix("-") }.joined())
        } else {
            let certificate = try Self.certificate(Array(secret.text.utf8))
            (self.certificate, key) = (certificate, certificate.key)
        }
    }

    init(certificate pem: [UInt8], topics: [String]) throws(SignatureRefusal) {
        let certificate = try Self.certificate(pem)
        (key, self.certificate, self.topics) = (certificate.key, certificate, topics)
    }

    private static func certificate(_ pem: [UInt8]) throws(SignatureRefusal) -> Certificate {
        do throws(CryptographyError) { return try Certificate(pem: pem) } catch { throw unusable }
    }

    private static func key(_ base64: String) throws(SignatureRefusal) -> VerifyingKey {
        let der = SignatureEncoding.base64.decode(base64) ?? []
        do throws(CryptographyError) { return try VerifyingKey(rsa: der) } catch { throw unusable }
    }

    private static let unusable = SignatureRefusal(
        .secretUnusable, "Amazon's certificate is PEM with an RSA key, and so is the key alone.")

    func verify(_ request: SignedRequest, now: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        // The content type says text, whatever is in it.
        let fields = try BodyFields(Self.names, ofJSON: request.body, limits: Self.limits)
        let topic = try fields.required("TopicArn")
        guard topics.isEmpty || topics.contains(topic) else {
            throw SignatureRefusal(.wrong, "TopicArn is not a topic of this hook.")
        }
        guard SNSAddress.isCertificate(try fields.required("SigningCertURL")) else {
            throw .malformed("SigningCertURL", "an address of Amazon SNS")
        }
        guard certificate?.isValid(at: now) ?? true else {
            throw SignatureRefusal(.secretUnusable, "Amazon's certificate has expired, or is not valid yet.")
        }
        guard let signature = SignatureEncoding.base64.decode(try fields.required("Signature")) else {
            throw .malformed("Signature", "base64")
        }
        let message = Array(try Self.signedText(fields).utf8)
        guard key.verifies(signature, of: message, hash: try Self.hash(fields)) else {
            throw .wrong("Signature")
        }
        return VerifiedDelivery(
            id: try fields.required("MessageId"), signedAt: Self.time(try fields.required("Timestamp")))
    }

    private static func hash(_ fields: BodyFields) throws(SignatureRefusal) -> VerifyingKey.Hash {
        switch try fields.required("SignatureVersion") {
        case "1": .sha1
        case "2": .sha256
        default: throw .malformed("SignatureVersion", "1 or 2")
        }
    }

    /// Names and values of what is signed, each on a line, in the order of the names.
    private static func signedText(_ fields: BodyFields) throws(SignatureRefusal) -> String {
        let type = try fields.required("Type")
        let names: [String]
        switch type {
        case "Notification": names = ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
        case "SubscriptionConfirmation", "UnsubscribeConfirmation":
            names = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
        default: throw .malformed("Type", "a kind of message that is known")
        }
        var text = ""
        for name in names {
            // A notification has a subject or has none.
            if name == "Subject", !fields.has(name) { continue }
            text += "\(name)\n\(try fields.required(name))\n"
        }
        return text
    }

    private static func time(_ text: String) -> Date? {
        try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// Addresses that SNS names in its messages: whoever forges one chooses them.
enum SNSAddress {
    /// Where the certificate of a signature lies.
    static func isCertificate(_ url: String) -> Bool {
        guard let rest = rest(of: url) else { return false }
        return rest.hasPrefix("/") && rest.hasSuffix(".pem") && rest.count <= 200
            && rest.dropFirst().utf8.allSatisfy { $0.isLetterOrDigit || "-_.".utf8.contains($0) }
    }

    /// Where a subscription is confirmed.
    static func isConfirmation(_ url: String) -> Bool {
        guard let rest = rest(of: url) else { return false }
        return (rest.hasPrefix("/?") || rest.hasPrefix("?")) && rest.contains("Action=ConfirmSubscription")
    }

    /// What follows `https://sns.REGION.amazonaws.com` or the same with `.cn`; nil for any other host.
    private static func rest(of url: String) -> Substring? {
        guard url.hasPrefix("https://sns.") else { return nil }
        let region = url.dropFirst(12).prefix { $0.isASCII && ($0.isLowercase || $0.isNumber) || $0 == "-" }
        let after = url[region.endIndex...]
        guard (1...32).contains(region.count), after.hasPrefix(".amazonaws.com") else { return nil }
        let rest = after.dropFirst(14)
        return rest.hasPrefix(".cn/") ? rest.dropFirst(3) : rest
    }
}

extension UInt8 {
    var isLetterOrDigit: Bool {
        isDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }
}
