internal import PinpostCore

/// The body of one delivery, and the forms in which it may be read; every call reads it from the start.
struct StoredDelivery: Sendable {
    let contentType: String?
    /// What `receive` kept of the head (`ProviderVerdict.Delivery.fields`); empty while it is being received.
    let fields: [String: String]
    /// In `fields`: why the files beside the words cannot be fetched.
    static let noFiles = "no-files"
    /// Of the hook by which it came.
    let hook: Hook.ID
    let limits: HookLimits
    /// Parts of it that were read before it came, by the store's names.
    private let earlyParts: Set<[UInt8]>
    private let bytesLimit: Int
    private let opened: @Sendable () throws(StoreError) -> any BlobReader

    init(
        contentType: String?, fields: [String: String] = [:], hook: Hook.ID, limits: HookLimits = HookLimits(),
        earlyParts: Set<[UInt8]> = [], bytesLimit: Int,
        open: @escaping @Sendable () throws(StoreError) -> any BlobReader
    ) {
        self.contentType = contentType
        self.fields = fields
        self.hook = hook
        self.limits = limits
        self.earlyParts = earlyParts
        self.bytesLimit = bytesLimit
        opened = open
    }

    /// Whether the part that the provider calls so came alone, and was read, before this delivery.
    func cameEarly(_ id: String) -> Bool {
        !earlyParts.isEmpty && earlyParts.contains(HookKeys(hook: hook).delivery(id))
    }

    /// For streaming readers: `JSONReader`, `MultipartReader`.
    func source() throws(HookError) -> ByteSource { ByteSource(try reader(), limit: bytesLimit) }

    func reader() throws(HookError) -> any BlobReader {
        do throws(StoreError) { return try opened() } catch {
            throw HookError(unread: error)
        }
    }

    func bytes() throws(HookError) -> [UInt8] {
        var bytes: [UInt8] = []
        try source().run(until: { _ in false }) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The body as JSON; throws `.malformed` where it is not an object.
    func object() throws(HookError) -> JSONTree {
        let source = try source()
        try source.skipByteOrderMark()
        let tree = try JSONTree(reading: source, limits: limits)
        guard case .object = tree else { throw HookError(.malformed, "The body has to be a JSON object.") }
        return tree
    }

    /// The fields of a form, as text; the first of equal names counts.
    func form() throws(HookError) -> [String: String] {
        var values: [String: String] = [:]
        var count = 0
        for field in FormFields(try bytes()) {
            count += 1
            guard count <= limits.entries else { throw HookError(.tooLarge, "Too many fields.") }
            let name = String(decoding: field.name, as: UTF8.self)
            if values[name] == nil { values[name] = String(decoding: field.value, as: UTF8.self) }
        }
        return values
    }

    /// The parts of a multipart body in order: `visit` may take the body of the part by the reader, or leave it.
    func parts(
        _ visit: (MultipartReader.Head, PartBody) throws(HookError) -> Void
    ) throws(HookError) {
        guard case .multipart(let boundary) = try PayloadKind(contentType: contentType) else {
            throw HookError(.unsupportedType, "The body has to be multipart/form-data.")
        }
        let reader = MultipartReader(try source(), boundary: boundary, headLimit: limits.partHead)
        var count = 0
        while let head = try reader.next() {
            count += 1
            guard count <= limits.entries else { throw HookError(.tooLarge, "Too many parts.") }
            let body = PartBody(reader, limits: limits)
            try visit(head, body)
            try body.skip()
        }
    }
}

/// The body of one part, taken once.
final class PartBody {
    private let reader: MultipartReader
    private let limits: HookLimits
    private var isTaken = false

    init(_ reader: MultipartReader, limits: HookLimits) {
        self.reader = reader
        self.limits = limits
    }

    func stream(_ consume: (UnsafeRawBufferPointer) throws(HookError) -> Void) throws(HookError) {
        guard !isTaken else { return }
        isTaken = true
        try reader.body(consume)
    }

    /// A text field; wrong UTF-8 is replaced.
    func text() throws(HookError) -> String {
        var bytes: [UInt8] = []
        try stream { run throws(HookError) in
            guard bytes.count + run.count <= limits.allText else {
                throw HookError(.tooLarge, "A text field is over \(limits.allText) bytes.")
            }
            bytes.append(contentsOf: run)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func skip() throws(HookError) { try stream { _ in } }
}
