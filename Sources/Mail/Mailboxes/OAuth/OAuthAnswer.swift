internal import FoundationEssentials
internal import PinpostCore

/// What a token endpoint answers (RFC 6749 section 5), read leniently: a field that is odd spoils no other one.
struct OAuthAnswer: Decodable, Sendable {
    let accessToken: Secret?
    let refreshToken: Secret?
    let lifetime: LenientSeconds?
    let error: String?
    let errorDescription: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case lifetime = "expires_in"
        case error
        case errorDescription = "error_description"
    }

    /// Bytes of a token; those of large providers have a few thousand.
    private static let longestToken = 64 << 10

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? { try? fields.decode(String.self, forKey: key) }
        func token(_ key: CodingKeys) -> Secret? {
            text(key).map { Array($0.utf8) }.flatMap {
                (1...Self.longestToken).contains($0.count) ? Secret(copying: $0) : nil
            }
        }
        accessToken = token(.accessToken)
        refreshToken = token(.refreshToken)
        lifetime = try? fields.decode(LenientSeconds.self, forKey: .lifetime)
        error = text(.error)
        errorDescription = text(.errorDescription)
    }

    /// Nothing changes by asking again: a person has to act.
    ///
    /// RFC 6749 section 5.2, RFC 8628 section 3.5, OpenID Connect Core section 3.1.2.6, and large providers' own. What
    /// is not among them may pass: servers that are busy say many things.
    var isFinal: Bool {
        [
            "invalid_grant", "invalid_client", "invalid_request", "invalid_scope", "invalid_resource", "invalid_target",
            "unauthorized_client", "unsupported_grant_type", "access_denied", "expired_token", "login_required",
            "consent_required", "interaction_required", "account_selection_required", "deleted_client",
            "disabled_client", "org_internal", "admin_policy_enforced", "bad_refresh_token",
        ].contains(error)
    }
}

/// A time that some providers write as a number and others as a string; nil where it is neither.
struct LenientSeconds: Decodable, Sendable {
    let value: TimeInterval?

    init(from decoder: any Decoder) throws {
        let field = try decoder.singleValueContainer()
        let number =
            (try? field.decode(TimeInterval.self)) ?? (try? field.decode(String.self)).flatMap(TimeInterval.init)
        value = number.flatMap { $0.isFinite ? $0 : nil }
    }
}
