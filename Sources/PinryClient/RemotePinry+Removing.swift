import FoundationEssentials
public import PinpostCore

extension RemotePinry {
    public func remove(
        _ pin: PinID, downTo floor: PinID, as account: Account
    ) async throws(PinryError) -> PinRemoval {
        if account.server.dialect == .pinrysaver {
            throw PinryError(.forbidden, detail: "the pinrysaver dialect has no call for removing pins")
        }
        guard let image = try await image(of: pin, as: account) else { return .removed }
        let others = try await hasPin(on: image, besides: pin, downTo: floor, as: account)
        guard !others else { return .sharesItsPicture }
        let call = PinryCall(.removePin, "DELETE", "pins/\(pin.rawValue)/")
        let response = try await send(call, as: account)
        guard response.status == 204 || response.isMissingRecord else {
            throw PinryError(response, to: call.purpose, as: account)
        }
        return .removed
    }

    public func hasPin(_ pin: PinID, as account: Account) async throws(PinryError) -> Bool {
        if account.server.dialect == .pinrysaver { return true }
        return try await record(of: pin, within: .seconds(10), as: account) != nil
    }

    /// nil where the pin is gone.
    private func image(of pin: PinID, as account: Account) async throws(PinryError) -> ImageID? {
        guard let response = try await record(of: pin, within: .seconds(30), as: account) else { return nil }
        guard let found = try? JSONDecoder().decode(Wire.Pin.self, from: Data(response.body)),
            let image = found.image?.id
        else { throw PinryError.unreadable(response, to: .read) }
        return ImageID(image)
    }

    /// Pinry's answer about one pin; nil where it is gone.
    private func record(
        of pin: PinID, within limit: Duration, as account: Account
    ) async throws(PinryError) -> HTTPResponse? {
        let call = PinryCall(.read, "GET", "pins/\(pin.rawValue)/", timeout: limit)
        let response = try await send(call, as: account)
        if response.isMissingRecord { return nil }
        guard response.status == 200, response.isJSON else {
            throw PinryError(response, to: call.purpose, as: account)
        }
        return response
    }
}

extension HTTPResponse {
    /// Pinry's own "Not found.", not that of a proxy or a wrong address.
    fileprivate var isMissingRecord: Bool { status == 404 && isJSON }
}
