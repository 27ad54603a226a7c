import DecoderProtocol
public import PinpostCore

/// What a picture file says of itself, read without decoding and without judging; nil is what it does not say.
public struct PictureFacts: Sendable, Hashable {
    public let type: PictureType
    /// Of the whole file.
    public let bytes: Int
    /// ISO base media files: the major brand first, then the compatible ones.
    public internal(set) var brands: [String] = []
    /// In pixels, as stored.
    public internal(set) var size: Size?
    public internal(set) var tiles: Tiles?
    /// Of one sample.
    public internal(set) var bits: Int?
    public internal(set) var sampling: Sampling?
    public internal(set) var hasAlpha: Bool?
    var orientation = Orientation.up
    /// As EXIF counts the orientations, 1 to 8.
    public var orientationNumber: Int { Int(orientation.rawValue) }
    /// `upright`, `rotated 90` or the like.
    public var orientationWords: String { orientation.description }
    /// nil where nothing is said about the orientation.
    public internal(set) var orientationOrigin: OrientationOrigin?
    public internal(set) var colour = Colour()
    public internal(set) var exif: Exif?
    /// 1 for a still picture.
    public internal(set) var frames = 1
    /// What lies beside the picture and is not taken, in order, each once: `gain map`, `video`, `thumbnail` or the like.
    public private(set) var extras: [String] = []

    init(_ type: PictureType, bytes: Int) { (self.type, self.bytes) = (type, bytes) }

    mutating func add(_ extra: String) {
        if !extras.contains(extra) { extras.append(extra) }
    }

    public struct Size: Sendable, Hashable {
        public let width: Int
        public let height: Int
    }

    /// A photo that is stored in pieces.
    public struct Tiles: Sendable, Hashable {
        public let columns: Int
        public let rows: Int
        public let size: Size?
    }

    /// How colours are stored.
    public enum Sampling: String, Sendable, Hashable, CaseIterable {
        case grey
        case palette
        case rgb
        case cmyk
        /// Luma and chroma; chroma as fine, half as fine across, half as fine in both directions, or coarser.
        case yuv444 = "4:4:4"
        case yuv422 = "4:2:2"
        case yuv440 = "4:4:0"
        case yuv420 = "4:2:0"
        case yuv411 = "4:1:1"
    }

    /// Who says how the picture stands upright.
    public enum OrientationOrigin: String, Sendable, Hashable {
        case container
        case exif
    }

    /// What is said about the colour space.
    public struct Colour: Sendable, Hashable {
        /// The description inside an ICC profile; empty where it has none.
        public internal(set) var profileName: String?
        public internal(set) var profileBytes: Int?
        /// The numbers of ITU-T H.273 (`nclx`).
        public internal(set) var codePoints: CodePoints?

        mutating func take(_ profile: ICCProfile) {
            (profileName, profileBytes) = (profile.name ?? "", profile.bytes.count)
        }
    }

    public struct CodePoints: Sendable, Hashable {
        public let primaries: Int
        public let matrix: Int
        public let isFullRange: Bool
    }

    /// What EXIF tells about people and places: only whether it does.
    public struct Exif: Sendable, Hashable {
        public internal(set) var hasGPS = false
        public internal(set) var hasCamera = false
        public internal(set) var hasDate = false
    }

    /// Takes what EXIF says; the container's own orientation counts more.
    mutating func take(exif tiff: ArraySlice<UInt8>) {
        let summary = ExifSummary(tiff: tiff)
        take(summary)
    }

    /// Takes what EXIF says; the container's own orientation counts more.
    mutating func take(_ summary: ExifSummary) {
        exif = Exif(hasGPS: summary.hasGPS, hasCamera: summary.hasCamera, hasDate: summary.hasDate)
        if orientationOrigin == nil, let orientation = summary.orientation {
            (self.orientation, orientationOrigin) = (orientation, .exif)
        }
    }
}
