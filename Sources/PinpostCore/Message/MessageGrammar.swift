/// What people type, read as wishes: tags, board, privacy, and the words that describe the pin.
///
/// Commands are `#word`, a line `tags: a, b`, a line `board: Name`, a leading `[Name]` of a board that exists, a line
/// `private` and `#private`. They are read only in what the sender wrote himself, which the caller hands in. Pure.
public enum MessageGrammar {
    /// A mail: the subject describes the pin, else the first paragraph of the sender's own text.
    ///
    /// Time is linear in both; the caller hands in no more than some ten thousand characters.
    public static func wishes(subject: String?, ownText: String, knownBoards: [String]) -> Wishes {
        var commands = Commands(knownBoards: knownBoards)
        let line = String((subject ?? "").prefix(longestSubject))
        let title = commands.take(subjectLine: SubjectPrefixes.stripped(line))
        let body = commands.take(text: ownText)
        return commands.wishes(description: describing(Private.cleaned(title)) ?? firstParagraph(of: body))
    }

    /// A caption or a text of a chat, a hook or the command line: all of it describes the pin.
    public static func wishes(caption: String, knownBoards: [String]) -> Wishes {
        var commands = Commands(knownBoards: knownBoards)
        let text = commands.take(caption: caption)
        let lines = text.map { Private.cleaned($0) }
        let trimmed = lines.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed()
        return commands.wishes(description: describing(trimmed.joined(separator: "\n")))
    }

    /// Characters of a subject that are read.
    private static let longestSubject = 4_000
    /// Pinry's own form takes no more characters.
    public static let longestDescription = 1_024

    /// nil where nothing is said; what is too long ends with an ellipsis.
    private static func describing(_ text: String) -> String? {
        guard !text.isEmpty, !Private.isOnlyLinks(text) else { return nil }
        return text.count <= longestDescription ? text : text.prefix(longestDescription - 1) + "…"
    }

    private static func firstParagraph(of lines: [String]) -> String? {
        var paragraph: [String] = []
        for line in lines.map({ Private.cleaned($0) }) + [""] {
            if !line.isEmpty {
                paragraph.append(line)
            } else if let text = describing(paragraph.joined(separator: " ")) {
                return text
            } else {
                paragraph = []
            }
        }
        return nil
    }
}

/// What may not stand in a description, since boards are often public.
enum Private {
    /// Without mail addresses and our own secrets, blanks folded.
    static func cleaned(_ line: String) -> String {
        guard !isPlain(line) else { return line }
        let words = line.split { $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 } }
        return words.compactMap { word in
            if word.contains("://"), !OwnSecrets.areIn(word) { return String(word) }
            return isAddress(word) || OwnSecrets.areIn(word) ? nil : String(word)
        }.joined(separator: " ")
    }

    /// The same for a text of several lines; nil where nothing is left.
    static func cleaned(text: String) -> String? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { cleaned(String($0)) }
        let kept = lines.drop(while: \.isEmpty).reversed().drop(while: \.isEmpty).reversed()
        return kept.isEmpty ? nil : kept.joined(separator: "\n")
    }

    /// Nothing to fold and nothing that could be private: most lines, told without taking them apart.
    private static func isPlain(_ line: String) -> Bool {
        var run = 0
        var previous = UInt8(ascii: " ")
        for byte in line.utf8 {
            guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "@") else { return false }
            let isBlank = byte == UInt8(ascii: " ")
            if isBlank, previous == byte { return false }
            run = isBlank ? 0 : run + 1
            if run >= OwnSecrets.shortest { return false }
            previous = byte
        }
        return previous != UInt8(ascii: " ") || line.isEmpty
    }

    static func isOnlyLinks(_ text: String) -> Bool {
        guard let first = text.utf8.first, " \t\n\r<(\"hH".utf8.contains(first) || first >= 0x80 else { return false }
        return text.split(whereSeparator: \.isWhitespace).allSatisfy { word in
            let start = word.drop { "<(\"".contains($0) }.prefix(8).lowercased()
            return start.hasPrefix("http://") || start == "https://"
        }
    }

    private static func isAddress(_ word: Substring) -> Bool {
        guard word.utf8.contains(UInt8(ascii: "@")), let at = word.lastIndex(of: "@"), at != word.startIndex
        else { return false }
        let before = word[word.index(before: at)]
        let domain = word[word.index(after: at)...].prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
        return (before.isLetter || before.isNumber || "._+-\"".contains(before)) && domain.contains(".")
    }
}
