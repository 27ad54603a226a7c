/// WebP (RFC 9649): the RIFF header says how long the file is.
struct WebPWalker: PictureWalker {
    private var length = Int.max

    var firstWindow: Int { 30 }

    /// Some encoders leave out the padding byte at the end.
    func isComplete(after total: Int) -> Bool { total >= length - 1 }

    mutating func next(_ window: [UInt8], _ size: inout PictureSize?) -> PictureStep {
        length = window.little(4, 4) + 8
        switch window[12..<16] {
        case [0x56, 0x50, 0x38, 0x58]:  // VP8X
            size = PictureSize(width: window.little(24, 3) + 1, height: window.little(27, 3) + 1)
        case [0x56, 0x50, 0x38, 0x4C]:  // VP8L
            let bits = window.little(21, 4)
            size = PictureSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        case [0x56, 0x50, 0x38, 0x20]:  // VP8
            size = PictureSize(width: window.little(26, 2) & 0x3FFF, height: window.little(28, 2) & 0x3FFF)
        default: break
        }
        return .done
    }
}

/// Windows bitmap: uncompressed ones tell by their size how long they are.
struct BMPWalker: PictureWalker {
    private var length = Int.max

    var firstWindow: Int { 34 }

    func isComplete(after total: Int) -> Bool { total >= length }

    mutating func next(_ window: [UInt8], _ size: inout PictureSize?) -> PictureStep {
        let start = window.little(10, 4)
        length = start
        guard window.little(14, 4) >= 40 else {
            size = PictureSize(width: window.little(18, 2), height: window.little(20, 2))
            return .done
        }
        let width = window.little(18, 4)
        // A negative height means that the rows run from top to bottom.
        let height = Int(Int32(truncatingIfNeeded: window.little(22, 4)).magnitude)
        size = PictureSize(width: width, height: height)
        guard max(width, height) < 1 << 20 else { return .done }
        if window.little(30, 4) == 0 {
            length = start + (width * window.little(28, 2) + 31) / 32 * 4 * height
        }
        return .done
    }
}

/// Windows icon: a directory of pictures; the first one's size stands for all.
struct ICOWalker: PictureWalker {
    private var entriesLeft: Int?
    private var end = 0

    private static let entryLength = 16

    var firstWindow: Int { 6 + Self.entryLength }

    func isComplete(after total: Int) -> Bool { entriesLeft == 0 && total >= end }

    var hasPixels: Bool { entriesLeft == 0 }

    mutating func next(_ window: [UInt8], _ size: inout PictureSize?) -> PictureStep {
        let left: Int
        if let entriesLeft {
            left = entriesLeft - 1
        } else {
            size = PictureSize(
                width: window[6] == 0 ? 256 : Int(window[6]), height: window[7] == 0 ? 256 : Int(window[7]))
            left = max(window.little(4, 2) - 1, 0)
        }
        let entry = window.count - Self.entryLength
        end = max(end, window.little(entry + 8, 4) + window.little(entry + 12, 4))
        entriesLeft = left
        return left > 0 ? .read(Self.entryLength) : .done
    }
}

/// HEIF and AVIF (ISO/IEC 14496-12 clause 4.2): top-level boxes, each with its length.
struct HEIFWalker: PictureWalker {
    private enum Place { case box, longBox, index(rest: Int) }

    private var place = Place.box
    /// Where the box that was met last ends.
    private var end = 0
    private var hasData = false

    var firstWindow: Int { 8 }

    func isComplete(after total: Int) -> Bool { hasData && total >= end }

    mutating func next(_ window: [UInt8], _ size: inout PictureSize?) -> PictureStep {
        switch place {
        case .box:
            let length = window.big(0, 4)
            let type = Array(window[4...])
            if type == Self.data { hasData = true }
            if length == 0 { return .done }  // It goes to the end of the file.
            if length == 1 {
                place = .longBox
                return .read(8)
            }
            return box(length, headerLength: 8, isIndex: type == Self.index)
        case .longBox:
            place = .box
            guard window[0] == 0, window[1] == 0 else { return .done }
            return box(window.big(0, 8), headerLength: 16, isIndex: false)
        case .index(let rest):
            place = .box
            size = Self.largestSize(in: window) ?? size
            // Small pictures may lie in the index itself.
            if Self.place(of: Self.innerData, in: window) != nil { hasData = true }
            return .skip(rest, then: 8)
        }
    }

    private mutating func box(_ length: Int, headerLength: Int, isIndex: Bool) -> PictureStep {
        guard length >= headerLength else { return .done }
        end += length
        let content = length - headerLength
        guard isIndex, content > 0 else { return .skip(content, then: 8) }
        let taken = min(content, PictureProbe.largestWindow)
        place = .index(rest: content - taken)
        return .read(taken)
    }

    private static let index = Array("meta".utf8)
    private static let data = Array("mdat".utf8)
    private static let innerData = Array("idat".utf8)
    private static let extent = Array("ispe".utf8)

    /// The largest `ispe` property: tiles and thumbnails have smaller ones.
    private static func largestSize(in index: [UInt8]) -> PictureSize? {
        var largest: PictureSize?
        var offset = 0
        while let place = place(of: extent, in: index, from: offset), place + 16 <= index.count {
            let size = PictureSize(width: index.big(place + 8, 4), height: index.big(place + 12, 4))
            if size.width >= largest?.width ?? 0 { largest = size }
            offset = place + 4
        }
        return largest
    }

    private static func place(of type: [UInt8], in index: [UInt8], from start: Int = 0) -> Int? {
        var offset = start
        while offset + 4 <= index.count {
            if index[offset] == type[0], index[offset..<(offset + 4)].elementsEqual(type) { return offset }
            offset += 1
        }
        return nil
    }
}
