extension ProviderFailure {
    /// Whether the same request may be taken later.
    var isTemporary: Bool {
        switch self {
        case .temporary, .busy: true
        case .malformed, .unsupportedType, .tooLarge, .nothingUsable: false
        }
    }

    /// The same words with the sender's own stop code; what may pass keeps its code, which all of them try again.
    func answer(stop status: Int) -> ProviderAnswer {
        var answer = standardAnswer
        if !isTemporary { answer.status = status }
        return answer
    }
}
