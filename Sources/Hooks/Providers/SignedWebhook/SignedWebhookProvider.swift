internal import PinpostCore

/// A sender that signs what it sends and knows nothing of Pinpost: Standard Webhooks, Svix, GitHub, Stripe, Shopify,
/// Hookdeck, Convoy, or any keyed hash of the body in a header.
///
/// The body is read like that of a generic hook, with the hook's mapping. Query and header fields are not signed, and
/// say nothing.
struct SignedWebhookProvider: Provider {
    static let all = [
        SignatureScheme.standardWebhooks, .svix, .github, .stripe, .shopify, .hookdeck, .convoy, .genericHMAC,
    ].map(SignedWebhookProvider.init)

    let scheme: SignatureScheme

    var name: String { scheme.rawValue }
    /// GitHub sends up to 25 MB; the signature is checked in memory.
    let bodyLimit = 26 << 20
    /// GitHub tries once, and of unknown senders nothing is known.
    var resends: Bool { scheme != .github && scheme != .genericHMAC }

    func proof(of _: String) -> RequestProof { .signature(scheme) }

    func signatureFormat(_ settings: HookSettings) throws(SignatureRefusal) -> HMACFormat {
        scheme == .genericHMAC ? try HMACFormat(options: settings.options) : HMACFormat()
    }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let envelope = Envelope(contentType: request.body.contentType, mapping: request.access.settings.mapping)
        do throws(HookError) {
            _ = try HookReader(for: envelope).check(body: request.body.reader(), envelope: envelope)
        } catch {
            guard error.code == .nothingUsable else { throw error }
            // Most of what such senders tell is not for us, and they switch off who refuses it.
            return .answer(ProviderAnswer(), log: "nothing to pin")
        }
        return .accept(ProviderVerdict.Delivery(isPayload: true), ProviderAnswer())
    }

    /// Everything is kept as a generic payload.
    func read(_: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] { [] }
}

extension HMACFormat {
    /// Of the options `header`, `prefix`, `algorithm` and `encoding` of a hook; what is not known is no format.
    fileprivate init(options: [String: String]) throws(SignatureRefusal) {
        self.init(
            header: options["header"] ?? HMACFormat().header, prefix: options["prefix"],
            algorithm: try Self.value("algorithm", options), encoding: try Self.value("encoding", options))
    }

    private static func value<Value: RawRepresentable & CaseIterable>(
        _ name: String, _ options: [String: String]
    ) throws(SignatureRefusal) -> Value? where Value.RawValue == String {
        guard let text = options[name] else { return nil }
        guard let value = Value(rawValue: text) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw SignatureRefusal(.secretUnusable, "The option \(name) is one of \(known).")
        }
        return value
    }
}
