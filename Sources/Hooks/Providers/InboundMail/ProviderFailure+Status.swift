extension ProviderFailure {
    /// Whether the same request may be taken later.
    var isTemporary: Bool {
        switch self {
        case .temporary, .busy: true
        case .malformed, .unsupportedType, .tooLarge, .nothingUsable: false
        }
    }

    /// The answer to a mail service, with its own stop code where it has one.
    ///
    /// Several read every 4xx as final, 429 too: what may pass always gets 503, which all of them try again.
    func answer(stop status: Int? = nil) -> ProviderAnswer {
        guard !isTemporary else { return Self.temporary.standardAnswer }
        var answer = standardAnswer
        answer.status = status ?? answer.status
        return answer
    }
}
