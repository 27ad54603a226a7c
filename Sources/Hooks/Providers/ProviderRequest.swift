internal import FoundationEssentials
internal import PinpostCore

/// A request whose proof was right.
struct ProviderRequest: Sendable {
    let method: String
    /// What stands behind the hook's own address in the path.
    var path: [String] = []
    let query: [(name: String, value: String)]
    /// Names in lower case.
    let headers: [(name: String, value: String)]
    let body: StoredDelivery
    /// What the signature's check found out; nil without a signature.
    var verified: VerifiedDelivery?
    let access: ProviderAccess
    let receivedAt: Date
    /// Where a mail that the body holds is kept.
    let blobs: any BlobStore
    /// The answer to `inquiry`.
    var fetched: HTTPResponse?

    /// The first header field of that lower-case name.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The first query item of that name.
    func queryItem(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
