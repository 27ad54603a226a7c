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

/// Runs a call of the store and translates its error.
func stored<Result>(
    _ body: () async throws(StoreError) -> Result
) async throws(AdministrationError) -> Result {
    do { return try await body() } catch { throw .store(error) }
}

/// Runs a call to Pinry and translates its error.
func asked<Result>(
    _ body: () async throws(PinryError) -> Result
) async throws(AdministrationError) -> Result {
    do { return try await body() } catch { throw .pinry(error) }
}

/// Runs a call of the vault and translates its error.
func sealed<Result>(_ body: () throws(VaultError) -> Result) throws(AdministrationError) -> Result {
    do { return try body() } catch { throw .vault(error) }
}
