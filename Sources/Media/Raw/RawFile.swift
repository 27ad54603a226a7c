import DecoderProtocol
import PinpostCore

/// A camera RAW file: the developed picture that the camera has put into it is taken.
enum RawFile {
    /// What is smaller is a thumbnail, not a picture to pin.
    private static let smallestSide = 600

    private static let magics: [(offset: Int, bytes: [UInt8])] = [
        (0, Array("FUJIFILMCCD-RAW".utf8)), (0, Array("IIU\0".utf8)), (0, Array("IIRO".utf8)),
        (0, Array("IIRS".utf8)), (0, Array("MMOR".utf8)), (0, Array("FOVb".utf8)), (0, Array("\0MRM".utf8)),
        (4, Array("ftypcrx ".utf8)),
    ]

    /// Whether the first bytes are those of a RAW format that is not a plain TIFF.
    static func isRaw(_ start: ArraySlice<UInt8>) -> Bool {
        magics.contains { start.dropFirst($0.offset).starts(with: $0.bytes) }
    }

    /// The largest JPEG inside, cleaned, and its bytes.
    /// - Throws: `.unsupportedFormat` where there is none that is worth a pin.
    static func preview(
        _ file: ArraySlice<UInt8>, limits: PictureLimits
    ) throws(MediaError) -> (CleanFile, ArraySlice<UInt8>) {
        var best: (file: CleanFile, bytes: ArraySlice<UInt8>)?
        for bytes in EmbeddedJPEGs.find(in: file) {
            guard let clean = try? JPEGCleaner.clean(bytes, adding: [], limits: limits), clean.coding == .plain,
                clean.width * clean.height > (best?.file.width ?? 0) * (best?.file.height ?? 0)
            else { continue }
            best = (clean, bytes)
        }
        guard let best, max(best.file.width, best.file.height) >= smallestSide else {
            throw MediaError(
                .unsupportedFormat,
                "The file is a camera RAW file without a preview in it that is large enough. Send the JPEG of the "
                    + "camera.")
        }
        var clean = best.file
        let summary = ExifSummary(tiff: tiff(in: file))
        if clean.exif == nil { clean.orientation = summary.orientation ?? .up }
        if clean.exif?.camera.isEmpty ?? true { clean.exif = summary }
        clean.first = "took preview of raw"
        return (clean, best.bytes)
    }

    /// The TIFF structure that tells which way is up: the file itself, or a box of a CR3 file.
    private static func tiff(in file: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard !file.starts(with: "II"), !file.starts(with: "MM") else { return file }
        let (start, name) = (file.prefix(64 << 10), Array("CMT1".utf8))
        let box = start.indices.first { start[$0] == name[0] && start[$0...].starts(with: name) }
        return box.map { file[($0 + name.count)...] } ?? []
    }
}
