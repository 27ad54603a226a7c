internal import FoundationEssentials
internal import PinpostCore

extension ProviderAccess {
    /// A call with user and password (RFC 7617): the hook's token is the password, without a user it is both.
    func basicCall(
        _ url: String, user: String? = nil, method: String = "GET", body: HTTPRequest.Body = .none
    ) throws(ProviderError) -> ProviderCall {
        guard let token else { throw ProviderError(.notConfigured, "The hook has no key for the service's API.") }
        return try basicCall(url, user: user, password: token, method: method, body: body)
    }

    func basicCall(
        _ url: String, user: String? = nil, password: Secret, method: String = "GET",
        body: HTTPRequest.Body = .none
    ) throws(ProviderError) -> ProviderCall {
        let name = Array((user.map { "\($0):" } ?? "").utf8)
        let credentials = Array(password.withBytes { Data(name + Array($0)).base64EncodedString() }.utf8)
        var request = HTTPRequest(method: method, url: url, body: body, responseLimit: PictureLimit.bytes)
        request.authorization = ("Basic", Secret(copying: credentials))
        return ProviderCall(request, as: .provider(host: Self.host(of: url)))
    }
}

/// What a picture may have, wherever it comes from.
enum PictureLimit {
    /// A little more than is taken, so that what is too large is told from what is cut.
    static let bytes = HookLimits().picture + (1 << 20)
}
