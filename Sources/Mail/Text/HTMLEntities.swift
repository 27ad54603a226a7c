internal import PinpostCore

/// Character references of HTML: all numeric ones and the named ones that mails use.
enum HTMLEntities {
    /// Replaces the references in a piece of text or in an attribute's value.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "&")) else { return Array(bytes) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "&"), let (scalar, length) = reference(rest.prefix(12)) {
                result += Array(String(scalar).utf8)
                rest = rest.dropFirst(length)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// What stands behind an `&`, and how many bytes of it belong to the reference.
    private static func reference(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        let hasNumber = bytes.first == UInt8(ascii: "#")
        let body = bytes.dropFirst(hasNumber ? 1 : 0).prefix { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard !body.isEmpty else { return nil }
        let isClosed = body.endIndex < bytes.endIndex && bytes[body.endIndex] == UInt8(ascii: ";")
        let length = (hasNumber ? 1 : 0) + body.count + (isClosed ? 1 : 0)
        let name = String(decoding: body, as: UTF8.self)
        if hasNumber { return number(name).map { ($0, length) } }
        // Without the semicolon `&copy=1` is a parameter of a link.
        guard isClosed || ["amp", "lt", "gt", "quot", "nbsp"].contains(name) else { return nil }
        return (named[name] ?? named[name.lowercased()]).map { ($0, length) }
    }

    private static func number(_ text: String) -> Unicode.Scalar? {
        let isHex = text.hasPrefix("x") || text.hasPrefix("X")
        guard let value = isHex ? UInt32(text.dropFirst(), radix: 16) : UInt32(text), value >= 0x20 || value == 10
        else { return nil }
        // Numbers of windows-1252 are meant that way (HTML, section 13.2.5.80).
        if (0x80..<0xA0).contains(value) {
            return Charset.decode([UInt8(value)], label: "windows-1252").unicodeScalars.first
        }
        return Unicode.Scalar(value)
    }

    private static let named: [String: Unicode.Scalar] = {
        var table: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "euro": "€", "ndash": "–", "mdash": "—",
            "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "bull": "•",
            "hellip": "…", "trade": "™", "lsaquo": "‹", "rsaquo": "›", "larr": "←", "uarr": "↑", "rarr": "→",
            "darr": "↓", "minus": "−", "zwnj": "\u{200C}", "zwj": "\u{200D}", "ensp": " ", "emsp": " ", "thinsp": " ",
            "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "dagger": "†", "permil": "‰",
        ]
        for (offset, name) in latin1.split(separator: " ").enumerated() {
            table[String(name)] = Unicode.Scalar(UInt8(0xA0 + offset))
        }
        return table
    }()

    /// The names of U+00A0 to U+00FF in order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
        ugrave uacute ucirc uuml yacute thorn yuml
        """
}
