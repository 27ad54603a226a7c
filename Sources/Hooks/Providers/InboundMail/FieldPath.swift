/// The names of a form's fields that stand for places in a tree.
enum FieldPath {
    /// `headers[Received][0]` → headers, Received, 0.
    static func split(_ name: String) -> [String] {
        name.split(separator: "[", omittingEmptySubsequences: false)
            .map { String($0.hasSuffix("]") ? $0.dropLast() : $0) }
    }
}
