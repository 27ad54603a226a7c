public import PinpostCore

/// Why something was not done; nothing was stored by half.
public enum AdministrationError: Error, Sendable, Hashable {
    /// A value that can never be right: the sentence says what is expected.
    case badValue(String)
    /// No such tenant, address, hook, message or item.
    case unknown(String)
    /// The name is in use.
    case taken(String)
    /// The state of the record forbids it.
    case refused(String)
    /// Pinry, or the way to it, said no.
    case pinry(PinryError)
    case store(StoreError)
    case vault(VaultError)
}

extension AdministrationError: CustomStringConvertible {
    /// One sentence with cause and remedy, without secrets.
    public var description: String {
        switch self {
        case .badValue(let sentence), .unknown(let sentence), .taken(let sentence), .refused(let sentence): sentence
        case .pinry(let error): error.description
        case .store(let error): error.description
        case .vault(let error): error.description
        }
    }
}

extension AdministrationError {
    init(_ error: any Error) {
        switch error {
        case let error as AdministrationError: self = error
        case let error as StoreError: self = .store(error)
        case let error as PinryError: self = .pinry(error)
        case let error as VaultError: self = .vault(error)
        // Only a cancelled task is left: the process is about to stop.
        default: self = .store(StoreError(.unavailable, "the call was broken off"))
        }
    }

    /// Runs calls of the ports and translates their errors.
    static func translated<Result>(_ body: () async throws -> Result) async throws(AdministrationError) -> Result {
        do { return try await body() } catch { throw AdministrationError(error) }
    }
}
