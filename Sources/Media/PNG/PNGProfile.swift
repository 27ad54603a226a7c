/// Wraps a colour profile for a PNG file (ISO/IEC 15948, section 11.3.3.3).
enum PNGProfile {
    /// A compressed profile that is kept, in bytes: whoever opens the picture unpacks a thousand times as much at most.
    static let longestPacked = 64 << 10

    /// One `iCCP` chunk.
    ///
    /// The profile is stored, not compressed: it is small, and the daemon needs no zlib.
    static func chunk(_ profile: ICCProfile) -> [ArraySlice<UInt8>] {
        var payload = Array("icc\0".utf8) + [0]  // name, method: deflate
        payload += [0x78, 0x01]  // zlib header: deflate, no dictionary, fastest
        var rest = profile.bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            payload.append(rest.isEmpty ? 1 : 0)  // last block or not, stored
            payload += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
            payload += block
        } while !rest.isEmpty
        payload += Checksum.adler32(profile.bytes[...]).bigEndianBytes
        return [PNGChunk.bytes("iCCP", payload)[...]]
    }
}
