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
