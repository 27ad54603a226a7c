public import PinpostCore

/// Fetches what a link leads to: a picture is taken as it is, anything else becomes a card.
public struct FetchedLinks: LinkPictures {
    private let http: any HTTPExchange
    private let blobs: any BlobStore
    private let pool: BlockingPool
    private let limit: Int

    /// Makes a fetcher that takes pictures up to `limit` bytes; `pool` is where it may block on the disk.
    public init(http: any HTTPExchange, blobs: any BlobStore, pool: BlockingPool, limit: Int = 25 << 20) {
        self.http = http
        self.blobs = blobs
        self.pool = pool
        self.limit = limit
    }

    public func picture(of link: FoundLink) async throws(LinkError) -> LinkPicture {
        let card = LinkPicture.card(CardText(link: link.url))
        let response: HTTPResponse
        do {
            response = try await http.send(request(for: link), as: .message)
        } catch {
            guard error.code == .tooLarge, !link.isImage else { throw LinkError(error) }
            return card
        }
        if PictureType.sniff(Array(response.body.prefix(PictureType.prefixLength))) != nil, response.isSuccess {
            return .image(try await store(response.body))
        }
        if response.mayPass { throw LinkError(.failed, "the site answered \(response.status)") }
        guard !link.isImage else { throw LinkError(.noPicture, response.complaint) }
        return card
    }

    private func request(for link: FoundLink) -> HTTPRequest {
        HTTPRequest(
            url: link.url,
            headers: [("Accept", link.isImage ? "image/*,*/*;q=0.5" : "text/html,image/*;q=0.9,*/*;q=0.5")],
            timeout: .seconds(20), responseLimit: limit)
    }

    private func store(_ bytes: [UInt8]) async throws(LinkError) -> StoredBytes {
        do {
            return try await pool.run { [blobs] () throws(StoreError) in try blobs.store(bytes) }
        } catch {
            throw LinkError(.unavailable, error.description)
        }
    }
}

extension HTTPResponse {
    fileprivate var isSuccess: Bool { (200..<300).contains(status) }

    /// Busy or broken for the moment.
    fileprivate var mayPass: Bool { status == 429 || status >= 500 }

    fileprivate var complaint: String {
        isSuccess ? "the link does not lead to a picture" : "the picture's site answered \(status)"
    }
}

extension LinkError {
    fileprivate init(_ error: HTTPExchangeError) {
        let code: Code =
            switch error.code {
            case .badURL, .refusedAddress: .refused
            case .tooLarge: .tooLarge
            case .localFailure, .cancelled: .unavailable
            case .unresolvedHost, .connectFailed, .tlsFailed, .timedOut, .connectionLost, .tooManyRedirects: .failed
            }
        self.init(code, "the link could not be fetched: \(error.description)")
    }
}
