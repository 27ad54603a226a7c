import DecoderProtocol
import PinpostCore

/// The first page of a TIFF file, judged before libtiff sees it (TIFF 6.0).
struct TIFFFile {
    private enum Tag {
        static let kind = 254
        static let width = 256
        static let height = 257
        static let bits = 258
        static let compression = 259
        static let photometric = 262
        static let stripPlaces = 273
        static let samples = 277
        static let stripLengths = 279
        static let tileWidth = 322
        static let tileHeight = 323
        static let tilePlaces = 324
        static let tileLengths = 325
        static let subdirectories = 330
        static let sampleFormat = 339
        static let profile = 34675
        static let dngVersion = 50706
    }

    /// None, CCITT, LZW, JPEG, Deflate (two numbers) and PackBits: the codecs that scanners and programs write.
    private static let compressions: Set<Int> = [1, 2, 3, 4, 5, 7, 8, 32773, 32946]
    /// Black on white and the reverse, RGB, palette, inks, YCbCr, CIE L*a*b*.
    private static let photometrics: Set<Int> = [0, 1, 2, 3, 5, 6, 8]
    /// A colour filter before each sensor cell, or what comes right after it: the picture is still to be developed.
    private static let rawPhotometrics: Set<Int> = [32803, 34892]
    private static let maximumPieces = 1 << 20
    private static let maximumDirectories = 16

    let size: PictureSize
    let orientation: Orientation
    let profile: ICCProfile?
    let exif: ExifSummary

    /// - Throws: `.damaged`, `.overLimit`, or `.unsupportedFormat` for kinds that libtiff shall not see.
    init(_ file: ArraySlice<UInt8>, limits: PictureLimits) throws(MediaError) {
        do {
            let structure = try TIFFStructure(file)
            try self.init(structure, try structure.directory(at: structure.first), file, limits)
        } catch {
            throw MediaError(error, in: .tiff)
        }
    }

    private init(
        _ structure: TIFFStructure, _ page: TIFFStructure.Directory, _ file: ArraySlice<UInt8>, _ limits: PictureLimits
    ) throws {
        func number(_ tag: Int, default standard: Int = 0) -> Int { structure.number(page.fields[tag]) ?? standard }
        size = PictureSize(width: number(Tag.width), height: number(Tag.height))
        try limits.check(width: size.width, height: size.height, of: .tiff, upTo: limits.wholePixels)
        let bits = structure.numbers(page.fields[Tag.bits], limit: 8) ?? [1]
        let (compression, samples) = (number(Tag.compression, default: 1), number(Tag.samples, default: 1))
        let photometric = number(Tag.photometric)
        let isFloat = number(Tag.sampleFormat, default: 1) == 3
        guard Self.compressions.contains(compression), Self.photometrics.contains(photometric), !isFloat,
            let depth = bits.first, [1, 2, 4, 8, 16].contains(depth), bits.allSatisfy({ $0 == depth }),
            (1...5).contains(samples)
        else {
            throw MediaError(
                .unsupportedFormat,
                "The TIFF file is of a rare kind (compression \(compression), colours \(photometric), \(samples) x "
                    + "\(bits.first ?? 0) bits\(isFloat ? ", floating point" : "")). Save it as PNG or JPEG.")
        }
        try Self.checkPieces(structure, page, size, file, limits)
        exif = ExifSummary(tiff: file)
        orientation = exif.orientation ?? .up
        profile = structure.bytes(of: page.fields[Tag.profile]).flatMap { ICCProfile($0) }
    }

    /// The strips or tiles are not larger than the picture, lie in the file, and no byte serves many of them.
    private static func checkPieces(
        _ structure: TIFFStructure, _ page: TIFFStructure.Directory, _ size: PictureSize, _ file: ArraySlice<UInt8>,
        _ limits: PictureLimits
    ) throws {
        let tile = (
            width: structure.number(page.fields[Tag.tileWidth]), height: structure.number(page.fields[Tag.tileHeight])
        )
        if let width = tile.width, let height = tile.height {
            try limits.check(width: width, height: height, of: .tiff, upTo: limits.wholePixels)
        }
        let isTiled = tile.width != nil
        let places = structure.numbers(
            page.fields[isTiled ? Tag.tilePlaces : Tag.stripPlaces], limit: maximumPieces)
        let lengths = structure.numbers(
            page.fields[isTiled ? Tag.tileLengths : Tag.stripLengths], limit: maximumPieces)
        guard let places, !places.isEmpty else { throw Malformed("its pixels are missing") }
        // Old writers leave the lengths out; libtiff reckons them.
        guard let lengths else { return }
        guard lengths.count == places.count,
            zip(places, lengths).allSatisfy({ $0 <= file.count && $1 <= file.count - $0 })
        else { throw Malformed("a part of it is missing") }
        guard lengths.reduce(0, +) <= 2 * file.count else {
            throw Malformed.tooMuch("it uses the same bytes many times")
        }
    }

    /// Whether a TIFF structure holds the raw data of a camera.
    static func isRaw(_ file: ArraySlice<UInt8>) -> Bool {
        guard !file.dropFirst(8).starts(with: "CR"), let structure = try? TIFFStructure(file) else {
            return file.dropFirst(8).starts(with: "CR")
        }
        var (waiting, seen): ([Int], Set<Int>) = ([structure.first], [])
        while let offset = waiting.popLast(), seen.count < maximumDirectories {
            guard seen.insert(offset).inserted, let directory = try? structure.directory(at: offset) else { continue }
            let photometric = structure.number(directory.fields[Tag.photometric]) ?? 0
            if rawPhotometrics.contains(photometric) || directory.fields[Tag.dngVersion] != nil { return true }
            // A file that begins with a smaller copy keeps the picture itself where programs do not look for it.
            let kind = structure.number(directory.fields[Tag.kind]) ?? 0
            if offset == structure.first, kind & 1 == 1 { return true }
            waiting += structure.numbers(directory.fields[Tag.subdirectories], limit: maximumDirectories) ?? []
            if directory.next > 0 { waiting.append(directory.next) }
        }
        return false
    }
}
