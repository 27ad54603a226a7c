import Mail
import PinpostCore

@testable import Hooks

/// The payload of a webhook.
enum HookTarget {
    /// What is found does not depend on where the bytes were cut.
    static func run(_ bytes: [UInt8], _ contentType: String) {
        let whole = read(bytes, contentType, piece: .max)
        let cut = read(bytes, contentType, piece: bytes.count % 61 + 1)
        precondition(whole == cut, "pieces of \(bytes.count % 61 + 1) bytes read differently")
    }

    private static func read(
        _ bytes: [UInt8], _ contentType: String, piece: Int
    ) -> Result<MessageContent, HookError> {
        Result { () throws(HookError) in
            try HookReader().read(
                body: Pieces(bytes, of: piece), envelope: Envelope(contentType: contentType),
                into: MeasuringBlobStore(), knownBoards: [])
        }
    }
}
