import Glibc
import PinpostCore

extension PictureFacts {
    /// Reads as much as there is; what is damaged ends the reading, not the facts.
    init(_ file: PictureSource, type: PictureType) {
        self.init(type, bytes: file.count)
        switch type {
        case .heic, .avif: if let container = try? HEIFContainer(file) { read(container) }
        case .jpeg: each(file) { facts, bytes throws(Malformed) in try JPEGFacts.read(bytes, into: &facts) }
        case .png: each(file) { facts, bytes throws(Malformed) in try PNGFacts.read(bytes, into: &facts) }
        case .webp: each(file) { facts, bytes throws(Malformed) in try WebPFacts.read(bytes, into: &facts) }
        case .gif: each(file) { facts, bytes throws(Malformed) in try GIFFacts.read(bytes, into: &facts) }
        case .bmp, .tiff, .ico, .jxl: each(file) { facts, bytes in ForeignFacts.read(bytes, into: &facts) }
        case .jp2, .psd, .svg: break
        }
    }

    /// Formats that are taken apart from their first to their last byte.
    private mutating func each(
        _ file: PictureSource, _ read: (inout PictureFacts, ArraySlice<UInt8>) throws(Malformed) -> Void
    ) {
        try? read(&self, file.bytes(0..<file.count))
    }
}

/// The segments of a JPEG (ITU-T T.81, annex B).
enum JPEGFacts {
    static func read(_ file: ArraySlice<UInt8>, into facts: inout PictureFacts) throws(Malformed) {
        var reader = JPEGReader(file)
        _ = try reader.start()
        while true {
            let segment = try reader.next()
            switch segment.marker {
            case .startOfFrame: try readFrame(segment.payload, into: &facts)
            case .startOfScan: _ = try reader.entropyCodedData()
            case .application(let number): readApplication(number, segment.payload, into: &facts)
            case .endOfImage: return readRest(reader.rest, into: &facts)
            case .app0, .comment, .other: break
            }
        }
    }

    private static func readFrame(_ payload: ArraySlice<UInt8>, into facts: inout PictureFacts) throws(Malformed) {
        var reader = ByteReader(payload)
        facts.bits = try reader.big(1)
        let (height, width) = (try reader.big(2), try reader.big(2))
        facts.size = PictureFacts.Size(width: width, height: height)
        let components = try reader.big(1)
        try reader.take(1)
        let luma = try reader.big(1)
        facts.hasAlpha = false
        switch components {
        case 1: facts.sampling = .grey
        case 4: facts.sampling = .cmyk
        default:
            try reader.take(2)
            facts.sampling = sampling(luma, try reader.big(1))
        }
    }

    /// Each byte holds how often a component is sampled across and down.
    private static func sampling(_ luma: Int, _ chroma: Int) -> PictureFacts.Sampling? {
        guard chroma >> 4 > 0, chroma & 15 > 0 else { return nil }
        return switch (luma >> 4 / (chroma >> 4), (luma & 15) / (chroma & 15)) {
        case (1, 1): .yuv444
        case (2, 1): .yuv422
        case (1, 2): .yuv440
        case (2, 2): .yuv420
        case (4, 1): .yuv411
        default: nil
        }
    }

    private static func readApplication(
        _ number: UInt8, _ payload: ArraySlice<UInt8>, into facts: inout PictureFacts
    ) {
        switch number {
        case 1 where payload.starts(with: "Exif\0"): facts.take(exif: payload.dropFirst(6))
        case 1 where payload.starts(with: "http://ns.adobe.com/"):
            facts.add("xmp")
            if payload.holds("hdrgm:Version") || payload.holds("HDRGainMap") { facts.add("gain map") }
            if payload.holds("MotionPhoto") || payload.holds("MicroVideo") { facts.add("video") }
        case 2 where payload.starts(with: "MPF\0"): facts.add("extra pictures")
        case 2 where payload.starts(with: "ICC_PROFILE\0"):
            if let profile = ICCProfile(payload.dropFirst(14)) { facts.colour.take(profile) }
        case 13: facts.add("iptc")
        default: break
        }
    }

    private static func readRest(_ rest: ArraySlice<UInt8>, into facts: inout PictureFacts) {
        guard !rest.isEmpty else { return }
        if rest.dropFirst(4).starts(with: "ftyp") || rest.holds("ftypmp4") || rest.holds("ftypisom") {
            facts.add("video")
        } else {
            facts.add("trailing data")
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether a word stands somewhere inside.
    fileprivate func holds(_ word: String) -> Bool {
        let word = Array(word.utf8)
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, bytes.count >= word.count else { return false }
            var offset = 0
            // memchr and memcmp are fast in every build; a video behind the picture has megabytes.
            while let hit = memchr(base + offset, CInt(word[0]), bytes.count - word.count + 1 - offset) {
                if memcmp(hit, word, word.count) == 0 { return true }
                offset = UnsafeRawPointer(hit) - base + 1
                guard offset <= bytes.count - word.count else { return false }
            }
            return false
        }
    }
}
