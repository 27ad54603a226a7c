public import PinpostCore

/// How much may come in, beside what a single request may cost; nil: no limit.
public struct RequestLimits: Sendable, Hashable {
    /// Requests of one hook.
    public var perHook: Rate? = Rate(perSecond: 10, burst: 3_000)
    /// Requests of one IP address (of one /64 network for IPv6); loopback has no limit, since it may be a proxy.
    public var perAddress: Rate? = Rate(perSecond: 20, burst: 2_000)
    /// Requests of one IP address with a wrong token; over it 429 is answered instead of 401.
    public var refusedPerAddress: Rate? = Rate(perSecond: 0.2, burst: 60)
    public var bytesPerTenantAndDay: Int? = 20 << 30
    public var itemsPerTenantAndHour: Int? = 20_000
    /// Items of a tenant that wait for his Pinry.
    public var queuedItemsPerTenant: Int? = 100_000
    /// Bodies of one hook that are being received at the same time.
    ///
    /// A token that leaks, or a client that dawdles, leaves connections for the others. Those of a sender that would not
    /// come again are not counted.
    public var bodiesPerHook = 64
    /// Bodies of one hook and one IP address as long as nothing shows that they are its provider's: whoever knows the
    /// hook's address takes no place from the provider.
    public var unprovenBodiesPerHookAndAddress = 16
    /// The same for one IP address, behind whatever hooks.
    public var bodiesPerAddress = 128
    /// Requests of one hook that wait for their pins at the same time; others are answered at once.
    public var waitsPerHook = 64
    /// The proxies whose `X-Forwarded-For` counts.
    public var trustedProxies: [AddressRange] = []

    public init() {}
}
