import DecoderProtocol

/// A photo of a phone on its straight way to a JPEG.
///
/// Tiles are decoded one by one, turned, and encoded as soon as the rows above them are full. Luma and chroma stay what
/// they are; the whole picture is never in memory.
struct TiledPicture {
    /// About the size of the HEIC, and what a person cannot tell from it.
    static let quality = 85

    private let plan: TilePlan
    private let layout: TileLayout
    private let input: InputBytes

    init(_ plan: TilePlan, _ input: InputBytes) throws(Failure) {
        (self.plan, self.input) = (plan, input)
        layout = try TileLayout(plan)
    }

    /// Decodes everything and appends the JPEG to `output`.
    func convert(into output: OutputFile) throws(Failure) -> Output {
        let size = layout.output
        var decoder = try HEVCDecoder(parameterSets: plan.parameterSets, lengthBytes: plan.lengthBytes)
        var strips = try JPEGStrips(size, layout.subsampling, quality: Self.quality, into: output)
        let band = try Band(layout, plan)
        for index in 0..<layout.bandCount {
            for position in 0..<layout.across {
                let isLast = position == layout.across - 1
                let parts = layout.parts(band: index, position: position)
                try decode(parts, with: &decoder) { (image, part) throws(Failure) in
                    try band.place(image, part)
                    guard isLast else { return }
                    band.advance(by: part.height)
                    try band.drain(into: &strips)
                }
            }
        }
        try band.finish(into: &strips)
        let count = try strips.finish()
        return Output(codec: .jpeg, width: size.width, height: size.height, byteCount: count)
    }

    /// Decodes a tile once and hands it out with each of its parts.
    private func decode(
        _ parts: [TileLayout.Part], with decoder: inout HEVCDecoder,
        _ body: (HEVCImage, TileLayout.Part) throws(Failure) -> Void
    ) throws(Failure) {
        guard let tile = parts.first?.tile else { return }
        try decoder.withPicture(in: input.piece(plan.tiles[tile])) { (image) throws(Failure) in
            guard image.chroma == plan.chroma, image.size == plan.tileSize else {
                throw Failure(.damaged, "a tile is not what the file says")
            }
            for part in parts { try body(image, part) }
        }
    }
}
