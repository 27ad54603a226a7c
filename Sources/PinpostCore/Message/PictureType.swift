/// What a file is by its first bytes; names and declared types are never believed.
public enum PictureType: String, Sendable, Codable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"
    case heic = "image/heic"
    case avif = "image/avif"
    case bmp = "image/bmp"
    case tiff = "image/tiff"
    case ico = "image/x-icon"
    case jxl = "image/jxl"
    case jp2 = "image/jp2"
    case psd = "image/vnd.adobe.photoshop"
    case svg = "image/svg+xml"

    /// The MIME type.
    public var mimeType: String { rawValue }

    /// How our own file names end.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .webp: "webp"
        case .heic: "heic"
        case .avif: "avif"
        case .bmp: "bmp"
        case .tiff: "tif"
        case .ico: "ico"
        case .jxl: "jxl"
        case .jp2: "jp2"
        case .psd: "psd"
        case .svg: "svg"
        }
    }

    /// How many leading bytes decide.
    public static let prefixLength = 512
}

extension PictureType {
    /// Recognises a picture by its first `prefixLength` bytes (fewer where the file is shorter); nil for anything else.
    public static func sniff(_ prefix: [UInt8]) -> PictureType? {
        prefix.withUnsafeBytes { sniff($0) }
    }

    public static func sniff(_ bytes: UnsafeRawBufferPointer) -> PictureType? {
        func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            guard bytes.count >= offset + signature.count else { return false }
            return signature.indices.allSatisfy { bytes[offset + $0] == signature[$0] }
        }
        func starts(_ signature: String, at offset: Int = 0) -> Bool { starts(Array(signature.utf8), at: offset) }

        if starts([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if starts("GIF87a") || starts("GIF89a") { return .gif }
        if starts("RIFF"), starts("WEBPVP8", at: 8) { return .webp }
        if starts("BM"), bytes.count > 17, [12, 40, 52, 56, 64, 108, 124].contains(bytes[14]), bytes[15] == 0 {
            return .bmp
        }
        // The second pair is BigTIFF.
        if starts([0x49, 0x49, 0x2A, 0]) || starts([0x4D, 0x4D, 0, 0x2A]) { return .tiff }
        if starts([0x49, 0x49, 0x2B, 0]) || starts([0x4D, 0x4D, 0, 0x2B]) { return .tiff }
        // Icons and cursors: their number of pictures follows.
        if starts([0, 0, 1, 0]) || starts([0, 0, 2, 0]), bytes.count > 5, bytes[4] != 0 { return .ico }
        if starts([0xFF, 0x0A]) || starts([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) { return .jxl }
        if starts([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]) { return .jp2 }
        if starts("8BPS") { return .psd }
        if starts("ftyp", at: 4) { return heif(bytes) }
        return isSVG(bytes) ? .svg : nil
    }

    private static let hevcBrands: Set<String> = [
        "heic", "heix", "heim", "heis", "hevm", "hevs", "hevc", "hevx", "mif1", "mif2", "mif3", "miaf", "MiHB", "MiHE",
        "MiPr", "1pic", "msf1",
    ]
    private static let avifBrands: Set<String> = ["avif", "avis", "MA1A", "MA1B", "avio"]

    /// ISOBMFF: the major brand and the compatible brands decide; movies have none of these.
    private static func heif(_ bytes: UnsafeRawBufferPointer) -> PictureType? {
        let size = (0..<4).reduce(0) { $0 << 8 | Int(bytes[$1]) }
        let end = min(bytes.count, size >= 16 ? size : 16)
        var brands: [String] = []
        for offset in stride(from: 8, through: end - 4, by: 4) where offset != 12 {
            brands.append(String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self))
        }
        if brands.contains(where: avifBrands.contains) { return .avif }
        return brands.contains(where: hevcBrands.contains) ? .heic : nil
    }

    private static func isSVG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let head = bytes.prefix(prefixLength)
        let content = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head
        let markup = content.drop { $0 <= 0x20 }
        // Most files are told by one byte; words are looked at only where there is markup.
        guard markup.first == UInt8(ascii: "<") else { return false }
        let start = String(decoding: markup, as: UTF8.self).lowercased()
        return start.hasPrefix("<svg") || start.hasPrefix("<?xml") && start.contains("<svg")
    }
}
