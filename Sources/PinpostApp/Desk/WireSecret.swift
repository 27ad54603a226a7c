import PinpostCore

/// A secret on its way through the admin socket, which only its owner can open.
///
/// Everywhere else it prints as `[redacted]`.
struct WireSecret: Codable, Sendable {
    let secret: Secret

    init(_ secret: Secret) { self.secret = secret }

    init(from decoder: any Decoder) throws {
        var bytes = Array(try decoder.singleValueContainer().decode(String.self).utf8)
        secret = Secret(taking: &bytes)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secret.withBytes { String(decoding: $0, as: UTF8.self) })
    }
}
