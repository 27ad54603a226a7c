import DecoderProtocol
import PinpostCore

/// A picture file as Pinry shall get it: its pixels and colours, without what it tells about people and places.
///
/// It is put together from pieces of the file that came in; no pixel is touched.
struct CleanFile {
    let type: PictureType
    var width = 0
    var height = 0
    /// What EXIF says about the pixels; whoever removes the EXIF has to turn them.
    var orientation = Orientation.up
    var isAnimated = false
    var coding = Coding.plain
    /// What was in the EXIF that is left out.
    var exif: ExifSummary?
    /// What was done before anything else, in short words.
    var first: String?
    /// The colour profile in this format's own wrapping, for files that are encoded again.
    var profile: [ArraySlice<UInt8>] = []
    private(set) var pieces: [ArraySlice<UInt8>] = []
    /// What was left out, in short words, in order, each once.
    private(set) var removed: [String] = []
    /// Among which pieces metadata of our own may stand.
    private var metadataPlace: Int?

    /// How the pixels are stored.
    enum Coding {
        /// As Pinry and all browsers read them.
        case plain
        /// In a rare way that has to be undone, without a loss.
        case rare
        /// In printing inks.
        case inks
        /// The end was missing and was added; whether pixels are missing too is for the decoder to find out.
        case mended
    }

    init(_ type: PictureType) { self.type = type }

    var count: Int { pieces.reduce(0) { $0 + $1.count } }
    var bytes: [UInt8] { Array(pieces.joined()) }

    mutating func keep(_ piece: ArraySlice<UInt8>) { pieces.append(piece) }

    /// Remembers that metadata may stand after what is kept so far.
    mutating func markMetadataPlace() { metadataPlace = metadataPlace ?? pieces.count }

    /// Puts metadata of our own into the file, where it has a place for it.
    mutating func insert(_ piece: ArraySlice<UInt8>) {
        if let metadataPlace { pieces.insert(piece, at: metadataPlace) }
    }

    mutating func remove(_ what: String) {
        if !removed.contains(what) { removed.append(what) }
    }

    /// Takes what matters from EXIF and leaves the rest out.
    mutating func remove(_ exif: ExifSummary) {
        self.exif = self.exif ?? exif
        remove("exif")
        if exif.hasGPS { remove("gps") }
        orientation = exif.orientation ?? orientation
    }
}

/// Reads one format, judges it and leaves out what must not be published.
protocol PictureCleaner {
    /// Takes the file apart and keeps what may be published; `profile` replaces the colour profile where it is not empty.
    ///
    /// - Throws: `.damaged`, `.overLimit`, or `.unsupportedFormat` for rare kinds of the format.
    static func clean(
        _ file: ArraySlice<UInt8>, adding profile: [ArraySlice<UInt8>], limits: PictureLimits
    ) throws(MediaError) -> CleanFile
}
