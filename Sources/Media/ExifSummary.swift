import DecoderProtocol

/// What Pinpost wants from EXIF: which way is up, and whether it says where, when and with what the picture was taken.
struct ExifSummary: Hashable {
    private(set) var orientation: Orientation?
    private(set) var hasGPS = false
    private(set) var hasCamera = false
    private(set) var hasDate = false

    /// More entries than any camera writes.
    private static let maximumEntries = 512

    /// Reads the first directory of a TIFF structure (Exif 2.32, section 4.6.2); what it cannot read it leaves out.
    init(tiff: ArraySlice<UInt8>) {
        try? read(tiff)
    }

    private mutating func read(_ tiff: ArraySlice<UInt8>) throws(Malformed) {
        var header = ByteReader(tiff)
        let isLittle = tiff.starts(with: "II")
        guard isLittle || tiff.starts(with: "MM") else { throw Malformed("no byte order") }
        func number(_ reader: inout ByteReader, _ count: Int) throws(Malformed) -> Int {
            try isLittle ? reader.little(count) : reader.big(count)
        }
        try header.take(4)
        var directory = ByteReader(tiff.dropFirst(try number(&header, 4)))
        for _ in 0..<min(try number(&directory, 2), Self.maximumEntries) {
            let tag = try number(&directory, 2)
            let type = try number(&directory, 2)
            try directory.take(4)
            var value = ByteReader(try directory.take(4))
            switch tag {
            case 0x0112 where type == 3:
                orientation = Orientation(rawValue: UInt8(clamping: try number(&value, 2)))
            case 0x8825: hasGPS = true
            case 0x010F, 0x0110: hasCamera = true
            case 0x0132: hasDate = true
            default: break
            }
        }
    }
}
