internal import Glibc

/// Turns bytes of a labelled charset into text, by iconv and a fixed list of names.
///
/// A label never reaches iconv itself: unknown ones mean UTF-8 where the bytes are that, else the hint, else
/// windows-1252, or what Cyrillic text looks like. Bytes that make no sense become U+FFFD; nothing fails.
public enum Charset {
    /// Decodes all of `bytes`; at most 1 MiB is expected.
    public static func decode(_ bytes: [UInt8], label: String?, hint: String? = nil) -> String {
        if isISO2022JP(bytes) {
            let text = eucOfISO2022JP(bytes).flatMap { convert($0, from: "EUC-JP-MS") }
            return text ?? convert(bytes, from: "ISO-2022-JP-3") ?? ascii(bytes)
        }
        let name = label.flatMap(iconvName)
        if name == nil || name == "UTF-8" || name == "US-ASCII" {
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            if name == "UTF-8" { return String(decoding: bytes, as: UTF8.self) }
            if isMostlyUTF8(bytes) { return String(decoding: bytes, as: UTF8.self) }
        }
        let told = [name, hint.flatMap(iconvName)].lazy.compactMap(\.self).first { $0 != "UTF-8" && $0 != "US-ASCII" }
        return convert(bytes, from: told ?? cyrillic(bytes) ?? "WINDOWS-1252") ?? ascii(bytes)
    }

    /// The name that iconv knows, for every label that we take.
    public static func iconvName(_ label: String) -> String? {
        guard label.utf8.count <= 64 else { return nil }
        let key = label.lowercased().filter { $0.isLetter || $0.isNumber }
        return names[key]
    }

    private static func ascii(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    /// The escape sequences of ISO-2022-JP occur in no other text, whatever the label says.
    private static func isISO2022JP(_ bytes: [UInt8]) -> Bool {
        guard let escape = bytes.firstIndex(of: 0x1B), escape + 2 < bytes.count else { return false }
        let second = bytes[escape + 1]
        let third = bytes[escape + 2]
        return second == UInt8(ascii: "$") && [UInt8(ascii: "B"), UInt8(ascii: "@"), UInt8(ascii: "(")].contains(third)
            || second == UInt8(ascii: "(") && [UInt8(ascii: "J"), UInt8(ascii: "I")].contains(third)
    }

    /// Whether only a character at the end, cut by the sender, keeps the bytes from being UTF-8.
    private static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
        (1...3).contains { count in
            bytes.count > count + 4 && bytes.dropLast(count).contains { $0 >= 0x80 }
                && String(validating: bytes.dropLast(count), as: UTF8.self) != nil
        }
    }

    private static func convert(_ bytes: [UInt8], from charset: String) -> String? {
        let descriptor = iconv_open("UTF-8", charset)
        guard let descriptor, Int(bitPattern: descriptor) != -1 else { return nil }
        defer { iconv_close(descriptor) }
        var input = bytes
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 2)
        var output = [CChar](repeating: 0, count: 16 << 10)
        input.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { output in
                var position = 0
                while position < input.count {
                    position += step(descriptor, input, position, output, &text)
                }
                flush(descriptor, output, &text)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Converts until the output is full or a byte makes no sense; returns how many bytes are done, at least one.
    private static func step(
        _ descriptor: iconv_t, _ input: UnsafeMutableRawBufferPointer, _ position: Int,
        _ output: UnsafeMutableRawBufferPointer, _ text: inout [UInt8]
    ) -> Int {
        guard let inputBase = input.baseAddress, let outputBase = output.baseAddress else { return input.count }
        var source: UnsafeMutablePointer<CChar>? = (inputBase + position).assumingMemoryBound(to: CChar.self)
        var sourceLeft = input.count - position
        var target: UnsafeMutablePointer<CChar>? = outputBase.assumingMemoryBound(to: CChar.self)
        var targetLeft = output.count
        let result = iconv(descriptor, &source, &sourceLeft, &target, &targetLeft)
        let reason = errno
        text += output[..<(output.count - targetLeft)]
        let done = input.count - position - sourceLeft
        guard result == -1 else { return max(done, 1) }
        if reason == E2BIG, done > 0 || targetLeft < output.count { return done }
        text += [0xEF, 0xBF, 0xBD]
        return done + 1
    }

    /// Writes a letter that was held back, since a combining mark might have followed it.
    private static func flush(
        _ descriptor: iconv_t, _ output: UnsafeMutableRawBufferPointer, _ text: inout [UInt8]
    ) {
        var target: UnsafeMutablePointer<CChar>? = output.baseAddress?.assumingMemoryBound(to: CChar.self)
        var left = output.count
        _ = iconv(descriptor, nil, nil, &target, &left)
        text += output[..<(output.count - left)]
    }

    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for (name, labels) in labelsByName {
            for label in labels.split(separator: " ") { names[String(label)] = name }
        }
        for number in 1...16 where number != 12 {
            for label in [
                "iso8859\(number)", "iso885\(number)", "88590\(number)", "8859\(number)", "isoir8859\(number)",
            ] {
                names[label] = names[label] ?? "ISO-8859-\(number)"
            }
        }
        // Senders label windows-1252 as Latin-1, and browsers read both as windows-1252 (WHATWG Encoding, section 4.2).
        names["iso88591"] = "WINDOWS-1252"
        names["88591"] = "WINDOWS-1252"
        names["iso88599"] = "WINDOWS-1254"
        for number in 1250...1258 {
            for label in [
                "windows\(number)", "cp\(number)", "win\(number)", "xcp\(number)", "ansi\(number)", "\(number)",
            ] {
                names[label] = "WINDOWS-\(number)"
            }
        }
        return names
    }()

