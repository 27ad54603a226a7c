internal import CTurboJPEG
public import DecoderProtocol
public import Decoding

/// Draws the plain card of a link that has no picture.
public struct CardWorker: Worker {
    /// Pango looks for fonts on a thread of its own.
    public static var permissions: Sandbox.Permissions { [.threads, .loadedFonts] }

    /// Loads the fonts; the sandbox would forbid it.
    public init() throws(Failure) {
        try CardFonts.load()
    }

    public func perform(_ job: Job, on input: InputBytes, into output: OutputFile) throws(Failure) -> Output {
        guard case .drawCard(let card) = job else { throw Failure(.wrongRole) }
        let canvas = try Canvas(width: CardLayout.width, height: CardLayout.height)
        CardLayout(card).draw(on: canvas)
        if input.count > 0 { Self.drawIcon(input, of: card, on: canvas) }
        let png = try canvas.png()
        // 4:2:0 would smear the magenta edges.
        let jpeg = try canvas.withPixels { (pixels) throws(Failure) in
            try JPEGEncoder().encode(
                pixels, format: TJPF_BGRX, subsampling: TJSAMP_444, quality: CardLayout.quality)
        }
        let (codec, file): (Codec, [UInt8]) = png.count <= jpeg.count ? (.png, png) : (.jpeg, jpeg)
        return Output(
            codec: codec, width: CardLayout.width, height: CardLayout.height, byteCount: try output.write(file))
    }

    /// An icon that cannot be decoded, or is a smudge, is no reason to have no card.
    private static func drawIcon(_ input: InputBytes, of card: Card, on canvas: Canvas) {
        try? IconPixels.decode(input).withView { (pixels) throws(Failure) in
            guard min(pixels.width, pixels.height) >= smallestIcon else { return }
            try CardLayout.drawIcon(pixels, of: card, on: canvas)
        }
    }

    /// In pixels, either side.
    private static let smallestIcon = 32
}
