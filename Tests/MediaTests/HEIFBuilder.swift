import DecoderProtocol
import PinpostCore

@testable import Media

/// Builds HEIC files around coded tiles: good ones, strange ones and hostile ones.
struct HEIFBuilder {
    /// Used in turn, for as many tiles as there are.
    private let tiles: [[UInt8]]
    private let decoderSetup: [UInt8]
    private let tileSize: (width: Int, height: Int)

    /// What the built file shall be like.
    struct Plan {
        var rows = 1
        var columns = 1
        /// The declared size of the grid; by default what the tiles cover.
        var size: (width: Int, height: Int)?
        /// The declared size of a tile; by default what it has.
        var declaredTile: (width: Int, height: Int)?
        /// Bytes behind the parameters of the tiles.
        var parameterPadding = 0
        /// How often the properties of the grid are listed.
        var repeatedProperties = 1
        /// How many tiles there really are; fewer means that some are listed again and again.
        var distinctTiles: Int?
        var exif: UInt8?
        var quarterTurns: UInt8?
        /// The value of `imir`; it comes after the quarter turns.
        var mirror: UInt8?
        var profile: [UInt8]?
        /// Primaries, matrix and range, by number.
        var colours: (primaries: Int, matrix: Int, isFullRange: Bool)?
        /// Cuts the edges away, as `clap` says.
        var isCropped = false
        /// Shows the grid through an `iden` item with so many quarter turns.
        var identity: UInt8?
        /// How the places of the tiles are written.
        var placing = Placing.plain
        /// Points EXIF at the picture and at a tone map beside it, as iOS 18 does.
        var hasToneMap = false
        /// More EXIF items, each of so many pieces that all show the whole file.
        var extraItems = 0
        var extraPieces = 0
    }

    enum Placing {
        case plain
        /// Each in two pieces.
        case pieces
        /// As parts of one item that holds all of them.
        case item
        /// As parts of each other.
        case circle
    }

    /// Takes the tiles out of HEIC files with a single coded picture each, made by the same encoder.
    init(tiles files: [[UInt8]]) throws {
        tiles = try files.map { file in
            let container = try HEIFContainer(file[...])
            return container.bytes(of: container.primary ?? 0, limit: 1 << 20) ?? []
        }
        let file = files.first ?? []
        let container = try HEIFContainer(file[...])
        let primary = container.primary ?? 0
        decoderSetup = Array(container.property("hvcC", of: primary) ?? [])
        let survey = try HEIFFile(file[...], type: .heic)
        tileSize = (survey.size.width, survey.size.height)
    }

    init(tile file: [UInt8]) throws { try self.init(tiles: [file]) }

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

    private func tile(_ index: Int) -> [UInt8] { tiles[index % tiles.count] }

    private func mediaData(_ plan: Plan) -> [UInt8] {
        Array((0..<tileCount(plan)).map(tile).joined()) + exifItem(plan)
    }

    /// The places of all tiles, and of the item that holds them if there is one.
    private func tilePlaces(_ plan: Plan, dataStart: Int) -> [[UInt8]] {
        var (start, places): (Int, [[UInt8]]) = (0, [])
        for index in 0..<tileCount(plan) {
            let length = tile(index).count
            let runs =
                plan.placing == .pieces
                ? [(dataStart + start, 100), (dataStart + start + 100, length - 100)]
                : [(plan.placing == .plain ? dataStart + start : start, length)]
            places.append(Self.place(index + 1, method: [.item, .circle].contains(plan.placing) ? 2 : 0, runs))
            start += length
        }
        if plan.placing == .item { places.append(Self.place(Self.holder, method: 0, [(dataStart, start)])) }
        return places
    }

    /// The numbers of the item that holds all tiles, and of the one that stands for the grid.
    private static let (holder, identity) = (60_000, 60_001)

    private func exifItem(_ plan: Plan) -> [UInt8] {
        plan.exif.map { [0, 0, 0, 0] + Crafting.exif(orientation: $0) } ?? []
    }

