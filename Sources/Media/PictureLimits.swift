import DecoderProtocol
public import PinpostCore

/// What a picture may measure; everything above is refused with a sentence.
public struct PictureLimits: Sendable, Hashable {
    /// The file as it came in.
    public var inputBytes = 25 << 20
    /// Of one picture, or of one frame.
    public var pixels = 100_000_000
    /// Of a picture that has to be in memory as a whole to be decoded: TIFF, BMP, ICO and JPEG XL.
    public var wholePixels = 64_000_000
    /// Of a finished picture, which is made smaller for that unless it is animated.
    ///
    /// Pinry needs about 6 bytes of memory a pixel.
    public var outputPixels = 50_000_000
    /// Of the file of a finished picture, which is made smaller for that unless it is animated; most Pinry servers take
    /// no more: 50 MB less what a form puts around the file.
    public var outputBytes = 50_000_000
    /// Of all frames of an animation together.
    public var animationPixels = 1_000_000_000
    public var frames = 2_000
    /// Scans of a progressive JPEG; each one costs a pass over the picture.
    public var scans = 100
    /// Width by height; Pinry's thumbnail of something flatter would have no height, and it answers 500.
    public var aspect = 240
    /// The formats that are read at all; the others are refused before anything is taken apart.
    public var formats = PictureType.readable

    public init() {}

    /// Judges the size of a file, in bytes.
    /// - Throws: `.overLimit`.
    func check(fileBytes count: Int) throws(MediaError) {
        guard count <= inputBytes else {
            throw MediaError(
                .overLimit,
                "The picture file is too large: \(count >> 20) MiB; up to \(inputBytes >> 20) MiB are taken.")
        }
    }

    /// Judges the format.
    /// - Throws: `.unsupportedFormat` for one that is switched off.
    func check(_ type: PictureType) throws(MediaError) {
        guard formats.contains(type) || !PictureType.readable.contains(type) else {
            throw MediaError(
                .unsupportedFormat,
                "\(type.name) pictures are switched off on this server. Send the picture in another format, such as "
                    + "\(alternatives); PINPOST_DECODER_FORMATS switches them on.")
        }
    }

    private var alternatives: String {
        let common: [PictureType] = [.jpeg, .png, .webp, .gif]
        return common.first(where: formats.contains)?.name ?? formats.map(\.name).min() ?? "none: all are switched off"
    }

    /// Judges the size of a picture.
    /// - Throws: `.damaged` without a size, `.overLimit` above the limit.
    func check(width: Int, height: Int, of type: PictureType, upTo most: Int? = nil) throws(MediaError) {
        guard width > 0, height > 0 else { throw .damaged(type, "it has no size") }
        let pixels = most ?? pixels
        guard width <= pixels / height else {
            throw MediaError(
                .overLimit,
                "The \(type.name) picture is too large: \(width) x \(height) pixels; up to \(pixels / 1_000_000) "
                    + "megapixels are taken. Send a smaller copy.")
        }
    }

    /// The size that a picture has to be brought to; nil where it is small enough.
    func reduced(_ size: PictureSize) -> PictureSize? {
        let longestSide = 65_500  // of a JPEG
        let factor = max(
            (Double(size.width) * Double(size.height) / Double(outputPixels)).squareRoot(),
            Double(max(size.width, size.height)) / Double(longestSide))
        guard factor > 1 else { return nil }
        // Whole factors are cheaper.
        return size.divided(by: factor.rounded(.up) < 1.02 * factor ? factor.rounded(.up) : factor)
    }

    /// Judges the shape that Pinry would get.
    /// - Throws: `.overLimit` for a strip that Pinry cannot show.
    func checkShape(width: Int, height: Int) throws(MediaError) {
        guard width <= height * aspect else {
            throw MediaError(
                .overLimit,
                "The picture is too flat for Pinry: \(width) x \(height) pixels; the width may be \(aspect) times the "
                    + "height. Crop it.")
        }
    }

    /// Judges an animation.
    /// - Throws: `.overLimit`.
    func check(frames count: Int, width: Int, height: Int, of type: PictureType) throws(MediaError) {
        guard count <= frames, count * width * height <= animationPixels else {
            throw MediaError(
                .overLimit, "The \(type.name) animation is too large: \(count) frames of \(width) x \(height) pixels.")
        }
    }
}

extension PictureSize {
    /// A size with the same proportions, rounded down.
    func divided(by factor: Double) -> PictureSize {
        PictureSize(width: max(Int(Double(width) / factor), 1), height: max(Int(Double(height) / factor), 1))
    }
}

extension PictureType {
    /// The formats that a picture may come in.
    public static var readable: Set<PictureType> {
        [.jpeg, .png, .gif, .webp, .heic, .avif, .tiff, .bmp, .ico, .jxl]
    }

    /// How people call the format.
    public var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .tiff: "TIFF"
        default: fileExtension.uppercased()
        }
    }
}

extension MediaError {
    static func damaged(_ type: PictureType, _ what: String) -> MediaError {
        MediaError(.damaged, "The \(type.name) file is damaged: \(what). Please send the picture again.")
    }

    /// What a reader of the format stumbled over, told to the sender.
    init(_ error: any Error, in type: PictureType) {
        switch error {
        case let error as MediaError: self = error
        case let error as Malformed where error.isOverLimit:
            self.init(.overLimit, "The \(type.name) file is not decoded: \(error.what).")
        case let error as Malformed: self = .damaged(type, error.what)
        default: self = .damaged(type, "it cannot be read")
        }
    }
}
