/// One box of an ISO base media file (ISO/IEC 14496-12, section 4.2).
struct Box {
    let type: String
    /// Where the four-character code of the type stands in the file.
    let typePosition: Int
    let payload: ArraySlice<UInt8>

    /// Reads the boxes that fill a piece of the file.
    /// - Throws: when a size does not fit, or there are more than `limit`.
    static func all(in bytes: ArraySlice<UInt8>, limit: Int) throws(Malformed) -> [Box] {
        var reader = ByteReader(bytes)
        var boxes: [Box] = []
        while reader.remaining > 0 {
            guard boxes.count < limit else { throw Malformed.tooMuch("it has too many boxes") }
            boxes.append(try next(&reader))
        }
        return boxes
    }

    private static func next(_ reader: inout ByteReader) throws(Malformed) -> Box {
        let available = reader.remaining
        var (size, header) = (try reader.big(4), 8)
        let typePosition = reader.position
        let type = try reader.code()
        if size == 1 { (size, header) = (try reader.big(8), 16) }
        if size == 0 { size = available }  // to the end
        guard size >= header, size <= available else { throw Malformed("the box \(type) does not fit") }
        return Box(type: type, typePosition: typePosition, payload: try reader.take(size - header))
    }

    /// The version and flags of a full box, and what follows them.
    func full() throws(Malformed) -> (version: Int, flags: Int, reader: ByteReader) {
        var reader = ByteReader(payload)
        return (try reader.big(1), try reader.big(3), reader)
    }
}
