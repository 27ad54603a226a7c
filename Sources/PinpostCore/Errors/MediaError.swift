/// A picture cannot become a pin, or not now.
public struct MediaError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// A format that is not taken: the detail names it and what to do.
        case unsupportedFormat
        /// Cut short or not decodable.
        case damaged
        /// Pixels, bytes, references … over the limit, or built to hurt.
        case overLimit
        /// The decoder process died or ran out of time or memory on this picture.
        case decoderFailed
        /// No decoder could be started, or no room for its output: try again.
        case unavailable
    }

    public let code: Code
    /// One sentence for the sender: what it is and what to do.
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var isTransient: Bool { code == .unavailable }
}

extension MediaError: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { detail }
    public var debugDescription: String { "MediaError.\(code.rawValue) \(detail)" }
}
