import CTurboJPEG
public import DecoderProtocol

/// The last steps of a picture that is decoded to pixels: smaller, upright, and a JPEG or a PNG.
///
/// It becomes a PNG where more than one pixel in a hundred lets something through, and, if asked for, where it has few
/// colours: a drawing, a scan of a page, an icon. JPEG would smear their edges and is no smaller.
public struct PictureWriter {
    /// What a person cannot tell from the original, for pictures that were not compressed like this before.
    public static let highQuality = 92
    /// More than a palette holds.
    private static let fewColors = 256

    private let finish: Finish
    private let quality: Int
    private let keepsDrawings: Bool

    public init(_ finish: Finish, quality: Int = highQuality, keepsDrawings: Bool = true) {
        (self.finish, self.quality, self.keepsDrawings) = (finish, quality, keepsDrawings)
    }

    /// Encodes RGB or RGBA pixels and appends the file to `output`; the pixels are overwritten on the way.
    public func write(_ pixels: RasterView, into output: OutputFile) throws(Failure) -> Output {
        let keepsAlpha = pixels.hasAlpha && pixels.isTransparent
        let traits: Output.Traits = pixels.hasAlpha && !keepsAlpha && pixels.layOnWhite() ? .flattened : []
        var smaller = pixels.hasAlpha && !keepsAlpha ? pixels.withoutAlpha() : pixels
        let isPNG = keepsAlpha || keepsDrawings && smaller.hasFewColors(Self.fewColors)
        if let size = finish.size { smaller = try smaller.reducedInPlace(to: size) }
        // The usual photo carries its turn in the container and needs no copy.
        guard finish.orientation != .up else { return try encode(smaller, isPNG: isPNG, traits, into: output) }
        return try smaller.upright(finish.orientation).withView { (upright) throws(Failure) in
            try encode(upright, isPNG: isPNG, traits, into: output)
        }
    }

    private func encode(
        _ pixels: RasterView, isPNG: Bool, _ traits: Output.Traits, into output: OutputFile
    ) throws(Failure) -> Output {
        let count =
            isPNG
            ? try PNGEncoder.encode(pixels, into: output)
            : try JPEGEncoder().encode(
                pixels, format: TJPF_RGB, subsampling: TJSAMP_420, quality: quality, into: output)
        return Output(
            codec: isPNG ? .png : .jpeg, width: pixels.width, height: pixels.height, byteCount: count,
            traits: isPNG && pixels.hasAlpha ? traits.union(.transparent) : traits)
    }
}
