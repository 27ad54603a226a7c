public import PinpostCore

extension RemotePinry {
    public func pins(
        showing image: ImageID, downTo floor: PinID, as account: Account
    ) async throws(PinryError) -> [PinID] {
        guard account.server.dialect == .v2 else { throw PinryError(.forbidden, detail: "this Pinry cannot tell") }
        var found: [PinID] = []
        try await readPins(downTo: floor, as: account) { page in
            for pin in page.results where pin.image?.id == image.rawValue {
                if let id = pin.id, !found.contains(PinID(id)) { found.append(PinID(id)) }
            }
            return false
        }
        return found
    }

    public func remove(_ pin: PinID, as account: Account) async throws(PinryError) {
        let call = PinryCall(.removePin, "DELETE", "pins/\(pin.rawValue)/")
        if account.token == nil { throw PinryError(.tokenMissing) }
        let response = try await send(call, as: account)
        // Not found: somebody was faster.
        guard response.status == 204 || response.status == 404 && response.isJSON else {
            throw PinryError(response, to: call.purpose, as: account)
        }
    }
}
