/// What a sequence parameter set says about its pictures (ITU-T H.265, section 7.3.2.2).
struct SequenceParameters {
    private(set) var chromaFormat = 0
    private(set) var lumaBits = 0
    private(set) var chromaBits = 0
    /// In pixels, without what is cut away.
    private(set) var width = 0
    private(set) var height = 0
    private(set) var isFullRange = false
    /// As ITU-T H.273 counts them; 2 where it says nothing.
    private(set) var matrix = 2

    /// More than all scaling lists and reference sets take.
    private static let maximumBytes = 4096

    init(_ unit: ArraySlice<UInt8>) throws(Malformed) {
        var reader = BitReader(unescaping: unit.prefix(Self.maximumBytes))
        try reader.skip(16 + 4)
        let subLayers = try reader.bits(3)
        try reader.skip(1)
        try Self.skipProfile(&reader, subLayers)
        _ = try reader.exponential()
        try readSize(&reader)
        try Self.skipCodingTools(&reader, subLayers)
        if try reader.flag() { try readUsability(&reader) }
    }

    /// The structure profile_tier_level().
    private static func skipProfile(_ reader: inout BitReader, _ subLayers: Int) throws(Malformed) {
        try reader.skip(96)
        guard subLayers > 0 else { return }
        var left = 0
        for index in 0..<8 {
            let (hasProfile, hasLevel) = (try reader.flag(), try reader.flag())
            if index < subLayers { left += (hasProfile ? 88 : 0) + (hasLevel ? 8 : 0) }
        }
        try reader.skip(left)
    }

    private mutating func readSize(_ reader: inout BitReader) throws(Malformed) {
        chromaFormat = try reader.exponential()
        guard chromaFormat <= 3 else { throw Malformed("its chroma format is unknown") }
        if chromaFormat == 3 { try reader.skip(1) }
        (width, height) = (try reader.exponential(), try reader.exponential())
        if try reader.flag() {
            let horizontal = try reader.exponential() + (try reader.exponential())
            let vertical = try reader.exponential() + (try reader.exponential())
            width -= horizontal * (chromaFormat == 1 || chromaFormat == 2 ? 2 : 1)
            height -= vertical * (chromaFormat == 1 ? 2 : 1)
        }
        guard width > 0, height > 0 else { throw Malformed("its parameters leave no picture") }
        lumaBits = try reader.exponential() + 8
        chromaBits = try reader.exponential() + 8
    }

    /// Everything between the bit depths and vui_parameters_present_flag.
    private static func skipCodingTools(_ reader: inout BitReader, _ subLayers: Int) throws(Malformed) {
        let orderBits = try reader.exponential() + 4
        let layers = try reader.flag() ? subLayers + 1 : 1
        for _ in 0..<3 * layers + 6 { _ = try reader.exponential() }
        if try reader.flag(), try reader.flag() { try skipScalingLists(&reader) }
        try reader.skip(2)
        if try reader.flag() {  // pcm
            try reader.skip(8)
            for _ in 0..<2 { _ = try reader.exponential() }
            try reader.skip(1)
        }
        try skipReferenceSets(&reader)
        if try reader.flag() {  // long-term references
            for _ in 0..<(try bounded(reader.exponential(), 32)) { try reader.skip(orderBits + 1) }
        }
        try reader.skip(2)
    }

    /// The structure scaling_list_data().
    private static func skipScalingLists(_ reader: inout BitReader) throws(Malformed) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard try reader.flag() else {
                    _ = try reader.exponential()
                    continue
                }
                let count = min(64, 1 << (4 + size << 1))
                for _ in 0..<count + (size > 1 ? 1 : 0) { _ = try reader.exponential() }
            }
        }
    }

    /// All of st_ref_pic_set(); each may lean on the one before it.
    private static func skipReferenceSets(_ reader: inout BitReader) throws(Malformed) {
        var before = 0
        for index in 0..<(try bounded(reader.exponential(), 64)) {
            if index > 0, try reader.flag() {
                try reader.skip(1)
                _ = try reader.exponential()
                var count = 0
                for _ in 0...before {
                    if try reader.flag() {
                        count += 1
                    } else if try reader.flag() {
                        count += 1
                    }
                }
                before = count
            } else {
                let (negative, positive) = (try reader.exponential(), try reader.exponential())
                before = try bounded(negative, 16) + bounded(positive, 16)
                for _ in 0..<before {
                    _ = try reader.exponential()
                    try reader.skip(1)
                }
            }
        }
    }

    /// The beginning of vui_parameters() (annex E.2.1).
    private mutating func readUsability(_ reader: inout BitReader) throws(Malformed) {
        let hasOwnAspect = 255
        if try reader.flag(), try reader.bits(8) == hasOwnAspect { try reader.skip(32) }
        if try reader.flag() { try reader.skip(1) }
        guard try reader.flag() else { return }
        try reader.skip(3)
        isFullRange = try reader.flag()
        guard try reader.flag() else { return }
        try reader.skip(16)
        matrix = try reader.bits(8)
    }

    private static func bounded(_ number: Int, _ limit: Int) throws(Malformed) -> Int {
        guard number <= limit else { throw Malformed("a parameter is too large") }
        return number
    }
}
