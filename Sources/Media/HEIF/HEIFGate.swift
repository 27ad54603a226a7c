import PinpostCore

/// Refuses HEIF files that are built to hurt a decoder: the checks that libheif 1.15 lacks.
struct HEIFGate {
    let container: HEIFContainer
    let limits: HEIFLimits
    /// HEIC or AVIF, for messages.
    let type: PictureType

    /// How deep pictures may be made of pictures: a grid of tiles under one other derivation.
    private static let maximumDerivation = 2
    private static let maximumLayers = 64

    /// Checks a picture and everything that it is made of.
    /// - Throws: `.overLimit` for sizes, `.damaged` for contradictions, `.unsupportedFormat` for rare coding.
    func check(_ item: HEIFContainer.ItemID) throws(MediaError) {
        try checkPlaces()
        try check(item, depth: 0)
    }

    /// The size that the file declares for an item (`ispe`).
    func size(of item: HEIFContainer.ItemID) throws(MediaError) -> (width: Int, height: Int) {
        guard let payload = container.property("ispe", of: item) else { throw damaged("a picture has no size") }
        var reader = ByteReader(payload.dropFirst(4))
        guard let width = try? reader.big(4), let height = try? reader.big(4), width > 0, height > 0 else {
            throw damaged("a picture has no size")
        }
        guard width < limits.side, height < limits.side, width * height <= limits.pixels else {
            throw MediaError(
                .overLimit,
                "The \(type.name) picture is too large: \(width) x \(height) pixels; up to "
                    + "\(limits.pixels / 1_000_000) megapixels are taken. Send a smaller copy.")
        }
        return (width, height)
    }

    /// All bytes of all items lie in the file, and no byte serves many items.
    private func checkPlaces() throws(MediaError) {
        var total = 0
        for item in container.items.values where item.constructionMethod < 2 {
            let end = item.constructionMethod == 1 ? container.data.count : container.file.count
            for extent in item.extents {
                // libheif takes a length of 0 as "to the end".
                let length = extent.length == 0 ? max(end - extent.offset, 0) : extent.length
                guard extent.offset <= end, length <= end - extent.offset else {
                    throw damaged("a part of it is missing")
                }
                total += length
            }
        }
        guard total <= 2 * container.file.count else {
            throw MediaError(.overLimit, "The \(type.name) file uses the same bytes many times. It was not decoded.")
        }
    }

    private func check(_ id: HEIFContainer.ItemID, depth: Int) throws(MediaError) {
        guard let item = container.items[id] else { throw damaged("a picture is missing") }
        guard depth <= Self.maximumDerivation else { throw damaged("its pictures are nested too deeply") }
        guard item.constructionMethod < 2 else { throw unsupported("pictures made of pieces of other items") }
        let size = try size(of: id)
        switch item.type {
        case "hvc1", "av01": return
        case "grid": try checkGrid(id, size, depth)
        case "iden", "iovl":
            let sources = container.targets("dimg", of: id)
            guard !sources.isEmpty, sources.count <= Self.maximumLayers, Set(sources).count == sources.count else {
                throw damaged("its layers contradict each other")
            }
            for source in sources { try check(source, depth: depth + 1) }
        default: throw unsupported("a picture coded as \(item.type)")
        }
    }

    private func checkGrid(
        _ id: HEIFContainer.ItemID, _ size: (width: Int, height: Int), _ depth: Int
    ) throws(MediaError) {
        let grid: (rows: Int, columns: Int, width: Int, height: Int)
        do { grid = try readGrid(id) } catch { throw damaged(error.what) }
        let tiles = container.targets("dimg", of: id)
        guard tiles.count == grid.rows * grid.columns, (grid.width, grid.height) == size, let first = tiles.first else {
            throw damaged("its tiles do not fit")
        }
        guard Set(tiles).count == tiles.count else {
            throw MediaError(.overLimit, "The \(type.name) file shows the same tile many times. It was not decoded.")
        }
        let tile = try self.size(of: first)
        for id in tiles {
            guard try self.size(of: id) == tile else { throw damaged("its tiles are of different sizes") }
            try check(id, depth: depth + 1)
        }
        // The tiles cover the picture, and none lies outside.
        guard tile.width * grid.columns >= size.width, tile.width * (grid.columns - 1) < size.width,
            tile.height * grid.rows >= size.height, tile.height * (grid.rows - 1) < size.height
        else { throw damaged("its tiles do not cover it") }
    }

    private func readGrid(
        _ id: HEIFContainer.ItemID
    ) throws(Malformed) -> (rows: Int, columns: Int, width: Int, height: Int) {
        guard let bytes = container.bytes(of: id, limit: 64) else { throw Malformed("its grid is missing") }
        var reader = ByteReader(bytes[...])
        try reader.take(1)
        let fieldSize = try reader.big(1) & 1 == 1 ? 4 : 2
        let (rows, columns) = (try reader.big(1) + 1, try reader.big(1) + 1)
        return (rows, columns, try reader.big(fieldSize), try reader.big(fieldSize))
    }

    private func damaged(_ what: String) -> MediaError {
        .damaged(type, what)
    }

    private func unsupported(_ what: String) -> MediaError {
        MediaError(.unsupportedFormat, "The \(type.name) file holds \(what), which is not taken. Send it as JPEG.")
    }
}
