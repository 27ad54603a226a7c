public import PinpostCore

/// A tenant's Pinry, spoken to over its REST API; what it really answers decides, not what its documentation says.
///
/// Response bodies echo the API token: they are decoded into the few fields we need and never kept, logged or quoted.
public struct RemotePinry: PinryAPI {
    let http: any HTTPExchange

    public init(_ http: any HTTPExchange) { self.http = http }

    public func upload(
        _ picture: PreparedPicture, named name: String, as account: Account
    ) async throws(PinryError) -> UploadedImage {
        let file = HTTPRequest.Part(
            name: "image",
            content: .file(picture.bytes, name: Self.fileName(name, picture.type), contentType: picture.type.mimeType))
        let call = PinryCall(.upload, "POST", "images/", body: .multipart([file]), timeout: .seconds(300))
        let image = try await answer(to: call, as: account, expecting: 201, Wire.Image.self)
        // Whatever came back, no pin was made: the picture can be uploaded again.
        guard let id = image.id, id > 0 else { throw PinryError(.serverFailed, detail: "the answer has no image id") }
        return UploadedImage(id: ImageID(id), thumbnail: image.thumbnail?.image.flatMap(Self.mediaPath))
    }

    /// The path below our own base: Pinry's links lose scheme, port and path behind a proxy.
    private static func mediaPath(of link: String) -> String? {
        guard link.utf8.count <= 1_000, link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let start = link.firstRange(of: "/media/")?.lowerBound
        else { return nil }
        return String(link[start...])
    }

    public func createPin(
        _ pin: Pin, on image: ImageID, as account: Account
    ) async throws(PinryError) -> PinID {
        let body = Wire.NewPin(Wire.CleanPin(pin), on: image)
        let call = PinryCall(.createPin, "POST", "pins/", json: body)
        let made = try await answer(to: call, as: account, expecting: 201, Wire.Pin.self)
        guard let id = made.id, id > 0, made.image?.id ?? image.rawValue == image.rawValue else {
            throw PinryError(.answerLost, status: 201, detail: "the answer names no pin of ours")
        }
        return PinID(id)
    }

    /// Our own ASCII name: Pinry refuses pictures by the extension of their name and mangles other letters.
    static func fileName(_ name: String, _ type: PictureType) -> String {
        let safe = String(
            name.unicodeScalars.map { scalar -> Character in
                let isPlain = scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                return isPlain || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
            }.prefix(80))
        let ending = ".\(type.fileExtension)"
        return safe.lowercased().hasSuffix(ending) ? safe : safe + ending
    }
}
