/// How often something may happen, as it is written: `10:3000` is ten in a second, and 3,000 at once; `0` is no limit.
public struct RateSetting: Sendable, Hashable {
    public static let standardHook = RateSetting(perSecond: "10", burst: 3_000)
    public static let standardAddress = RateSetting(perSecond: "20", burst: 2_000)
    public static let standardRefused = RateSetting(perSecond: "0.2", burst: 60)

    public let perSecond: Double
    /// 0: no limit.
    public let burst: Int
    private let text: String

    private init(perSecond: String, burst: Int) {
        self.perSecond = Double(perSecond) ?? 0
        self.burst = burst
        text = "\(perSecond):\(burst)"
    }

    /// nil for text of another form; both numbers go up to a million.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if text == "0" {
            (perSecond, burst) = (0, 0)
        } else {
            guard parts.count == 2, let perSecond = Double(parts[0]), let burst = Int(parts[1]),
                perSecond > 0, perSecond <= 1e6, (1...1_000_000).contains(burst)
            else { return nil }
            (self.perSecond, self.burst) = (perSecond, burst)
        }
        self.text = text
    }
}

extension RateSetting: CustomStringConvertible {
    public var description: String { text }
}
