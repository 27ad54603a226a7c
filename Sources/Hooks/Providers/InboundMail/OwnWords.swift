internal import PinpostCore

/// Sorts the text of a mail: what its sender wrote, and what he only passes on; quotes and signatures are neither.
///
/// For services that give the text as a whole. One pass over the lines.
struct OwnWords {
    /// Without quotes, and up to the signature.
    let own: String
    /// What follows the head of a forwarded mail.
    let passedOn: String

    init(of text: String) {
        var own: [Substring] = []
        var passedOn: [Substring] = []
        var isForwarded = false
        var isSignature = false
        for line in text.lines {
            if Self.beginsForward(line) {
                (isForwarded, isSignature) = (true, false)
            } else if Self.beginsSignature(line) {
                isSignature = true
            } else if Self.isQuote(line) {
                Self.dropAttribution(from: &own)
            } else if !isSignature {
                if isForwarded { passedOn.append(line) } else { own.append(line) }
            }
        }
        Self.dropFooter(from: &own)
        self.own = own.joined(separator: "\n").trimmed
        self.passedOn = passedOn.joined(separator: "\n")
    }

    private static func isQuote(_ line: Substring) -> Bool {
        line.first == ">" && !line.hasPrefix(">From ")
    }

    /// `-- ` (RFC 3676 section 4.3); many programs lose the blank.
    private static func beginsSignature(_ line: Substring) -> Bool {
        line == "-- " || line == "--" || line == "--\u{A0}"
    }

    private static func beginsForward(_ line: Substring) -> Bool {
        guard line.count < 100 else { return false }
        let words = line.trimmed.lowercased()
        return forwards.contains { words.contains($0) }
            && (words.hasPrefix("--") || words.hasPrefix("__") || words.hasSuffix(":"))
    }

    private static let forwards = [
        "forwarded message", "original message", "weitergeleitete nachricht", "ursprüngliche nachricht",
        "message transféré", "message d'origine", "mensaje reenviado", "mensaje original", "messaggio inoltrato",
        "doorgestuurd bericht",
    ]

    /// The line before a quote that says whose words follow: `On …, Ada wrote:`.
    private static func dropAttribution(from lines: inout [Substring]) {
        guard let last = lines.lastIndex(where: { !$0.trimmed.isEmpty }) else { return }
        let line = lines[last].trimmed
        guard line.hasSuffix(":"), line.contains(where: \.isNumber) || line.contains("@") else { return }
        lines.removeSubrange(last...)
    }

    /// What phones write under every mail.
    private static func dropFooter(from lines: inout [Substring]) {
        guard let last = lines.lastIndex(where: { !$0.trimmed.isEmpty }), lines[last].count < 100 else { return }
        let line = lines[last].trimmed.lowercased()
        if footers.contains(where: { line.hasPrefix($0) }) { lines.removeSubrange(last...) }
    }

    private static let footers = [
        "sent from my ", "sent from outlook", "sent via ", "get outlook for ", "von meinem ", "gesendet von ",
        "gesendet mit ", "envoyé de mon ", "envoyé depuis ", "enviado desde mi ", "inviato da ",
        "verstuurd vanaf mijn ",
    ]
}
