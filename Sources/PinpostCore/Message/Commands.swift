/// Gathers the commands of a message and gives back its words without them.
struct Commands {
    private let knownBoards: [String]
    private var tags: [String] = []
    /// In lower case: tags that differ only in case are one.
    private var seenTags: Set<String> = []
    private var board: String?
    private var bracketedBoard: String?
    private var isPrivate: Bool?
    private var isAgain: Bool?

    /// More tags than a person types are noise.
    static let mostTags = 50
    /// Pinry on PostgreSQL takes no longer tag, in characters.
    static let longestTag = 100

    /// `private` and `again`, whatever letters fold into them, in bytes.
    private static let longestWord = 16

    init(knownBoards: [String]) { self.knownBoards = knownBoards }

    func wishes(description: String?) -> Wishes {
        Wishes(
            description: description, tags: tags, board: board ?? bracketedBoard, isPrivate: isPrivate,
            isAgain: isAgain)
    }

    /// A subject is one line, and may have reply marks behind its board.
    mutating func take(subjectLine: String) -> String {
        let words = SubjectPrefixes.stripped(takeBracketedBoard(subjectLine))
        return take(text: words).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// A caption has one line more often than not: `board:Name` counts inside it as well.
    mutating func take(caption: String) -> [String] {
        guard caption.lowercased().contains("board:") else { return take(text: caption) }
        return take(text: caption.lines.map { takeInlineBoard($0) }.joined(separator: "\n"))
    }

    /// Takes the first `board:Name` or `board:"A name"` that begins a word; the words around it stay.
    private mutating func takeInlineBoard(_ line: Substring) -> String {
        for word in line.split(whereSeparator: \.isWhitespace) {
            guard word.prefix(6).lowercased() == "board:", let (name, rest) = Self.inlineValue(line[word.startIndex...])
            else { continue }
            if board == nil { board = String(name.prefix(200)) }
            return line[..<word.startIndex].trimmed + " " + rest.trimmed
        }
        return String(line)
    }

    /// A word, or what stands in quotes; nil where a blank follows: that is a line of its own.
    private static func inlineValue(_ command: Substring) -> (name: Substring, rest: Substring)? {
        let text = command.dropFirst(6)
        guard let first = text.first, !first.isWhitespace, !text.hasPrefix("//") else { return nil }
        if let closing = quotes[first], let end = text.dropFirst().firstIndex(of: closing) {
            let name = text[text.index(after: text.startIndex)..<end]
            return name.isEmpty ? nil : (name, text[text.index(after: end)...])
        }
        let name = text.prefix { !$0.isWhitespace }
        return (name, text[name.endIndex...])
    }

    private static let quotes: [Character: Character] = ["\"": "\"", "“": "”", "„": "“", "«": "»"]

    /// The lines that are left.
    mutating func take(text: String) -> [String] {
        var lines: [String] = []
        var isFirst = true
        for line in text.lines {
            var words = line.trimmed
            if isFirst, !words.isEmpty {
                words = takeBracketedBoard(words)
                isFirst = false
            }
            if isCommand(words) { continue }
            let rest = takeTags(words)
            // A line of nothing but tags leaves no gap in its paragraph.
            if rest.isEmpty, !words.isEmpty { continue }
            lines.append(rest)
        }
        return lines
    }

    private mutating func isCommand(_ line: String) -> Bool {
        if line.utf8.count <= Self.longestWord {
            let word = line.lowercased()
            if word == "private" { isPrivate = true }
            if word == "again" { isAgain = true }
            if word == "private" || word == "again" { return true }
        }
        guard line.utf8.contains(UInt8(ascii: ":")), let colon = line.firstIndex(of: ":") else { return false }
        let value = line[line.index(after: colon)...].trimmed
        switch line[..<colon].trimmed.lowercased() {
        case "board":
            guard !value.isEmpty, !value.hasPrefix("//") else { return false }
            if board == nil { board = String(value.prefix(200)) }
        case "tags", "tag":
            guard !value.isEmpty, !value.hasPrefix("//") else { return false }
            for tag in value.split(separator: ",") {
                add(tag: tag.drop { $0 == "#" || $0.isWhitespace }.trimmed)
            }
        default: return false
        }
        return true
    }

    /// A leading `[Name]` where such a board exists; otherwise the words stay as they are.
    private mutating func takeBracketedBoard(_ line: String) -> String {
        guard line.hasPrefix("["), let close = line.firstIndex(of: "]") else { return line }
        let name = line[line.index(after: line.startIndex)..<close].trimmed
        guard let known = knownBoards.first(where: { $0.lowercased() == name.lowercased() }) else { return line }
        if bracketedBoard == nil { bracketedBoard = known }
        return line[line.index(after: close)...].trimmed
    }

    /// Takes `#word`s: those at the end of the line go, one inside a sentence stays as a plain word.
    private mutating func takeTags(_ line: String) -> String {
        guard line.utf8.contains(UInt8(ascii: "#")) || line.unicodeScalars.contains("＃") else { return line }
        var words: [(text: String, isTag: Bool)] = []
        for word in line.split(whereSeparator: \.isWhitespace) {
            guard let (before, tag, after) = Self.tag(in: word) else {
                words.append((String(word), false))
                continue
            }
            if ["private", "again"].contains(tag.lowercased()) {
                if tag.lowercased() == "private" { isPrivate = true } else { isAgain = true }
                if !before.isEmpty || !after.isEmpty { words.append((before + after, false)) }
            } else {
                add(tag: tag)
                words.append((before + tag + after, before.isEmpty && after.isEmpty))
            }
        }
        while words.last?.isTag == true { words.removeLast() }
        return words.map(\.text).joined(separator: " ")
    }

    /// Splits a word into what stands before `#tag`, the tag, and the punctuation behind; nil where it is no tag.
    ///
    /// A tag has a letter (`#1` is a number), and nothing but an opening bracket or quote stands before it, so that
    /// links with a fragment are left alone.
    private static func tag(in word: Substring) -> (String, String, String)? {
        guard let mark = word.firstIndex(where: { $0 == "#" || $0 == "＃" }),
            word[..<mark].allSatisfy({ "([{\"'„“‚‘«".contains($0) })
        else { return nil }
        var tag = word[word.index(after: mark)...].prefix { $0.isLetter || $0.isNumber || "_-".contains($0) }
        while let last = tag.last, last == "-" { tag = tag.dropLast() }
        let after = word[tag.endIndex...]
        guard tag.contains(where: \.isLetter), tag.count <= longestTag,
            after.allSatisfy({ !$0.isLetter && !$0.isNumber && $0 != "#" && $0 != "/" })
        else { return nil }
        return (String(word[..<mark]), String(tag), String(after))
    }

    private mutating func add(tag: String) {
        guard !tag.isEmpty, tags.count < Self.mostTags, tag.count <= Self.longestTag,
            seenTags.insert(tag.lowercased()).inserted
        else { return }
        tags.append(tag)
    }
}
