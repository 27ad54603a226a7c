/// Wraps a colour profile for a JPEG file (ICC.1:2010, annex B.4).
enum JPEGProfile {
    private static let largestChunk = 65_519

    /// One or more APP2 segments.
    static func segments(_ profile: ICCProfile) -> [ArraySlice<UInt8>] {
        let count = (profile.bytes.count + largestChunk - 1) / largestChunk
        return (0..<count).map { index in
            let chunk = profile.bytes[(index * largestChunk)...].prefix(largestChunk)
            let length = chunk.count + 16
            var segment: [UInt8] = [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)]
            segment += Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(count)] + chunk
            return segment[...]
        }
    }
}
