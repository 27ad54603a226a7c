/// A picture that still lies with its provider: what is needed to fetch it, and nothing that opens a door.
public struct MediaReference: Sendable, Hashable, Codable {
    /// The hook whose credentials fetch it.
    public var hook: Hook.ID
    /// What the provider calls it: an id, or an address that holds no secret.
    public var file: String
    /// The file name without any path; nil where there is none.
    public var name: String?
    /// As the provider says; the bytes decide.
    public var type: String?
    /// As the provider says, in bytes.
    public var count: Int?

    public init(hook: Hook.ID, file: String, name: String? = nil, type: String? = nil, count: Int? = nil) {
        self.hook = hook
        self.file = file
        self.name = name
        self.type = type
        self.count = count
    }
}
