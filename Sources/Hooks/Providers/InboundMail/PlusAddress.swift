internal import PinpostCore

/// A mail address with a tag behind a plus sign: `ada+trips@example.org`.
enum PlusAddress {
    /// The slug of the board that the tag picks; nil where there is none.
    static func board(_ address: String) -> String? {
        guard address.utf8.count <= 320, let at = address.lastIndex(of: "@"),
            let plus = address[..<at].firstIndex(of: "+")
        else { return nil }
        let slug = BoardSlug.make(from: String(address[..<at][plus...].dropFirst()))
        return slug.isEmpty ? nil : slug
    }
}
