extension String {
    /// The lines without their ends (`Character.isNewline`), empty ones as well.
    public var lines: [Substring] {
        // Where LF alone can end a line, bytes tell it; a character costs ten times as much.
        guard utf8.allSatisfy({ !Self.mayEndLine($0) }) else {
            return split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        }
        return utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// VT, FF, CR, and the last bytes of U+0085, U+2028 and U+2029; letters may have those too.
    private static func mayEndLine(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x0B...0x0D, 0x85, 0xA8, 0xA9: true
        default: false
        }
    }
}
