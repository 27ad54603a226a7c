/// How stored pixels must be turned to stand upright: the eight values of EXIF tag 0x0112 (Exif 2.32, section 4.6.4).
public enum Orientation: UInt8, Sendable, Hashable, CaseIterable {
    case up = 1
    case upMirrored
    case down
    case downMirrored
    /// Stored transposed (rows and columns exchanged).
    case leftMirrored
    /// Upright after a quarter turn clockwise.
    case right
    case rightMirrored
    /// Upright after a quarter turn counter-clockwise.
    case left

    /// Whether width and height change places.
    public var swapsAxes: Bool { rawValue >= Orientation.leftMirrored.rawValue }

    /// Whether, once rows and columns have changed places where they must, left and right do too.
    public var mirrorsColumns: Bool { [.upMirrored, .down, .right, .rightMirrored].contains(self) }

    /// Whether, once rows and columns have changed places where they must, top and bottom do too.
    public var mirrorsRows: Bool { [.down, .downMirrored, .rightMirrored, .left].contains(self) }

    /// The one turn that does the same as this one and then another.
    public func followed(by next: Orientation) -> Orientation {
        let columns = next.swapsAxes ? mirrorsRows : mirrorsColumns
        let rows = next.swapsAxes ? mirrorsColumns : mirrorsRows
        return Orientation(
            swapsAxes: swapsAxes != next.swapsAxes, mirrorsColumns: columns != next.mirrorsColumns,
            mirrorsRows: rows != next.mirrorsRows)
    }

    private init(swapsAxes: Bool, mirrorsColumns: Bool, mirrorsRows: Bool) {
        switch (swapsAxes, mirrorsColumns, mirrorsRows) {
        case (false, false, false): self = .up
        case (false, true, false): self = .upMirrored
        case (false, true, true): self = .down
        case (false, false, true): self = .downMirrored
        case (true, false, false): self = .leftMirrored
        case (true, true, false): self = .right
        case (true, true, true): self = .rightMirrored
        case (true, false, true): self = .left
        }
    }

    /// The size of the upright picture, made from the stored size.
    public func upright(width: Int, height: Int) -> (width: Int, height: Int) {
        swapsAxes ? (height, width) : (width, height)
    }

    /// The same words that `actions` and logs use.
    public var description: String {
        switch self {
        case .up: "upright"
        case .upMirrored: "mirrored"
        case .down: "rotated 180"
        case .downMirrored: "flipped"
        case .leftMirrored: "transposed"
        case .right: "rotated 90"
        case .rightMirrored: "transversed"
        case .left: "rotated 270"
        }
    }
}
