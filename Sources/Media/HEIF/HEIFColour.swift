/// What `colr` properties say of a picture's colours (ISO/IEC 14496-12, section 12.1.5).
struct HEIFColour {
    /// The numbers of ITU-T H.273.
    struct CodePoints: Hashable {
        let primaries: Int
        let matrix: Int
        let isFullRange: Bool
    }

    private(set) var codePoints: CodePoints?
    private(set) var profile: ICCProfile?

    private static let displayP3 = 12

    /// What stands at the first of the items counts first.
    init(of items: [HEIFContainer.ItemID], in container: HEIFContainer) {
        for property in items.flatMap({ container.items[$0]?.properties ?? [] }) where property.type == "colr" {
            read(property.payload)
        }
        if profile == nil, codePoints?.primaries == Self.displayP3 { profile = .displayP3 }
    }

    private mutating func read(_ payload: ArraySlice<UInt8>) {
        var reader = ByteReader(payload)
        switch try? reader.code() {
        case "nclx" where codePoints == nil: codePoints = try? Self.codePoints(&reader)
        case "prof", "rICC": profile = profile ?? ICCProfile(reader.rest)
        default: break
        }
    }

    private static func codePoints(_ reader: inout ByteReader) throws(Malformed) -> CodePoints {
        let primaries = try reader.big(2)
        try reader.take(2)
        return CodePoints(
            primaries: primaries, matrix: try reader.big(2), isFullRange: try reader.big(1) & 0x80 != 0)
    }
}
