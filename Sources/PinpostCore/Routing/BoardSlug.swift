/// A board's name as it can stand in a mail address: letters and digits in lower case, all else one hyphen.
public enum BoardSlug {
    public static func make(from name: String) -> String {
        var slug = ""
        for character in name.lowercased() {
            if character.isLetter || character.isNumber {
                slug.append(character)
            } else if !slug.isEmpty, !slug.hasSuffix("-") {
                slug.append("-")
            }
        }
        return slug.hasSuffix("-") ? String(slug.dropLast()) : slug
    }
}

extension [Board] {
    /// The first board whose name makes this slug.
    public func matching(slug: String) -> Board? {
        let wanted = slug.lowercased()
        return first { BoardSlug.make(from: $0.name) == wanted }
    }
}
