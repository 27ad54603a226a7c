import PinpostCore

extension PinryRouter {
    private static let extensions: Set<String> = [
        "bmp", "dib", "gif", "tif", "tiff", "jfif", "jpe", "jpg", "jpeg", "png", "apng", "webp", "ico", "jp2", "tga",
    ]

    mutating func createImage(
        _ request: PinryRequest, _ caller: PinryState.User?
    ) throws(PinryReply) -> PinryReply {
        guard let caller else { throw .noCredentials }
        let file = try uploadedFile(request)
        let (image, isWhole) = try store(file, by: caller)
        guard isWhole else { throw .serverError }
        return .json(201, records(request, caller).image(image))
    }

    private func uploadedFile(_ request: PinryRequest) throws(PinryReply) -> MultipartForm.File {
        let notAFile = "The submitted data was not a file. Check the encoding type on the form."
        switch try request.data() {
        case .json(let value):
            throw .invalid("image", value["image"] == nil ? "No file was submitted." : notAFile)
        case .form(let values, let files):
            if let file = files.last(where: { $0.field == "image" })?.file { return file }
            let hasText = values.contains { $0.name == "image" }
            throw .invalid("image", hasText ? notAFile : "No file was submitted.")
        }
    }

    /// Stores what Pillow can open; what it cannot scale stays behind without thumbnails.
    private mutating func store(
        _ file: MultipartForm.File, by caller: PinryState.User
    ) throws(PinryReply) -> (PinryState.Image, isWhole: Bool) {
        if file.bytes.isEmpty { throw .invalid("image", "The submitted file is empty.") }
        let dot = file.name.lastIndex(of: ".").map { file.name.index(after: $0) } ?? file.name.endIndex
        let ending = String(file.name[dot...])
        guard Self.extensions.contains(ending.lowercased()), dot > file.name.index(after: file.name.startIndex) else {
            let shown = dot > file.name.index(after: file.name.startIndex) ? ending : ""
            let list = Self.extensions.sorted().joined(separator: ", ")
            throw .invalid(
                "image", "File extension '\(shown)' is not allowed. Allowed extensions are: '\(list)'.")
        }
        guard let header = PictureHeader(file.bytes) else {
            throw .invalid(
                "image",
                "Upload a valid image. The file you uploaded was either not an image or a corrupted image.")
        }
        let isWhole = !header.isTruncated && header.height * 240 >= header.width
        let image = state.addImage(
            file.bytes, named: Self.storedName(file.name), by: caller.name, width: header.width, height: header.height,
            hasThumbnails: isWhole)
        return (image, isWhole)
    }

    /// Django keeps letters, digits, dots, hyphens and underscores, and cuts what the column cannot hold.
    private static func storedName(_ name: String) -> String {
        let kept = name.unicodeScalars.compactMap { scalar -> Character? in
            if scalar == " " { return "_" }
            let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isWord || "._-".unicodeScalars.contains(scalar) ? Character(scalar) : nil
        }
        let dot = kept.lastIndex(of: ".") ?? kept.endIndex
        return String(kept[..<dot].prefix(190)) + String(kept[dot...])
    }

    // MARK: The other dialect

    /// The call that the PinrySaver app's description names: picture, pin and board at once.
    mutating func saverPin(_ request: PinryRequest, _ caller: PinryState.User?) throws(PinryReply) -> PinryReply {
        guard let caller else { throw .noCredentials }
        guard case .form(let values, let files) = try request.data(),
            let file = files.first(where: { $0.field == "image" })
        else { throw .invalid("image", "No file was submitted.") }
        func value(_ name: String) -> String? { values.last { $0.name == name }?.value }
        let (image, isWhole) = try store(file.file, by: caller)
        guard isWhole else { throw .serverError }
        let pin = state.addPin(
            by: caller.name, on: image.id, url: nil, description: value("description"), referer: value("source"),
            tags: [], isPrivate: false)
        if let id = value("board").flatMap({ Int64($0) }), var board = state.board(id), board.user == caller.name {
            board.pins.append(pin.id)
            state.replace(board)
        }
        return .json(201, records(request, caller).pin(pin, isNew: true))
    }
}
