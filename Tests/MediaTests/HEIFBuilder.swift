import DecoderProtocol
import PinpostCore

@testable import Media

/// Builds HEIC files around one coded tile: good ones, strange ones and hostile ones.
struct HEIFBuilder {
    private let tile: [UInt8]
    private let decoderSetup: [UInt8]
    private let tileSize: (width: Int, height: Int)

    /// What the built file shall be like.
    struct Plan {
        var rows = 1
        var columns = 1
        /// The declared size of the grid; by default what the tiles cover.
        var size: (width: Int, height: Int)?
        /// How many tiles there really are; fewer means that some are listed again and again.
        var distinctTiles: Int?
        var exif: UInt8?
        var quarterTurns: UInt8?
        var profile: [UInt8]?
        /// Points EXIF at the picture and at a tone map beside it, as iOS 18 does.
        var hasToneMap = false
        /// More EXIF items, each of so many pieces that all show the whole file.
        var extraItems = 0
        var extraPieces = 0
    }

    /// Takes the tile out of a HEIC file with a single coded picture.
    init(tile file: [UInt8]) throws {
        let container = try HEIFContainer(file[...])
        let primary = container.primary ?? 0
        tile = container.bytes(of: primary, limit: 1 << 20) ?? []
        decoderSetup = Array(container.property("hvcC", of: primary) ?? [])
        let survey = try HEIFFile(file[...], type: .heic)
        tileSize = (survey.size.width, survey.size.height)
    }

    func file(exif: UInt8? = nil, quarterTurns: UInt8? = nil) -> [UInt8] {
        file(Plan(exif: exif, quarterTurns: quarterTurns))
    }

    func file(_ plan: Plan) -> [UInt8] {
        let type = Self.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
        // The places depend on the length of the description, which does not depend on the places.
        let length = meta(plan, dataStart: 0, fileEnd: 0).count
        let data = mediaData(plan)
        let start = type.count + length + 8
        return type + meta(plan, dataStart: start, fileEnd: start + data.count) + Self.box("mdat", data)
    }

    private func tileCount(_ plan: Plan) -> Int { plan.distinctTiles ?? plan.rows * plan.columns }

    private func mediaData(_ plan: Plan) -> [UInt8] {
        Array(repeatElement(tile, count: tileCount(plan)).joined()) + exifItem(plan)
    }

    private func exifItem(_ plan: Plan) -> [UInt8] {
        plan.exif.map { [0, 0, 0, 0] + Crafting.exif(orientation: $0) } ?? []
    }

    /// Tiles are items 1…n; then come the grid, EXIF, tone map and extra items.
    private func meta(_ plan: Plan, dataStart: Int, fileEnd: Int) -> [UInt8] {
        let tiles = tileCount(plan)
        let (grid, exif, toneMap) = (tiles + 1, tiles + 2, tiles + 3)
        let size = plan.size ?? (tileSize.width * plan.columns, tileSize.height * plan.rows)
        let extras = (0..<plan.extraItems).map { toneMap + 1 + $0 }
        let descriptor =
            [0, 0, UInt8(plan.rows - 1), UInt8(plan.columns - 1)] + Self.short(size.width) + Self.short(size.height)

        var items = (1...tiles).map { Self.item($0, "hvc1") } + [Self.item(grid, "grid")]
        if plan.exif != nil { items.append(Self.item(exif, "Exif")) }
        if plan.hasToneMap { items.append(Self.item(toneMap, "tmap")) }
        items += extras.map { Self.item($0, "Exif") }

        var places = (0..<tiles).map { Self.place($0 + 1, method: 0, dataStart + $0 * tile.count, tile.count) }
        places.append(Self.place(grid, method: 1, 0, descriptor.count))
        if plan.exif != nil {
            places.append(Self.place(exif, method: 0, dataStart + tiles * tile.count, exifItem(plan).count))
        }
        if plan.hasToneMap { places.append(Self.place(toneMap, method: 1, 0, descriptor.count)) }
        places += extras.map { Self.place($0, method: 0, 0, fileEnd, pieces: plan.extraPieces) }

        var references = [Self.reference("dimg", grid, (0..<plan.rows * plan.columns).map { $0 % tiles + 1 })]
        if plan.exif != nil {
            references.append(Self.reference("cdsc", exif, plan.hasToneMap ? [grid, toneMap] : [grid]))
        }

        return Self.full(
            "meta",
            Self.full("hdlr", [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
                + Self.full("pitm", Self.short(grid)) + Self.full("iinf", Self.short(items.count) + items.joined())
                + Self.full("iref", Array(references.joined())) + properties(plan, tiles, grid, size)
                + Self.box("idat", descriptor)
                + Self.full("iloc", version: 1, [0x44, 0] + Self.short(places.count) + places.joined()))
    }

    private func properties(_ plan: Plan, _ tiles: Int, _ grid: Int, _ size: (width: Int, height: Int)) -> [UInt8] {
        var known = [Self.box("hvcC", decoderSetup), Self.size(tileSize), Self.size(size)]
        var ofGrid: [UInt8] = [3]
        if let turns = plan.quarterTurns {
            known.append(Self.box("irot", [turns]))
            ofGrid.append(UInt8(known.count))
        }
        if let profile = plan.profile {
            known.append(Self.box("colr", Array("prof".utf8) + profile))
            ofGrid.append(UInt8(known.count))
        }
        var associations: [UInt8] = []
        for id in 1...tiles { associations += Self.short(id) + [2, 0x81, 2] }
        associations += Self.short(grid) + [UInt8(ofGrid.count)] + ofGrid
        let map = Self.full("ipma", UInt32(tiles + 1).bigEndianBytes + associations)
        return Self.box("iprp", Self.box("ipco", Array(known.joined())) + map)
    }

    private static func item(_ id: Int, _ type: String) -> [UInt8] {
        full("infe", version: 2, short(id) + [0, 0] + Array(type.utf8) + [0])
    }

    private static func place(_ id: Int, method: Int, _ offset: Int, _ length: Int, pieces: Int = 1) -> [UInt8] {
        let piece = UInt32(offset).bigEndianBytes + UInt32(length).bigEndianBytes
        return short(id) + short(method) + [0, 0] + short(pieces) + repeatElement(piece, count: pieces).joined()
    }

    private static func reference(_ type: String, _ from: Int, _ to: [Int]) -> [UInt8] {
        box(type, short(from) + short(to.count) + to.flatMap(short))
    }

    private static func size(_ size: (width: Int, height: Int)) -> [UInt8] {
        full("ispe", UInt32(size.width).bigEndianBytes + UInt32(size.height).bigEndianBytes)
    }

    private static func short(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }

    private static func full(_ type: String, version: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
        box(type, [version, 0, 0, 0] + payload)
    }

    private static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        UInt32(payload.count + 8).bigEndianBytes + Array(type.utf8) + payload
    }
}
