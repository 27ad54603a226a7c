import DecoderProtocol
import PinpostCore

/// Takes a JPEG apart by its markers (ITU-T T.81, annex B) and keeps what belongs to the picture.
enum JPEGCleaner: PictureCleaner {
    static func clean(
        _ file: ArraySlice<UInt8>, adding profile: [ArraySlice<UInt8>], limits: PictureLimits
    ) throws(MediaError) -> CleanFile {
        var cleaning = JPEGCleaning(limits: limits, addition: profile)
        do {
            return try cleaning.run(file)
        } catch {
            throw MediaError(error, in: .jpeg)
        }
    }
}

/// One pass over one JPEG file.
private struct JPEGCleaning {
    /// A progressive file has some hundred, with all that cameras add.
    private static let maximumSegments = 10_000

    let limits: PictureLimits
    let addition: [ArraySlice<UInt8>]
    private var clean = CleanFile(.jpeg)
    private var scans = 0

    init(limits: PictureLimits, addition: [ArraySlice<UInt8>]) {
        (self.limits, self.addition) = (limits, addition)
    }

    mutating func run(_ file: ArraySlice<UInt8>) throws -> CleanFile {
        var reader = JPEGReader(file)
        clean.keep(try reader.start())
        var needsProfile = !addition.isEmpty
        for _ in 0..<Self.maximumSegments {
            let segment = try reader.next()
            // Metadata follows the JFIF header, which has to be the first segment.
            if segment.marker != .app0 { clean.markMetadataPlace() }
            if needsProfile, segment.marker != .app0 {
                addition.forEach { clean.keep($0) }
                needsProfile = false
            }
            guard segment.marker != .endOfImage else {
                clean.keep(segment.whole)
                return try finished(reader.rest)
            }
            try take(segment)
            guard segment.marker == .startOfScan else { continue }
            guard let data = try? reader.entropyCodedData() else {
                mend(reader.rest)
                return clean
            }
            clean.keep(data)
        }
        throw Malformed.tooMuch("it has too many segments")
    }

    private mutating func finished(_ rest: ArraySlice<UInt8>) throws(Malformed) -> CleanFile {
        guard scans > 0, clean.width > 0 else { throw Malformed("it holds no picture") }
        if !rest.isEmpty { clean.remove("trailing data") }
        return clean
    }

    /// Ends a file that stops inside a scan; a decoder will say whether pixels are missing.
    private mutating func mend(_ data: ArraySlice<UInt8>) {
        clean.keep(data.last == 0xFF ? data.dropLast() : data)
        clean.keep([0xFF, 0xD9])
        if clean.coding == .plain { clean.coding = .mended }
    }

    private mutating func take(_ segment: JPEGReader.Segment) throws {
        switch segment.marker {
        case .startOfFrame(let kind): try takeFrame(segment, kind)
        case .startOfScan:
            guard clean.width > 0 else { throw Malformed("a scan comes before the frame") }
            scans += 1
            guard scans <= limits.scans else {
                throw MediaError(.overLimit, "The JPEG file has more than \(limits.scans) scans. It was not decoded.")
            }
        case .application(let number):
            let isProfile = number == 2 && segment.payload.starts(with: "ICC_PROFILE\0")
            let isAdobe = number == 14 && segment.payload.starts(with: "Adobe")
            if isProfile { clean.profile.append(segment.whole) }
            guard isAdobe || isProfile && addition.isEmpty else { return remove(number, segment.payload) }
        case .comment: return clean.remove("comment")
        case .other, .app0: break
        case .endOfImage: return
        }
        if segment.marker == .app0, !segment.payload.starts(with: "JFIF\0") { return clean.remove("thumbnail") }
        clean.keep(segment.whole)
    }

    private mutating func takeFrame(_ segment: JPEGReader.Segment, _ kind: UInt8) throws {
        guard clean.width == 0 else { throw Malformed("it has two frames") }
        var reader = ByteReader(segment.payload)
        let precision = try reader.big(1)
        (clean.height, clean.width) = (try reader.big(2), try reader.big(2))
        let components = try reader.big(1)
        // Baseline, extended and progressive Huffman, which browsers and Pinry read, and their arithmetic siblings.
        guard kind <= 2 || kind == 9 || kind == 10, precision == 8, [1, 3, 4].contains(components) else {
            throw MediaError(
                .unsupportedFormat,
                "The JPEG file is of a rare kind (type \(kind), \(precision) bits, \(components) channels) that browsers "
                    + "do not show. Save it as an ordinary JPEG.")
        }
        if kind > 2 { clean.coding = .rare }
        if components == 4 { clean.coding = .inks }
        try limits.check(width: clean.width, height: clean.height, of: .jpeg)
    }

    private mutating func remove(_ number: UInt8, _ payload: ArraySlice<UInt8>) {
        switch number {
        case 1 where payload.starts(with: "Exif\0"): clean.remove(ExifSummary(tiff: payload.dropFirst(6)))
        case 1 where payload.starts(with: "http://ns.adobe.com/"): clean.remove("xmp")
        case 2 where payload.starts(with: "MPF\0"): clean.remove("extra pictures")
        case 13: clean.remove("iptc")
        default: clean.remove("application data")
        }
    }
}
