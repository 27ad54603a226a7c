public import PinpostCore

/// Reads stored hook messages for the splitter.
public struct HookMessageReader: MessageReader {
    private let blobs: any BlobStore
    private let pool: BlockingPool

    public init(blobs: any BlobStore, pool: BlockingPool) {
        self.blobs = blobs
        self.pool = pool
    }

    public func read(_ message: Message, knownBoards: [String]) async throws(ReadingError) -> MessageContent {
        guard let body = message.body else { throw ReadingError(.unreadable, "The body is gone.") }
        return try await pool.run { [blobs] () throws(ReadingError) in
            do {
                if let name = message.envelope.provider {
                    guard let provider = Providers.named(name) else {
                        throw ReadingError(.unreadable, "This Pinpost does not know the provider \(name).")
                    }
                    return try ProviderReading(provider: provider, blobs: blobs)
                        .read(message, knownBoards: knownBoards)
                }
                return try HookReader(for: message.envelope).read(
                    body: blobs.open(body), envelope: message.envelope, into: blobs, knownBoards: knownBoards)
            } catch let error as HookError {
                if let cause = error.cause { throw ReadingError(cause) }
                throw ReadingError(error.code == .unavailable ? .unavailable : .unreadable, error.description)
            } catch let error as ReadingError {
                throw error
            } catch let error as StoreError {
                throw ReadingError(error)
            } catch {
                throw ReadingError(.unavailable, "The body cannot be opened.")
            }
        }
    }
}
