import DecoderProtocol

/// Finds out whether a photo can take the straight way, tiles to JPEG, and describes it for the decoder.
///
/// It can when a JPEG holds the very samples that the file has, or nearly: the matrix of JFIF, any layout of chroma, and
/// up to 12 bits, which are rounded to 8. Nearly every photo of a phone is so; everything else is for libheif.
struct TilePlanner {
    let container: HEIFContainer

    /// ITU-T H.273: unspecified, and the two names of the matrix of JFIF.
    private static let matrices: Set<Int> = [2, 5, 6]
    private static let mostBits = 12

    /// The plan for a picture that has passed the gate and stands upright after `turn`; nil where the straight way does
    /// not lead to the right pixels.
    func plan(for id: HEIFContainer.ItemID, turn: Orientation, colour: HEIFColour) -> TilePlan? {
        let isGrid = container.items[id]?.type == "grid"
        let ids = isGrid ? container.targets("dimg", of: id) : [id]
        guard let first = ids.first, let size = container.size(of: id), let tileSize = container.size(of: first),
            let setup = container.property("hvcC", of: first), let configuration = try? HEVCConfiguration(setup),
            let sequence = configuration.sequence, sequence.width == tileSize.width,
            sequence.height == tileSize.height, sequence.lumaBits <= Self.mostBits,
            sequence.chromaBits <= Self.mostBits,
            let chroma = TilePlan.Chroma(rawValue: UInt8(clamping: sequence.chromaFormat)),
            chroma != .none || colour.profile == nil,  // a profile for RGB means nothing in a grey JPEG
            chroma == .none || Self.matrices.contains(colour.codePoints?.matrix ?? sequence.matrix)
        else { return nil }
        var tiles: [TilePlan.Place] = []
        for tile in ids {
            guard let place = place(of: tile, isTile: isGrid, setup) else { return nil }
            tiles.append(place)
        }
        let plan = TilePlan(
            size: size, tileSize: tileSize, columns: isGrid ? container.grid(of: id)?.columns ?? 0 : 1, tiles: tiles,
            lengthBytes: configuration.lengthBytes, parameterSets: configuration.parameterSets, chroma: chroma,
            isFullRange: colour.codePoints?.isFullRange ?? sequence.isFullRange, finish: Finish(turn))
        return plan.keepsChromaInPlace ? plan : nil
    }

    /// Where the data of a tile is, if it is a tile like the first one.
    private func place(of id: HEIFContainer.ItemID, isTile: Bool, _ setup: ArraySlice<UInt8>) -> TilePlan.Place? {
        guard container.items[id]?.type == "hvc1", let own = container.property("hvcC", of: id),
            own.startIndex == setup.startIndex || own == setup,
            let pieces = container.pieces(of: id), pieces.count == 1
        else { return nil }
        let transform = HEIFTransform(of: id, in: container)
        guard !transform.isCropped, !(isTile && transform.isTurned) else { return nil }
        return TilePlan.Place(offset: pieces[0].lowerBound, length: pieces[0].count)
    }
}
