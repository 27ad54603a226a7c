/// The links of a text and what is left without them.
struct TextLinks {
    private(set) var links: [String] = []
    private(set) var rest = ""

    init(_ text: String) {
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var words: [Substring] = []
            for word in line.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
                let link = word.drop { "<(\"".contains($0) }.prefix { !"<>\"".contains($0) }
                let trimmed = String(link.reversed().drop { ".,;:!?')".contains($0) }.reversed())
                guard WebLink.checked(trimmed) != nil else {
                    words.append(word)
                    continue
                }
                if !links.contains(trimmed) { links.append(trimmed) }
            }
            lines.append(words.joined(separator: " "))
        }
        rest = lines.joined(separator: "\n").trimmed
    }
}
