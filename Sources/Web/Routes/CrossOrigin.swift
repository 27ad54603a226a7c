/// Lets scripts of any page call a hook (WHATWG Fetch, CORS): the token is the only credential, never a cookie.
enum CrossOrigin {
    private static let any = HTTPAnswer.Field("Access-Control-Allow-Origin", "*")

    /// Answers a preflight, and lets the page read every other answer.
    static func open(_ head: RequestHead, _ route: () async -> Opening) async -> Opening {
        guard head.field("origin") != nil else { return await route() }
        if head.method == "OPTIONS", head.field("access-control-request-method") != nil { return .answer(preflight) }
        switch await route() {
        case .answer(let answer): return .answer(answer.readable)
        case .receive(let limit, let then): return .receive(limit: limit) { body in await then(body).readable }
        }
    }

    /// Says what is possible, not whether there is such a hook.
    private static let preflight = HTTPAnswer(
        204,
        fields: [
            any,
            HTTPAnswer.Field("Access-Control-Allow-Methods", "POST, PUT"),
            HTTPAnswer.Field(
                "Access-Control-Allow-Headers",
                "Authorization, Content-Type, Idempotency-Key, Filename, Title, Tags, X-Title, X-Description, X-Text, "
                    + "X-Tags, X-Board, X-Source, X-Private, X-Url, X-Image-Url, X-Filename"),
            HTTPAnswer.Field("Access-Control-Max-Age", "86400"),
        ])

    fileprivate static let exposed = [any, HTTPAnswer.Field("Access-Control-Expose-Headers", "Location, Retry-After")]
}

extension HTTPAnswer {
    fileprivate var readable: HTTPAnswer {
        var answer = self
        answer.fields += CrossOrigin.exposed
        return answer
    }
}
