/// The directories of a TIFF structure (TIFF 6.0, section 2; BigTIFF), as it stands in TIFF, EXIF and camera RAW files.
struct TIFFStructure {
    /// One field of a directory.
    struct Field: Hashable {
        let type: Int
        let count: Int
        /// Where the values are, as an offset in the structure.
        let place: Int
    }

    struct Directory {
        fileprivate(set) var fields: [Int: Field] = [:]
        /// The offset of the next one; 0 where it is the last.
        fileprivate(set) var next = 0
    }

    /// More than any camera writes.
    private static let maximumFields = 512
    /// Bytes of one value, by its type.
    private static let lengths = [
        1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8,
    ]

    /// The offset of the first directory.
    private(set) var first = 0
    private let bytes: ArraySlice<UInt8>
    private let isLittle: Bool
    /// Whether offsets and counts take 8 bytes.
    private let isBig: Bool

    /// Reads the header.
    /// - Throws: where there is no byte order, or the header is cut off.
    init(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
        self.bytes = bytes
        isLittle = bytes.starts(with: "II")
        guard isLittle || bytes.starts(with: "MM") else { throw Malformed("its byte order is missing") }
        isBig = bytes.dropFirst(2).starts(with: [0x2B, 0]) || bytes.dropFirst(2).starts(with: [0, 0x2B])
        var reader = ByteReader(bytes.dropFirst(isBig ? 8 : 4))
        first = try number(&reader, isBig ? 8 : 4)
    }

    /// Reads the directory at an offset.
    func directory(at offset: Int) throws(Malformed) -> Directory {
        guard offset > 0, offset < bytes.count else { throw Malformed("a directory is missing") }
        var reader = ByteReader(bytes.dropFirst(offset))
        var directory = Directory()
        let count = try number(&reader, isBig ? 8 : 2)
        guard count <= Self.maximumFields else { throw Malformed.tooMuch("it has too many fields") }
        let width = isBig ? 8 : 4
        for _ in 0..<count {
            let (tag, type) = (try number(&reader, 2), try number(&reader, 2))
            let count = try number(&reader, width)
            let own = reader.position - bytes.startIndex
            var value = ByteReader(try reader.take(width))
            guard let length = Self.lengths[type], count <= bytes.count else { continue }
            let place = length * count <= width ? own : try number(&value, width)
            directory.fields[tag] = Field(type: type, count: count, place: place)
        }
        directory.next = (try? number(&reader, width)) ?? 0
        return directory
    }

    /// All values of a whole-numbered field; nil where it is another one, or they are more than `limit`, or outside.
    func numbers(_ field: Field?, limit: Int) -> [Int]? {
        guard let field, field.count <= limit, [1, 3, 4, 13, 16, 18].contains(field.type),
            let length = Self.lengths[field.type], let place = place(field, length)
        else { return nil }
        var reader = ByteReader(place)
        return try? (0..<field.count).map { _ in try number(&reader, length) }
    }

    /// The only or the first value.
    func number(_ field: Field?) -> Int? { numbers(field, limit: 1 << 20)?.first }

    /// The bytes of a field, whatever they are.
    func bytes(of field: Field?) -> ArraySlice<UInt8>? {
        guard let field, let length = Self.lengths[field.type] else { return nil }
        return place(field, length)
    }

    private func place(_ field: Field, _ length: Int) -> ArraySlice<UInt8>? {
        guard field.place >= 0, field.place <= bytes.count, field.count * length <= bytes.count - field.place else {
            return nil
        }
        return bytes.dropFirst(field.place).prefix(field.count * length)
    }

    private func number(_ reader: inout ByteReader, _ count: Int) throws(Malformed) -> Int {
        try isLittle ? reader.little(count) : reader.big(count)
    }
}
