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

    func embed(_ url: String, redirects: Int) async throws(LinkError) -> HTTPResponse {
        try await get(url, accept: "application/json", redirects: redirects)
    }

    private func get(
        _ url: String, accept: String, referer: String? = nil, redirects: Int
    ) async throws(LinkError) -> HTTPResponse {
        let left = deadline - .now
        guard left > .zero else { throw LinkError(.failed, "the site took too long") }
        var headers = [(name: "Accept", value: accept)]
        if let referer { headers.append((name: "Referer", value: referer)) }
        let request = HTTPRequest(
            url: url, headers: headers, timeout: left, responseLimit: pictureLimit, pageLimit: PageText.limit,
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
    var isPicture: Bool {
        switch PictureType.sniff(Array(body.prefix(PictureType.prefixLength))) {
        case .jpeg, .png, .gif, .webp, .heic, .avif: isSuccess
        default: false
        }
    }
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
