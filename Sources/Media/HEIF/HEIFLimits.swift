/// What a HEIF file may hold; phones stay far below (a 200 MP photo has 820 items and 768 tiles).
struct HEIFLimits {
    static let brandBytes = 512

    var metaBytes = 4 << 20
    var topLevelBoxes = 4096
    var items = 4096
    /// Over all items.
    var extents = 16_384
    /// Over all `iref` entries.
    var references = 16_384
    /// Of properties with items.
    var associations = 65_536
    var nesting = 8
    /// What the straight way decodes, tile by tile, within the time limit of its process.
    var tiled = Picture(side: 65_500, pixels: 250_000_000)
    /// What libheif decodes within the memory limit of its process; with a larger side, 3 * width * height no longer
    /// fits into an `int` of libheif 1.15.
    var libheif = Picture(side: 16_383, pixels: 64_000_000)
    var exifBytes = 256 << 10

    /// How large a picture may be.
    struct Picture {
        var side: Int
        var pixels: Int
    }

    private static let parents: Set<String> = ["meta", "iprp", "ipco", "iinf", "iref", "dinf", "grpl", "moov", "trak"]

    /// Refuses boxes in boxes in boxes: a recursive reader would follow them.
    func checkNesting(of box: Box, depth: Int = 1) throws(Malformed) {
        guard depth <= nesting else { throw Malformed.tooMuch("its boxes are nested too deeply") }
        guard Self.parents.contains(box.type), let children = try? children(of: box) else { return }
        for child in children { try checkNesting(of: child, depth: depth + 1) }
    }

    private func children(of box: Box) throws(Malformed) -> [Box] {
        switch box.type {
        case "meta", "iref": try Box.all(in: try box.full().reader.rest, limit: items)
        case "iinf": try Box.all(in: box.payload.dropFirst(box.payload.first == 0 ? 6 : 8), limit: items)
        default: try Box.all(in: box.payload, limit: items)
        }
    }
}
