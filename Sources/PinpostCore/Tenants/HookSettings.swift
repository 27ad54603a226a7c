/// What a provider's hook is told beside its secrets.
public struct HookSettings: Sendable, Hashable, Codable {
    /// Where the provider's API is, when not at its usual place; without a slash at the end.
    public var apiBase: String?
    /// The chats, channels, people or addresses that may pin; empty where the provider's proof is enough.
    public var allowed: [String]
    /// What only one provider asks for, by its names.
    public var options: [String: String]
    /// Where the fields of a generic payload stand, as JSON; nil where they have our own names.
    public var mapping: String?

    public init(
        apiBase: String? = nil, allowed: [String] = [], options: [String: String] = [:], mapping: String? = nil
    ) {
        self.apiBase = apiBase
        self.allowed = allowed
        self.options = options
        self.mapping = mapping
    }
}
