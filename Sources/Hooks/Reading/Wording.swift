internal import PinpostCore

/// What the texts of one object say: wishes by the message grammar, and links.
///
/// A description says it all; without one the title and the text together do.
struct Wording {
    private let draft: Draft
    private let found: [String]
    /// The distinct links of the texts, in order.
    let links: [String]

    init(_ draft: Draft) {
        self.draft = draft
        found = LinkFinder.links(in: draft.text ?? "").map(\.url)
        // Some senders have a single field for everything.
        let others = draft.isWordsOnly ? [draft.description, draft.title].compactMap { $0 } : []
        links = (found + others.flatMap { LinkFinder.links(in: $0).map(\.url) }).distinct
    }

    func wishes(knownBoards: [String]) -> Wishes {
        let text = draft.text.map { found.isEmpty ? $0 : Self.withoutLinks($0) }
        let heading = [draft.title, text].compactMap { $0 }.joined(separator: "\n")
        var wishes = MessageGrammar.wishes(caption: draft.description ?? heading, knownBoards: knownBoards)
        if draft.description != nil, let text {
            wishes.fill(from: MessageGrammar.wishes(caption: text, knownBoards: knownBoards))
        }
        return wishes
    }

    /// The words that are left, without those that hold a link and the punctuation around it; linear in the text.
    private static func withoutLinks(_ text: String) -> String {
        let lines = text.lines.map { line in
            let words = line.split { $0 == " " || $0 == "\t" }
            return words.filter { !holdsLink($0) }.joined(separator: " ")
        }
        return lines.joined(separator: "\n")
    }

    private static func holdsLink(_ word: Substring) -> Bool {
        word.utf8.contains(UInt8(ascii: "/")) && !LinkFinder.links(in: Array(word.utf8)).isEmpty
    }
}

extension Draft {
    fileprivate var isWordsOnly: Bool { links.isEmpty && imageLinks.isEmpty && pictures.isEmpty && media.isEmpty }
}

extension Wishes {
    /// Takes over the commands of another text, but not its words.
    fileprivate mutating func fill(from other: Wishes) {
        tags = (tags + other.tags).distinct
        board = board ?? other.board
        isPrivate = isPrivate ?? other.isPrivate
        isAgain = isAgain ?? other.isAgain
    }
}

extension [String] {
    /// In order, each once.
    var distinct: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
