internal import PinpostCore

/// The words of a piece of HTML, such as a feed's description: for a caption, not for display.
enum HTMLText {
    /// Tags are left out, blocks become lines, the common entities are decoded.
    static func plain(_ html: String) -> String {
        var text = ""
        var rest = html[...]
        // Once no tag ends, none after it does: the text is not searched again.
        var hasTags = true
        while let next = rest.popFirst() {
            if next == "<", hasTags {
                guard let end = rest.firstIndex(of: ">") else {
                    hasTags = false
                    text.append(next)
                    continue
                }
                let tag = rest[..<end].drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
                rest = rest[rest.index(after: end)...]
                if blocks.contains(tag) { text += "\n" }
            } else if next == "&", let (character, length) = entity(rest) {
                text.append(character)
                rest = rest.dropFirst(length)
            } else {
                text.append(next)
            }
        }
        return text.trimmed
    }

    private static let blocks: Set<String> = ["br", "p", "div", "li", "ul", "ol", "tr", "h1", "h2", "h3", "blockquote"]
    private static let named: [Substring: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
    ]

    /// The character that follows an ampersand, and the length of its name with the semicolon.
    private static func entity(_ text: Substring) -> (Character, Int)? {
        let start = text.prefix(10)
        guard let end = start.firstIndex(of: ";") else { return nil }
        let name = start[..<end]
        let length = name.count + 1
        if let character = named[name] { return (character, length) }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let number = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number, number >= 0x20, let scalar = Unicode.Scalar(number) else { return nil }
        return (Character(scalar), length)
    }
}
