/// The bytes of a site's icon that are good enough for a card.
enum SiteIcon {
    /// Less is a smudge, in pixels, either side.
    static let smallest = 32
    /// More is a picture and no icon, in pixels, either side.
    static let largest = 1_024

    /// The picture in a PNG or JPEG file, or the largest one of an ICO file; nil where none is of use.
    static func picture(in file: [UInt8]) -> [UInt8]? {
        if file.starts(with: [0, 0, 1, 0]) {
            guard let entry = largestEntry(of: file) else { return nil }
            return entry.starts(with: [0x89]) ? picture(in: entry) : entry
        }
        let isKnown = file.starts(with: [0x89, 0x50, 0x4E, 0x47]) || file.starts(with: [0xFF, 0xD8, 0xFF])
        guard isKnown, let size = PictureHeader.size(of: file) else { return nil }
        return isGood(size.width) && isGood(size.height) ? file : nil
    }

    private static func isGood(_ side: Int) -> Bool { (smallest...largest).contains(side) }

    /// A directory of 16-byte entries: width and height in a byte each, 0 for 256; then its length and its place.
    private static func largestEntry(of file: [UInt8]) -> [UInt8]? {
        guard file.count >= 6 else { return nil }
        let count = min(Int(file[4]) | Int(file[5]) << 8, 64)
        var best: (width: Int, bytes: [UInt8])?
        for start in (0..<count).map({ 6 + 16 * $0 }) where start + 16 <= file.count {
            func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(file[start + offset + $1]) << (8 * $1) } }
            let width = file[start] == 0 ? 256 : Int(file[start])
            let (length, place) = (number(8), number(12))
            guard width >= smallest, width > best?.width ?? 0, length > 0, place >= 0, place <= file.count,
                length <= file.count - place
            else { continue }
            best = (width, Array(file[place..<(place + length)]))
        }
        return best?.bytes
    }
}
