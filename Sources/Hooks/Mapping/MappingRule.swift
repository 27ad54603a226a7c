internal import PinpostCore

/// One way to a field's value: a pointer, and the filters that its text goes through.
///
/// Written as `/message/text | strip_html | first_url`.
struct MappingRule: Sendable, Hashable {
    private static let mostFilters = 8

    let pointer: JSONPointer
    let filters: [TextFilter]

    /// - Throws: `.malformed` with the part that is wrong.
    init(_ text: String) throws(HookError) {
        let parts = text.split(separator: " | ", omittingEmptySubsequences: false)
        guard let pointer = JSONPointer(parts[0].trimmed) else {
            throw HookError(.malformed, "`\(parts[0])` is no JSON Pointer; it begins with a slash.")
        }
        guard parts.count <= Self.mostFilters + 1 else {
            throw HookError(.malformed, "More than \(Self.mostFilters) filters after one pointer.")
        }
        var filters: [TextFilter] = []
        for part in parts.dropFirst() {
            guard let filter = TextFilter(part.trimmed) else {
                let names = TextFilter.names.joined(separator: ", ")
                throw HookError(.malformed, "There is no filter `\(part.trimmed)`; there are \(names).")
            }
            filters.append(filter)
        }
        self.pointer = pointer
        self.filters = filters
    }

    /// The texts that are found, each with the pointer to where it stands; empty ones do not count.
    ///
    /// Of a picture `base64` leaves what it cannot decode to text: pictures are decoded where they are read.
    func values(in tree: JSONTree, ofPicture isPicture: Bool = false) -> [(pointer: String, text: String)] {
        var values: [(pointer: String, text: String)] = []
        for match in pointer.matches(in: tree) {
            guard let scalar = match.value.scalar else { continue }
            let texts = filters.reduce([scalar]) { texts, filter in
                texts.flatMap { text in
                    let made = filter.apply(to: text)
                    return made.isEmpty && isPicture && filter == .base64 ? [text] : made
                }
            }
            values += texts.map(\.trimmed).filter { !$0.isEmpty }.map { (match.pointer, $0) }
        }
        return values
    }
}
