public import PinpostCore

extension PinryDouble {
    /// Adds an account.
    public func addUser(_ name: String, token: String, isActive: Bool = true) {
        withState { _ = $0.addUser(name, token: token, isActive: isActive) }
    }

    /// Adds a board; its id.
    @discardableResult
    public func addBoard(_ name: String, of user: String, isPrivate: Bool = false) -> BoardID {
        withState { BoardID($0.addBoard(name, of: user, isPrivate: isPrivate, at: "2026-01-01T00:00:00.000000Z").id) }
    }

    /// A pin with everything that a test asks about it.
    public struct PinRecord: Sendable, Hashable {
        public let id: PinID
        public let user: String
        public let image: ImageID
        public let fileName: String
        public let md5: String
        public let description: String?
        public let source: String?
        public let tags: [String]
        public let isPrivate: Bool
        public let boards: [String]
    }

    /// Oldest first.
    public var pins: [PinRecord] {
        withState { state in
            state.pins.map { pin in
                let image = state.images[pin.image]
                return PinRecord(
                    id: PinID(pin.id), user: pin.user, image: ImageID(pin.image), fileName: image?.fileName ?? "",
                    md5: image?.md5 ?? "", description: pin.description, source: pin.referer, tags: pin.tags,
                    isPrivate: pin.isPrivate, boards: state.boards.filter { $0.pins.contains(pin.id) }.map(\.name))
            }
        }
    }

    /// Uploads so far, pinned or not.
    public var imageCount: Int { withState { $0.images.count } }

    /// Deletes a pin as its owner does in the browser: image and other pins on it go as well.
    public func deletePin(_ id: PinID) {
        withState { state in
            if let pin = state.pin(id.rawValue) { state.deletePin(pin) }
        }
    }

    /// Pins an uploaded image without any request, as a server does that commits and then says nothing.
    public func addPin(of user: String, on image: ImageID, boards names: Set<String> = []) {
        withState { state in
            let pin = state.addPin(
                by: user, on: image.rawValue, url: nil, description: nil, referer: nil, tags: [], isPrivate: false)
            for var board in state.boards where names.contains(board.name) {
                board.pins.append(pin.id)
                state.replace(board)
            }
        }
    }

    /// Deletes an image that has no pin; what was pinned goes by `deletePin`.
    public func deleteImage(_ id: ImageID) {
        withState { $0.deleteImage(id.rawValue) }
    }

    /// `GET /_state`, `POST /_faults`: not part of Pinry.
    func control(_ request: LoopbackServer.Request, _ path: String) -> PinryReply {
        switch (request.method, path) {
        case ("GET", "/_state"): return .json(200, stateReport)
        case ("POST", "/_faults"):
            guard let elements = (try? JSONValue(parsing: request.body))?.elements else {
                return .detail(400, "a JSON array of faults is wanted")
            }
            let faults = elements.compactMap { PinryFault($0) }
            guard faults.count == elements.count else { return .detail(400, "one of the faults is not known") }
            misbehave(faults)
            return .json(200, .object(["faults": .number(faults.count)]))
        default: return .unknownPath
        }
    }

    private var stateReport: JSONValue {
        let pins = pins
        let perImage = Dictionary(grouping: pins, by: \.image).filter { $0.value.count > 1 }
        let perPicture = Dictionary(grouping: pins) { "\($0.user) \($0.md5)" }.filter { $0.value.count > 1 }
        let users = Dictionary(grouping: pins, by: \.user).sorted { $0.key < $1.key }
        func ids(_ pins: [PinRecord]) -> JSONValue { .array(pins.map { .number($0.id.rawValue) }) }
        return .object([
            "pin_count": .number(pins.count), "image_count": .number(imageCount),
            "duplicates_by_image": .array(perImage.values.map(ids)),
            "duplicates_by_picture": .array(perPicture.values.map(ids)),
            "users": .object(users.map { .init(key: $0.key, value: .number($0.value.count)) }),
            "pins": .array(pins.map(\.json)),
        ])
    }
}

extension PinryDouble.PinRecord {
    fileprivate var json: JSONValue {
        .object([
            "id": .number(id.rawValue), "user": .string(user), "image": .number(image.rawValue),
            "file_name": .string(fileName), "md5": .string(md5), "description": .optional(description),
            "source": .optional(source), "tags": .strings(tags), "private": .bool(isPrivate),
            "boards": .strings(boards),
        ])
    }
}

extension PinryDouble {
    /// Adds pins with pictures of their own, without any request.
    public func fill(with count: Int, by user: String) {
        withState { state in
            for _ in 0..<count {
                let image = state.addImage(
                    TestPicture.png(seed: Int(state.nextImage)), named: "fill.png", by: user, width: 8, height: 8,
                    hasThumbnails: true)
                _ = state.addPin(
                    by: user, on: image.id, url: nil, description: nil, referer: nil, tags: [], isPrivate: false)
            }
        }
    }
}
