/// How long a test waits for what has to come: long enough for a slow or halted machine, so that only a fault ends it.
public enum Patience {
    public static let limit: Duration = .seconds(120)
    /// The same for C.
    public static let seconds = 120
}

/// What `read` gives once it is as wished, or what it gave last when the patience was over.
///
/// For what comes without an event that could be waited for.
public func eventually<Value>(
    _ isWished: (Value) -> Bool, _ read: () async throws -> Value
) async throws -> Value {
    let deadline = ContinuousClock.now + Patience.limit
    while true {
        let value = try await read()
        if isWished(value) || ContinuousClock.now > deadline { return value }
        try await Task.sleep(for: .milliseconds(10))
    }
}
