import PinpostCore
import Testing

@Suite("Message grammar")
struct MessageGrammarTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var subject: String?
        var text = ""
        var description: String?
        var tags: [String] = []
        var board: String?
        var isPrivate: Bool?

        var testDescription: String { "\(subject ?? "-") / \(text)" }
    }

    static let boards = ["Trips", "Küche", "To do"]

    static let mails: [Row] = [
        Row(subject: "Sunset", description: "Sunset"),
        Row(subject: "Fwd: Re: Sunset", description: "Sunset"),
        Row(subject: "AW: WG: Urlaub", description: "Urlaub"),
        Row(subject: "RE : TR : Installation", description: "Installation"),
        Row(subject: "Re[2]: SV: hej", description: "hej"),
        Row(subject: "[Fwd: Priceless]", description: "Priceless"),
        Row(subject: "回复：照片", description: "照片"),
        Row(subject: "Reading list", description: "Reading list"),
        Row(subject: "Re-use: yes", description: "Re-use: yes"),
        Row(subject: "(no subject)", text: "From the garden", description: "From the garden"),
        Row(subject: "", text: "\n\nFirst line\nsecond line\n\nother", description: "First line second line"),
        Row(subject: nil, text: "https://example.com/a\n\nA nice page", description: "A nice page"),
        Row(subject: nil, text: "https://example.com/a", description: nil),
        Row(subject: "Fwd:", text: "", description: nil),
        // Tags
        Row(subject: "Holiday #beach #sun", description: "Holiday", tags: ["beach", "sun"]),
        Row(subject: "A #sunset in Rome", description: "A sunset in Rome", tags: ["sunset"]),
        Row(
            subject: "Größe #Größe #über_uns #naïve-art", description: "Größe",
            tags: ["Größe", "über_uns", "naïve-art"]),
        Row(subject: "#猫 と #犬", description: "猫 と", tags: ["猫", "犬"]),
        Row(subject: "Number #1 and C# and a#b", description: "Number #1 and C# and a#b"),
        Row(subject: "See https://example.com/#top", description: "See https://example.com/#top"),
        Row(subject: "Same #Sea #sea", description: "Same", tags: ["Sea"]),
        Row(subject: "So (#quiet) here", description: "So (quiet) here", tags: ["quiet"]),
        Row(subject: "X", text: "#one #two\n\nhello #three.", description: "X", tags: ["one", "two", "three"]),
        Row(
            subject: "X", text: "Tags: red wine, #blue , ,green", description: "X", tags: ["red wine", "blue", "green"]),
        Row(subject: nil, text: "#one #two\nwords", description: "words", tags: ["one", "two"]),
        // Boards
        Row(subject: "X", text: "board: My Trips ", description: "X", board: "My Trips"),
        Row(subject: nil, text: "Board: Küche\nSoup", description: "Soup", board: "Küche"),
        Row(subject: "[trips] Rome", description: "Rome", board: "Trips"),
        Row(subject: "Fwd: [Trips] Re: Rome", description: "Rome", board: "Trips"),
        Row(subject: "[To Do] list", description: "list", board: "To do"),
        Row(subject: "[Unknown] Rome", description: "[Unknown] Rome"),
        Row(subject: "[Trips] Rome", text: "board: Küche", description: "Rome", board: "Küche"),
        Row(subject: nil, text: "[Küche] Soup", description: "Soup", board: "Küche"),
        Row(subject: "board: Trips", text: "Words", description: "Words", board: "Trips"),
        Row(subject: "X", text: "board://strange\nboard:", description: "X"),
        // Privacy
        Row(subject: "X", text: "Private", description: "X", isPrivate: true),
        Row(subject: "Cake #private", description: "Cake", isPrivate: true),
        Row(subject: "A #private, party", description: "A , party", isPrivate: true),
        Row(subject: "private", text: "Cake", description: "Cake", isPrivate: true),
        Row(subject: "X", text: "a private party", description: "X"),
        // What may not be seen
        Row(subject: "Pic for pins+abcdefghijklmnopqrstuvwx2345@example.org", description: "Pic for"),
        Row(subject: "mail bob@example.com (or <ann@example.org>)", description: "mail (or"),
        Row(subject: "ping @bob at noon", description: "ping @bob at noon"),
        Row(subject: "https://medium.com/@bob/story nice", description: "https://medium.com/@bob/story nice"),
        Row(subject: "token abcdefghijklmnopqrstuvwx2345 here", description: "token here"),
        Row(subject: "https://x.org/abcdefghijklmnopqrstuvwx2345/a b", description: "b"),
        Row(subject: "key pph_abcdefghijklmnopqrstuvwxyz234567abcdef", description: "key"),
        Row(subject: "a\u{0}b\tc", description: "a b c"),
        // … in any spelling
        Row(subject: "see https://x.org/?u=pins%2BABCDEFGHIJKLMNOPQRSTUVWX2345%40example.org", description: "see"),
        Row(subject: "see https://x.org/?u=pins%252babcdefghijklmnopqrstuvwx2345%2540example.org", description: "see"),
        Row(subject: "see https://x.org/?u=pins%25252babcdefghijklmnopqrstuvwx2345", description: "see"),
        Row(subject: "see https://x.org/?u=%61bcdefghijklmnopqrstuvwx2345", description: "see"),
        Row(subject: "see https://x.org/?u=%61b%63defghijklmnopqrstuvwx23%34%35", description: "see"),
        Row(subject: "to mailto:pins%2babcdefghijklmnopqrstuvwx2345%40example.org", description: "to"),
        Row(subject: "to pins=2babcdefghijklmnopqrstuvwx2345=40example.org", description: "to"),
        Row(subject: "to pins&#x2b;abcdefghijklmnopqrstuvwx2345&#64;example.org", description: "to"),
        Row(subject: "to pins&#43abcdefghijklmnopqrstuvwx2345", description: "to"),
        Row(subject: #"to pins\u002babcdefghijklmnopqrstuvwx2345\u0040example.org"#, description: "to"),
        Row(subject: "to https://x.org/hooks/pph%5Fabcdefghijklmnopqrstuvwxyz234567abcdef", description: "to"),
        Row(subject: "50%25 off https://x.org/?a=%C3%BC&b=%zz", description: "50%25 off https://x.org/?a=%C3%BC&b=%zz"),
    ]

    @Test("a mail's subject and own text say what the pin is", arguments: mails)
    func mail(_ row: Row) {
        let wishes = MessageGrammar.wishes(subject: row.subject, ownText: row.text, knownBoards: Self.boards)
        #expect(
            wishes
                == Wishes(description: row.description, tags: row.tags, board: row.board, isPrivate: row.isPrivate))
    }

    static let captions: [Row] = [
        Row(text: "One\ntwo\n\nthree", description: "One\ntwo\n\nthree"),
        Row(
            text: "Dinner #food\nboard: Küche\nprivate", description: "Dinner", tags: ["food"], board: "Küche",
            isPrivate: true),
        Row(text: "[Trips] Rome #city", description: "Rome", tags: ["city"], board: "Trips"),
        Row(text: "https://example.com/a", description: nil),
        Row(text: "look https://example.com/a", description: "look https://example.com/a"),
        Row(text: "\n \n", description: nil),
    ]

    @Test("a caption describes the pin as a whole", arguments: captions)
    func caption(_ row: Row) {
        let wishes = MessageGrammar.wishes(caption: row.text, knownBoards: Self.boards)
        #expect(
            wishes
                == Wishes(description: row.description, tags: row.tags, board: row.board, isPrivate: row.isPrivate))
    }

    @Test(
        "a caption has its board on a line of its own or among its words",
        arguments: [
            ("dusk #sea board:Trips", "Trips", "dusk"), ("board:Trips dusk", "Trips", "dusk"),
            ("dusk board:\"My Trips\" now", "My Trips", "dusk now"), ("dusk\nboard: My Trips", "My Trips", "dusk"),
            ("Board:Trips", "Trips", nil), ("dusk board:“A b”", "A b", "dusk"),
            ("a keyboard:x and board://x", nil, "a keyboard:x and board://x"),
        ] as [(String, String?, String?)])
    func inlineBoard(_ caption: String, _ board: String?, _ description: String?) {
        let wishes = MessageGrammar.wishes(caption: caption, knownBoards: [])
        #expect(wishes.board == board && wishes.description == description)
    }

    @Test("a description that is too long ends with an ellipsis")
    func longDescription() throws {
        let wishes = MessageGrammar.wishes(
            subject: String(repeating: "ä ", count: 2_000), ownText: "", knownBoards: [])
        let description = try #require(wishes.description)
        #expect(description.count == MessageGrammar.longestDescription)
        #expect(description.hasSuffix("…"))
    }

    @Test("tags are bounded in number and length")
    func tagLimits() {
        let many = (0..<500).map { "#tag\($0)" }.joined(separator: " ")
        let long = "#" + String(repeating: "x", count: 101)
        let wishes = MessageGrammar.wishes(subject: "\(long) word \(many)", ownText: "", knownBoards: [])
        #expect(wishes.tags.count == 50)
        #expect(wishes.description == long + " word")
    }

    @Test(
        "only marks of forwarding say that a mail was passed on",
        arguments: [
            ("Fwd: a", true), ("Re: WG: a", true), ("Re: a", false), ("a", false), ("[Fwd: a]", true), ("Fw. a", false),
        ])
    func forwarding(_ subject: String, _ isForward: Bool) {
        #expect(SubjectPrefixes.saysForwarded(subject) == isForward)
    }
}
