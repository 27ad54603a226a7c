internal import FoundationEssentials
public import PinpostCore

/// Does for the providers' adapters what they may not: opens secrets, sends requests, reads stored bodies.
public struct ProviderDesk: Sendable {
    let keeper: any SecretKeeper
    let blobs: any BlobStore
    let pool: BlockingPool
    let http: any HTTPExchange
    private let inquiries = InquiryMemory()

    public init(keeper: any SecretKeeper, blobs: any BlobStore, pool: BlockingPool, http: any HTTPExchange) {
        self.keeper = keeper
        self.blobs = blobs
        self.pool = pool
        self.http = http
    }

    /// The providers' names, as typed after `hook add --provider`.
    public static var names: [String] { Providers.all.map(\.name) }

    /// What the web route does with this hook's requests; nil for a hook of our own form.
    public func entrance(of hook: Hook) -> ProviderEntrance? {
        Providers.named(hook.provider).map { ProviderEntrance(provider: $0, hook: hook, desk: self) }
    }

    func access(to hook: Hook) throws(VaultError) -> ProviderAccess {
        ProviderAccess(
            hook: hook.id, settings: hook.settings, secret: try open(hook.secret, of: hook.tenant),
            token: try open(hook.token, of: hook.tenant))
    }

    private func open(_ sealed: SealedSecret?, of tenant: Tenant.ID) throws(VaultError) -> Secret? {
        guard let sealed else { return nil }
        return try keeper.open(sealed, of: tenant)
    }

    /// Sends an inquiry, or remembers what came of it less than an hour ago.
    func answer(to inquiry: ProviderCall, now: Date) async throws(ProviderError) -> HTTPResponse {
        if let known = inquiries.answer(to: inquiry.request.url, now: now) { return known }
        let answer = try await send(inquiry)
        if answer.status == 200 { inquiries.keep(answer, to: inquiry.request.url, now: now) }
        return answer
    }

    /// Sends a call; what a failure tells has no address and no token in it.
    func send(_ call: ProviderCall) async throws(ProviderError) -> HTTPResponse {
        do throws(HTTPExchangeError) {
            return try await http.send(call.request, as: call.egress)
        } catch {
            switch error.code {
            case .badURL: throw ProviderError(.notConfigured, "The address of the provider's API is not one.")
            case .refusedAddress:
                throw ProviderError(
                    .notConfigured,
                    "The provider's API is at a private address; let it be reached with PINPOST_EGRESS_ALLOW=HOST:PORT."
                )
            case .tooLarge: throw ProviderError(.refused, "The provider's answer is too large.")
            default:
                // The host alone: a token may stand in the rest of the address.
                let host = ProviderAccess.host(of: call.request.url)
                throw ProviderError(.unavailable, "\(host.isEmpty ? "The provider" : host) cannot be reached now.")
            }
        }
    }
}
