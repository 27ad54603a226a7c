import PinpostCore

/// The address that a copy for phones (AMP, `m.`) names as its original.
///
/// `rel=canonical` is believed of such copies only, and only within the same registrable domain: pages name their home
/// page, a consent page or a competitor there.
enum Canonical {
    static func address(of page: Page) -> WebAddress? {
        guard isCopy(page), let target = page.resolved(page.links("canonical").first?.attributes["href"]),
            target.path != "/" || target.query != nil, !target.path.contains("//"),
            RegistrableDomain.of(target.hostName) == RegistrableDomain.of(page.address.hostName),
            target.withoutFragment != page.address.withoutFragment
        else { return nil }
        return target
    }

    private static let copyHosts = ["amp.", "m.", "mobile.", "touch."]

    private static func isCopy(_ page: Page) -> Bool {
        let address = page.address
        let parts = address.path.lowercased().split(separator: "/")
        let isNamed =
            copyHosts.contains { address.hostName.hasPrefix($0) } || parts.contains("amp")
            || parts.last.map { $0.hasSuffix(".amp") || $0.hasSuffix(".amp.html") } == true
        let isAsked = address.query?.split(separator: "&").contains { ["amp", "amp=1", "outputtype=amp"].contains($0) }
        return isNamed || isAsked == true
    }
}
