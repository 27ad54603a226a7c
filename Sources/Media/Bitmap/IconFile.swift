import DecoderProtocol
import PinpostCore

/// The list of pictures in an icon or cursor file; the largest one is taken.
struct IconFile {
    private static let maximumEntries = 256

    /// The bytes of the largest picture: a PNG, or a bitmap without a file header.
    let picture: ArraySlice<UInt8>
    let size: PictureSize
    let isPNG: Bool
    let count: Int

    /// - Throws: `.damaged` or `.overLimit`.
    init(_ file: ArraySlice<UInt8>, limits: PictureLimits) throws(MediaError) {
        do {
            try self.init(file)
        } catch {
            throw MediaError(error, in: .ico)
        }
        try limits.check(width: size.width, height: size.height, of: .ico, upTo: limits.wholePixels)
    }

    private init(_ file: ArraySlice<UInt8>) throws(Malformed) {
        var reader = ByteReader(file)
        try reader.take(2)
        // In a cursor the two numbers that are a depth in an icon are the place of its tip.
        let isCursor = try reader.little(2) == 2
        count = try reader.little(2)
        guard (1...Self.maximumEntries).contains(count) else { throw Malformed.tooMuch("it has too many pictures") }
        var best: (rank: Int, offset: Int, length: Int)?
        for _ in 0..<count {
            let (width, height) = (try reader.little(1), try reader.little(1))
            try reader.take(4)
            let depth = try reader.little(2)
            let (length, offset) = (try reader.little(4), try reader.little(4))
            // 0 stands for 256, or more inside a PNG.
            let pixels = (width == 0 ? 256 : width) * (height == 0 ? 256 : height)
            let rank = pixels << 8 + (isCursor ? 0 : min(depth, 255))
            if rank > best?.rank ?? -1 { best = (rank, offset, length) }
        }
        guard let best, best.offset <= file.count, best.length <= file.count - best.offset else {
            throw Malformed("a part of it is missing")
        }
        picture = file.dropFirst(best.offset).prefix(best.length)
        isPNG = PictureType.sniff(Array(picture.prefix(PictureType.prefixLength))) == .png
        guard !isPNG else {
            size = PictureSize(width: 1, height: 1)  // the reader of PNG judges it
            return
        }
        let both = try BitmapFile.size(picture)
        size = PictureSize(width: both.width, height: both.height / 2)
    }
}
