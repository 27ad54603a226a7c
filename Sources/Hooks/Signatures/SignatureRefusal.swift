/// Why a request is not taken as its sender's.
public struct SignatureRefusal: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// The secret or public key is empty or not in the scheme's form: nothing can be accepted with it.
        case secretUnusable
        /// A header or field that the scheme needs is missing, empty, or there more than once.
        case incomplete
        /// A header or field is not in the scheme's form.
        case malformed
        /// Signed before the replay window.
        case tooOld
        /// Signed after the replay window: a clock is wrong.
        case tooNew
        /// Nothing that was sent was made with the secret from exactly these bytes.
        case wrong
    }

    public let code: Code
    /// One sentence, which names headers and fields and never shows a value.
    public let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    static func wrong(_ place: String) -> SignatureRefusal {
        SignatureRefusal(.wrong, "\(place) does not fit the request and the secret.")
    }

    static func malformed(_ place: String, _ expected: String) -> SignatureRefusal {
        SignatureRefusal(.malformed, "\(place) is not \(expected).")
    }
}

extension SignatureRefusal: CustomStringConvertible {
    public var description: String { detail }
}
