/// The marks that mail programs put before the subject of a reply or a forwarded mail, in the languages that we know.
public enum SubjectPrefixes {
    /// The subject without them; a program's words for “no subject” are no subject.
    public static func stripped(_ subject: String) -> String {
        var rest = trimmed(subject[...])
        while let next = withoutFirst(rest) { rest = next }
        return placeholders.contains(rest.lowercased()) ? "" : String(rest)
    }

    /// Whether the subject says that the mail was passed on rather than answered.
    public static func saysForwarded(_ subject: String) -> Bool {
        var rest = trimmed(subject[...])
        while let next = withoutFirst(rest) {
            let mark = rest.drop { $0 == "[" }.prefix { $0.isLetter }.lowercased()
            if forwards.contains(mark) { return true }
            rest = next
        }
        return false
    }

    /// `Re:`, `RE :`, `Re[2]:`, `Fwd：`, `[Fwd: …]`.
    private static func withoutFirst(_ subject: Substring) -> Substring? {
        let isBracketed = subject.hasPrefix("[") && subject.hasSuffix("]")
        let text = isBracketed ? subject.dropFirst().dropLast() : subject
        let word = text.prefix { $0.isLetter }
        guard word.count <= 8 else { return nil }
        let mark = word.lowercased()
        guard replies.contains(mark) || forwards.contains(mark) else { return nil }
        var rest = text[word.endIndex...]
        if let open = rest.first, open == "[" || open == "(", let close = rest.firstIndex(of: open == "[" ? "]" : ")"),
            rest[rest.index(after: rest.startIndex)..<close].allSatisfy(\.isNumber)
        {
            rest = rest[rest.index(after: close)...]
        }
        rest = rest.drop(while: \.isWhitespace)
        guard let colon = rest.first, colon == ":" || colon == "：" else { return nil }
        return trimmed(rest.dropFirst())
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return text
    }

    private static let replies: Set<String> = [
        "re", "aw", "antw", "sv", "vs", "res", "rif", "odp", "ynt", "atb", "ref", "rép", "ha", "回复", "答复", "回覆",
        "antwort",
        "отв", "ответ", "返信", "hs",
    ]
    private static let forwards: Set<String> = [
        "fw", "fwd", "wg", "tr", "vb", "vl", "enc", "doorst", "rv", "pd", "ilt", "转发", "轉寄", "weitergel", "пересл",
        "inoltra",
        "vidarebe", "転送", "fs",
    ]
    private static let placeholders: Set<String> = [
        "(no subject)", "no subject", "(kein betreff)", "kein betreff", "(ohne betreff)", "(sans objet)",
        "(aucun objet)",
        "(sin asunto)", "(nessun oggetto)", "(geen onderwerp)", "(sem assunto)", "(без темы)", "<no subject>",
    ]
}
