extension StringProtocol {
    /// Without white space at both ends.
    var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}

extension String {
    var withoutTrailingSlash: String {
        var text = self[...]
        while text.count > 1, text.last == "/" { text.removeLast() }
        return String(text)
    }
}
