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
        // First, since the length of the box in front of it may look like anything.
        if bytes.count >= 8, bytes[4] == ftyp[0], bytes[4...].starts(with: ftyp) { return heif(bytes) }
        if let signature = signatures.first(where: { $0.begins(bytes) }) {
            return signature.isMeant(bytes) ? signature.type : nil
        }
        return isSVG(bytes) ? .svg : nil
    }

    /// What a file of a type begins with.
    private struct Signature: Sendable {
        let type: PictureType
        let start: [UInt8]
        /// Where so few bytes may be the start of something else: what else has to be there.
        let isMeant: @Sendable (UnsafeRawBufferPointer) -> Bool

        init(
            _ type: PictureType, _ start: [UInt8],
            isMeant: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool = { _ in true }
        ) {
            (self.type, self.start, self.isMeant) = (type, start, isMeant)
        }

        func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
            // The first byte tells most apart.
            bytes.count >= start.count && bytes[0] == start[0] && bytes.starts(with: start)
        }
    }

    private static let signatures = [
        Signature(.jpeg, [0xFF, 0xD8, 0xFF]),
        Signature(.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Signature(.gif, Array("GIF87a".utf8)),
        Signature(.gif, Array("GIF89a".utf8)),
        Signature(.webp, Array("RIFF".utf8)) { $0.dropFirst(8).starts(with: "WEBPVP8".utf8) },
        Signature(.bmp, Array("BM".utf8)) { bytes in
            bytes.count > 17 && [12, 40, 52, 56, 64, 108, 124].contains(bytes[14]) && bytes[15] == 0
        },
        Signature(.tiff, [0x49, 0x49, 0x2A, 0]),
        Signature(.tiff, [0x4D, 0x4D, 0, 0x2A]),
        // BigTIFF.
        Signature(.tiff, [0x49, 0x49, 0x2B, 0]),
        Signature(.tiff, [0x4D, 0x4D, 0, 0x2B]),
        // Icons and cursors: their number of pictures follows.
        Signature(.ico, [0, 0, 1, 0]) { $0.count > 5 && $0[4] != 0 },
        Signature(.ico, [0, 0, 2, 0]) { $0.count > 5 && $0[4] != 0 },
        Signature(.jxl, [0xFF, 0x0A]),
        Signature(.jxl, [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]),
        Signature(.jp2, [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]),
        Signature(.psd, Array("8BPS".utf8)),
    ]

    private static let ftyp = Array("ftyp".utf8)

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

    /// Markup whose first element is `svg`, or an XML file that has one near its start.
    private static func isSVG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let head = bytes.prefix(prefixLength)
        let content = head.first == 0xEF && head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head
        let markup = content.drop { $0 <= 0x20 }
        // Most files are told by one byte; words are looked at only where there is markup.
        guard markup.first == UInt8(ascii: "<") else { return false }
        func isWord(_ word: String.UTF8View, at place: Int) -> Bool {
            markup[place...].lazy.map(\.asciiLowercased).starts(with: word)
        }
        if isWord("<svg".utf8, at: markup.startIndex) { return true }
        return isWord("<?xml".utf8, at: markup.startIndex) && markup.indices.contains { isWord("<svg".utf8, at: $0) }
    }
}
