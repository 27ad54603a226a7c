import Glibc
import PinpostCore

/// Bytes of one file part while libcurl sends them: read from the spool as the socket takes them.
///
/// `@unchecked Sendable` is safe: made on a thread that may block, then used by the loop's thread alone.
final class UploadSource: @unchecked Sendable {
    enum Content {
        case memory([UInt8])
        /// The reader keeps the descriptor open.
        case file(any BlobReader, descriptor: CInt)
    }

    private let content: Content
    let count: Int
    private var offset = 0

    /// Opens stored bytes; may block on the disk.
    init(_ bytes: StoredBytes, in blobs: (any BlobStore)?) throws(HTTPExchangeError) {
        count = bytes.count
        switch bytes.place {
        case .inline(let memory): content = .memory(memory)
        case .spooled:
            guard let blobs else { throw HTTPExchangeError(.localFailure, "there is no store to read the body from") }
            do {
                let reader = try blobs.open(bytes)
                content = .file(reader, descriptor: try reader.descriptor())
            } catch {
                throw HTTPExchangeError(.localFailure, "the body cannot be read: \(error)")
            }
        }
    }

    /// The next bytes; 0 at the end, nil when the file is shorter than it was said to be.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let wanted = min(buffer.count, count - offset)
        if wanted <= 0 { return 0 }
        let got: Int
        switch content {
        case .memory(let bytes):
            guard offset + wanted <= bytes.count else { return nil }
            buffer.copyBytes(from: bytes[offset..<(offset + wanted)])
            got = wanted
        case .file(_, let descriptor):
            got = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
        }
        guard got > 0 else { return nil }
        offset += got
        return got
    }

    /// Starts over, when libcurl has to send the body again.
    func seek(to position: Int) -> Bool {
        guard (0...count).contains(position) else { return false }
        offset = position
        return true
    }
}
