/// The answer to a question that costs something, and that anybody may ask: asked once a second at most.
actor RecentAnswer {
    private var last: (words: String?, at: ContinuousClock.Instant)?
    private static let freshness: Duration = .seconds(1)

    /// What `ask` says, or said a moment ago.
    func words(_ ask: @Sendable () async -> String?) async -> String? {
        if let last, .now - last.at < Self.freshness { return last.words }
        let words = await ask()
        last = (words, .now)
        return words
    }
}
