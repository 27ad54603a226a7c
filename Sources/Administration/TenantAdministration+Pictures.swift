internal import PinpostCore

/// Another picture for a page that is pinned.
extension TenantAdministration {
    /// The pictures that the page behind an item offered, the best first.
    public func pictures(of id: String) async throws(AdministrationError) -> [OfferedPictureReport] {
        let item = try await find(item: id)
        let offered = try await AdministrationError.translated { try await store.pictures(offeredTo: item.id) }
        return offered.enumerated().map { OfferedPictureReport(number: $0.offset + 1, $0.element) }
    }

    /// Pins a page once more with the chosen picture, and then removes the pin from before; a rehearsal only says
    /// whether that can be done.
    public func repin(
        item id: String, with choice: PictureChoice, rehearsal: Bool
    ) async throws(AdministrationError) -> ItemReport {
        let item = try await find(item: id)
        guard case .link = item.kind else {
            throw .refused("Item \(id) came in as a picture: there is no page with others.")
        }
        guard item.canBeReplaced, let before = item.before else {
            throw .refused("Item \(id) is \(item.state.rawValue) and has no pin of its own to replace.")
        }
        if try await server(of: tenant(of: item.tenant)).dialect == .pinrysaver {
            throw .refused("The pinrysaver dialect has no call for removing the pin from before.")
        }
        let address = try await address(of: choice, for: item)
        guard !rehearsal else { return try await report(of: item) }
        let replacement = Replacement(picture: address, pin: before.pin, floor: before.floor)
        let time = now()
        try await AdministrationError.translated { try await store.replace(item.id, with: replacement, now: time) }
        return try await self.item(id)
    }

    private func address(of choice: PictureChoice, for item: Item) async throws(AdministrationError) -> String {
        switch choice {
        case .address(let address): return address
        case .number(let number):
            let offered = try await AdministrationError.translated { try await store.pictures(offeredTo: item.id) }
            guard offered.indices.contains(number - 1) else {
                throw .unknown(
                    "The page of item \(item.id) offered \(offered.count) pictures; `pinpost item pictures` lists them."
                )
            }
            return offered[number - 1].url
        }
    }
}

extension Item {
    /// The pin that a replacement would replace.
    fileprivate var before: (pin: PinID, floor: PinID)? {
        if let pin = facts.pin { return (pin, facts.pinFloor ?? PinID(0)) }
        return draft.replacement.map { ($0.pin, $0.floor) }
    }
}

/// How a person names a picture.
public enum PictureChoice: Codable, Sendable, Hashable {
    /// Its place in the list of those that the page offered, from 1.
    case number(Int)
    /// http or https.
    case address(String)

    /// Reads a number or an address; nil for anything else.
    public init?(_ text: String) {
        if let number = Int(text) {
            guard (1...1_000).contains(number) else { return nil }
            self = .number(number)
        } else {
            let lower = text.prefix(8).lowercased()
            guard lower.hasPrefix("http://") || lower.hasPrefix("https://"), text.utf8.count <= 8_192 else {
                return nil
            }
            self = .address(text)
        }
    }
}

/// A picture that a page offered.
public struct OfferedPictureReport: Codable, Sendable {
    /// From 1, the best first.
    public var number: Int
    public var url: String
    /// What on the page named it.
    public var rule: String
    @Nullable public var width: Int?
    @Nullable public var height: Int?

    init(number: Int, _ picture: OfferedPicture) {
        self.number = number
        url = picture.url
        rule = picture.rule
        width = picture.width
        height = picture.height
    }
}
