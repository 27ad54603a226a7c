internal import PinpostCore

/// A body that lies in memory.
final class BodyReader: BlobReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func read(upTo limit: Int) -> [UInt8] {
        let piece = rest.prefix(limit)
        rest = rest.dropFirst(piece.count)
        return Array(piece)
    }

    func descriptor() throws(StoreError) -> CInt { throw StoreError(.unusable) }
}
