internal import PinpostCore
internal import Synchronization

/// The texts of envelopes that come again and again: the requests of one sender differ in their bodies alone.
final class EnvelopeTexts: Sendable {
    private static let limit = 64

    private let texts = Mutex<[Envelope: String]>([:])

    func text(of envelope: Envelope) throws(StoreError) -> String {
        // With a fingerprint it does not come again.
        guard envelope.fingerprint == nil else { return try JSONColumn.encode(envelope) }
        if let known = texts.withLock({ $0[envelope] }) { return known }
        let text = try JSONColumn.encode(envelope)
        texts.withLock { texts in
            if texts.count >= Self.limit { texts = [:] }
            texts[envelope] = text
        }
        return text
    }
}
