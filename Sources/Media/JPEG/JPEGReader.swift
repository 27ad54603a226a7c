import Glibc

/// Walks over the marker segments of a JPEG file (ITU-T T.81, annex B.1).
struct JPEGReader {
    enum Marker: Hashable {
        case startOfFrame(UInt8)
        case startOfScan
        case endOfImage
        case app0
        /// 1 to 15.
        case application(UInt8)
        case comment
        /// Tables, restart intervals and the like: they belong to the picture.
        case other

        init(_ code: UInt8) {
            switch code {
            case 0xC4, 0xC8, 0xCC: self = .other
            case 0xC0...0xCF: self = .startOfFrame(code - 0xC0)
            case 0xD9: self = .endOfImage
            case 0xF7: self = .startOfFrame(code - 0xC0)  // JPEG-LS
            case 0xDA: self = .startOfScan
            case 0xE0: self = .app0
            case 0xE1...0xEF: self = .application(code - 0xE0)
            case 0xFE: self = .comment
            default: self = .other
            }
        }
    }

    struct Segment {
        let marker: Marker
        /// The marker, its length and its payload.
        let whole: ArraySlice<UInt8>
        let payload: ArraySlice<UInt8>
    }

    /// What was not read yet.
    private(set) var rest: ArraySlice<UInt8>

    init(_ file: ArraySlice<UInt8>) { rest = file }

    /// Takes the start-of-image marker.
    mutating func start() throws(Malformed) -> ArraySlice<UInt8> {
        guard rest.starts(with: [0xFF, 0xD8]) else { throw Malformed("it does not begin like a JPEG") }
        defer { rest = rest.dropFirst(2) }
        return rest.prefix(2)
    }

    /// Takes the next segment; fill bytes and stray bytes before it are skipped, as all decoders do.
    /// - Throws: when the file ends without an end-of-image marker.
    mutating func next() throws(Malformed) -> Segment {
        guard let start = rest.nextMarker(restartsToo: true) else {
            throw Malformed("its end is missing")
        }
        let code = rest[start + 1]
        // A second start of image cannot be told from rubbish.
        guard code != 0xD8 else { throw Malformed("a second picture begins inside") }
        var length = 2
        // TEM, RST0 to RST7 and EOI are markers without a segment.
        if code != 0x01, !(0xD0...0xD9).contains(code) {
            var reader = ByteReader(rest[(start + 2)...])
            guard let size = try? reader.big(2), size >= 2, size - 2 <= reader.remaining else {
                throw Malformed("it ends inside a segment")
            }
            length += size
        }
        let whole = rest[start..<start + length]
        rest = rest[whole.endIndex...]
        return Segment(marker: Marker(code), whole: whole, payload: whole.dropFirst(4))
    }

    /// Takes the compressed data after a start-of-scan segment, up to the next marker.
    mutating func entropyCodedData() throws(Malformed) -> ArraySlice<UInt8> {
        guard let end = rest.nextMarker(restartsToo: false) else { throw Malformed("its end is missing") }
        defer { rest = rest[end...] }
        return rest[..<end]
    }
}

extension ArraySlice<UInt8> {
    /// Where the next marker begins: 0xFF and a code that is neither stuffing, nor fill, nor (inside a scan) a restart.
    func nextMarker(restartsToo: Bool) -> Int? {
        withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            var offset = 0
            while offset + 1 < buffer.count {
                // memchr is the one loop here that must be fast in every build.
                guard let hit = memchr(base + offset, 0xFF, buffer.count - 1 - offset) else { return nil }
                offset = UnsafeRawPointer(hit) - base
                let code = buffer[offset + 1]
                if code != 0, code != 0xFF, restartsToo || !(0xD0...0xD7).contains(code) { return startIndex + offset }
                offset += code == 0xFF ? 1 : 2
                // Files of nothing but fill bytes: a call for each of them would take long.
                while code == 0xFF, offset + 1 < buffer.count, buffer[offset + 1] == 0xFF { offset += 1 }
            }
            return nil
        }
    }
}
