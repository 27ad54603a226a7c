import CTurboJPEG
import DecoderProtocol

/// Where the pixels of each tile land in the upright picture.
///
/// The upright picture is made from top to bottom in bands: a row of tiles, or a column of them where rows and columns
/// change places.
struct TileLayout {
    /// A part of a tile, and where it goes.
    struct Part {
        /// The number of the tile in the plan.
        let tile: Int
        /// What is taken of the tile, in its own pixels.
        let columns: Range<Int>
        let rows: Range<Int>
        /// The first column of the upright picture that it fills.
        let x: Int
        /// How many rows of the upright picture it fills.
        let height: Int
    }

    /// A band that one tile fills alone is taken in slices of so many rows: no second copy of a large picture.
    private static let sliceHeight = 256

    private let plan: TilePlan
    private let turn: Orientation
    /// The upright picture at the full size.
    let upright: PictureSize
    /// The upright picture as it is encoded.
    let output: PictureSize
    /// How the planes of the upright picture relate to its pixels.
    let subsampling: TJSAMP

    /// - Throws: `.damaged` for a plan that contradicts itself, `.unsupported` where chroma would be shifted.
    init(_ plan: TilePlan) throws(Failure) {
        (self.plan, turn) = (plan, plan.orientation)
        upright = plan.size.upright(turn)
        output = plan.finish.size?.upright(turn) ?? upright
        subsampling = plan.chroma.subsampling.turned(turn) ?? TJSAMP_420
        guard plan.columns > 0, !plan.tiles.isEmpty, plan.tiles.count == plan.columns * plan.rows,
            [1, 2, 4].contains(plan.lengthBytes),
            Self.covers(plan.size.width, plan.tileSize.width, plan.columns),
            Self.covers(plan.size.height, plan.tileSize.height, plan.rows)
        else { throw Failure(.damaged, "the tiles do not make up the picture") }
        guard plan.keepsChromaInPlace else { throw Failure(.unsupported, "chroma would be shifted") }
    }

    private static func covers(_ length: Int, _ tile: Int, _ count: Int) -> Bool {
        length > 0 && tile > 0 && tile * count >= length && tile * (count - 1) < length
    }

    var bandCount: Int { turn.swapsAxes ? plan.columns : plan.rows }
    /// How many tiles lie side by side in a band.
    var across: Int { turn.swapsAxes ? plan.rows : plan.columns }
    /// The most rows that come at once.
    var maximumHeight: Int {
        let band = turn.swapsAxes ? plan.tileSize.width : plan.tileSize.height
        return across == 1 ? min(band, Self.sliceHeight) : band
    }

    /// The parts of one tile, in the order in which they are needed: one, or the slices of a tile that has a band to
    /// itself.
    func parts(band: Int, position: Int) -> [Part] {
        let source = turn.mirrorsRows ? bandCount - 1 - band : band
        let (column, row) = turn.swapsAxes ? (source, position) : (position, source)
        let width = Self.visible(plan.size.width, plan.tileSize.width, column)
        let height = Self.visible(plan.size.height, plan.tileSize.height, row)
        let (extent, depth) = turn.swapsAxes ? (height, width) : (width, height)
        let start = position * (turn.swapsAxes ? plan.tileSize.height : plan.tileSize.width)
        let x = turn.mirrorsColumns ? upright.width - start - extent : start
        return stride(from: 0, to: depth, by: maximumHeight).map { top in
            let bottom = min(top + maximumHeight, depth)
            let slice = turn.mirrorsRows ? depth - bottom..<depth - top : top..<bottom
            return Part(
                tile: row * plan.columns + column, columns: turn.swapsAxes ? slice : 0..<width,
                rows: turn.swapsAxes ? 0..<height : slice, x: x, height: slice.count)
        }
    }

    private static func visible(_ length: Int, _ tile: Int, _ index: Int) -> Int { min(tile, length - index * tile) }
}
