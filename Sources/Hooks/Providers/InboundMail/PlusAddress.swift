internal import PinpostCore

/// A mail address with a tag behind a plus sign: `ada+trips@example.org`.
enum PlusAddress {
    /// One mail has hardly more recipients at one service.
    private static let mostAddresses = 100

    /// The slug of the board that the tag picks, of a list with commas the first that picks one; nil where there is
    /// none.
    static func board(_ addresses: String) -> String? {
        addresses.split(separator: ",").prefix(mostAddresses).lazy.compactMap { tag(of: $0) }.first
    }

    private static func tag(of address: Substring) -> String? {
        guard address.utf8.count <= 320, let at = address.lastIndex(of: "@"),
            let plus = address[..<at].firstIndex(of: "+")
        else { return nil }
        let slug = BoardSlug.make(from: String(address[..<at][plus...].dropFirst()))
        return slug.isEmpty ? nil : slug
    }
}
