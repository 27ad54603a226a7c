public import PinpostCore

/// Reads a generic webhook payload: JSON, a form, multipart/form-data, a picture or plain text.
///
/// Blocks on the disk: call it on a `BlockingPool`. Pictures go to the blob store; when it throws, none is left there.
public struct HookReader: Sendable {
    public let limits: HookLimits
    /// Where the fields of JSON stand; nil where the payload has our own names.
    public let mapping: HookMapping?

    public init(limits: HookLimits = HookLimits(), mapping: HookMapping? = nil) {
        self.limits = limits
        self.mapping = mapping
    }

    /// Reads as the envelope says: with the mapping of the hook that took the body.
    public init(for envelope: Envelope) throws(HookError) {
        self.init(
            mapping: try envelope.mapping.map { text throws(HookError) in try HookMapping(json: Array(text.utf8)) })
    }

    /// The content types that are read, for an answer to any other.
    public static var acceptedTypes: [String] { PayloadKind.accepted }

    /// The largest body of that type; throws `.unsupportedType` where the type is not read.
    public func bodyLimit(contentType: String?) throws(HookError) -> Int {
        try PayloadKind(contentType: contentType).limit(limits)
    }

    /// Reads a body to its end.
    ///
    /// The envelope has the content type, and the fields that query and header gave (`Envelope.hookFields`). A leading
    /// `[Name]` in the text counts only where such a board is known. `.nothingUsable` names what is expected.
    public func read(
        body: any BlobReader, envelope: Envelope, into blobs: any BlobStore, knownBoards: [String]
    ) throws(HookError) -> MessageContent {
        try read(body, envelope, into: blobs, Assembly(knownBoards: knownBoards))
    }

    /// Finds out whether a body can be read, and keeps nothing of it; its words are left unread.
    /// - Returns: How many pictures and links it holds.
    public func check(body: any BlobReader, envelope: Envelope) throws(HookError) -> Int {
        try read(body, envelope, into: NoBlobs(), Assembly(knownBoards: nil)).items.count
    }

    private func read(
        _ body: any BlobReader, _ envelope: Envelope, into blobs: any BlobStore, _ assembly: Assembly
    ) throws(HookError) -> MessageContent {
        let kind = try PayloadKind(contentType: envelope.contentType)
        let source = ByteSource(body, limit: kind.limit(limits))
        let intake = Intake(blobs: blobs, limits: limits)
        do throws(HookError) {
            let defaults = try Draft(envelope: envelope)
            let payload = try self.payload(of: kind, from: source, into: intake, describedBy: defaults)
            return try assembly.content(of: payload)
        } catch {
            intake.discardPictures()
            throw error
        }
    }

    private func payload(
        of kind: PayloadKind, from source: ByteSource, into intake: Intake, describedBy defaults: Draft
    ) throws(HookError) -> Payload {
        var payload: Payload
        switch try settled(kind, source) {
        case .json:
            if let mapping {
                payload = Payload(try mapping.draft(of: source, intake))
            } else {
                payload = try JSONPayload(source, intake).read()
            }
        case .form: payload = Payload(try FormPayload(source, intake).read())
        case .multipart(let boundary):
            payload = Payload(try MultipartPayload(source, intake, boundary: boundary).read())
        case .text: payload = Payload(try Draft(plainText: source.rest(upTo: limits.plainText)))
        case .pictureText: payload = Payload(try pictureText(from: source, intake))
        case .picture, .unlabelled: payload = Payload(try picture(from: source, intake, named: defaults.fileName))
        }
        payload.main.fill(from: defaults)
        return payload
    }

    /// What the first bytes say, where the type says nothing or something that many clients send for everything.
    private func settled(_ kind: PayloadKind, _ source: ByteSource) throws(HookError) -> PayloadKind {
        guard kind.isVague else { return kind }
        let start = try source.prefix(PictureType.prefixLength)
        // A form's type is on a picture too: `curl --data-binary @a.png` says so.
        if PictureType.sniff(start) != nil || kind == .unlabelled && start.isEmpty { return .picture }
        if PictureText.isPicture(start) { return .pictureText }
        if kind == .picture { return .picture }
        // `curl -d '{…}'` says that JSON is a form, and a script in a page that it is text.
        let text = start.drop { $0.isJSONSpace || ByteSource.byteOrderMark.contains($0) }
        if text.first == UInt8(ascii: "[") { return kind == .text ? .text : .json }
        guard text.first == UInt8(ascii: "{") else { return kind == .form ? .form : .text }
        let isObject = text.dropFirst().first { !$0.isJSONSpace } == UInt8(ascii: "\"")
        return kind != .text || isObject ? .json : .text
    }

    /// A body that is base64 or a data URL.
    private func pictureText(from source: ByteSource, _ intake: Intake) throws(HookError) -> Draft {
        var draft = Draft()
        var picture = PictureText(intake)
        try source.run(until: { _ in false }) { bytes throws(HookError) in try picture.consume(bytes) }
        draft.add(try picture.finish())
        return draft
    }

    private func picture(
        from source: ByteSource, _ intake: Intake, named name: String?
    ) throws(HookError) -> Draft {
        var draft = Draft()
        guard try !source.prefix(1).isEmpty else { return draft }
        let picture = intake.picture()
        try source.run(until: { _ in false }) { bytes throws(HookError) in try picture.write(bytes) }
        draft.add(try picture.finish(name: name))
        return draft
    }
}
