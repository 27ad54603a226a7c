extension ICCProfile {
    /// Display P3: the primaries of DCI-P3 under daylight, with the transfer curve of sRGB.
    ///
    /// For files that name the colour space by number only (`nclx`, primaries 12): JPEG knows no such numbers, and
    /// without a profile the colours would go dull.
    static let displayP3: ICCProfile? = ICCProfile(DisplayP3.bytes[...])
}

/// Writes the profile: a matrix and a curve (ICC.1:2010, section 8.4), colours adapted to D50 by Bradford.
private enum DisplayP3 {
    /// Columns are red, green and blue; from the primaries of SMPTE EG 432-1 with the D65 white point.
    private static let columns: [(tag: String, xyz: [Double])] = [
        ("rXYZ", [0.515_12, 0.241_20, -0.001_05]), ("gXYZ", [0.291_98, 0.692_25, 0.041_89]),
        ("bXYZ", [0.157_10, 0.066_57, 0.784_07]),
    ]
    private static let whitePoint = [0.964_20, 1, 0.824_91]
    /// From D65 to D50.
    private static let adaptation = [
        1.047_88, 0.022_92, -0.050_22, 0.029_59, 0.990_48, -0.017_07, -0.009_25, 0.015_08, 0.751_68,
    ]
    /// y = (a x + b)^g from d on, y = c x below (IEC 61966-2-1): g, a, b, c, d.
    private static let curve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.040_45]

    static var bytes: [UInt8] {
        let tone = element("para", [0, 3, 0, 0] + curve.flatMap(fixed))
        var tags: [(String, [UInt8])] = [
            ("desc", text("Display P3")), ("cprt", text("No copyright")), ("wtpt", xyz(whitePoint)),
            ("chad", element("sf32", adaptation.flatMap(fixed))),
        ]
        tags += columns.map { ($0.tag, xyz($0.xyz)) }
        tags += ["rTRC", "gTRC", "bTRC"].map { ($0, tone) }
        var (table, data): ([UInt8], [UInt8]) = (number(tags.count), [])
        let start = 128 + 4 + 12 * tags.count
        for (name, content) in tags {
            table += Array(name.utf8) + number(start + data.count) + number(content.count)
            data += content + [UInt8](repeating: 0, count: -content.count & 3)
        }
        return header(size: start + data.count) + table + data
    }

    private static func header(size: Int) -> [UInt8] {
        let version: [UInt8] = [4, 0, 0, 0]
        let created: [UInt8] = [0x07, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
        var bytes = number(size) + [0, 0, 0, 0] + version + Array("mntrRGB XYZ ".utf8) + created + Array("acsp".utf8)
        bytes += [UInt8](repeating: 0, count: 28) + whitePoint.flatMap(fixed)
        return bytes + [UInt8](repeating: 0, count: 128 - bytes.count)
    }

    private static func text(_ words: String) -> [UInt8] {
        let utf16 = words.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return element("mluc", number(1) + number(12) + Array("enUS".utf8) + number(utf16.count) + number(28) + utf16)
    }

    private static func xyz(_ values: [Double]) -> [UInt8] { element("XYZ ", values.flatMap(fixed)) }

    private static func element(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + [0, 0, 0, 0] + content
    }

    /// The type s15Fixed16Number.
    private static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65_536).rounded())) }

    private static func number(_ value: Int) -> [UInt8] {
        let bits = UInt32(truncatingIfNeeded: value)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> UInt32($0)) }
    }
}
