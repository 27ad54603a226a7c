extension Charset {
    /// The charset of Cyrillic text that has no label: windows-1251 or KOI8-R, or nil where it is none.
    ///
    /// Whole words of letters from the upper quarter of the table occur in no Western language, and text of East Asia
    /// has other bytes among them. The two charsets have their small letters in different halves of that quarter.
    static func cyrillic(_ bytes: [UInt8]) -> String? {
        var lowerHalf = 0
        var upperHalf = 0
        var run = 0
        var inWords = 0
        var previous: UInt8 = 0
        var isWestern = true
        for byte in bytes {
            defer { previous = byte }
            // Nobody writes one word in two alphabets.
            if byte >= 0xC0 ? isLatin(previous) : previous >= 0xC0 && isLatin(byte) { return nil }
            guard byte >= 0xC0 else {
                guard byte < 0x80 || beside.contains(byte) else { return nil }
                run = 0
                continue
            }
            isWestern = isWestern && western.contains(byte)
            if byte < 0xE0 { lowerHalf += 1 } else { upperHalf += 1 }
            run += 1
            inWords += run == 3 ? 3 : run > 3 ? 1 : 0
        }
        let letters = lowerHalf + upperHalf
        guard letters >= 4, inWords * 4 >= letters * 3, !isWestern else { return nil }
        return lowerHalf > upperHalf ? "KOI8-R" : "WINDOWS-1251"
    }

    private static func isLatin(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// The letters of German and of the north of Europe in windows-1252, which are seldom alone in a Cyrillic text.
    private static let western: Set<UInt8> = [
        0xC4, 0xC5, 0xC6, 0xD6, 0xD8, 0xDC, 0xDF, 0xE4, 0xE5, 0xE6, 0xF6, 0xF8, 0xFC,
    ]

    /// The letter ё, quotation marks, dashes, № and the no-break space of either.
    private static let beside: Set<UInt8> = [
        0x85, 0x93, 0x94, 0x96, 0x97, 0xA0, 0xA3, 0xB3, 0xA8, 0xAB, 0xB8, 0xB9, 0xBB,
    ]
}
