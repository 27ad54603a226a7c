/// JPEG (ITU-T T.81 annex B): segments up to the scan, then the search for the end marker.
struct JPEGWalker: PictureWalker {
    private enum Place { case start, marker, frame(rest: Int), scanData }

    private var place = Place.start
    private var hasFrame = false
    private var hasEnd = false

    var firstWindow: Int { 2 }

    func isComplete(after total: Int) -> Bool { hasEnd }

    var hasPixels: Bool {
        if case .scanData = place { return hasFrame }
        return false
    }

    mutating func next(_ window: [UInt8], _ size: inout PictureSize?) -> PictureStep {
        switch place {
        case .start:
            place = .marker
            return .read(4)
        case .marker: return marker(window)
        case .frame(let rest):
            place = .marker
            size = PictureSize(width: window.big(3, 2), height: window.big(1, 2))
            hasFrame = true
            return .skip(rest, then: 4)
        case .scanData:
            // Behind 0xFF: the end marker, a stuffed zero, a restart, or the marker of a further scan.
            hasEnd = window[0] == 0xD9
            return hasEnd ? .done : window[0] == 0xFF ? .read(1) : .find(0xFF, then: 1)
        }
    }

    private mutating func marker(_ window: [UInt8]) -> PictureStep {
        guard window[0] == 0xFF else { return scan() }
        let length = window.big(2, 2)
        guard length >= 2 else { return scan() }
        switch window[1] {
        case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            guard length >= 7 else { return scan() }
            place = .frame(rest: length - 7)
            return .read(5)
        case 0xDA:
            place = .scanData
            return .skip(length - 2, then: 1)
        case 0xD9:
            return .done
        default:
            return .skip(length - 2, then: 4)
        }
    }

    private mutating func scan() -> PictureStep {
        place = .scanData
        return .find(0xFF, then: 1)
    }
}

/// PNG (ISO/IEC 15948 clause 5): chunks up to IEND.
struct PNGWalker: PictureWalker {
    private enum Place { case signature, chunk, header(rest: Int), end }

    private var place = Place.signature
    private var hasData = false
    private var hasEnd = false

    var firstWindow: Int { 8 }

    func isComplete(after total: Int) -> Bool { hasEnd && hasData }

    mutating func next(_ window: [UInt8], _ size: inout PictureSize?) -> PictureStep {
        switch place {
        case .signature:
            place = .chunk
            return .read(8)
        case .header(let rest):
            place = .chunk
            size = PictureSize(width: window.big(0, 4), height: window.big(4, 4))
            return .skip(rest, then: 8)
        case .end:
            hasEnd = true
            return .done
        case .chunk: break
        }
        let length = window.big(0, 4)
        switch window[4...] {
        case [0x49, 0x48, 0x44, 0x52] where length >= 8:
            place = .header(rest: length - 8 + 4)
            return .read(8)
        case [0x49, 0x45, 0x4E, 0x44]:
            // With its checksum.
            place = .end
            return .skip(length + 3, then: 1)
        case [0x49, 0x44, 0x41, 0x54]:
            hasData = true
        default: break
        }
        return .skip(length + 4, then: 8)
    }
}

/// GIF89a: blocks up to the trailer; where pictures of an animation are missing, so is the trailer.
struct GIFWalker: PictureWalker {
    private enum Place { case header, block, label, descriptor, codeSize, data(isPicture: Bool) }

    private var place = Place.header
    private var hasPicture = false
    private var hasEnd = false

    /// Programs show no picture whose data ends in the middle.
    var hasPixels: Bool { hasPicture }

    var firstWindow: Int { 13 }

    func isComplete(after total: Int) -> Bool { hasEnd }

    mutating func next(_ window: [UInt8], _ size: inout PictureSize?) -> PictureStep {
        switch place {
        case .header:
            size = PictureSize(width: window.little(6, 2), height: window.little(8, 2))
            place = .block
            return .skip(Self.tableLength(window[10]), then: 1)
        case .block:
            switch window[0] {
            case 0x21: place = .label
            case 0x2C:
                place = .descriptor
                return .read(9)
            default:
                // What stands in the trailer's place ends it too.
                hasEnd = hasPicture
                return .done
            }
            return .read(1)
        case .label:
            place = .data(isPicture: false)
            return .read(1)
        case .descriptor:
            place = .codeSize
            return .skip(Self.tableLength(window[8]), then: 1)
        case .codeSize:
            place = .data(isPicture: true)
            return .read(1)
        case .data(let isPicture):
            if window[0] > 0 { return .skip(Int(window[0]), then: 1) }
            if isPicture { hasPicture = true }
            place = .block
            return .read(1)
        }
    }

    private static func tableLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}
