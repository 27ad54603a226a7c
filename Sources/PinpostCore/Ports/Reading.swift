/// Turns the stored body of a message into what it holds; the pictures go to the blob store.
public protocol MessageReader: Sendable {
    /// Reads the whole message; a leading `[Name]` counts only where `knownBoards` has such a name.
    func read(_ message: Message, knownBoards: [String]) async throws(ReadingError) -> MessageContent
}

/// A message cannot be read.
public struct ReadingError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// Not what it says it is, or built to hurt; reading it again changes nothing.
        case unreadable
        /// The disk is full, or a file cannot be opened now.
        case unavailable
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

/// Finds the picture that stands for a link.
public protocol LinkPictures: Sendable {
    func picture(of link: FoundLink) async throws(LinkError) -> LinkPicture
}

public enum LinkPicture: Sendable, Hashable {
    /// The bytes of a picture; not converted yet.
    case image(StoredBytes)
    /// There is none: draw this.
    case card(CardText)
}

/// A link gives neither picture nor card.
public struct LinkError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// Forbidden by the egress rules.
        case refused
        /// The sender promised a picture, and there is none.
        case noPicture
        case tooLarge
        /// The other side or the network fails: worth another attempt.
        case failed
        /// Our own disk or decoder fails.
        case unavailable
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}
