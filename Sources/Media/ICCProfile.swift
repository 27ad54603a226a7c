/// A colour profile (ICC.1:2010), cut to its own length.
struct ICCProfile: Hashable {
    static let maximumBytes = 1 << 20

    let bytes: [UInt8]

    /// Takes bytes that look like a profile for RGB pictures and are as long as their header says.
    ///
    /// Phones pad them (Galaxy S24: 634 bytes for a profile of 632), and some readers then drop the whole profile.
    init?(_ raw: ArraySlice<UInt8>) {
        var reader = ByteReader(raw)
        guard let length = try? reader.big(4), length >= 132, length <= min(raw.count, Self.maximumBytes),
            raw.dropFirst(16).starts(with: "RGB "), raw.dropFirst(36).starts(with: "acsp")
        else { return nil }
        bytes = Array(raw.prefix(length))
    }
}
