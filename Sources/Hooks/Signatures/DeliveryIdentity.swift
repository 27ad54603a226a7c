/// Where a scheme's delivery id stands.
enum DeliveryIdentity: Sendable {
    case none
    case header(String)
    /// Fields at the top of the body; the first that is there counts.
    case fields([String])

    /// nil where it is missing: a request without it is as genuine, and merely cannot be recognised again by it.
    func read(from request: SignedRequest) -> String? {
        switch self {
        case .none: return nil
        case .header(let name): return try? request.header(name)
        case .fields(let names):
            guard let fields = try? BodyFields(Set(names), of: request) else { return nil }
            return names.lazy.compactMap { try? fields.required($0) }.first
        }
    }
}
