internal import Cryptography
internal import FoundationEssentials
internal import PinpostCore

/// `/v1/messages/ID/undo/KEY`: takes back what became of a message, for whoever has the link that its answer named.
///
/// POST and DELETE do it. GET asks first: previews and prefetching must not remove anything.
struct UndoRoute: Sendable {
    let ports: WebService.Ports
    let limiter: RequestLimiter

    func answer(_ head: RequestHead, message id: String, key: String) async -> HTTPAnswer {
        guard let undo = ports.undo else { return WebService.nothing }
        let (isAsked, isDone) = (["GET", "HEAD"].contains(head.method), ["POST", "DELETE"].contains(head.method))
        guard isAsked || isDone else { return .methodNotAllowed("GET, HEAD, POST, DELETE") }
        do throws(StoreError) {
            guard let hook = try await hook(of: Message.ID(id)),
                UndoKey.opens(key, Message.ID(id), of: hook, at: ports.surroundings.now())
            else {
                let unknown = Problem(404, "There is no such message, or this is not its key.").answer()
                return limiter.refuse(head, with: unknown, at: ports.surroundings.now())
            }
            if isAsked { return Self.page("Take the pins of this message back?", 200, form: true) }
            let result = await undo.undo(Message.ID(id), by: hook, askedAt: ports.surroundings.now())
            ports.logger.info("undo", ["hook": hook.id, "message": id, "result": result.text])
            return Self.answer(result, asPage: head.field("accept")?.contains("text/html") == true)
        } catch {
            return Problem(error).answer(fields: error.retryFields)
        }
    }

    private func hook(of message: Message.ID) async throws(StoreError) -> Hook? {
        guard case .hook(let id) = try await ports.history.message(message)?.route else { return nil }
        return try await ports.directory.hook(id)
    }

    /// In words for a person, as JSON for programs.
    private static func answer(_ result: PinUndo.Result, asPage: Bool) -> HTTPAnswer {
        let (text, status) = (SenderWords.of(result.text), status(of: result.ending))
        let fields = status == 503 ? [HTTPAnswer.Field("Retry-After", "10")] : []
        if asPage { return page(text, status, fields, form: false) }
        guard status == 200 else { return Problem(status, text).answer(fields: fields) }
        return HTTPAnswer(200, contentType: "application/json", text: "{\"detail\":\(JSONText.quote(text))}\n")
    }

    private static func status(of ending: PinUndo.Result.Ending) -> Int {
        switch ending {
        case .done: 200
        case .stayed: 409
        case .tooLate: 410
        case .refused: 502
        case .notNow: 503
        }
    }

    /// Words of ours alone: nothing in them has to be escaped but the usual.
    private static func page(_ words: String, _ status: Int, _ fields: [HTTPAnswer.Field] = [], form: Bool)
        -> HTTPAnswer
    {
        let text = words.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        let button = form ? "<form method=\"post\"><button>Take back</button></form>" : ""
        return HTTPAnswer(
            status, contentType: "text/html; charset=utf-8",
            fields: fields + [
                HTTPAnswer.Field("Content-Security-Policy", "default-src 'none'; form-action 'self'"),
                HTTPAnswer.Field("Referrer-Policy", "no-referrer"),
            ],
            text: "<!doctype html><title>Pinpost</title><p>\(text)</p>\(button)\n")
    }
}

/// What stands in the link: nobody can make it without a live token of the hook, and it opens nothing else.
enum UndoKey {
    static func of(_ message: Message.ID, token hash: [UInt8]) -> String {
        let code = HMAC.code(of: Array("undo\n\(message)".utf8), key: hash)
        return code.reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }

    /// With any token that may still send: a link outlives a rotation, and not the token that made it.
    static func opens(_ key: String, _ message: Message.ID, of hook: Hook, at now: Date) -> Bool {
        hook.tokenHashes(for: .send, at: now).contains {
            HMAC.areEqual(Array(key.utf8), Array(of(message, token: $0).utf8))
        }
    }
}
