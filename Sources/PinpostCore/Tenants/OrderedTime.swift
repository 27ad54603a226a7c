internal import FoundationEssentials

/// Times as text and as bytes that sort as the times do; a beginning for names whose rows should stand together.
enum OrderedTime {
    /// The characters of base32 in the order in which they sort.
    private static let alphabet = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)
    private static let characters = 8

    /// Eight characters for the milliseconds since 1970; they begin anew after 34 years.
    static func text(_ time: Date) -> String {
        let milliseconds = microseconds(time) / 1_000
        return String(unsafeUninitializedCapacity: characters) { buffer in
            for place in 0..<characters {
                let shift = UInt64(5 * (characters - 1 - place))
                buffer[place] = alphabet[Int(milliseconds >> shift & 31)]
            }
            return characters
        }
    }

    /// Eight bytes for the microseconds since 1970.
    static func bytes(_ time: Date) -> [UInt8] {
        withUnsafeBytes(of: microseconds(time).bigEndian) { Array($0) }
    }

    /// Times before 1970 count as 1970.
    private static func microseconds(_ time: Date) -> UInt64 {
        UInt64(min(max(time.timeIntervalSince1970, 0) * 1_000_000, 9e18))
    }
}
