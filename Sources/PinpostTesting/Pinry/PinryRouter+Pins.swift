import PinpostCore

extension PinryRouter {
    private func isVisible(_ pin: PinryState.Pin, to caller: PinryState.User?) -> Bool {
        !pin.isPrivate || pin.user == caller?.name
    }

    func visiblePin(_ text: String, to caller: PinryState.User?) throws(PinryReply) -> PinryState.Pin {
        guard let id = Int64(text), let pin = state.pin(id), isVisible(pin, to: caller) else { throw .notFound }
        return pin
    }

    /// Newest first; unknown parameters are ignored in silence.
    func listPins(_ request: PinryRequest, _ caller: PinryState.User?) throws(PinryReply) -> PinryReply {
        var found = state.pins.reversed().filter { isVisible($0, to: caller) }
        if let user = request.value("submitter__username"), !user.isEmpty { found.removeAll { $0.user != user } }
        if let tag = request.value("tags__name"), !tag.isEmpty { found.removeAll { !$0.tags.contains(tag) } }
        if let text = request.value("pins__id"), !text.isEmpty {
            guard let id = Int64(text) else { throw .invalid("pins__id", "Enter a number.") }
            // Pins of a private board are listed to everybody, as measured.
            let members = Set(state.board(id)?.pins ?? [])
            found.removeAll { !members.contains($0.id) }
        }
        let records = records(request, caller)
        return .json(200, records.page(found) { records.pin($0) })
    }

    mutating func createPin(_ request: PinryRequest, _ caller: PinryState.User?) throws(PinryReply) -> PinryReply {
        let fields = try request.fields(lists: ["tags"])
        let url = try Fields.text(fields, "url", limit: 2_048)
        let description = try Fields.text(fields, "description")
        let referer = try Fields.text(fields, "referer", limit: 2_048)
        let isPrivate = try Fields.flag(fields, "private") ?? false
        let tags = try TagList(fields["tags"])
        let image = try imageID(fields)
        guard fields["url"] != nil || image != nil else {
            throw .json(400, .object(["url-or-image": .string("Either url or image_by_id is required.")]))
        }
        guard let caller else { throw .noCredentials }
        let chosen: Int64
        if let image {
            chosen = image
            if let url, !url.isEmpty {
                // Pinry downloads first and then trips over its own arguments: an orphan image stays behind.
                _ = try fetchImage(url, for: caller)
                throw .serverError
            }
        } else {
            chosen = try fetchImage(url ?? "", for: caller)
        }
        if tags.breaksBeforePin(on: options.database) { throw .serverError }
        let pin = state.addPin(
            by: caller.name, on: chosen, url: url, description: description, referer: referer, tags: tags.names,
            isPrivate: isPrivate)
        // The row is written before the tags, without a transaction.
        if tags.breaksAfterPin { throw .serverError }
        var reply = PinryReply.json(201, records(request, caller).pin(pin, isNew: true))
        reply.headers.append(("Location", request.link("pins/\(pin.id)")))
        return reply
    }

    private func imageID(_ fields: JSONValue) throws(PinryReply) -> Int64? {
        guard let value = fields["image_by_id"] else { return nil }
        if value == .null { throw .invalid("image_by_id", "This field may not be null.") }
        guard let id = value.integer ?? value.text.flatMap({ Int64($0) }) else {
            throw .invalid("image_by_id", "Incorrect type. Expected pk value, received \(value.pythonType).")
        }
        guard state.images[id] != nil else {
            throw .invalid("image_by_id", "Invalid pk \"\(id)\" - object does not exist.")
        }
        return id
    }

    /// Pinry's own download of a `url`.
    private mutating func fetchImage(_ url: String, for caller: PinryState.User) throws(PinryReply) -> Int64 {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        switch options.fetch(url) {
        case .failed: throw .serverError
        case .notAnImage: throw .json(400, .object(["url": .string("invalid image content")]))
        case .image where path.hasSuffix("/"): throw .html(400, "<h1>Bad Request (400)</h1>")
        case .image(let bytes):
            guard let header = PictureHeader(bytes) else { throw .serverError }
            let name = path.split(separator: "/").last.map(String.init) ?? "image.jpg"
            let image = state.addImage(
                bytes, named: name, by: caller.name, width: header.width, height: header.height, hasThumbnails: true)
            return image.id
        }
    }

    mutating func onePin(
        _ id: String, _ request: PinryRequest, _ caller: PinryState.User?
    ) throws(PinryReply) -> PinryReply {
        var pin = try visiblePin(id, to: caller)
        if request.method == "GET" || request.method == "HEAD" {
            return .json(200, records(request, caller).pin(pin))
        }
        guard pin.user == caller?.name else { throw .notAllowed }
        if request.method == "DELETE" {
            state.deletePin(pin)
            return PinryReply(status: 204)
        }
        let fields = try request.fields(lists: ["tags"])
        if fields["url"] != nil { pin.url = try Fields.text(fields, "url", limit: 2_048) }
        if fields["description"] != nil { pin.description = try Fields.text(fields, "description") }
        if fields["referer"] != nil { pin.referer = try Fields.text(fields, "referer", limit: 2_048) }
        pin.isPrivate = try Fields.flag(fields, "private") ?? pin.isPrivate
        // Since v2.1.13 a change that does not repeat the tags wipes them.
        pin.tags = try TagList(fields["tags"]).names
        state.replace(pin)
        return .json(200, records(request, caller).pin(state.pin(pin.id) ?? pin))
    }
}

/// The tags of a pin, with the values on which Pinry fails.
private struct TagList {
    private(set) var names: [String] = []
    private(set) var breaksAfterPin = false
    private var hasUnprintable = false

    init(_ value: JSONValue?) throws(PinryReply) {
        guard let value else { return }
        if value == .null { throw .invalid("tags", "This field may not be null.") }
        guard let elements = value.elements else {
            throw .invalid("tags", "Expected a list of items but got type \"\(value.pythonType)\".")
        }
        for element in elements {
            switch element {
            case .string(let name): names.append(name)
            case .number(let text): names.append(text)
            case .bool(let flag): names.append(flag ? "True" : "False")
            case .null, .brokenString: hasUnprintable = true
            case .array, .object: breaksAfterPin = true
            }
        }
        if breaksAfterPin { names = [] }
    }

    func breaksBeforePin(on database: PinryDouble.Database) -> Bool {
        let isTooMuchForPostgres = names.contains { $0.unicodeScalars.count > 100 || $0.unicodeScalars.contains("\0") }
        return hasUnprintable || database == .postgres && isTooMuchForPostgres
    }
}
