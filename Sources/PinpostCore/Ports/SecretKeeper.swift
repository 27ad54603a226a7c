/// Seals secrets for the store and opens them again.
public protocol SecretKeeper: Sendable {
    func seal(
        _ secret: Secret, for purpose: SealedSecret.Purpose, of tenant: Tenant.ID
    ) throws(VaultError) -> SealedSecret
    /// Fails for another tenant, purpose or id than it was sealed for, and for any changed bit.
    func open(_ sealed: SealedSecret, of tenant: Tenant.ID) throws(VaultError) -> Secret
}

/// A sealed record cannot be made or read.
public struct VaultError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// No master key of that id is in the ring.
        case keyMissing
        /// The key of that id is not the one that the store was written with.
        case keyWrong
        /// The key file is missing, readable by others, or not in the right form.
        case keyFile
        /// Changed, cut, or moved from another record.
        case tampered
        case cryptography
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension VaultError: CustomStringConvertible {
    public var description: String { detail }
}
