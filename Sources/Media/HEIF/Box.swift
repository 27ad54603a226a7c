/// One box of an ISO base media file (ISO/IEC 14496-12, section 4.2).
struct Box {
    let type: String
    /// Where the four-character code of the type stands, as an index of the bytes that were read.
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
        let typePosition = reader.position + 4
        let header = try Header(&reader, available: available)
        return Box(type: header.type, typePosition: typePosition, payload: try reader.take(header.size - header.length))
    }

    /// What stands before the payload.
    struct Header {
        static let maximumLength = 16

        let type: String
        /// Of the whole box.
        let size: Int
        let length: Int

        /// Reads a header where so many bytes are left for the box.
        init(_ reader: inout ByteReader, available: Int) throws(Malformed) {
            let short = try reader.big(4)
            type = try reader.code()
            switch short {
            case 0: (size, length) = (available, 8)  // to the end
            case 1: (size, length) = (try reader.big(8), 16)
            default: (size, length) = (short, 8)
            }
            guard size >= length, size <= available else { throw Malformed("the box \(type) does not fit") }
        }
    }

    /// The version and flags of a full box, and what follows them.
    func full() throws(Malformed) -> (version: Int, flags: Int, reader: ByteReader) {
        var reader = ByteReader(payload)
        return (try reader.big(1), try reader.big(3), reader)
    }
}
