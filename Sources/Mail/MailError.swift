public import PinpostCore

/// A mail cannot be read, or not now.
public struct MailError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// Empty, or without a single header field.
        case notAMail
        /// More bytes, or a larger header, than is taken.
        case overLimit
        /// The bytes could not be read, or what was found could not be stored: the cause says whether to try again.
        case storeFailed
    }

    public let code: Code
    /// The cause in words, without secrets.
    public let detail: String
    /// What the store said; set for `.storeFailed` alone.
    public let cause: StoreError?

    public init(_ code: Code, _ detail: String, cause: StoreError? = nil) {
        self.code = code
        self.detail = detail
        self.cause = cause
    }

    /// The store stood in the way.
    public init(_ cause: StoreError) { self.init(.storeFailed, cause.description, cause: cause) }

    /// Whether the same mail may be read later without anybody's help.
    public var isTransient: Bool { cause?.isTransient ?? false }
}

extension MailError: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String {
        switch code {
        case .notAMail: "This is not a mail: \(detail)."
        case .overLimit: "The mail is over a limit: \(detail)."
        case .storeFailed: detail
        }
    }

    public var debugDescription: String { "MailError.\(code.rawValue) \(detail)" }
}
