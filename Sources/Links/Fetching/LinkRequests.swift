import PinpostCore

/// The requests of one link: they share one deadline.
struct LinkRequests: Sendable {
    private let http: any HTTPExchange
    private let deadline: ContinuousClock.Instant
    private let pictureLimit: Int

    init(_ http: any HTTPExchange, pictureLimit: Int, within limit: Duration) {
        self.http = http
        self.pictureLimit = pictureLimit
        deadline = .now + limit
    }

    /// A page, or the picture that the link turns out to be.
    func page(_ url: String, redirects: Int) async throws(LinkError) -> HTTPResponse {
        try await get(url, accept: "text/html,application/xhtml+xml,image/*;q=0.9,*/*;q=0.5", redirects: redirects)
    }

    /// A picture, as the page with this address would load it.
    func picture(_ url: String, from referer: String?) async throws(LinkError) -> HTTPResponse {
        try await get(
            url, accept: "image/jpeg,image/png,image/webp,image/gif,image/*;q=0.8,*/*;q=0.5", referer: referer,
            redirects: HTTPRequest.mostRedirects)
    }

    /// What a card may show in its corner: small, and no reason to wait.
    func icon(_ url: String, from referer: String) async throws(LinkError) -> HTTPResponse {
        try await get(
            url, accept: "image/png,image/*;q=0.8", referer: referer, redirects: HTTPRequest.mostRedirects,
            limit: Self.iconLimit)
    }

    /// These requests with an end of their own, where that comes earlier.
    func hurried() -> LinkRequests { LinkRequests(self, until: min(deadline, .now + Self.iconTime)) }

    private static let iconLimit = 256 << 10
    private static let iconTime: Duration = .seconds(4)

    private init(_ other: LinkRequests, until deadline: ContinuousClock.Instant) {
        (http, pictureLimit) = (other.http, other.pictureLimit)
        self.deadline = deadline
    }

    func embed(_ url: String, redirects: Int) async throws(LinkError) -> HTTPResponse {
        try await get(url, accept: "application/json", redirects: redirects)
    }

    private func get(
        _ url: String, accept: String, referer: String? = nil, redirects: Int, limit: Int? = nil
    ) async throws(LinkError) -> HTTPResponse {
        let left = deadline - .now
        guard left > .zero else { throw LinkError(.failed, "the site took too long") }
        var headers = [(name: "Accept", value: accept)]
        if let referer { headers.append((name: "Referer", value: referer)) }
        let request = HTTPRequest(
            url: url, headers: headers, timeout: left, responseLimit: limit ?? pictureLimit,
            pageLimit: PageText.limit,
            redirectLimit: max(redirects, 0))
        do {
            return try await http.send(request, as: .message)
        } catch {
            throw LinkError(error)
        }
    }
}

extension HTTPResponse {
    var isSuccess: Bool { (200..<300).contains(status) }

    /// Busy or broken for the moment.
    var mayPass: Bool { status == 429 || status >= 500 }

    /// A picture of a kind that becomes a pin.
    var isPicture: Bool { isSuccess && PictureType.isPinned(body) }
}

extension LinkError {
    /// Another attempt may go better.
    var mayPass: Bool { code == .failed || code == .unavailable || code == .busy }

    init(_ error: HTTPExchangeError) {
        let code: Code =
            switch error.code {
            case .badURL, .refusedAddress: .refused
            case .tooLarge: .tooLarge
            case .localFailure, .cancelled: .unavailable
            case .busy: .busy
            case .unresolvedHost, .connectFailed, .tlsFailed, .timedOut, .connectionLost, .tooManyRedirects: .failed
            }
        let words = code == .refused ? "the link is not fetched" : "the link could not be fetched"
        self.init(code, "\(words): \(error.detail.isEmpty ? error.code.rawValue : error.detail)")
    }
}
