internal import FoundationEssentials
internal import PinpostCore

extension ProviderAccess {
    /// A call with user and password (RFC 7617): the hook's token is the password, without a user it is both.
    func basicCall(
        _ url: String, user: String? = nil, method: String = "GET", body: HTTPRequest.Body = .none
    ) throws(ProviderError) -> ProviderCall {
        guard let token else { throw ProviderError(.notConfigured, "The hook has no key for the service's API.") }
        let credentials = token.withBytes {
            Data(Array((user.map { "\($0):" } ?? "").utf8) + Array($0)).base64EncodedString()
        }
        var request = HTTPRequest(method: method, url: url, body: body, responseLimit: PictureLimit.bytes)
        request.authorization = ("Basic", Secret(copying: Array(credentials.utf8)))
        return ProviderCall(request, as: .provider(host: Self.host(of: url)))
    }
}

/// What a picture may have, wherever it comes from.
enum PictureLimit {
    /// A little more than is taken, so that what is too large is told from what is cut.
    static let bytes = HookLimits().picture + (1 << 20)
}
