import DecoderProtocol
import Decoding

/// A JPEG in four printing inks: browsers show its colours wrong, if at all.
struct InkJPEG {
    private let input: InputBytes

    init(_ input: InputBytes) { self.input = input }

    /// Converts to sRGB and encodes.
    func convert(_ finish: Finish, into output: OutputFile) throws(Failure) -> Output {
        let decoder = try JPEGDecoder()
        let header = try decoder.header(input)
        guard header.isCMYK else { throw Failure(.damaged, "its channels contradict each other") }
        try decoder.check(input, header)
        let profile = try EmbeddedProfile.bytes(ofJPEG: input)
        // Every program that writes such files follows Adobe, which stores them inverted.
        let color = try decoder.pixels(input, header).withView { (pixels) throws(Failure) in
            try Inks.toRGB(pixels, profile, areInverted: true)
        }
        return try color.withView { (pixels) throws(Failure) in
            try PictureWriter(finish, keepsDrawings: false).write(pixels, into: output)
        }
    }
}

/// The colour profile inside a JPEG file (ICC.1:2010, annex B.4).
enum EmbeddedProfile {
    private static let signature = Array("ICC_PROFILE\0".utf8)
    private static let startOfScan: UInt8 = 0xDA
    private static let profileSegment: UInt8 = 0xE2

    /// All pieces put together, empty where there are none.
    static func bytes(ofJPEG input: InputBytes) throws(Failure) -> [UInt8] {
        let file = UnsafeBufferPointer(start: try input.bytes(), count: input.count)
        var (position, chunks): (Int, [(number: UInt8, bytes: ArraySlice<UInt8>)]) = (2, [])
        while position + 4 <= file.count, file[position] == 0xFF, file[position + 1] != startOfScan {
            let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
            guard length >= 2, position + 2 + length <= file.count else { break }
            let payload = Array(file[position + 4..<position + 2 + length])
            if file[position + 1] == profileSegment, payload.starts(with: signature),
                payload.count > signature.count + 2
            {
                chunks.append((payload[signature.count], payload.dropFirst(signature.count + 2)))
            }
            position += 2 + length
        }
        return chunks.sorted { $0.number < $1.number }.flatMap(\.bytes)
    }
}
