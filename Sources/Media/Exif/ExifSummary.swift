import DecoderProtocol

/// What Pinpost wants from EXIF: which way is up, and whether it says where, when and with what the picture was taken.
struct ExifSummary: Hashable {
    private enum Tag {
        static let make = 0x010F
        static let model = 0x0110
        static let orientation = 0x0112
        static let date = 0x0132
        static let exif = 0x8769
        static let gps = 0x8825
        static let originalDate = 0x9003
    }

    private(set) var orientation: Orientation?
    private(set) var hasGPS = false
    private(set) var hasCamera = false
    private(set) var hasDate = false
    private(set) var camera = CameraFacts()

    /// Reads the first directory of a TIFF structure (Exif 2.32, section 4.6.2); what it cannot read it leaves out.
    init(tiff: ArraySlice<UInt8>) {
        guard let structure = try? TIFFStructure(tiff), let main = try? structure.directory(at: structure.first) else {
            return
        }
        let fields = main.fields
        orientation = structure.number(fields[Tag.orientation]).flatMap { Orientation(rawValue: UInt8(clamping: $0)) }
        hasGPS = fields[Tag.gps] != nil
        hasCamera = fields[Tag.make] != nil || fields[Tag.model] != nil
        let details = structure.number(fields[Tag.exif]).flatMap { try? structure.directory(at: $0) }
        hasDate = fields[Tag.date] != nil || details?.fields[Tag.originalDate] != nil
        camera = CameraFacts(
            make: structure.bytes(of: fields[Tag.make]), model: structure.bytes(of: fields[Tag.model]),
            date: structure.bytes(of: details?.fields[Tag.originalDate]))
    }
}
