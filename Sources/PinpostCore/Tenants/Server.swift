/// One Pinry instance, shared by several tenants: the unit of concurrency, back-off and circuit breaker.
public struct Server: Sendable, Hashable {
    public typealias ID = Identifier<Server>

    /// Which calls make a pin.
    public enum Dialect: String, Sendable, Codable, CaseIterable {
        /// Pinry's own API: `/api/v2/images/`, `/api/v2/pins/`, `PATCH /api/v2/boards/ID/`.
        case v2
        /// The one multipart call of the PinrySaver app, `POST /api/pins/`.
        case pinrysaver
    }

    public let id: ID
    /// Scheme, host, port and path prefix as the admin gave them, without a trailing slash.
    public var baseURL: String
    public var dialect: Dialect
    /// The admin allowed private and loopback addresses (never link-local or metadata).
    public var allowsPrivateNetwork: Bool
    /// PEM certificates trusted for this server beside the system's; nil means the system's alone.
    public var caPEM: String?
    /// Requests that may be under way at once; SQLite behind Pinry answers 500 from two writers on.
    public var maxInFlight: Int
    /// The highest pin id ever seen there: no pin made later has a lower one.
    public var newestPin: PinID
    /// The most bytes of a picture, where the server has refused a larger one (HTTP 413).
    public var uploadLimit: Int?

    public init(
        id: ID, baseURL: String, dialect: Dialect = .v2, allowsPrivateNetwork: Bool = false, caPEM: String? = nil,
        maxInFlight: Int = 1, newestPin: PinID = PinID(0), uploadLimit: Int? = nil
    ) {
        self.id = id
        self.baseURL = baseURL
        self.dialect = dialect
        self.allowsPrivateNetwork = allowsPrivateNetwork
        self.caPEM = caPEM
        self.maxInFlight = maxInFlight
        self.newestPin = newestPin
        self.uploadLimit = uploadLimit
    }

    /// The page that shows a pin; built from our own base, since Pinry's links lose port and path behind a proxy.
    public func page(of pin: PinID) -> String { "\(baseURL)/pins/\(pin.rawValue)" }
}