    /// Labels without punctuation, in lower case.
    private static let labelsByName: [String: String] = [
        "UTF-8": "utf8 unicode11utf8 unicode20utf8 xunicode20utf8 utf8mb4 unicode utf",
        "US-ASCII": "usascii ascii ansix341968 iso646us us 646 cp367 unknown8bit default 7bit 8bit",
        "UTF-7": "utf7 unicode11utf7 xunicode20utf7",
        "UTF-16": "utf16 ucs2 iso10646ucs2",
        "UTF-16LE": "utf16le",
        "UTF-16BE": "utf16be",
        "UTF-32": "utf32 ucs4",
        "WINDOWS-1252": "latin1 l1 isolatin1 ibm819 cp819 ansi isoir100",
        "ISO-8859-2": "latin2 l2",
        "ISO-8859-3": "latin3 l3",
        "ISO-8859-4": "latin4 l4",
        "ISO-8859-5": "cyrillic",
        "ISO-8859-6": "arabic iso88596i iso88596e",
        "ISO-8859-7": "greek greek8",
        "ISO-8859-8": "hebrew iso88598i iso88598e visual logical",
        "WINDOWS-1254": "latin5 l5",
        "ISO-8859-10": "latin6 l6",
        "ISO-8859-15": "latin9 l9",
        "KOI8-R": "koi8r koi koi8 cskoi8r",
        "KOI8-U": "koi8u koi8ru",
        "CP866": "cp866 ibm866 866 dos866",
        "CP437": "cp437 ibm437 437",
        "CP850": "cp850 ibm850 850",
        "CP852": "cp852 ibm852 852",
        "CP858": "cp858 ibm858",
        "CP874": "windows874 cp874 tis620 iso885911 dos874 xwindows874 ibm874",
        "MACINTOSH": "macintosh mac macroman xmacroman",
        "MAC-CYRILLIC": "xmaccyrillic maccyrillic xmacukrainian",
        "GB18030":
            "gb2312 gbk gb18030 eucn cngb xgbk cp936 ms936 windows936 gb231280 csgb2312 euccn chinese xeuccn 936",
        "BIG5-HKSCS": "big5 big5hkscs cnbig5 xxbig5 csbig5 cp950 ms950 windows950 950 big5eten xbig5",
        "EUC-TW": "euctw xeuctw",
        "CP949":
            "euckr ksc5601 ksc56011987 ksc56011989 cp949 uhc windows949 ksc56011992 korean cseuckr xwindows949 949 ms949",
        "ISO-2022-KR": "iso2022kr csiso2022kr",
        "ISO-2022-CN-EXT": "iso2022cn iso2022cnext",
        "ISO-2022-JP-3": "iso2022jp iso2022jp1 iso2022jp2 iso2022jp3 csiso2022jp iso2022jpms cp50220 cp50221",
        "CP932": "shiftjis sjis xsjis mskanji windows31j cp932 csshiftjis xmscp932 932 ms932",
        "EUC-JP-MS": "eucjp xeucjp xeuc ujis eucjpms cseucpkdfmtjapanese",
        "JOHAB": "johab cp1361",
        "VISCII": "viscii",
        "TCVN": "tcvn",
        "ARMSCII-8": "armscii8",
        "GEORGIAN-PS": "georgianps",
        "HP-ROMAN8": "hproman8 roman8",
    ]
}
