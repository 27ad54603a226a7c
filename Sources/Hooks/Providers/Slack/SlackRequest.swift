internal import PinpostCore

/// The four kinds of request that a Slack app gets at one address.
enum SlackRequest {
    /// Events API.
    case event(JSONTree)
    case command([String: String])
    /// Shortcuts and buttons.
    case interaction(JSONTree)

    init(_ body: StoredDelivery) throws(HookError) {
        guard case .form = try PayloadKind(contentType: body.contentType) else {
            self = .event(try body.object())
            return
        }
        let form = try body.form()
        guard let payload = form["payload"] else {
            self = .command(form)
            return
        }
        let tree = try JSONTree(Array(payload.utf8))
        guard case .object = tree else { throw HookError(.malformed, "The payload has to be a JSON object.") }
        self = .interaction(tree)
    }

    /// The message with what hangs on it; nil where the request has none.
    func post() -> SlackPost? {
        switch self {
        case .event(let body): body["event"].flatMap { SlackPost(event: $0) }
        case .interaction(let payload): payload["message"].flatMap { SlackPost($0) }
        case .command(let form): SlackPost(words: form["text"] ?? "")
        }
    }
}
