public import PinpostCore

/// Outgoing HTTP over libcurl: each egress class has its rules, its connections and its redirects.
public final class HTTPClient: HTTPExchange {
    public struct Settings: Sendable {
        /// Sent as `User-Agent`; names the service and how to reach whoever runs it.
        public var userAgent: String
        /// Hosts and ports that the admin allows beyond the rules (`PINPOST_EGRESS_ALLOW`).
        public var exceptions: Set<AddressPolicy.Exception>
        /// For name look-up, TCP and TLS together; never longer than the request's own timeout.
        public var connectTimeout: Duration
        /// `host:port:address` lines that stand in for the name server in tests.
        var resolve: [String] = []

        public init(
            userAgent: String = "Pinpost", exceptions: Set<AddressPolicy.Exception> = [],
            connectTimeout: Duration = .seconds(15)
        ) {
            self.userAgent = userAgent
            self.exceptions = exceptions
            self.connectTimeout = connectTimeout
        }

        /// `Pinpost/VERSION (bot; +CONTACT)`, as robots introduce themselves.
        public static func userAgent(version: String, contact: String?) -> String {
            "Pinpost/\(version) (bot\(contact.map { "; +\($0)" } ?? ""))"
        }
    }

    private let settings: Settings
    private let blobs: (any BlobStore)?
    private let disk = BlockingPool(width: 1)
    private let loop: TransferLoop

    /// Starts the client's thread; `blobs` is where multipart bodies are read from.
    public init(_ settings: Settings = Settings(), blobs: (any BlobStore)? = nil) throws(HTTPExchangeError) {
        self.settings = settings
        self.blobs = blobs
        loop = try TransferLoop(settings)
    }

    public func send(
        _ request: HTTPRequest, as egress: EgressClass
    ) async throws(HTTPExchangeError) -> HTTPResponse {
        let policy = AddressPolicy(egress, exceptions: settings.exceptions)
        let deadline = ContinuousClock.now + request.timeout
        var request = request
        if case .message = egress { request.authorization = nil }
        var url = try ParsedURL(request.url)
        var hops = 0
        while true {
            try policy.check(url)
            var response: HTTPResponse
            do throws(HTTPExchangeError) {
                response = try await exchange(request, with: url, as: egress, under: policy, until: deadline)
            } catch {
                var error = error
                error.redirects = hops
                throw error
            }
            response.redirects = hops
            guard let target = try redirect(of: response, to: request, at: url, as: egress) else { return response }
            hops += 1
            guard hops <= request.redirectLimit else {
                throw HTTPExchangeError(.tooManyRedirects, "\(url.host): too many redirects")
            }
            url = target
            if response.status == 303 { (request.method, request.body) = ("GET", .none) }
        }
    }

    private func exchange(
        _ request: HTTPRequest, with url: ParsedURL, as egress: EgressClass, under policy: AddressPolicy,
        until deadline: ContinuousClock.Instant
    ) async throws(HTTPExchangeError) -> HTTPResponse {
        let left = deadline - .now
        guard left > .zero else { throw HTTPExchangeError(.timedOut, "\(url.host): no time left") }
        let transfer = Transfer(
            request, to: url, under: policy, in: ConnectionPool.Key(egress, url),
            sources: try await openSources(of: request.body), timeout: left)
        let answer = try await loop.run(transfer).get()
        return HTTPResponse(status: answer.status, headers: answer.headers, body: answer.body, url: url.text)
    }

    /// The next hop where the class follows redirects; nil makes the answer final.
    private func redirect(
        of response: HTTPResponse, to request: HTTPRequest, at url: ParsedURL, as egress: EgressClass
    ) throws(HTTPExchangeError) -> ParsedURL? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("location") else {
            return nil
        }
        switch egress {
        case .pinry: return nil
        case .message:
            // Pages and pictures are only ever read.
            return ["GET", "HEAD"].contains(request.method) ? try url.resolving(location) : nil
        case .provider:
            guard request.method == "GET" else { return nil }
            let target = try url.resolving(location)
            // Elsewhere the credentials have no business: whoever asked decides.
            return target.origin == url.origin ? target : nil
        }
    }

    private func openSources(of body: HTTPRequest.Body) async throws(HTTPExchangeError) -> [UploadSource] {
        guard case .multipart(let parts) = body else { return [] }
        var sources: [UploadSource] = []
        for case .file(let bytes, _, _) in parts.map(\.content) {
            let blobs = blobs
            let source = try await disk.run { () throws(HTTPExchangeError) in try UploadSource(bytes, in: blobs) }
            sources.append(source)
        }
        return sources
    }
}
