import DecoderProtocol
import PinpostCore

/// What the daemon finds out about a picture without decoding it: the gate before every decoder.
enum Survey {
    /// A format that Pinry shows, cleaned already, and the file that it was.
    case plain(CleanFile, from: ArraySlice<UInt8>)
    /// HEIC or AVIF, to be converted.
    case heif(HEIFFile)
    /// Another format that Pinry does not show, to be converted.
    case foreign(ForeignFile)

    /// Recognises and judges a file by its bytes.
    /// - Throws: `.unsupportedFormat`, `.damaged` or `.overLimit`.
    init(_ file: PictureSource, _ limits: PictureLimits) throws(MediaError) {
        guard file.count > 0 else { throw MediaError(.damaged, "The picture file is empty. Please send it again.") }
        let start = try Self.bytes(0..<Self.startLength, of: file)
        let type = PictureType.sniff(Array(start.prefix(PictureType.prefixLength)))
        if let type { try limits.check(type) }
        if type == .heic || type == .avif, let type {
            self = .heif(try HEIFFile(file, type: type))
        } else if let type, PictureType.readable.contains(type) {
            self = try Self.whole(try Self.bytes(0..<file.count, of: file), type, limits)
        } else if RawFile.isRaw(start) {
            self = try Self.preview(try Self.bytes(0..<file.count, of: file), limits)
        } else {
            throw Refusal.of(type, start)
        }
    }

    private static func whole(
        _ file: ArraySlice<UInt8>, _ type: PictureType, _ limits: PictureLimits
    ) throws(MediaError) -> Survey {
        if let cleaner = type.cleaner {
            return .plain(try cleaner.clean(file, adding: [], limits: limits), from: file)
        }
        if type == .tiff, TIFFFile.isRaw(file) { return try preview(file, limits) }
        if let foreign = try ForeignFile(file, type, limits) { return .foreign(foreign) }
        let icon = try IconFile(file, limits: limits)
        guard icon.isPNG else { return .foreign(ForeignFile(icon)) }
        try limits.check(.png)
        var png = try PNGCleaner.clean(icon.picture, adding: [], limits: limits)
        png.first = "took png out of ico"
        return .plain(png, from: icon.picture)
    }

    private static func preview(_ file: ArraySlice<UInt8>, _ limits: PictureLimits) throws(MediaError) -> Survey {
        try limits.check(.jpeg)
        let (clean, bytes) = try RawFile.preview(file, limits: limits)
        return .plain(clean, from: bytes)
    }

    /// Enough to name a format by.
    static let startLength = 4096

    private static func bytes(_ range: Range<Int>, of file: PictureSource) throws(MediaError) -> ArraySlice<UInt8> {
        do { return try file.bytes(range) } catch {
            throw MediaError(.unavailable, "The stored picture cannot be read: \(error.what).")
        }
    }

    /// The picture as it came in.
    var shape: ConvertedPicture.Shape {
        switch self {
        case .plain(let file, _): file.shape
        case .heif(let file): ConvertedPicture.Shape(type: file.type, width: file.size.width, height: file.size.height)
        case .foreign(let file):
            ConvertedPicture.Shape(type: file.type, width: file.size.width, height: file.size.height)
        }
    }
}

extension CleanFile {
    var shape: ConvertedPicture.Shape { ConvertedPicture.Shape(type: type, width: width, height: height) }
    var size: PictureSize { PictureSize(width: width, height: height) }
}

extension PictureType {
    /// Who takes files of this format apart; nil where that is not done.
    var cleaner: (any PictureCleaner.Type)? {
        switch self {
        case .jpeg: JPEGCleaner.self
        case .png: PNGCleaner.self
        case .gif: GIFCleaner.self
        case .webp: WebPCleaner.self
        case .heic, .avif, .bmp, .tiff, .ico, .jxl, .jp2, .psd, .svg: nil
        }
    }

    /// What the decoder processes call the format; nil where they do not read it.
    var codec: Codec? {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webP
        case .gif, .heic, .avif, .bmp, .tiff, .ico, .jxl, .jp2, .psd, .svg: nil
        }
    }
}

extension Codec {
    var type: PictureType {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webP: .webp
        }
    }
}
