import FoundationEssentials
import Media
import PinpostCore
import StoreSQLite

/// The converter of the service, for what is about pictures.
enum RealConverter {
    /// The decoder program of this build lies beside the test bundle.
    private static let pool: DecoderPool = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        let folder = "/" + bundle.split(separator: "/").dropLast().joined(separator: "/")
        return DecoderPool(DecoderExecutables(folder: folder))
    }()

    @Sendable static func make(storingIn store: SQLiteStore) -> any PictureConverter {
        SandboxedPictureConverter(pool, storingIn: store)
    }
}
