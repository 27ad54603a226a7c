import PinpostCore

/// Seals nothing: what it gives out is what it got.
struct PlainKeeper: SecretKeeper {
    func seal(
        _ secret: Secret, for purpose: SealedSecret.Purpose, of _: Tenant.ID
    ) throws(VaultError) -> SealedSecret {
        SealedSecret(id: Identifier("s"), purpose: purpose, keyID: "k", box: secret.withBytes { Array($0) })
    }

    func open(_ sealed: SealedSecret, of _: Tenant.ID) throws(VaultError) -> Secret { Secret(copying: sealed.box) }
}

/// Nobody can be reached.
struct NoHTTP: HTTPExchange {
    func send(_: HTTPRequest, as _: EgressClass) async throws(HTTPExchangeError) -> HTTPResponse {
        throw HTTPExchangeError(.connectFailed)
    }
}
