/// A photo that is coded as one or many HEVC pictures: where they lie in the input, and how to put them together.
///
/// The daemon has read all of it from an untrusted file; the decoder checks every number against what it finds.
public struct TilePlan: Sendable, Hashable {
    /// The most tiles of a photo; one of 200 megapixels has 768.
    public static let maximumTiles = 4096
    /// The most bytes of parameter sets; phones write about 100.
    public static let maximumParameterBytes = 16 << 10

    /// A piece of the input.
    public struct Place: Sendable, Hashable {
        public let offset: Int
        public let length: Int

        public init(offset: Int, length: Int) { (self.offset, self.length) = (offset, length) }
    }

    public typealias Size = PictureSize

    /// How many chroma samples there are, numbered as in ITU-T H.265.
    public enum Chroma: UInt8, Sendable, Hashable, CaseIterable {
        case none
        /// 4:2:0: one for a square of four pixels.
        case quarter
        /// 4:2:2: one for two pixels side by side.
        case half
        /// 4:4:4: one for each pixel.
        case full
    }

    /// The photo as stored, in pixels; tiles may reach beyond its right and bottom edge.
    public let size: Size
    public let tileSize: Size
    public let columns: Int
    /// Row by row from the top; each is a run of NAL units with their lengths before them.
    public let tiles: [Place]
    /// How many bytes the length of a NAL unit in a tile takes: 1, 2 or 4.
    public let lengthBytes: Int
    /// VPS, SPS and PPS for every tile, each with a length of 2 bytes before it (big-endian).
    public let parameterSets: [UInt8]
    public let chroma: Chroma
    /// Whether luma runs from 0 to the end of the scale or (in 8 bits) only from 16 to 235.
    public let isFullRange: Bool
    /// How the photo stands upright.
    public var orientation: Orientation { finish.orientation }
    public let finish: Finish

    public var rows: Int { columns > 0 ? tiles.count / columns : 0 }

    public init(
        size: Size, tileSize: Size, columns: Int, tiles: [Place], lengthBytes: Int, parameterSets: [UInt8],
        chroma: Chroma = .quarter, isFullRange: Bool, finish: Finish
    ) {
        (self.size, self.tileSize, self.columns, self.tiles) = (size, tileSize, columns, tiles)
        (self.lengthBytes, self.parameterSets) = (lengthBytes, parameterSets)
        (self.chroma, self.isFullRange, self.finish) = (chroma, isFullRange, finish)
    }

    /// The same photo, made smaller.
    public func reduced(to target: Size?) -> TilePlan {
        TilePlan(
            size: size, tileSize: tileSize, columns: columns, tiles: tiles, lengthBytes: lengthBytes,
            parameterSets: parameterSets, chroma: chroma, isFullRange: isFullRange,
            finish: Finish(orientation, size: target))
    }
}

extension TilePlan {
    /// Whether every chroma sample stays with its own four pixels when tiles are joined and turned: odd sizes have one
    /// at an edge that belongs to fewer.
    public var keepsChromaInPlace: Bool {
        let mirrorsSourceColumns = orientation.swapsAxes ? orientation.mirrorsRows : orientation.mirrorsColumns
        let mirrorsSourceRows = orientation.swapsAxes ? orientation.mirrorsColumns : orientation.mirrorsRows
        let (sharesColumns, sharesRows) = (chroma == .quarter || chroma == .half, chroma == .quarter)
        return (!sharesColumns || keeps(size.width, of: columns, tileSize.width, isMirrored: mirrorsSourceColumns))
            && (!sharesRows || keeps(size.height, of: rows, tileSize.height, isMirrored: mirrorsSourceRows))
    }

    private func keeps(_ length: Int, of tiles: Int, _ tile: Int, isMirrored: Bool) -> Bool {
        (tiles == 1 || tile.isMultiple(of: 2)) && (!isMirrored || length.isMultiple(of: 2))
    }
}

extension FieldWriter {
    mutating func append(_ plan: TilePlan) {
        for number in [plan.size.width, plan.size.height, plan.tileSize.width, plan.tileSize.height, plan.columns] {
            append(UInt32(clamping: number))
        }
        append(UInt8(clamping: plan.lengthBytes))
        append(plan.chroma.rawValue)
        append(UInt8(plan.isFullRange ? 1 : 0))
        append(plan.finish)
        append(plan.parameterSets)
        append(UInt32(clamping: plan.tiles.count))
        for tile in plan.tiles {
            append(UInt32(clamping: tile.offset))
            append(UInt32(clamping: tile.length))
        }
    }
}

extension FieldReader {
    mutating func tilePlan() throws(FrameError) -> TilePlan {
        let size = TilePlan.Size(width: Int(try integer()), height: Int(try integer()))
        let tileSize = TilePlan.Size(width: Int(try integer()), height: Int(try integer()))
        let columns = Int(try integer())
        let lengthBytes = Int(try byte())
        let (chroma, isFullRange): (TilePlan.Chroma, Bool) = (try value(), try byte() == 1)
        let finish = try finish()
        let parameterSets = try bytes(upTo: TilePlan.maximumParameterBytes)
        let count = Int(try integer())
        guard count <= TilePlan.maximumTiles else { throw .malformed }
        var tiles: [TilePlan.Place] = []
        for _ in 0..<count {
            tiles.append(TilePlan.Place(offset: Int(try integer()), length: Int(try integer())))
        }
        return TilePlan(
            size: size, tileSize: tileSize, columns: columns, tiles: tiles, lengthBytes: lengthBytes,
            parameterSets: parameterSets, chroma: chroma, isFullRange: isFullRange, finish: finish)
    }
}
