/// Numbers of bytes as people read them.
public enum ByteCount {
    private static let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]

    /// `25 MiB`, `1.5 KiB`, `700 bytes`: one decimal where the number is not whole.
    public static func text(_ bytes: Int) -> String {
        var tenths = max(bytes, 0)
        var unit = 0
        var divisor = 1
        while tenths / divisor >= 1_024, unit < units.count - 1 {
            unit += 1
            divisor *= 1_024
        }
        guard unit > 0 else { return bytes == 1 ? "1 byte" : "\(tenths) bytes" }
        let whole = tenths / divisor
        tenths = tenths % divisor * 10 / divisor
        return tenths == 0 ? "\(whole) \(units[unit])" : "\(whole).\(tenths) \(units[unit])"
    }
}
