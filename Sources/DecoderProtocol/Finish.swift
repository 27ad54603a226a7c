/// Width and height in pixels.
public struct PictureSize: Sendable, Hashable {
    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The size after a turn.
    public func upright(_ orientation: Orientation) -> PictureSize {
        let (width, height) = orientation.upright(width: width, height: height)
        return PictureSize(width: width, height: height)
    }
}

/// What becomes of decoded pixels before they are encoded: they are made smaller, then turned.
public struct Finish: Sendable, Hashable {
    public let orientation: Orientation
    /// The size to reach before the turn; nil leaves the picture as large as it is.
    public let size: PictureSize?

    public init(_ orientation: Orientation = .up, size: PictureSize? = nil) {
        (self.orientation, self.size) = (orientation, size)
    }

    /// Whether pixels stay where and as many as they are.
    public var isNothing: Bool { orientation == .up && size == nil }
}

extension FieldWriter {
    mutating func append(_ finish: Finish) {
        append(finish.orientation.rawValue)
        append(finish.size)
    }

    /// 0 by 0 stands for none.
    mutating func append(_ size: PictureSize?) {
        append(UInt32(clamping: size?.width ?? 0))
        append(UInt32(clamping: size?.height ?? 0))
    }
}

extension FieldReader {
    mutating func finish() throws(FrameError) -> Finish { Finish(try value(), size: try size()) }

    mutating func size() throws(FrameError) -> PictureSize? {
        let size = PictureSize(width: Int(try integer()), height: Int(try integer()))
        return size.width == 0 && size.height == 0 ? nil : size
    }
}
