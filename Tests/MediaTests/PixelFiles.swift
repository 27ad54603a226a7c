@testable import Media

/// Pictures in formats that are simple enough to be written here.
enum PixelFiles {
    typealias Pixel = (red: UInt8, green: UInt8, blue: UInt8)

    static let colors: [Pixel] = [(200, 30, 30), (30, 160, 40), (30, 50, 200), (230, 210, 40)]

    /// Which of the four colours a pixel has: red and green above, blue and yellow below.
    static func corner(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Int {
        (2 * y < height ? 0 : 2) + (2 * x < width ? 0 : 1)
    }

    /// Rows from the top, all bytes of a pixel as `write` wants them, each row filled up to whole words.
    static func rows(_ width: Int, _ height: Int, padded: Bool = true, _ write: (Int, Pixel) -> [UInt8]) -> [[UInt8]] {
        (0..<height).map { y in
            var row = (0..<width).flatMap { x -> [UInt8] in
                let corner = corner(x, y, width, height)
                return write(corner, colors[corner])
            }
            while padded, !row.count.isMultiple(of: 4) { row.append(0) }
            return row
        }
    }

    /// A Windows bitmap of the four corners with a header of so many bytes.
    static func bitmap(
        _ width: Int, _ height: Int, bits: Int, header: Int = 40, compression: Int = 0, isTopDown: Bool = false,
        masks: [UInt32] = [], pixels: [UInt8]? = nil
    ) -> [UInt8] {
        let info = information(width, isTopDown ? -height : height, bits, header, compression, masks)
        let palette =
            bits > 8
            ? []
            : colors.flatMap { color -> [UInt8] in [color.blue, color.green, color.red] + (header == 12 ? [] : [0]) }
        let rest: [UInt8]
        if bits > 8 {
            rest = []
        } else {
            rest = palette + [UInt8](repeating: 0, count: ((1 << bits) - 4) * (header == 12 ? 3 : 4))
        }
        let data = pixels ?? packed(width, height, bits, masks, isTopDown)
        let start = 14 + info.count + rest.count
        return Array("BM".utf8) + UInt32(start + data.count).littleEndianBytes + [0, 0, 0, 0]
            + UInt32(start).littleEndianBytes + info + rest + data
    }

    /// The header of a bitmap, with masks behind it where it has no room for them.
    static func information(
        _ width: Int, _ height: Int, _ bits: Int, _ header: Int, _ compression: Int, _ masks: [UInt32] = []
    ) -> [UInt8] {
        func short(_ number: Int) -> [UInt8] { Array(UInt32(number).littleEndianBytes.prefix(2)) }
        func long(_ number: Int) -> [UInt8] { UInt32(truncatingIfNeeded: number).littleEndianBytes }
        guard header > 12 else { return long(12) + short(width) + short(height) + short(1) + short(bits) }
        var info = long(header) + long(width) + long(height) + short(1) + short(bits) + long(compression)
        info += [UInt8](repeating: 0, count: 20) + masks.flatMap(\.littleEndianBytes)
        return info + [UInt8](repeating: 0, count: max(0, header - info.count))
    }

    /// The pixels of the four corners, rows from the bottom unless `isTopDown`.
    static func packed(_ width: Int, _ height: Int, _ bits: Int, _ masks: [UInt32], _ isTopDown: Bool) -> [UInt8] {
        let rows: [[UInt8]]
        switch bits {
        case 24: rows = Self.rows(width, height) { [$1.blue, $1.green, $1.red] }
        case 32 where masks.isEmpty: rows = Self.rows(width, height) { [$1.blue, $1.green, $1.red, 0] }
        case 16, 32:
            let masks = masks.isEmpty ? [0x7C00, 0x3E0, 0x1F] : masks
            rows = Self.rows(width, height) { _, pixel in
                let channels = [pixel.red, pixel.green, pixel.blue, 255]
                let value = zip(channels, masks).reduce(UInt32(0)) { sum, part in
                    let most = UInt64(part.1 >> part.1.trailingZeroBitCount)
                    return sum | UInt32(UInt64(part.0) * most / 255) << part.1.trailingZeroBitCount
                }
                return Array(value.littleEndianBytes.prefix(bits / 8))
            }
        default:
            rows = (0..<height).map { y in
                var row = [UInt8](repeating: 0, count: (width * bits + 31) / 32 * 4)
                for x in 0..<width {
                    let index = UInt8(corner(x, y, width, height) & (1 << bits - 1))
                    row[x * bits / 8] |= index << UInt8(8 - bits - x * bits % 8)
                }
                return row
            }
        }
        return Array((isTopDown ? rows : rows.reversed()).joined())
    }

    /// A TIFF file of one page: fields in the order of their tags, 270 upwards, and the bytes of one strip.
    static func tiff(
        _ fields: [Int: [Int]], strip: [UInt8], profile: [UInt8] = [], isLittle: Bool = true, isBig: Bool = false
    ) -> [UInt8] {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            return isLittle ? little : little.reversed()
        }
        let width = isBig ? 8 : 4
        let head =
            Array((isLittle ? "II" : "MM").utf8) + bytes(isBig ? 43 : 42, 2) + (isBig ? bytes(8, 2) + bytes(0, 2) : [])
        let stripPlace = head.count + width
        var (fields, values) = (fields, strip)
        fields[273] = [stripPlace]
        fields[279] = [strip.count]
        var entries: [[UInt8]] = []
        for (tag, numbers) in fields.sorted(by: { $0.key < $1.key }) {
            let data = numbers.flatMap { bytes($0, 4) }
            var entry = bytes(tag, 2) + bytes(4, 2) + bytes(numbers.count, width)
            if data.count <= width {
                entry += data + [UInt8](repeating: 0, count: width - data.count)
            } else {
                entry += bytes(stripPlace + values.count, width)
                values += data
            }
            entries.append(entry)
        }
        if !profile.isEmpty {
            entries.append(
                bytes(34675, 2) + bytes(7, 2) + bytes(profile.count, width) + bytes(stripPlace + values.count, width))
            values += profile
        }
        return head + bytes(stripPlace + values.count, width) + values + bytes(entries.count, isBig ? 8 : 2)
            + entries.joined() + [UInt8](repeating: 0, count: width)
    }

    /// The fields of a plain page.
    static func page(_ width: Int, _ height: Int, bits: Int = 8, samples: Int = 3, photometric: Int = 2) -> [Int: [Int]]
    {
        [
            256: [width], 257: [height], 258: [Int](repeating: bits, count: samples), 259: [1], 262: [photometric],
            277: [samples], 278: [height],
        ]
    }

    /// An icon or cursor file.
    static func icon(_ pictures: [(width: Int, height: Int, bytes: [UInt8])], isCursor: Bool = false) -> [UInt8] {
        func short(_ number: Int) -> [UInt8] { Array(UInt32(number).littleEndianBytes.prefix(2)) }
        var (directory, data): ([UInt8], [UInt8]) = ([], [])
        for picture in pictures {
            directory += [UInt8(picture.width & 255), UInt8(picture.height & 255), 0, 0] + short(1) + short(32)
            directory += UInt32(picture.bytes.count).littleEndianBytes
            directory += UInt32(6 + 16 * pictures.count + data.count).littleEndianBytes
            data += picture.bytes
        }
        return [0, 0, isCursor ? 2 : 1, 0] + short(pictures.count) + directory + data
    }
}
