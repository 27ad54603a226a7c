import DecoderProtocol
import PinpostCore

/// The header of a Windows bitmap, judged before its pixels are read.
struct BitmapFile {
    private static let fileHeaderLength = 14
    private static let coreLength = 12
    /// Version 5, whose profile stands behind the pixels.
    private static let longLength = 124
    private static let embeddedProfile = "DEBM"  // MBED, little-endian

    let size: PictureSize
    let profile: ICCProfile?

    /// - Throws: `.damaged` or `.overLimit`.
    init(_ file: ArraySlice<UInt8>, limits: PictureLimits) throws(MediaError) {
        do {
            let header = file.dropFirst(Self.fileHeaderLength)
            size = try Self.size(header)
            profile = Self.profile(header)
        } catch {
            throw MediaError(error, in: .bmp)
        }
        try limits.check(width: size.width, height: size.height, of: .bmp, upTo: limits.wholePixels)
    }

    /// The size that a header declares; rows from the top down have a negative height.
    static func size(_ header: ArraySlice<UInt8>) throws(Malformed) -> PictureSize {
        var reader = ByteReader(header)
        let isCore = try reader.little(4) == coreLength
        let width = try reader.little(isCore ? 2 : 4)
        let height = try reader.little(isCore ? 2 : 4)
        return PictureSize(
            width: Int(Int32(truncatingIfNeeded: width)), height: abs(Int(Int32(truncatingIfNeeded: height))))
    }

    private static func profile(_ header: ArraySlice<UInt8>) -> ICCProfile? {
        var reader = ByteReader(header)
        guard (try? reader.little(4)) == longLength, header.dropFirst(56).starts(with: embeddedProfile) else {
            return nil
        }
        var place = ByteReader(header.dropFirst(112))
        guard let offset = try? place.little(4), let length = try? place.little(4), offset <= header.count,
            length <= header.count - offset
        else { return nil }
        return ICCProfile(header.dropFirst(offset).prefix(length))
    }
}
