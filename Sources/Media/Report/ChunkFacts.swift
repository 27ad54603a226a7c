/// The chunks of a PNG (ISO/IEC 15948, section 11).
enum PNGFacts {
    static func read(_ file: ArraySlice<UInt8>, into facts: inout PictureFacts) throws(Malformed) {
        var reader = ByteReader(file.dropFirst(8))
        while reader.remaining > 0 {
            let length = try reader.big(4)
            let type = try reader.code()
            let payload = try reader.take(length)
            try reader.take(4)
            try take(type, payload, into: &facts)
            guard type != "IEND" else {
                if reader.remaining > 0 { facts.add("trailing data") }
                return
            }
        }
    }

    private static func take(
        _ type: String, _ payload: ArraySlice<UInt8>, into facts: inout PictureFacts
    ) throws(Malformed) {
        var reader = ByteReader(payload)
        switch type {
        case "IHDR":
            facts.size = PictureFacts.Size(width: try reader.big(4), height: try reader.big(4))
            facts.bits = try reader.big(1)
            let kind = try reader.big(1)
            facts.sampling = [0: .grey, 2: .rgb, 3: .palette, 4: .grey, 6: .rgb][kind]
            facts.hasAlpha = kind & 4 != 0
        case "tRNS": facts.hasAlpha = true
        case "acTL": facts.frames = try reader.big(4)
        // The profile is compressed, and the daemon has no zlib: its own name stands before it.
        case "iCCP":
            facts.colour.profileName = String(decoding: payload.prefix(79).prefix { $0 != 0 }, as: UTF8.self)
            facts.colour.profileBytes = payload.count
        case "cICP":
            let (primaries, _, matrix) = (try reader.big(1), try reader.big(1), try reader.big(1))
            facts.colour.codePoints = .init(
                primaries: primaries, matrix: matrix, isFullRange: try reader.big(1) == 1)
        case "eXIf": facts.take(exif: payload)
        case "tEXt", "zTXt", "iTXt": facts.add("text")
        default: break
        }
    }
}

/// The chunks of a WebP (RFC 9649, section 2).
enum WebPFacts {
    static func read(_ file: ArraySlice<UInt8>, into facts: inout PictureFacts) throws(Malformed) {
        var reader = ByteReader(file.dropFirst(12))
        (facts.bits, facts.frames) = (8, 0)
        defer { facts.frames = max(facts.frames, 1) }
        while reader.remaining >= 8 {
            let type = try reader.code()
            let length = try reader.little(4)
            let payload = try reader.take(length)
            if length & 1 == 1, reader.remaining > 0 { try reader.take(1) }
            try take(type, payload, into: &facts)
        }
    }

    private static func take(
        _ type: String, _ payload: ArraySlice<UInt8>, into facts: inout PictureFacts
    ) throws(Malformed) {
        var reader = ByteReader(payload)
        switch type {
        case "VP8X":
            facts.hasAlpha = try reader.big(1) & 0x10 != 0
            try reader.take(3)
            facts.size = PictureFacts.Size(width: try reader.little(3) + 1, height: try reader.little(3) + 1)
        case "VP8 ":
            facts.sampling = .yuv420
            try reader.take(6)
            let size = PictureFacts.Size(width: try reader.little(2) & 0x3FFF, height: try reader.little(2) & 0x3FFF)
            facts.size = facts.size ?? size
            facts.hasAlpha = facts.hasAlpha ?? false
        case "VP8L":
            facts.sampling = .rgb
            try reader.take(1)
            let bits = try reader.little(4)
            facts.size = facts.size ?? PictureFacts.Size(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
            facts.hasAlpha = facts.hasAlpha ?? (bits >> 28 & 1 == 1)
        case "ANMF": facts.frames += 1
        case "ICCP": if let profile = ICCProfile(payload) { facts.colour.take(profile) }
        case "EXIF": facts.take(exif: payload.starts(with: "Exif\0") ? payload.dropFirst(6) : payload)
        case "XMP ": facts.add("xmp")
        default: break
        }
    }
}

/// The blocks of a GIF (GIF89a, appendix B).
enum GIFFacts {
    static func read(_ file: ArraySlice<UInt8>, into facts: inout PictureFacts) throws(Malformed) {
        var reader = ByteReader(file.dropFirst(6))
        facts.size = PictureFacts.Size(width: try reader.little(2), height: try reader.little(2))
        (facts.bits, facts.sampling, facts.hasAlpha, facts.frames) = (8, .palette, false, 0)
        defer { facts.frames = max(facts.frames, 1) }
        let flags = try reader.big(1)
        try reader.take(2)
        try skipColours(flags, &reader)
        while reader.remaining > 0 {
            switch try reader.big(1) {
            case 0x2C:
                facts.frames += 1
                try reader.take(8)
                try skipColours(try reader.big(1), &reader)
                try reader.take(1)
                try skipBlocks(&reader)
            case 0x21:
                let label = try reader.big(1)
                let content = reader.rest.dropFirst()
                if label == 0xF9, content.first.map({ $0 & 1 }) == 1 { facts.hasAlpha = true }
                if label == 0xFE { facts.add("comment") }
                if label == 0xFF, content.starts(with: "XMP Data") { facts.add("xmp") }
                try skipBlocks(&reader)
            case 0x3B:
                if reader.remaining > 0 { facts.add("trailing data") }
                return
            default: break
            }
        }
    }

    private static func skipColours(_ flags: Int, _ reader: inout ByteReader) throws(Malformed) {
        if flags & 0x80 != 0 { try reader.take(3 << (flags & 7 + 1)) }
    }

    private static func skipBlocks(_ reader: inout ByteReader) throws(Malformed) {
        while true {
            let length = try reader.big(1)
            guard length > 0 else { return }
            try reader.take(length)
        }
    }
}
