import FoundationEssentials
public import PinpostCore

extension RemotePinry {
    /// Rows a page, and how many of them the next page repeats: pins that are deleted meanwhile move the others up.
    private static let pageSize = 50
    private static let overlap = 10
    /// More pages than any Pinry has pins for; beyond it the reading counts as failed.
    private static let pageLimit = 5_000

    public func newestPin(as account: Account) async throws(PinryError) -> PinID {
        if account.server.dialect == .pinrysaver { return PinID(0) }
        let page = try await pinPage(offset: 0, limit: 1, as: account)
        return PinID(page.results.compactMap(\.id).max() ?? 0)
    }

    public func findPin(
        on image: ImageID, downTo floor: PinID, as account: Account
    ) async throws(PinryError) -> PinID? {
        // No filter is trusted: Pinry ignores the unknown ones silently. Ours is the pin with our image and name.
        try await firstPin(downTo: floor, as: account) { pin in
            let owner = pin.submitter?.username
            let isForeign = owner != nil && account.username != nil && owner != account.username
            return pin.image?.id == image.rawValue && !isForeign
        }
    }

    /// Whether somebody's pin other than `pin` shows the image.
    func hasPin(
        on image: ImageID, besides pin: PinID, downTo floor: PinID, as account: Account
    ) async throws(PinryError) -> Bool {
        try await firstPin(downTo: floor, as: account) { $0.image?.id == image.rawValue && $0.id != pin.rawValue }
            != nil
    }

    private func firstPin(
        downTo floor: PinID, as account: Account, where isMatch: (Wire.Pin) -> Bool
    ) async throws(PinryError) -> PinID? {
        var reading = NewestPins(floor: floor.rawValue)
        for _ in 0..<Self.pageLimit {
            let page = try await pinPage(offset: reading.offset, limit: Self.pageSize, as: account)
            if let id = page.results.first(where: isMatch)?.id { return PinID(id) }
            if reading.isFinished(after: page, size: Self.pageSize, overlap: Self.overlap) { return nil }
        }
        throw PinryError(.serverFailed, detail: "the list of pins does not end")
    }

    public func pins(
        of board: BoardID?, limit: Int, as account: Account
    ) async throws(PinryError) -> [RemotePin] {
        if account.server.dialect == .pinrysaver { return [] }
        var filters: [(String, String)] = []
        if let username = account.username { filters.append(("submitter__username", username)) }
        if let board { filters.append(("pins__id", "\(board.rawValue)")) }
        var pins: [RemotePin] = []
        var offset = 0
        while pins.count < limit {
            let page = try await pinPage(
                offset: offset, limit: min(limit - pins.count, Self.pageSize), filters, as: account)
            pins += page.results.compactMap(\.remote)
            offset += page.results.count
            if page.results.isEmpty || page.next == nil { break }
        }
        return pins
    }

    private func pinPage(
        offset: Int, limit: Int, _ filters: [(String, String)] = [], as account: Account
    ) async throws(PinryError) -> Wire.Page<Wire.Pin> {
        let query = filters + [("limit", "\(limit)"), ("offset", "\(offset)")]
        return try await answer(
            to: .get("pins/", query), as: account, expecting: 200, Wire.Page<Wire.Pin>.self)
    }
}

/// A way down the list of pins that misses none although the list changes meanwhile.
struct NewestPins {
    let floor: Int64
    private(set) var offset = 0
    /// The lowest id of the unbroken run read so far.
    private var lowest: Int64?
    /// Newest first is how every known version lists; if one does not, only the end of the list is the end.
    private var isInOrder = true

    init(floor: Int64) { self.floor = floor }

    /// Takes a page and decides where to read on.
    mutating func isFinished(after page: Wire.Page<Wire.Pin>, size: Int, overlap: Int) -> Bool {
        let ids = page.results.compactMap(\.id)
        if zip(ids, ids.dropFirst()).contains(where: { $0 <= $1 }) { isInOrder = false }
        if isInOrder, offset > 0, let lowest, ids.first ?? 0 < lowest {
            // Not one row of the last page is here: so many were deleted that some may have moved past us.
            offset = max(0, offset - size + overlap)
            return false
        }
        if let last = ids.min() { lowest = min(lowest ?? last, last) }
        if isInOrder, let lowest, lowest <= floor { return true }
        if page.results.isEmpty || page.next == nil && page.results.count < size { return true }
        offset += max(page.results.count - overlap, 1)
        return false
    }
}
