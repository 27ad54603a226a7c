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
            let end = end(ofAddress: rest[start...], at: at)
            result += rest[..<start] + (end == nil ? "\(rest[start...at])" : addressing.redacted)
            rest = rest[(end ?? rest.index(after: at))...]
        }
        return result + rest
    }

    /// Where one of our addresses ends; nil for another one.
    ///
    /// What follows the domain does not matter: ours may be the beginning of a file name.
    private func end(ofAddress text: Substring, at sign: Substring.Index) -> Substring.Index? {
        addressing.domainForms.lazy.compactMap { form in
            let domain = text[text.index(after: sign)...].prefix(form.count)
            return addressing.recipient("\(text[..<sign])@\(domain)") == nil ? nil : domain.endIndex
        }
        .max()
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+-_.=".contains(character))
    }
}
