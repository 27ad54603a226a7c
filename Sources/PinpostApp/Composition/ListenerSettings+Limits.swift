import PinpostCore
import Web

extension ListenerSettings {
    /// What the listener's routes count; a number of 0 is no limit.
    var limits: RequestLimits {
        var limits = RequestLimits()
        limits.perHook = hookRate.rate
        limits.perAddress = addressRate.rate
        limits.refusedPerAddress = refusedRate.rate
        limits.bytesPerTenantAndDay = dailyMebibytes > 0 ? dailyMebibytes << 20 : nil
        limits.itemsPerTenantAndHour = hourlyItems > 0 ? hourlyItems : nil
        limits.queuedItemsPerTenant = queuedItems > 0 ? queuedItems : nil
        limits.trustedProxies = trustedProxies.compactMap { AddressRange($0) }
        return limits
    }
}

extension RateSetting {
    fileprivate var rate: Rate? { burst > 0 ? Rate(perSecond: perSecond, burst: Double(burst)) : nil }
}
