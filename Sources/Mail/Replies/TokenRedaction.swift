internal import PinpostCore

/// Takes the tokens of our addresses out of text that goes back to a sender.
struct TokenRedaction {
    let addressing: MailAddressing

    /// The text with each of our secret addresses as `pins+…@example.org`.
    func redact(_ text: String) -> String {
        guard text.contains("@") else { return text }
        var result = ""
        var rest = text[...]
        while let at = rest.firstIndex(of: "@") {
            let local = rest[..<at].reversed().prefix(while: Self.isPart).count
            let start = rest.index(at, offsetBy: -local)
            let domain = rest[rest.index(after: at)...].prefix(addressing.domain.count)
            // What follows the domain does not matter: ours may be the beginning of a file name.
            let isOurs = addressing.recipient("\(rest[start..<at])@\(domain)") != nil
            result += rest[..<start] + (isOurs ? addressing.redacted : "\(rest[start...at])")
            rest = isOurs ? rest[domain.endIndex...] : rest[rest.index(after: at)...]
        }
        return result + rest
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+-_.=".contains(character))
    }
}
