public import FoundationEssentials

/// A call to Pinry that did not do what it should.
public struct PinryError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        // A person has to act.
        case tokenMissing, tokenRejected, authorizationEaten, publicSwitchedOff, forbidden
        case missingScheme, notPinry, wrongBase, redirected, tlsUntrusted, addressRefused
        case boardMissing, boardForeign
        // This pin cannot be made.
        case imageRejected, imageTooLarge, pinRejected
        // The image behind an id is gone: upload again.
        case imageGone
        // Later.
        case rateLimited, serverFailed, unreachable
        /// The request may have been carried out: read before writing again.
        case answerLost
    }

    public let code: Code
    public let status: Int?
    /// The cause in words, never a response body (Pinry echoes tokens).
    public let detail: String
    /// Seconds from `Retry-After`.
    public let retryAfter: TimeInterval?

    public init(_ code: Code, status: Int? = nil, detail: String = "", retryAfter: TimeInterval? = nil) {
        self.code = code
        self.status = status
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// What the delivery makes of it.
    public enum Remedy: Sendable, Hashable {
        /// Nothing of the tenant goes through until a person acts.
        case stopTenant
        /// The server as a whole is set up wrongly or hidden: nobody's items go on, and no attempt is burnt.
        case pauseServer
        /// This item alone cannot go on.
        case parkItem
        case uploadAgain
        case retry
        /// Read the newest pins first.
        case reconcile
    }

    public var remedy: Remedy {
        switch code {
        case .tokenRejected: .stopTenant
        case .authorizationEaten, .publicSwitchedOff, .missingScheme, .notPinry, .wrongBase, .redirected,
            .tlsUntrusted, .addressRefused:
            .pauseServer
        case .tokenMissing, .forbidden, .boardMissing, .boardForeign, .imageRejected, .imageTooLarge, .pinRejected:
            .parkItem
        case .imageGone: .uploadAgain
        case .rateLimited, .serverFailed, .unreachable: .retry
        case .answerLost: .reconcile
        }
    }
}

extension PinryError: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { detail.isEmpty ? sentence : "\(sentence) (\(detail))" }

    /// Cause and remedy in one sentence or two.
    private var sentence: String {
        switch code {
        case .tokenMissing:
            "The tenant has no Pinry token yet; save one with `pinpost tenant set`, option --token-file."
        case .tokenRejected:
            "Pinry refused the API token; save a new one with `pinpost tenant set`, option --token-file."
        case .authorizationEaten:
            "Pinry did not see the token: a proxy in front of it removes the Authorization header; let it pass."
        case .publicSwitchedOff:
            "Pinry runs with PUBLIC=False, which refuses every token; set PUBLIC=True in its settings."
        case .forbidden: "Pinry does not allow this account to do that."
        case .missingScheme: "The server URL needs http:// or https:// in front."
        case .notPinry: "No Pinry answers there; give the address at which Pinry's start page opens."
        case .wrongBase: "Pinry's API is not under this URL; give the address at which Pinry's start page opens."
        case .redirected: "The server redirects; give the URL that it redirects to."
        case .tlsUntrusted: "The server's certificate is not trusted; give its authority with --ca-file."
        case .addressRefused:
            "This address may not be reached; --allow-private opens private and loopback ones, nothing opens the others."
        case .boardMissing: "There is no such board."
        case .boardForeign: "The board belongs to somebody else; choose one of your own."
        case .imageRejected: "Pinry refused the picture."
        case .imageTooLarge: "The picture is larger than the server or its proxy accepts; raise client_max_body_size."
        case .pinRejected: "Pinry refused the pin."
        case .imageGone: "The uploaded picture is gone from Pinry."
        case .rateLimited: "Pinry asks to come back later."
        case .serverFailed: "Pinry failed; it is asked again later."
        case .unreachable: "Pinry cannot be reached; it is asked again later."
        case .answerLost: "Pinry's answer was lost; the pins are read before anything is sent again."
        }
    }

    public var debugDescription: String { "PinryError.\(code.rawValue) status=\(status ?? 0) \(detail)" }
}
