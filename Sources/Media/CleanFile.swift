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
    /// The colour profile in this format's own wrapping, for files that are encoded again.
    var profile: [ArraySlice<UInt8>] = []
    private(set) var pieces: [ArraySlice<UInt8>] = []
    /// What was left out, in short words, in order, each once.
    private(set) var removed: [String] = []

    init(_ type: PictureType) { self.type = type }

    var count: Int { pieces.reduce(0) { $0 + $1.count } }
    var bytes: [UInt8] { Array(pieces.joined()) }

    mutating func keep(_ piece: ArraySlice<UInt8>) { pieces.append(piece) }

    mutating func remove(_ what: String) {
        if !removed.contains(what) { removed.append(what) }
    }

    /// Takes what matters from EXIF and leaves the rest out.
    mutating func remove(_ exif: ExifSummary) {
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
