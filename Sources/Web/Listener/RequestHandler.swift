public import PinpostCore

/// What answers requests; it sees only those whose head has passed the gate.
public protocol RequestHandler: Sendable {
    /// Decides by the head alone: answer now, or take the body first.
    ///
    /// Starts on the listener's thread: whatever blocks belongs on a `BlockingPool`.
    func open(_ head: RequestHead) async -> Opening
}

/// What is to happen with a request once its head is known.
public enum Opening: Sendable {
    /// A body that was announced is not kept; a large one is not even read.
    case answer(HTTPAnswer)
    /// Takes a body of at most `limit` bytes into the blob store, then asks for the answer; more is answered with 413.
    ///
    /// The bytes belong to `then`: it stores them with a row or discards them.
    case receive(limit: Int, then: @Sendable (StoredBytes) async -> HTTPAnswer)
}
