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
        let deadline = ContinuousClock.now + request.timeout
        let policy = AddressPolicy(egress, exceptions: settings.exceptions)
        var transfer = Transfer(request, to: try ParsedURL(request.url), under: policy)
        var hops = 0
        while true {
            try policy.check(transfer.url)
            do throws(HTTPExchangeError) {
                try await run(transfer, until: deadline)
            } catch {
                var error = error
                error.redirects = hops
                throw error
            }
            let response = transfer.response(after: hops)
            guard let next = try transfer.redirected(by: response) else { return response }
            hops += 1
            guard hops <= request.redirectLimit else {
                throw HTTPExchangeError(.tooManyRedirects, "\(transfer.url.host): too many redirects")
            }
            transfer = next
        }
    }

    private func run(
        _ transfer: Transfer, until deadline: ContinuousClock.Instant
    ) async throws(HTTPExchangeError) {
        if case .multipart(let parts) = transfer.request.body { transfer.sources = try await openFiles(of: parts) }
        transfer.timeout = deadline - .now
        guard transfer.timeout > .zero else {
            throw HTTPExchangeError(.timedOut, "\(transfer.url.host): no time left")
        }
        try await loop.run(transfer)
    }

    private func openFiles(of parts: [HTTPRequest.Part]) async throws(HTTPExchangeError) -> [UploadSource] {
        var sources: [UploadSource] = []
        for case .file(let bytes, _, _) in parts.map(\.content) {
            let blobs = blobs
            let source = try await disk.run { () throws(HTTPExchangeError) in try UploadSource(bytes, in: blobs) }
            sources.append(source)
        }
        return sources
    }
}