    /// Tiles are items 1…n; then come the grid, EXIF, tone map and extra items.
    private func meta(_ plan: Plan, dataStart: Int, fileEnd: Int) -> [UInt8] {
        let tiles = tileCount(plan)
        let (grid, exif, toneMap) = (tiles + 1, tiles + 2, tiles + 3)
        let tileSize = plan.declaredTile ?? tileSize
        let size = plan.size ?? (tileSize.width * plan.columns, tileSize.height * plan.rows)
        let extras = (0..<plan.extraItems).map { toneMap + 1 + $0 }
        let descriptor =
            [0, 0, UInt8(plan.rows - 1), UInt8(plan.columns - 1)] + Self.short(size.width) + Self.short(size.height)

        var items = (1...tiles).map { Self.item($0, "hvc1") } + [Self.item(grid, "grid")]
        if plan.exif != nil { items.append(Self.item(exif, "Exif")) }
        if plan.hasToneMap { items.append(Self.item(toneMap, "tmap")) }
        if plan.placing == .item { items.append(Self.item(Self.holder, "data")) }
        if plan.identity != nil { items.append(Self.item(Self.identity, "iden")) }
        items += extras.map { Self.item($0, "Exif") }

        var places = tilePlaces(plan, dataStart: dataStart)
        places.append(Self.place(grid, method: 1, [(0, descriptor.count)]))
        if plan.exif != nil {
            let length = exifItem(plan).count
            places.append(Self.place(exif, method: 0, [(dataStart + mediaData(plan).count - length, length)]))
        }
        if plan.hasToneMap { places.append(Self.place(toneMap, method: 1, [(0, descriptor.count)])) }
        places += extras.map {
            Self.place($0, method: 0, [(Int, Int)](repeating: (0, fileEnd), count: plan.extraPieces))
        }

        var references = [Self.reference("dimg", grid, (0..<plan.rows * plan.columns).map { $0 % tiles + 1 })]
        if plan.exif != nil {
            references.append(Self.reference("cdsc", exif, plan.hasToneMap ? [grid, toneMap] : [grid]))
        }

        if plan.placing == .item {
            references += (1...tiles).map { Self.reference("iloc", $0, [Self.holder]) }
        }

        if plan.identity != nil { references.append(Self.reference("dimg", Self.identity, [grid])) }
        if plan.placing == .circle {
            references += (1...tiles).map { Self.reference("iloc", $0, [$0 % tiles + 1]) }
        }

        return Self.full(
            "meta",
            Self.full("hdlr", [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
                + Self.full("pitm", Self.short(plan.identity == nil ? grid : Self.identity))
                + Self.full("iinf", Self.short(items.count) + items.joined())
                + Self.full("iref", Array(references.joined())) + properties(plan, tiles, grid, size)
                + Self.box("idat", descriptor)
                + Self.full("iloc", version: 1, [0x44, 0] + Self.short(places.count) + places.joined()))
    }

    private func properties(_ plan: Plan, _ tiles: Int, _ grid: Int, _ size: (width: Int, height: Int)) -> [UInt8] {
        let setup = decoderSetup + [UInt8](repeating: 0, count: plan.parameterPadding)
        var known = [Self.box("hvcC", setup), Self.size(plan.declaredTile ?? tileSize), Self.size(size)]
        var ofGrid: [UInt8] = [3]
        func add(_ property: [UInt8]) {
            known.append(property)
            ofGrid.append(UInt8(known.count))
        }
        if let turns = plan.quarterTurns { add(Self.box("irot", [turns])) }
        if let profile = plan.profile { add(Self.box("colr", Array("prof".utf8) + profile)) }
        if let mirror = plan.mirror { add(Self.box("imir", [mirror])) }
        if let colours = plan.colours {
            let points = Self.short(colours.primaries) + [0, 13] + Self.short(colours.matrix)
            add(Self.box("colr", Array("nclx".utf8) + points + [colours.isFullRange ? 0x80 : 0]))
        }
        if plan.isCropped {
            let numbers = [size.width - 20, 1, size.height - 20, 1, 0, 1, 0, 1]
            add(Self.box("clap", numbers.flatMap { UInt32($0).bigEndianBytes }))
        }
        var associations: [UInt8] = []
        // libheif looks for colours at the tiles.
        let colours = known.firstIndex { $0.dropFirst(8).starts(with: Array("nclx".utf8)) }
        let ofTile = [0x81, 2] + (colours.map { [UInt8($0 + 1)] } ?? [])
        for id in 1...tiles { associations += Self.short(id) + [UInt8(ofTile.count)] + ofTile }
        for _ in 0..<plan.repeatedProperties { associations += Self.short(grid) + [UInt8(ofGrid.count)] + ofGrid }
        var entries = tiles + plan.repeatedProperties
        if let turns = plan.identity {
            known.append(Self.box("irot", [turns]))
            associations += Self.short(Self.identity) + [2, 3, UInt8(known.count)]
            entries += 1
        }
        let map = Self.full("ipma", UInt32(entries).bigEndianBytes + associations)
        return Self.box("iprp", Self.box("ipco", Array(known.joined())) + map)
    }

    private static func item(_ id: Int, _ type: String) -> [UInt8] {
        full("infe", version: 2, short(id) + [0, 0] + Array(type.utf8) + [0])
    }

    private static func place(_ id: Int, method: Int, _ runs: [(offset: Int, length: Int)]) -> [UInt8] {
        let pieces = runs.flatMap { UInt32($0.offset).bigEndianBytes + UInt32($0.length).bigEndianBytes }
        return short(id) + short(method) + [0, 0] + short(runs.count) + pieces
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
