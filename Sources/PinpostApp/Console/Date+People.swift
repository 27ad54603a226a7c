import FoundationEssentials

extension Date {
    /// `2025-06-15 14:03`, in UTC.
    var forPeople: String {
        let text = formatted(.iso8601)
        return text.count >= 16 ? text.prefix(10) + " " + text.dropFirst(11).prefix(5) : text
    }
}
