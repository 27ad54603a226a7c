public import PinpostCore

extension RemotePinry {
    static let saverPath = "/api/pins/"

    public func createPin(
        _ pin: Pin, with picture: PreparedPicture, named name: String, board: BoardID?, as account: Account
    ) async throws(PinryError) -> PinID? {
        guard account.token != nil else { throw PinryError(.tokenMissing) }
        // The call has no such field: the pin would be public.
        guard !pin.isPrivate else {
            throw PinryError(.pinRejected, detail: "the pinrysaver dialect cannot make private pins")
        }
        let clean = Wire.CleanPin(pin)
        var parts = [
            HTTPRequest.Part(
                name: "image",
                content: .file(
                    picture.bytes, name: Self.fileName(name, picture.type), contentType: picture.type.mimeType)),
            HTTPRequest.Part(name: "description", content: .text(clean.description)),
        ]
        if let source = clean.referer { parts.append(.init(name: "source", content: .text(source))) }
        if let board { parts.append(.init(name: "board", content: .text("\(board.rawValue)"))) }
        let call = PinryCall(.saverPin, "POST", absolute: Self.saverPath, body: .multipart(parts))
        let response = try await send(call, as: account)
        guard response.status == 200 || response.status == 201, response.isJSON else {
            throw PinryError(response, to: .saverPin, as: account)
        }
        let made = decode(Wire.Pin.self, from: response)
        return made?.id.map { PinID($0) }
    }
}
