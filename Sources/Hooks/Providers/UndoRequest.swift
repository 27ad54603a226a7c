public import PinpostCore

/// Somebody pressed Undo under the answer to a message.
public struct UndoRequest: Sendable {
    let wish: ProviderVerdict.UndoWish
    let request: ProviderRequest

    public var message: Message.ID { wish.message }
}

extension ProviderEntrance {
    /// Says in the chat what became of the Undo, and gives the answer to the request.
    public func answer(to undo: UndoRequest, text: String, isDone: Bool) async -> ProviderAnswer {
        let report = UndoReport(message: undo.message, target: undo.wish.target, text: text, isDone: isDone)
        let (answer, calls) = provider.answer(to: report, undo.request)
        // A chat that cannot be reached does not undo the undoing.
        for call in calls { _ = try? await desk.send(call) }
        return answer
    }
}
