/// What a decoder process says: first `ready`, then one of the others, then it is gone.
public enum Reply: Sendable, Hashable {
    /// The sandbox is closed and no byte of a picture was read yet.
    case ready
    case finished(Output)
    /// A page was read; so many bytes of an `OutlineElement` list lie behind `Descriptors.output`.
    case outlined(byteCount: Int)
    case failed(Failure)
}

/// A finished job.
///
/// The bytes lie behind `Descriptors.output` and are as untrusted as the input was.
public struct Output: Sendable, Hashable {
    public let codec: Codec
    public let width: Int
    public let height: Int
    /// 0 after a check.
    public let byteCount: Int
    public let traits: Traits

    public init(codec: Codec, width: Int, height: Int, byteCount: Int, traits: Traits = []) {
        (self.codec, self.width, self.height) = (codec, width, height)
        (self.byteCount, self.traits) = (byteCount, traits)
    }

    /// What else is worth telling about the way a picture was made.
    public struct Traits: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Coefficients were moved, nothing was lost.
        public static let lossless = Traits(rawValue: 1)
        /// Transparency was laid on white.
        public static let flattened = Traits(rawValue: 2)
        /// Transparency is still there.
        public static let transparent = Traits(rawValue: 4)
    }
}

/// Why a job came to nothing, in words of the library that gave up.
public struct Failure: Error, Sendable, Hashable {
    /// The longest detail that travels, in UTF-8 bytes.
    public static let maximumDetail = 512

    public enum Code: UInt8, Sendable, CaseIterable {
        /// The bytes break the rules of their format, or end early.
        case damaged = 1
        /// A part of the format that the library does not know.
        case unsupported
        /// More pixels than the limit, or than memory allows.
        case tooLarge
        /// The system refused seccomp or a limit, so nothing was read.
        case sandboxUnavailable
        /// The process was asked for something that its role does not serve.
        case wrongRole
        /// Fonts or libraries are missing on this machine.
        case notInstalled
        case internalFault
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail.prefix(bytes: Self.maximumDetail)
    }
}
