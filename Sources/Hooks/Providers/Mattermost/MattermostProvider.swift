internal import PinpostCore

/// Mattermost's outgoing webhooks and slash commands (developers.mattermost.com): the token stands in the body.
///
/// It tries once. With a bot's token (`--token-file`, `--api-base`) files are fetched and what became of them is
/// told in the thread; without, the answer to the request is all there is.
struct MattermostProvider: Provider {
    let name = "mattermost"

    func proof(of _: String) -> RequestProof { .signature(.mattermost) }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let post = try MattermostPost(request.body)
        guard !OwnAnswer.isMarked(post.text) else { return .answer(Self.silence, log: "our own answer") }
        let names = [post.user, post.userName, post.channel, post.channelName]
        guard request.access.allows(names, byDefault: true) else {
            return .answer(Self.silence, log: "neither the channel nor the person is on the allow-list")
        }
        var delivery = ProviderVerdict.Delivery(id: post.id, author: post.author, thread: post.thread ?? post.id)
        if request.access.token != nil, post.channel != nil { delivery.reply = post.replyTarget }
        guard !post.isUndo else {
            (delivery.undo, delivery.thread) = (.newest, post.thread)
            return .accept(delivery, Self.say(UndoWord.receipt))
        }
        let receipt = ChatReceipt(
            files: post.files.count, links: LinkFinder.links(in: post.text).count,
            obstacle: obstacle(toFilesWith: request.access))
        return .accept(delivery, Self.say(receipt.text))
    }

    func read(_ delivery: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] {
        let post = try MattermostPost(delivery)
        var draft = Draft()
        draft.text = post.words
        draft.media = post.files.map { MediaReference(hook: delivery.hook, file: $0) }
        return [draft]
    }

    func obstacle(toFilesWith access: ProviderAccess) -> String? {
        access.obstacleToFiles(token: "bot token")
    }

    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        guard answers.isEmpty else { return .done }
        guard !media.file.isEmpty, media.file.utf8.allSatisfy(\.isLetterOrDigit) else {
            throw ProviderError(.refused, "The file has no id.")
        }
        return .call(
            try access.call(
                "/api/v4/files/\(media.file)", of: self, scheme: "Bearer", responseLimit: PictureLimit.bytes))
    }

    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall] {
        guard let channel = target.fields["channel"] else { return [] }
        let post = JSONTree.object(of: [
            "channel_id": .text(channel), "root_id": target.fields["post"].map { .text($0) },
            "message": .text(OwnAnswer.marked(report.text(upTo: Self.longestText))),
        ])
        return [try? access.call("/api/v4/posts", of: self, method: "POST", scheme: "Bearer", body: post.body)]
            .compactMap(\.self)
    }

    /// Mattermost's own limit is 16,383 characters.
    private static let longestText = 4_000
    private static let silence = ProviderAnswer.json("{}")

    private static func say(_ words: String) -> ProviderAnswer {
        .json(
            JSONTree.object(of: ["text": .text(OwnAnswer.marked(words)), "response_type": .text("comment")]).json)
    }
}

/// A post, as Mattermost sends it: JSON or a form.
struct MattermostPost {
    let id: String?
    let text: String
    let trigger: String
    let user: String?
    let userName: String?
    let channel: String?
    let channelName: String?
    /// The first post of the thread; nil outside of threads, and where the server does not say.
    let thread: String?
    let files: [String]

    init(_ body: StoredDelivery) throws(HookError) {
        let fields = try body.scalars()
        id = fields["post_id"] ?? fields["trigger_id"]
        text = fields["text"] ?? ""
        trigger = fields["trigger_word"] ?? ""
        user = fields["user_id"]
        userName = fields["user_name"]
        channel = fields["channel_id"]
        channelName = fields["channel_name"]
        thread = fields["root_id"].flatMap { $0.isEmpty ? nil : $0 }
        files = (fields["file_ids"] ?? "").split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }.distinct
        guard fields["text"] != nil || !files.isEmpty else {
            throw HookError(.malformed, "The body is not a post of Mattermost.")
        }
    }

    /// Without the word by which the chat knows that it is for us.
    var words: String { TriggerWord.removed(trigger, from: text) }
    var isUndo: Bool { files.isEmpty && UndoWord.isAll(of: words) }

    /// Whose post it is in this channel.
    var author: String? { (user ?? userName).map { "\(channel ?? channelName ?? "") \($0)" } }

    var replyTarget: ReplyTarget {
        var fields = ["channel": channel ?? ""]
        fields["post"] = id
        return ReplyTarget(fields)
    }
}
