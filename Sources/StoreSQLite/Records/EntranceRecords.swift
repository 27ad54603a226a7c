internal import Cryptography
internal import FoundationEssentials
internal import PinpostCore

extension Address {
    static let columns = """
        addresses.id, addresses.tenant_id, token_hash, former_hash, former_until, defaults, policy, expires_at, \
        created_at, \(SealedSecret.columns)
        """
    static let tables = """
        addresses JOIN credentials ON credentials.tenant_id = addresses.tenant_id AND credentials.id = addresses.token_id
        """

    init(_ row: inout Row) throws(StoreError) {
        let (id, tenant): (Address.ID, Tenant.ID) = (row.id(), row.id())
        let hash = row.blob()
        let formerHash = row.optional { $0.blob() }
        let formerUntil = row.optional { $0.date() }
        let defaults: EntranceDefaults = try row.json()
        let policy: SenderPolicy? = try row.optional { $0.text() }.map { text throws(StoreError) in
            try JSONColumn.decode(text)
        }
        let expiresAt = row.optional { $0.date() }
        let createdAt = row.date()
        self.init(
            id: id, tenant: tenant, tokenHash: hash, token: try SealedSecret(&row),
            former: formerHash.flatMap { hash in
                formerUntil.map { Address.FormerToken(hash: hash, livesUntil: $0) }
            },
            defaults: defaults, policy: policy ?? SenderPolicy(), expiresAt: expiresAt, createdAt: createdAt)
    }
}

extension Hook {
    static let columns = """
        hooks.id, hooks.tenant_id, provider, token_hashes, token_limits, defaults, created_at, settings, \
        secrets.id, secrets.purpose, secrets.key_id, secrets.box, tokens.id, tokens.purpose, tokens.key_id, tokens.box
        """
    static let tables = """
        hooks
            LEFT JOIN credentials AS secrets ON secrets.tenant_id = hooks.tenant_id AND secrets.id = hooks.secret_id
            LEFT JOIN credentials AS tokens ON tokens.tenant_id = hooks.tenant_id AND tokens.id = hooks.token_id
        """

    init(_ row: inout Row) throws(StoreError) {
        let (id, tenant): (Hook.ID, Tenant.ID) = (row.id(), row.id())
        let provider = row.text()
        let hashes = Self.split(row.blob())
        let limits: [TokenLimits]? = try row.optional { $0.text() }.map { text throws(StoreError) in
            try JSONColumn.decode(text)
        }
        self.init(
            id: id, tenant: tenant, provider: provider, tokenHashes: hashes,
            defaults: try row.json(), createdAt: row.date(), settings: try row.json(),
            secret: try row.sealedSecret(), token: try row.sealedSecret())
        for (index, limits) in (limits ?? []).prefix(tokens.count).enumerated() { tokens[index].limits = limits }
    }

    private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: SHA256.byteCount).map {
            Array(bytes[$0..<min($0 + SHA256.byteCount, bytes.count)])
        }
    }
}
