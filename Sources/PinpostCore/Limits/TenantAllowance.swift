public import FoundationEssentials

/// The bytes that tenants may receive in a day; in memory, so that a restart fills it for all.
public final class TenantAllowance: Allowance {
    private static let day = 86_400.0

    /// More are not told apart.
    private static let mostTenants = 16_384

    private let bytes: BucketTable<Tenant.ID>

    /// nil: as much as they like.
    public init(bytesPerDay: Int?) {
        bytes = BucketTable(bytesPerDay.map { Rate($0, per: Self.day) }, upTo: Self.mostTenants)
    }

    public func lack(of count: Double, for tenant: Tenant.ID, at now: Date) -> Double? {
        bytes.lack(of: count, for: tenant, at: now)
    }

    public func charge(_ count: Double, to tenant: Tenant.ID, at now: Date) { bytes.charge(count, to: tenant, at: now) }
}
