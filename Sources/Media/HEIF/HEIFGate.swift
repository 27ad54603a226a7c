import DecoderProtocol
import PinpostCore

/// Refuses HEIF files that are built to hurt a decoder: the checks that libheif 1.15 lacks.
struct HEIFGate {
    let container: HEIFContainer
    /// HEIC or AVIF, for messages.
    let type: PictureType
    let limits: HEIFLimits.Picture

    /// How deep pictures may be made of pictures: a grid of tiles under one other derivation.
    private static let maximumDerivation = 2
    private static let maximumLayers = 64
    /// How far the coded size may be from the declared one: encoders fill up whole blocks.
    private static let blockSize = 64

    /// All bytes of all items lie in the file, and no byte serves many items.
    /// - Throws: `.damaged` or `.overLimit`.
    func checkPlaces() throws(MediaError) {
        var total = 0
        for id in container.items.keys {
            guard let pieces = container.pieces(of: id) else { throw damaged("a part of it is missing") }
            total += pieces.reduce(0) { $0 + $1.count }
        }
        guard total <= 2 * container.file.count else {
            throw MediaError(.overLimit, "The \(type.name) file uses the same bytes many times. It was not decoded.")
        }
    }

    /// Checks a picture and everything that it is made of.
    /// - Throws: `.overLimit` for sizes, `.damaged` for contradictions, `.unsupportedFormat` for rare coding.
    func check(_ id: HEIFContainer.ItemID) throws(MediaError) { try check(id, depth: 0) }

    /// The size that the file declares for an item.
    func size(of item: HEIFContainer.ItemID) throws(MediaError) -> TilePlan.Size {
        guard let size = container.size(of: item) else { throw damaged("a picture has no size") }
        guard size.width <= limits.side, size.height <= limits.side, size.width * size.height <= limits.pixels else {
            throw MediaError(
                .overLimit,
                "The \(type.name) picture is too large: \(size.width) x \(size.height) pixels; up to "
                    + "\(limits.pixels / 1_000_000) megapixels are taken. Send a smaller copy.")
        }
        return size
    }

    private func check(_ id: HEIFContainer.ItemID, depth: Int) throws(MediaError) {
        guard let item = container.items[id] else { throw damaged("a picture is missing") }
        guard depth <= Self.maximumDerivation else { throw damaged("its pictures are nested too deeply") }
        let size = try size(of: id)
        switch item.type {
        case "av01": return
        case "hvc1": try checkCoding(of: id, size)
        case "grid": try checkGrid(id, size, depth)
        case "iden", "iovl":
            let sources = container.targets("dimg", of: id)
            guard !sources.isEmpty, sources.count <= Self.maximumLayers, Set(sources).count == sources.count else {
                throw damaged("its layers contradict each other")
            }
            for source in sources { try check(source, depth: depth + 1) }
        default:
            throw MediaError(
                .unsupportedFormat,
                "The \(type.name) file holds a picture coded as \(item.type), which is not taken. Send it as JPEG.")
        }
    }

    /// The pictures inside are as large as the file says: a decoder believes them, not the file.
    private func checkCoding(of id: HEIFContainer.ItemID, _ size: TilePlan.Size) throws(MediaError) {
        guard let setup = container.property("hvcC", of: id) else { throw damaged("its parameters are missing") }
        let sequence: SequenceParameters?
        do { sequence = try HEVCConfiguration(setup).sequence } catch { throw MediaError(error, in: type) }
        guard let sequence else { return }
        guard abs(sequence.width - size.width) < Self.blockSize, abs(sequence.height - size.height) < Self.blockSize
        else { throw damaged("its sizes contradict each other") }
    }

    private func checkGrid(_ id: HEIFContainer.ItemID, _ size: TilePlan.Size, _ depth: Int) throws(MediaError) {
        guard let grid = container.grid(of: id) else { throw damaged("its grid is missing") }
        let tiles = container.targets("dimg", of: id)
        guard tiles.count == grid.rows * grid.columns, grid.size == size, let first = tiles.first else {
            throw damaged("its tiles do not fit")
        }
        guard Set(tiles).count == tiles.count else {
            throw MediaError(.overLimit, "The \(type.name) file shows the same tile many times. It was not decoded.")
        }
        try checkTiles(tiles, like: first, depth + 1)
        let tile = try self.size(of: first)
        // The tiles cover the picture, and none lies outside.
        guard tile.width * grid.columns >= size.width, tile.width * (grid.columns - 1) < size.width,
            tile.height * grid.rows >= size.height, tile.height * (grid.rows - 1) < size.height
        else { throw damaged("its tiles do not cover it") }
    }

    /// Tiles share their properties, as a rule; what was judged at the first one is not read again and again.
    private func checkTiles(
        _ tiles: [HEIFContainer.ItemID], like first: HEIFContainer.ItemID, _ depth: Int
    ) throws(MediaError) {
        try check(first, depth: depth)
        let size = try size(of: first)
        var judged: Set<Int?> = [container.property("hvcC", of: first)?.startIndex]
        for tile in tiles.dropFirst() {
            guard try self.size(of: tile) == size else { throw damaged("its tiles are of different sizes") }
            let isNew = judged.insert(container.property("hvcC", of: tile)?.startIndex).inserted
            if isNew || container.items[tile]?.type != "hvc1" { try check(tile, depth: depth) }
        }
    }

    private func damaged(_ what: String) -> MediaError { .damaged(type, what) }
}
