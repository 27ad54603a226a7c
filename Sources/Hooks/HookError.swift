public import PinpostCore

/// A payload that becomes nothing.
public struct HookError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// Not what its type says, or a known field holds something else than it should.
        case malformed
        /// The content type is not read here.
        case unsupportedType
        /// The body, a text or a count is over its limit.
        case tooLarge
        /// Read in full, and nothing in it can be pinned.
        case nothingUsable
        /// The disk is full or a stored body cannot be read now; the payload may be fine.
        case unavailable
    }

    /// Where reading stopped.
    public struct Position: Sendable, Hashable {
        /// From 0.
        public let byte: Int
        /// From 1; only a line feed begins a new line.
        public let line: Int
        /// From 1, in bytes.
        public let column: Int
    }

    public let code: Code
    /// Cause and remedy in a sentence, without anything of the payload that could be secret.
    public let detail: String
    public let position: Position?
    /// What the store said where it did not give the body.
    public var cause: StoreError?

    public init(_ code: Code, _ detail: String, at position: Position? = nil) {
        self.code = code
        self.detail = detail
        self.position = position
    }

    /// The store does not give a body that it holds.
    init(unread cause: StoreError) {
        self.init(.unavailable, "The stored body cannot be read now.")
        self.cause = cause
    }
}

extension HookError: CustomStringConvertible {
    public var description: String {
        guard let position else { return detail }
        return "\(detail) (line \(position.line), column \(position.column), byte \(position.byte))"
    }
}
