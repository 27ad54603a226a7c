/// The answer to a question that costs something, and that anybody may ask: asked once a second at most.
actor RecentAnswer {
    private var last: (words: String?, at: ContinuousClock.Instant)?
    /// Those who come while it is asked wait for the same answer.
    private var waiting: [CheckedContinuation<String?, Never>]?
    private let freshness: Duration

    init(freshness: Duration = .seconds(1)) { self.freshness = freshness }

    var waiters: Int { waiting?.count ?? 0 }

    /// What `ask` says, or said a moment ago.
    func words(_ ask: @Sendable () async -> String?) async -> String? {
        if let last, .now - last.at < freshness { return last.words }
        guard waiting == nil else { return await withCheckedContinuation { waiting?.append($0) } }
        waiting = []
        let words = await ask()
        last = (words, .now)
        for one in waiting ?? [] { one.resume(returning: words) }
        waiting = nil
        return words
    }
}
