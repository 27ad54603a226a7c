import DecoderProtocol
import PinpostCore

/// A JPEG that a decoder wrote into a file: as untrusted as any, because the picture may have taken the decoder over.
///
/// It is judged and passed on in pieces, so that it never is in memory as a whole.
struct DecodedJPEG {
    /// The tables of a baseline JPEG take about 600 bytes.
    private static let maximumHeader = 4096
    private static let pieceLength = 256 << 10

    private let file: OwnedDescriptor
    private let output: Output

    init(_ file: OwnedDescriptor, _ output: Output) { (self.file, self.output) = (file, output) }

    /// Hands the file over with a colour profile in it.
    /// - Throws: `.decoderFailed` when it is anything but one scan of the announced size, and what `write` throws.
    func copy(
        adding profile: [ArraySlice<UInt8>], _ write: (ArraySlice<UInt8>) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard output.codec == .jpeg else { throw .strangeOutput }
        let start = try piece(from: 0, upTo: Self.maximumHeader)
        let header = try header(start)
        for piece in try judged(header, adding: profile) { try write(piece) }
        var position = header.count
        while position < output.byteCount - 2 {
            // The byte after a 0xFF is looked at together with it.
            var piece = try piece(from: position, upTo: min(Self.pieceLength, output.byteCount - 2 - position))
            if piece.last == 0xFF, piece.count > 1 { piece = piece.dropLast() }
            guard piece.isEntropyCoded else { throw .strangeOutput }
            try write(piece)
            position += piece.count
        }
        let end = try piece(from: output.byteCount - 2, upTo: 2)
        guard end.elementsEqual([0xFF, 0xD9]) else { throw .strangeOutput }
        try write(end)
    }

    /// Everything up to the compressed data.
    private func header(_ start: ArraySlice<UInt8>) throws(MediaError) -> ArraySlice<UInt8> {
        var reader = JPEGReader(start)
        do {
            _ = try reader.start()
            while true {
                let segment = try reader.next()
                if segment.marker == .startOfScan { return start[..<segment.whole.endIndex] }
            }
        } catch {
            throw .strangeOutput
        }
    }

    /// The pieces of a header that is all right, without the end-of-image marker.
    private func judged(
        _ header: ArraySlice<UInt8>, adding profile: [ArraySlice<UInt8>]
    ) throws(MediaError) -> ArraySlice<ArraySlice<UInt8>> {
        let empty = Array(header) + [0xFF, 0xD9]
        guard let clean = try? JPEGCleaner.clean(empty[...], adding: profile, limits: PictureLimits()),
            clean.removed.isEmpty, (clean.width, clean.height) == (output.width, output.height)
        else { throw .strangeOutput }
        return clean.pieces.dropLast()
    }

    private func piece(from start: Int, upTo count: Int) throws(MediaError) -> ArraySlice<UInt8> {
        let end = min(start + count, output.byteCount)
        guard start >= 0, start < end, let bytes = file.contents(start..<end) else { throw .strangeOutput }
        return bytes[...]
    }
}

extension ArraySlice<UInt8> {
    /// Whether the only markers are restarts, and none is cut off.
    fileprivate var isEntropyCoded: Bool {
        last != 0xFF && nextMarker(restartsToo: false) == nil
    }
}
