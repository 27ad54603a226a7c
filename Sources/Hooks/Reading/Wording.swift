internal import PinpostCore

/// What the texts of an object say, once its links are taken out.
struct Wording {
    let wishes: Wishes
    /// The distinct links of the text, in order.
    let links: [String]

    /// Reads the texts; the subject becomes the description, without it the first paragraph of `text` does.
    init(subject: String?, text: String?, knownBoards: [String]) {
        let found = TextLinks(text ?? "")
        links = found.links
        wishes = Wishes(description: subject ?? (found.rest.isEmpty ? nil : found.rest))
    }
}
