import PinpostCore

/// Takes a GIF apart by its blocks (GIF89a, appendix B) and leaves out comments and application data.
enum GIFCleaner: PictureCleaner {
    private static let maximumBlocks = 100_000

    static func clean(
        _ file: ArraySlice<UInt8>, adding profile: [ArraySlice<UInt8>], limits: PictureLimits
    ) throws(MediaError) -> CleanFile {
        var cleaning = GIFCleaning(limits: limits)
        do {
            return try cleaning.run(file, maximumBlocks: maximumBlocks)
        } catch {
            throw MediaError(error, in: .gif)
        }
    }
}

/// One pass over one GIF file.
private struct GIFCleaning {
    private enum Introducer {
        static let image = 0x2C
        static let `extension` = 0x21
        static let trailer = 0x3B
    }

    private enum Label {
        static let graphicControl = 0xF9
        static let comment = 0xFE
        static let application = 0xFF
    }

    /// The applications whose block says how often an animation is repeated.
    private static let loopApplications = ["NETSCAPE2.0", "ANIMEXTS1.0"]

    let limits: PictureLimits
    private var clean = CleanFile(.gif)
    private var frames = 0

    init(limits: PictureLimits) { self.limits = limits }

    mutating func run(_ file: ArraySlice<UInt8>, maximumBlocks: Int) throws -> CleanFile {
        var reader = ByteReader(file)
        try takeHeader(&reader)
        for _ in 0..<maximumBlocks {
            // Some programs forget the trailer; every block before is whole then.
            guard reader.remaining > 0 || frames == 0 else { return finished(after: [0x3B]) }
            let start = reader
            switch try reader.big(1) {
            case Introducer.image:
                try takeImage(&reader)
                clean.keep(start.piece(to: reader))
            case Introducer.extension:
                try takeExtension(&reader, from: start)
            case Introducer.trailer:
                guard frames > 0 else { throw Malformed("it holds no picture") }
                if reader.remaining > 0 { clean.remove("trailing data") }
                return finished(after: start.piece(to: reader))
            case 0: break  // a stray terminator, which all decoders skip
            default: throw Malformed("a block is of an unknown kind")
            }
        }
        throw Malformed.tooMuch("it has too many blocks")
    }

    private mutating func finished(after trailer: ArraySlice<UInt8>) -> CleanFile {
        clean.keep(trailer)
        clean.isAnimated = frames > 1
        return clean
    }

    private mutating func takeHeader(_ reader: inout ByteReader) throws {
        let start = reader
        try reader.take(6)
        (clean.width, clean.height) = (try reader.little(2), try reader.little(2))
        let flags = try reader.big(1)
        try reader.take(2)
        try skipColors(flags, &reader)
        try limits.check(width: clean.width, height: clean.height, of: .gif)
        clean.keep(start.piece(to: reader))
    }

    private mutating func takeImage(_ reader: inout ByteReader) throws {
        try reader.take(4)
        let (width, height) = (try reader.little(2), try reader.little(2))
        guard width > 0, height > 0 else { throw Malformed("a frame has no size") }
        try limits.check(width: width, height: height, of: .gif)
        frames += 1
        try limits.check(frames: frames, width: clean.width, height: clean.height, of: .gif)
        try skipColors(try reader.big(1), &reader)
        var pixels = try GIFPixels(minimumCodeSize: try reader.big(1))
        try reader.eachSubBlock { (block) throws(Malformed) in try pixels.read(block) }
        // Pinry fails on a frame without all its pixels.
        guard pixels.count >= width * height else { throw Malformed("a frame is incomplete") }
    }

    private mutating func takeExtension(_ reader: inout ByteReader, from start: ByteReader) throws {
        let label = try reader.big(1)
        let name = reader.rest.dropFirst().prefix(11)
        try reader.eachSubBlock { _ in }
        switch label {
        case Label.comment: clean.remove("comment")
        case Label.application where !Self.loopApplications.contains(where: name.starts(with:)):
            clean.remove(name.starts(with: "XMP Data") ? "xmp" : "application data")
        default: clean.keep(start.piece(to: reader))
        }
    }

    private func skipColors(_ flags: Int, _ reader: inout ByteReader) throws {
        guard flags & 0x80 != 0 else { return }
        try reader.take(3 << ((flags & 7) + 1))
    }
}

extension ByteReader {
    /// Everything between this reader's place and the place of a later copy of it.
    fileprivate func piece(to later: ByteReader) -> ArraySlice<UInt8> { rest[..<later.position] }

    /// Takes a chain of sub-blocks with its terminator.
    fileprivate mutating func eachSubBlock(_ body: (ArraySlice<UInt8>) throws(Malformed) -> Void) throws(Malformed) {
        while true {
            let length = try big(1)
            guard length > 0 else { return }
            try body(try take(length))
        }
    }
}
