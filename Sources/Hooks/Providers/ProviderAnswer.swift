/// What is answered to a provider.
public struct ProviderAnswer: Sendable, Hashable {
    public struct Header: Sendable, Hashable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public var status = 200
    public var contentType: String?
    public var body = ""
    public var headers: [Header] = []

    static func json(_ text: String, status: Int = 200) -> ProviderAnswer {
        ProviderAnswer(status: status, contentType: "application/json", body: text)
    }

    static func text(_ text: String, status: Int = 200) -> ProviderAnswer {
        ProviderAnswer(status: status, contentType: "text/plain; charset=utf-8", body: text)
    }
}
