internal import CLinux
internal import PinpostCore

/// The bytes of a body, one by one or in runs, with the position for errors.
final class ByteSource {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let chunkSize = 64 * 1024

    private let body: any BlobReader
    private let limit: Int
    private var chunk: [UInt8] = []
    private var index = 0
    private var chunkStart = 0
    private var line = 1
    private var lineStart = 0

    init(_ body: any BlobReader, limit: Int) {
        self.body = body
        self.limit = limit
    }

    /// Of the next byte.
    var position: HookError.Position {
        let byte = chunkStart + index
        return HookError.Position(byte: byte, line: line, column: byte - lineStart + 1)
    }

    func peek() throws(HookError) -> UInt8? {
        if index == chunk.count, try !fill() { return nil }
        return chunk[index]
    }

    func next() throws(HookError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        index += 1
        if byte == 0x0A {
            line += 1
            lineStart = chunkStart + index
        }
        return byte
    }

    /// The next bytes, without taking them: fewer only at the end.
    func prefix(_ count: Int) throws(HookError) -> [UInt8] {
        while chunk.count - index < count {
            guard try fill() else { break }
        }
        return Array(chunk[index..<min(index + count, chunk.count)])
    }

    /// Takes bytes that `prefix` has shown; none of them ends a line.
    func skip(_ count: Int) { index += count }

    func skipByteOrderMark() throws(HookError) {
        guard try prefix(3) == Self.byteOrderMark else { return }
        skip(3)
        lineStart = 3
    }

    /// Takes bytes up to the first that `isEnd` wants, or to the end of the body.
    ///
    /// Line feeds among them are not counted as lines: only JSON has lines, and there one ends a run.
    func run(
        until isEnd: (UInt8) -> Bool, _ consume: (UnsafeRawBufferPointer) throws(HookError) -> Void
    ) throws(HookError) {
        while let first = try peek(), !isEnd(first) {
            let end = chunk.withUnsafeBufferPointer { buffer in
                var end = index + 1
                while end < buffer.count, !isEnd(buffer[end]) { end += 1 }
                return end
            }
            try chunk.lend(index..<end, consume)
            index = end
        }
    }

    /// Takes bytes up to and with the next `mark`, which is not empty; false when the body ends without it.
    ///
    /// As in `run`, line feeds are not counted. What is no mark is lent in pieces as large as they come.
    func run(
        through mark: [UInt8], _ consume: (UnsafeRawBufferPointer) throws(HookError) -> Void
    ) throws(HookError) -> Bool {
        while true {
            if let found = chunk.firstIndex(of: mark, from: index) {
                if found > index { try chunk.lend(index..<found, consume) }
                index = found + mark.count
                return true
            }
            // The mark may begin in the last bytes of this piece and end in the next.
            let end = chunk.count - mark.count + 1
            if end > index {
                try chunk.lend(index..<end, consume)
                index = end
            }
            guard try fill() else { return false }
        }
    }

    /// Everything that is left, as text; wrong UTF-8 is replaced.
    func rest(upTo most: Int) throws(HookError) -> String {
        var bytes: [UInt8] = []
        try run(until: { _ in false }) { piece throws(HookError) in
            guard bytes.count + piece.count <= most else { throw Self.tooLarge("text", most) }
            bytes.append(contentsOf: piece)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func tooLarge(_ what: String, _ limit: Int) -> HookError {
        HookError(.tooLarge, "The \(what) is over the limit of \(ByteCount.text(limit)).")
    }

    /// False at the end of the body.
    private func fill() throws(HookError) -> Bool {
        let more: [UInt8]
        do throws(StoreError) {
            more = try body.read(upTo: Self.chunkSize)
        } catch {
            throw HookError(unread: error)
        }
        guard !more.isEmpty else { return false }
        chunkStart += index
        if index == chunk.count {
            chunk = more
        } else {
            chunk.removeFirst(index)
            chunk += more
        }
        index = 0
        guard chunkStart + chunk.count <= limit else {
            throw Self.tooLarge("body", limit)
        }
        return true
    }
}

extension [UInt8] {
    /// Where `mark` begins, at `start` or behind it.
    fileprivate func firstIndex(of mark: [UInt8], from start: Int) -> Int? {
        withUnsafeBytes { bytes in
            // Skips along by the length of the mark, not from one of its first bytes to the next: a file has megabytes.
            guard let base = bytes.baseAddress,
                let hit = memmem(base + start, bytes.count - start, mark, mark.count)
            else { return nil }
            return UnsafeRawPointer(hit) - base
        }
    }

    /// Lends the bytes of a range; they must not outlive the call.
    func lend(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(HookError) -> Void
    ) throws(HookError) {
        try withUnsafeBufferPointer { buffer throws(HookError) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[range])))
        }
    }

    func lend(_ body: (UnsafeRawBufferPointer) throws(HookError) -> Void) throws(HookError) {
        try lend(0..<count, body)
    }
}
