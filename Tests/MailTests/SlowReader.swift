import PinpostCore

/// Bytes that come in pieces of one size.
final class SlowReader: BlobReader {
    private var rest: ArraySlice<UInt8>
    private let piece: Int

    init(_ bytes: [UInt8], piece: Int) { (rest, self.piece) = (bytes[...], piece) }

    func read(upTo limit: Int) throws(StoreError) -> [UInt8] {
        let bytes = rest.prefix(min(limit, piece))
        rest = rest.dropFirst(bytes.count)
        return Array(bytes)
    }

    func descriptor() throws(StoreError) -> CInt { throw StoreError(.unavailable, "nothing is in a file here") }
}
