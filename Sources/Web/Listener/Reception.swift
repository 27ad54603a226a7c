internal import PinpostCore

/// A body on its way into the blob store.
///
/// `@unchecked Sendable` is safe: only one thread has it at a time, the library's, or that of a step while the
/// connection is suspended.
final class Reception: @unchecked Sendable {
    /// The bytes of a block where as many large ones as there may be are in use.
    private static let smallBlock = 128 * 1024

    let limit: Int
    private let then: @Sendable (StoredBytes) async -> HTTPAnswer
    private let writer: any BlobWriter
    private let pool: BlockingPool
    private let blocks: BodyBlocks
    private var place: UnderWay<Int>?
    /// So many bytes are collected before a thread of the pool writes them; 0 until the body turns out to be large.
    private var block = 0
    private var pending: [UInt8] = []
    private(set) var count = 0

    init(
        limit: Int, into blobs: any BlobStore, on pool: BlockingPool, sharing blocks: BodyBlocks,
        then: @escaping @Sendable (StoredBytes) async -> HTTPAnswer
    ) {
        self.limit = limit
        self.then = then
        self.pool = pool
        self.blocks = blocks
        writer = blobs.makeWriter()
    }

    /// Copies the bytes; false when the body is over its limit.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= limit - count else { return false }
        count += bytes.count
        if isLarge, block == 0 { makeBlock() }
        pending.append(contentsOf: bytes)
        return true
    }

    /// Small bodies stay in memory to their end; the disk is for the others.
    private var isLarge: Bool { count > StoredBytes.inlineLimit }

    var wantsToWrite: Bool { isLarge && pending.count >= block }

    private func makeBlock() {
        place = blocks.table.begin(blocks.size)
        block = place?.key ?? min(blocks.size, Self.smallBlock)
        pending.reserveCapacity(block + StoredBytes.inlineLimit)
    }

    /// The body is written; its memory is somebody else's.
    private func endBlock() {
        pending = []
        place?.end()
    }

    func write() async throws(StoreError) {
        try await pool.run { () throws(StoreError) in try self.flush() }
    }

    /// Makes the body durable and asks for the answer.
    func complete() async -> HTTPAnswer {
        do throws(StoreError) {
            return await then(try await finish())
        } catch {
            discard()
            return Problem(error).answer(fields: error.retryFields)
        }
    }

    private func finish() async throws(StoreError) -> StoredBytes {
        // Bytes that fit into a row touch no file: a thread of the pool would only cost time.
        guard isLarge else { return try finishNow() }
        return try await pool.run { () throws(StoreError) in try self.finishNow() }
    }

    private func finishNow() throws(StoreError) -> StoredBytes {
        try flush()
        endBlock()
        return try writer.finish()
    }

    private func flush() throws(StoreError) {
        var failure: StoreError?
        pending.withUnsafeBytes { buffer in
            do throws(StoreError) { try writer.write(buffer) } catch { failure = error }
        }
        // Written first and emptied then: a second reference would cost a new buffer for every block.
        pending.removeAll(keepingCapacity: true)
        if let failure { throw failure }
    }

    func discard() {
        endBlock()
        writer.discard()
    }
}

/// The large blocks of all bodies that are being received; their memory has a limit.
struct BodyBlocks: Sendable {
    let size: Int
    let table: UnderWayTable<Int>

    init(_ limits: ListenerLimits) {
        size = limits.bodyBlock
        table = UnderWayTable(upTo: limits.bodyBlocks)
    }
}
