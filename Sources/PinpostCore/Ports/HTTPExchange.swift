/// Who chose the URL decides where it may lead (one libcurl configuration each).
public enum EgressClass: Sendable {
    /// The tenant's own Pinry: that origin and path prefix only, no redirects.
    case pinry(Server)
    /// A link in a message: public unicast addresses, ports 80, 443, 8000–8999, at most 5 redirects, no credentials.
    case message
    /// A provider's API: that host only; GET is redirected within its origin, a redirect elsewhere is the answer.
    case provider(host: String)
}

public struct HTTPRequest: Sendable {
    public enum Body: Sendable {
        case none
        case bytes([UInt8], contentType: String)
        case multipart([Part])
    }

    /// One field of a multipart/form-data body.
    public struct Part: Sendable {
        public enum Content: Sendable {
            case text(String)
            case file(StoredBytes, name: String, contentType: String)
        }

        public let name: String
        public let content: Content

        public init(name: String, content: Content) {
            self.name = name
            self.content = content
        }
    }

    public var method: String
    public var url: String
    public var headers: [(name: String, value: String)]
    /// Sent as `Authorization: SCHEME SECRET`, never logged, never followed to another host.
    public var authorization: (scheme: String, secret: Secret)?
    public var body: Body
    /// For the whole exchange.
    public var timeout: Duration
    /// A longer answer is an error, noticed while it streams in; bytes after decoding.
    public var responseLimit: Int
    /// What does not begin like a picture is read no further than this, and is no error; nil: `responseLimit` alone.
    public var pageLimit: Int?
    /// How many redirects are followed where the class follows any.
    public var redirectLimit: Int

    /// Hops that a link in a message may take.
    public static let mostRedirects = 5

    public init(
        method: String = "GET", url: String, headers: [(name: String, value: String)] = [],
        authorization: (scheme: String, secret: Secret)? = nil, body: Body = .none, timeout: Duration = .seconds(60),
        responseLimit: Int = 1 << 20, pageLimit: Int? = nil, redirectLimit: Int = HTTPRequest.mostRedirects
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.authorization = authorization
        self.body = body
        self.timeout = timeout
        self.responseLimit = responseLimit
        self.pageLimit = pageLimit
        self.redirectLimit = redirectLimit
    }
}

public struct HTTPResponse: Sendable {
    public let status: Int
    /// The header fields, a line each, as they came: most answers are asked for one of them or none.
    private let head: [UInt8]
    public let body: [UInt8]
    /// The URL that answered, after redirects.
    public let url: String
    /// How many redirects led there.
    public var redirects: Int

    public init(status: Int, head: [UInt8], body: [UInt8], url: String, redirects: Int = 0) {
        self.status = status
        self.head = head
        self.body = body
        self.url = url
        self.redirects = redirects
    }

    public init(
        status: Int, headers: [(name: String, value: String)], body: [UInt8], url: String, redirects: Int = 0
    ) {
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        self.init(status: status, head: Array(lines.utf8), body: body, url: url, redirects: redirects)
    }

    /// The value of the last field with that name, which is given in lower case.
    public func header(_ name: String) -> String? {
        head.withUnsafeBytes { head in
            for line in head.split(separator: 0x0A).reversed() {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[..<colon].isSpelled(name) else {
                    continue
                }
                return String(decoding: line[(colon + 1)...].trimmed, as: UTF8.self)
            }
            return nil
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Without the white space around it.
    fileprivate var trimmed: Self {
        var rest = self
        while let first = rest.first, first <= 0x20 { rest.removeFirst() }
        while let last = rest.last, last <= 0x20 { rest.removeLast() }
        return rest
    }

    /// Letters of either case are the same; `name` has small ones.
    fileprivate func isSpelled(_ name: String) -> Bool {
        trimmed.elementsEqual(name.utf8) { $0.asciiLowercased == $1 }
    }
}

/// One outgoing request at a time, under the rules of its egress class.
public protocol HTTPExchange: Sendable {
    func send(_ request: HTTPRequest, as egress: EgressClass) async throws(HTTPExchangeError) -> HTTPResponse
}
