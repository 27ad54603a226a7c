/// Local parts behind which no person reads, however their words are joined: `no-reply+ab`, `do_not_reply`, `list-bounces`.
enum ProgramName {
    static func isOne(_ localPart: String) -> Bool {
        let local = localPart.lowercased()
        // VERP, SRS, BATV: an envelope's address with another one inside it.
        if local.contains("=") { return true }
        // What is behind the plus is a person's own mark as often as a program's.
        let name = local.prefix { $0 != "+" }
        let words = name.split { !$0.isLetter && !$0.isNumber }.map { String($0.filter(\.isLetter)) }.filter {
            !$0.isEmpty
        }
        guard let first = words.first, let last = words.last else { return false }
        return whole.contains(words.joined()) || speaks(words) || bounces.contains(first) || bounces.contains(last)
            || name.hasPrefix("owner-") || listEnds.contains { name.hasSuffix($0) }
    }

    /// Whether words beside each other say that nobody reads: `photos-noreply`, `please.do.not.reply.shop`.
    private static func speaks(_ words: [String]) -> Bool {
        words.indices.contains { start in
            var run = ""
            return words[start...].prefix(longestPhrase).contains { word in
                run += word
                return phrases.contains(run)
            }
        } || words.contains { word in glued.contains { word.hasPrefix($0) || word.hasSuffix($0) } }
    }

    /// Words of the longest of them, as people separate them.
    private static let longestPhrase = 4

    private static let phrases: Set<String> = [
        "noreply", "noreplies", "noresponse", "noanswer", "donotreply", "dontreply", "donotrespond", "donotanswer",
        "replynot", "neverreply", "unmonitored", "mailerdaemon", "maildaemon", "maildeliverysystem", "autoreply",
        "autoresponder", "autoresponse", "autorespond", "autoconfirm", "automailer", "notifications", "notification",
        "nichtantworten", "bittenichtantworten", "keineantwort", "nepasrepondre", "noresponder", "noresponda",
        "naoresponda", "naoresponder", "nonrispondere", "inteaterkoppla", "svarainte", "nietbeantwoorden",
    ]

    /// So long that nobody's name begins or ends with them, even without a sign between.
    private static let glued = ["noreply", "donotreply", "mailerdaemon"]

    /// Only alone: together with others they may be people's.
    private static let whole: Set<String> = [
        "postmaster", "nobody", "listserv", "listproc", "majordomo", "mailman", "newsletter", "newsletters", "daemon",
    ]

    private static let bounces: Set<String> = ["bounce", "bounces", "bounced"]

    private static let listEnds = ["-request", "-owner", "-subscribe", "-unsubscribe", "-confirm"]
}
