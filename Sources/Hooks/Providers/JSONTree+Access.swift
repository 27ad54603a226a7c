/// Looking into a payload whose form is known: what is not there, null, or of another kind, is nil.
extension JSONTree {
    subscript(_ key: String) -> JSONTree? {
        guard case .object(let members) = self, let member = members[key], member != .null else { return nil }
        return member
    }

    /// A text that is not empty.
    var text: String? {
        guard case .text(let text) = self, !text.isEmpty else { return nil }
        return text
    }

    /// A whole number.
    var int: Int? {
        guard case .literal(let literal) = self else { return nil }
        return Int(literal)
    }

    /// An id, which providers write as text or as number.
    var id: String? {
        switch self {
        case .text(let text): text.isEmpty || text.utf8.count > 512 ? nil : text
        case .literal(let literal): Int(literal).map(String.init)
        case .object, .array, .null: nil
        }
    }

    var flag: Bool? {
        guard case .literal(let literal) = self else { return nil }
        return Bool(literal)
    }

    /// The elements of an array; none where it is none.
    var elements: [JSONTree] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The members of an object; none where it is none.
    var members: [String: JSONTree] {
        guard case .object(let members) = self else { return [:] }
        return members
    }
}
