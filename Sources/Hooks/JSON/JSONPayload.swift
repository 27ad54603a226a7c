/// The JSON form of a payload: one object, `{"items": […]}`, or an array of objects or links.
struct JSONPayload {
    private let json: JSONReader
    private let intake: Intake

    init(_ source: ByteSource, _ intake: Intake) throws(HookError) {
        json = try JSONReader(source, budget: intake.budget, deepest: intake.limits.depth)
        self.intake = intake
    }

    func read() throws(HookError) -> Payload {
        var payload = Payload()
        var items: [Draft] = []
        switch try json.kind() {
        case .object: payload.main = try object { () throws(HookError) in try readItems(into: &items) }
        case .array: try readItems(into: &items)
        default: throw json.failure("An object or an array is expected here.")
        }
        payload.items = items
        try json.finish()
        return payload
    }

    private func readItems(into items: inout [Draft]) throws(HookError) {
        guard try json.kind() == .array else { throw json.failure("`items` has to be an array.") }
        try json.elements { () throws(HookError) in
            guard items.count < intake.limits.entries else {
                throw HookError(.tooLarge, "More than \(intake.limits.entries) items.")
            }
            items.append(try item())
        }
    }

    private func item() throws(HookError) -> Draft {
        switch try json.kind() {
        case .object: return try object { () throws(HookError) in try json.skip() }
        case .string:
            var draft = Draft()
            try draft.set(.url, to: try json.string())
            return draft
        default: throw json.failure("An item has to be an object.")
        }
    }

    /// Takes one object; `items` has to take the value of that key.
    private func object(items: () throws(HookError) -> Void) throws(HookError) -> Draft {
        var draft = Draft()
        var seen: Set<String> = []
        try json.members { key throws(HookError) in
            let field = Field(named: key)
            guard field != nil || key == "items" || key == "binary" else { return try json.skip() }
            // Parsers differ in which of two equal keys counts: neither does.
            guard seen.insert(key).inserted else { throw json.failure("The key `\(key)` is there twice.") }
            if let field {
                try read(field, named: key, into: &draft)
            } else if key == "binary" {
                try readNamedPictures(into: &draft)
            } else {
                try items()
            }
        }
        return draft
    }

    private func read(_ field: Field, named key: String, into draft: inout Draft) throws(HookError) {
        switch (field, try json.kind()) {
        case (_, .null): _ = try json.literal()
        case (.image, .array), (.imageURL, .array):
            try json.elements { () throws(HookError) in try readPicture(field, named: key, into: &draft) }
        case (.image, _), (.imageURL, .object): try readPicture(field, named: key, into: &draft)
        case (.url, .array), (.tags, .array):
            try json.elements { () throws(HookError) in try set(field, named: key, in: &draft) }
        default: try set(field, named: key, in: &draft)
        }
    }

    private func set(_ field: Field, named key: String, in draft: inout Draft) throws(HookError) {
        switch try json.kind() {
        case .string:
            // A data URL is no text: it may be longer than any.
            if field.isLink, try json.stringBegins(with: "data:") {
                draft.add(try pictureText())
            } else {
                try draft.set(field, to: try json.string())
            }
        case .number, .flag: try draft.set(field, to: try json.literal())
        case .null: _ = try json.literal()
        case .object, .array: throw json.failure("`\(key)` has to be text.")
        }
    }

    // MARK: - Pictures

    private func readPicture(_ field: Field, named key: String, into draft: inout Draft) throws(HookError) {
        switch (field, try json.kind()) {
        case (_, .null): _ = try json.literal()
        case (.image, .string): draft.add(try pictureText())
        case (_, .object): try readPictureObject(into: &draft)
        case (.imageURL, _): try set(field, named: key, in: &draft)
        default: throw json.failure("A picture has to be base64 text, a data URL, a link or an object with `base64`.")
        }
    }

    /// `{"base64": …, "filename": …}` in any order; `data` and `name` serve as well, `url` for a link.
    private func readPictureObject(into draft: inout Draft) throws(HookError) {
        var found: [FoundPart] = []
        var name: String?
        try json.members { key throws(HookError) in
            switch (key.lowercased(), try json.kind()) {
            case ("base64", .string), ("data", .string), ("url", .string): found.append(try pictureText())
            case ("filename", .string), ("name", .string): name = FileName.clean(try json.string())
            default: try json.skip()
            }
        }
        for part in found { draft.add(part.named(name)) }
    }

    /// n8n's binary data: the files of an item, each under a name of its own.
    private func readNamedPictures(into draft: inout Draft) throws(HookError) {
        guard try json.kind() == .object else { return try json.skip() }
        try json.members { _ throws(HookError) in
            guard try json.kind() == .object else { return try json.skip() }
            try readPictureObject(into: &draft)
        }
    }

    private func pictureText() throws(HookError) -> FoundPart {
        var picture = PictureText(intake)
        try json.string { run throws(HookError) in try picture.consume(run) }
        return try picture.finish()
    }
}
