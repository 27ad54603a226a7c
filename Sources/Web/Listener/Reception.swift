internal import PinpostCore

/// A body on its way into the blob store.
///
/// `@unchecked Sendable` is safe: only one thread has it at a time, the library's, or that of a step while the
/// connection is suspended.
final class Reception: @unchecked Sendable {
    /// Bytes that are collected before a thread of the pool writes them.
    private static let block = 128 * 1024

    let limit: Int
    private let then: @Sendable (StoredBytes) async -> HTTPAnswer
    private let writer: any BlobWriter
    private let pool: BlockingPool
    private var pending: [UInt8] = []
    private(set) var count = 0

    init(
        limit: Int, into blobs: any BlobStore, on pool: BlockingPool,
        then: @escaping @Sendable (StoredBytes) async -> HTTPAnswer
    ) {
        self.limit = limit
        self.then = then
        self.pool = pool
        writer = blobs.makeWriter()
    }

    /// Copies the bytes; false when the body is over its limit.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= limit - count else { return false }
        count += bytes.count
        pending.append(contentsOf: bytes)
        return true
    }

    /// Small bodies stay in memory to their end; the disk is for the others.
    var wantsToWrite: Bool { count > StoredBytes.inlineLimit && pending.count >= Self.block }

    func write() async throws(StoreError) {
        try await pool.run { () throws(StoreError) in try self.flush() }
    }

    /// Makes the body durable and asks for the answer.
    func complete() async -> HTTPAnswer {
        do throws(StoreError) {
            return await then(try await finish())
        } catch {
            writer.discard()
            return Problem(error).answer(fields: error.retryFields)
        }
    }

    private func finish() async throws(StoreError) -> StoredBytes {
        // Bytes that fit into a row touch no file: a thread of the pool would only cost time.
        guard count > StoredBytes.inlineLimit else { return try finishNow() }
        return try await pool.run { () throws(StoreError) in try self.finishNow() }
    }

    private func finishNow() throws(StoreError) -> StoredBytes {
        try flush()
        return try writer.finish()
    }

    private func flush() throws(StoreError) {
        let bytes = pending
        pending.removeAll(keepingCapacity: true)
        guard !bytes.isEmpty else { return }
        var failure: StoreError?
        bytes.withUnsafeBytes { buffer in
            do throws(StoreError) { try writer.write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    func discard() { writer.discard() }
}
