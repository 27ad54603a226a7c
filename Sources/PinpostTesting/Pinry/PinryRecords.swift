import PinpostCore

/// How Pinry's serializers show its records.
struct PinryRecords {
    let state: PinryState
    let request: PinryRequest
    /// nil for anonymous callers; everybody sees only his own token.
    let caller: PinryState.User?

    func user(_ name: String, withGravatar: Bool) -> JSONValue {
        guard let user = state.user(named: name) else { return .null }
        var members: [JSONValue.Member] = [
            .init(key: "username", value: .string(user.name)),
            .init(key: "token", value: user.name == caller?.name ? .string(user.token) : .null),
            .init(key: "email", value: .string(user.email)),
        ]
        if withGravatar { members.append(.init(key: "gravatar", value: .string(MD5.hex(Array(user.email.utf8))))) }
        members.append(.init(key: "resource_link", value: .string(request.link("profile/users/\(user.id)"))))
        return .object(members)
    }

    func image(_ image: PinryState.Image) -> JSONValue {
        func variant(_ name: String, _ width: Int, _ height: Int) -> JSONValue {
            guard image.hasThumbnails else { return .null }
            let hash = MD5.hex(Array("\(image.md5) \(name)".utf8))
            return .object([
                "image": .string(media(hash, image.fileName)), "width": .number(max(width, 1)),
                "height": .number(max(height, 1)),
            ])
        }
        func scaled(to width: Int) -> (Int, Int) {
            image.width <= width ? (image.width, image.height) : (width, image.height * width / image.width)
        }
        let (standard, thumbnail) = (scaled(to: 600), scaled(to: 240))
        return .object([
            "id": .number(image.id), "image": .string(media(image.md5, image.fileName)),
            "width": .number(image.width), "height": .number(image.height),
            "standard": variant("standard", standard.0, standard.1),
            "thumbnail": variant("thumbnail", thumbnail.0, thumbnail.1), "square": variant("square", 125, 125),
        ])
    }

    /// Pictures are stored by the hash of their bytes.
    private func media(_ md5: String, _ name: String) -> String {
        "\(request.base)/media/\(md5.prefix(1))/\(md5.dropFirst().prefix(1))/\(md5)/\(Percent.encode(name, keeping: "_.-~"))"
    }

    /// The answer to a POST leaves the gravatar out.
    func pin(_ pin: PinryState.Pin, isNew: Bool = false) -> JSONValue {
        .object([
            "resource_link": .string(request.link("pins/\(pin.id)")), "private": .bool(pin.isPrivate),
            "id": .number(pin.id), "submitter": user(pin.user, withGravatar: !isNew), "url": .optional(pin.url),
            "description": .optional(pin.description), "referer": .optional(pin.referer),
            "image": state.images[pin.image].map(image) ?? .null, "tags": .strings(pin.tags),
        ])
    }

    func board(_ board: PinryState.Board, isNew: Bool = false) -> JSONValue {
        .object([
            "resource_link": .string(request.link("boards/\(board.id)")), "id": .number(board.id),
            "name": .string(board.name), "private": .bool(board.isPrivate), "total_pins": .number(board.pins.count),
            "cover": board.pins.min().flatMap(state.pin).map { pin($0) } ?? .null,
            "published": .string(board.published), "submitter": user(board.user, withGravatar: !isNew),
        ])
    }

    /// One page of a list, with the links that Django REST framework's LimitOffsetPagination makes.
    func page<Row>(_ rows: [Row], as show: (Row) -> JSONValue) -> JSONValue {
        let asked = request.value("limit").flatMap { Int($0) } ?? 0
        let limit = asked > 0 ? asked : 50
        let offset = max(request.value("offset").flatMap { Int($0) } ?? 0, 0)
        let end = min(offset + limit, rows.count)
        func link(_ offset: Int?) -> JSONValue {
            var parameters = request.query.filter { $0.name != "limit" && $0.name != "offset" }
            parameters.append(("limit", "\(limit)"))
            if let offset { parameters.append(("offset", "\(offset)")) }
            let text = parameters.sorted { $0.name < $1.name }
                .map { "\(Percent.encode($0.name))=\(Percent.encode($0.value))" }.joined(separator: "&")
            return .string("\(request.base)\(request.path)?\(text)")
        }
        return .object([
            "count": .number(rows.count), "next": offset + limit < rows.count ? link(offset + limit) : .null,
            "previous": offset == 0 ? .null : link(offset - limit > 0 ? offset - limit : nil),
            "results": .array(offset < end ? rows[offset..<end].map(show) : []),
        ])
    }
}
