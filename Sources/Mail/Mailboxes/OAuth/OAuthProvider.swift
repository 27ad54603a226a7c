public import PinpostCore

/// Providers whose addresses we know.
public enum OAuthProvider: String, Sendable, CaseIterable {
    case google, microsoft

    /// A client of this provider, with the scope that IMAP needs and the right to refresh tokens.
    public func client(id: String) -> OAuthClient {
        switch self {
        case .google:
            // Without the consent Google gives a refresh token only the first time.
            OAuthClient(
                tokenEndpoint: "https://oauth2.googleapis.com/token", clientID: id, scope: "https://mail.google.com/",
                authorizationEndpoint:
                    "https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent",
                deviceEndpoint: "https://oauth2.googleapis.com/device/code")
        case .microsoft:
            OAuthClient(
                tokenEndpoint: Self.microsoftBase + "token", clientID: id,
                scope: "https://outlook.office.com/IMAP.AccessAsUser.All offline_access",
                authorizationEndpoint: Self.microsoftBase + "authorize",
                deviceEndpoint: Self.microsoftBase + "devicecode")
        }
    }

    private static let microsoftBase = "https://login.microsoftonline.com/common/oauth2/v2.0/"
}
