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

    /// nil where the pin is gone.
    private func image(of pin: PinID, as account: Account) async throws(PinryError) -> ImageID? {
        let call = PinryCall.get("pins/\(pin.rawValue)/")
        let response = try await send(call, as: account)
        if response.isMissingRecord { return nil }
        guard response.status == 200, response.isJSON else {
            throw PinryError(response, to: call.purpose, as: account)
        }
        guard let found = try? JSONDecoder().decode(Wire.Pin.self, from: Data(response.body)),
            let image = found.image?.id
        else { throw PinryError.unreadable(response, to: call.purpose) }
        return ImageID(image)
    }
}

extension HTTPResponse {
    /// Pinry's own "Not found.", not that of a proxy or a wrong address.
    fileprivate var isMissingRecord: Bool { status == 404 && isJSON }
}
