import DecoderProtocol

/// The `hvcC` property: what a decoder must know before it sees a picture (ISO/IEC 14496-15, section 8.3.3.1).
struct HEVCConfiguration {
    private static let sequenceParameterSet = 33
    private static let maximumSets = 64
    /// More than the largest parameter sets need; files may name thousands of these properties.
    private static let maximumBytes = TilePlan.maximumParameterBytes + 1024

    /// How many bytes the length of a NAL unit takes in the item's data.
    let lengthBytes: Int
    /// All parameter sets, each with a length of 2 bytes before it.
    let parameterSets: [UInt8]
    /// What the first sequence parameter set says; nil where there is none, or one that is not understood.
    let sequence: SequenceParameters?

    init(_ property: ArraySlice<UInt8>) throws(Malformed) {
        guard property.count <= Self.maximumBytes else { throw Malformed.tooMuch("it has too many parameters") }
        var reader = ByteReader(property)
        try reader.take(21)
        lengthBytes = try reader.big(1) & 3 + 1
        var (sets, first): ([UInt8], ArraySlice<UInt8>?) = ([], nil)
        var left = Self.maximumSets
        for _ in 0..<(try reader.big(1)) {
            let kind = try reader.big(1) & 0x3F
            for _ in 0..<(try reader.big(2)) {
                left -= 1
                let length = try reader.take(2)
                let unit = try reader.take(length.reduce(0) { $0 << 8 | Int($1) })
                guard left >= 0, sets.count + unit.count + 2 <= TilePlan.maximumParameterBytes else {
                    throw Malformed.tooMuch("it has too many parameters")
                }
                if kind == Self.sequenceParameterSet, first == nil { first = unit }
                sets += length + unit
            }
        }
        parameterSets = sets
        sequence = first.flatMap { try? SequenceParameters($0) }
    }
}
