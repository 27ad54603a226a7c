import PinpostCore

/// Looks for the icon of a site whose page becomes a card; a card without one is as good.
struct IconSearch {
    let requests: LinkRequests
    let page: String

    /// The first icon that is of use, in bytes; empty where there is none in a short time.
    func icon(at addresses: [String]) async -> [UInt8] {
        for address in addresses {
            guard let answer = try? await requests.icon(address, from: page), answer.isSuccess,
                let picture = SiteIcon.picture(in: answer.body)
            else { continue }
            return picture
        }
        return []
    }
}
