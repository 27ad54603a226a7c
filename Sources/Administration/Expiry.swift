public import FoundationEssentials

/// When something ends: at a time, after a while, or never.
public enum Expiry: Sendable, Hashable, Codable {
    case never
    case after(TimeInterval)
    case at(Date)

    /// What people write, for help and errors.
    public static let forms = "a while such as 12h, 30d or 8w, a day such as 2027-01-31, or never"

    /// A hundred years: longer is never.
    private static let longest: TimeInterval = 100 * 365 * 86_400

    /// Reads `90m`, `12h`, `30d`, `8w`, `2027-01-31` (to the end of that day, UTC), `2027-01-31T12:00:00Z`, `never`.
    public init?(_ text: String) {
        if text == "never" {
            self = .never
        } else if let unit = text.last.flatMap({ Self.units[$0] }), let count = Int(text.dropLast()), count >= 0 {
            let seconds = Double(count) * unit
            guard seconds <= Self.longest else { return nil }
            self = .after(seconds)
        } else if let time = try? Date(text, strategy: .iso8601) {
            self = .at(time)
        } else if text.utf8.count == 10, let day = try? Date(text + "T00:00:00Z", strategy: .iso8601),
            // The parser takes the 30th of February as a day of March.
            day.formatted(.iso8601).hasPrefix(text)
        {
            self = .at(day + 86_400)
        } else {
            return nil
        }
    }

    private static let units: [Character: Double] = ["m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400]

    /// nil: never.
    public func date(from now: Date) -> Date? {
        switch self {
        case .never: nil
        case .after(let seconds): now + seconds
        case .at(let date): date
        }
    }
}
