/// Request line and header fields of a request that has passed the gate.
public struct RequestHead: Sendable {
    public enum BodyLength: Sendable, Hashable {
        case none
        case known(Int)
        case chunked
    }

    public struct Field: Sendable, Hashable {
        /// In lower case.
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public let method: String
    public let target: RequestTarget
    public let fields: [Field]
    public let bodyLength: BodyLength
    /// The client waits for `100 Continue` before it sends the body.
    public let expectsContinue: Bool
    /// The other side of the connection, for limits and logs: a proxy's address behind one.
    public let peer: String

    public init(
        method: String, target: RequestTarget, fields: [Field] = [], bodyLength: BodyLength = .none,
        expectsContinue: Bool = false, peer: String = ""
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.bodyLength = bodyLength
        self.expectsContinue = expectsContinue
        self.peer = peer
    }

    /// The first field of that lower-case name.
    public func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}
