import CurlKit

/// Bytes that a server would send, in pieces of any size, then the end of the connection.
final class RecordedStream: ByteStream {
    private var bytes: ArraySlice<UInt8>
    private let piece: Int
    private(set) var sent: [UInt8] = []

    init(_ bytes: [UInt8], piece: Int = .max) {
        self.bytes = bytes[...]
        self.piece = piece
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant
    ) throws(StreamError) -> Int {
        guard !bytes.isEmpty else { throw StreamError(.closed) }
        let part = bytes.prefix(min(piece, buffer.count))
        buffer.copyBytes(from: part)
        bytes = bytes.dropFirst(part.count)
        return part.count
    }

    func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(StreamError) { sent += bytes }

    func waitForNews(until deadline: ContinuousClock.Instant) throws(StreamError) -> StreamNews {
        bytes.isEmpty ? .deadline : .bytes
    }
}
