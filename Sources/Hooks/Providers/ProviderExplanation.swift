internal import Cryptography
internal import FoundationEssentials
public import PinpostCore

/// What would become of a recorded request of a provider; nothing is proven, stored, fetched or answered.
public struct ProviderExplanation: Sendable {
    public enum Verdict: Sendable {
        /// One for each message that it would make.
        case content([MessageContent])
        /// It holds a raw mail.
        case mail([UInt8])
        /// It takes something back.
        case undo
        /// Nothing would be stored; the reason, and the status of the answer.
        case answered(reason: String, status: Int)
        case refused(reason: String)
    }

    public let verdict: Verdict

    /// Reads a request as the hook of that provider would, with everybody allowed and every secret known.
    ///
    /// Header names are in lower case. Throws `.malformed` and the like where the provider would be told so.
    public init(
        provider name: String, body: [UInt8], headers: [(name: String, value: String)]
    ) throws(HookError) {
        guard let provider = Providers.named(name) else {
            throw HookError(.unsupportedType, "This Pinpost does not know the provider \(name).")
        }
        guard body.count <= provider.bodyLimit else {
            throw HookError(.tooLarge, "The body is over \(provider.bodyLimit) bytes.")
        }
        let hook = Hook.ID("explain")
        let blobs = HeldBlobs()
        let type = headers.first { $0.name == "content-type" }?.value
        let isTransaction = name == "matrix" && (try? JSONTree(body))?["events"] != nil
        let delivery = Self.delivery(body, type, [:], provider, hook)
        if let answer = provider.answer(toProbe: delivery, of: body.count) {
            verdict = .answered(reason: "a probe", status: answer.status)
            return
        }
        let request = ProviderRequest(
            method: "POST", path: isTransaction ? ["transactions", "1"] : [], query: [], headers: headers,
            body: delivery, verified: nil, access: Self.access(to: hook),
            receivedAt: Date(timeIntervalSince1970: 0), blobs: blobs)
        let reader = Reader(provider: provider, hook: hook, blobs: blobs)
        verdict =
            switch try provider.receive(request) {
            case .accept(let delivery, _): try reader.verdict(on: [(delivery, body, type)])
            case .acceptEach(let parts, _):
                try reader.verdict(on: parts.map { ($0.delivery, $0.body, "application/json") })
            case .acceptMail(let mail, _, _): .mail(blobs.bytes(of: mail.mime))
            case .answer(let answer, let log), .answerAfter(_, let answer, let log):
                .answered(reason: log, status: answer.status)
            case .refuse(let log): .refused(reason: log)
            }
    }

    private static func access(to hook: Hook.ID) -> ProviderAccess {
        var access = ProviderAccess(
            hook: hook, settings: HookSettings(apiBase: "https://api.invalid", options: ["signature": "off"]),
            token: Secret(copying: Array("none".utf8)))
        access.allowsAll = true
        return access
    }

    private static func delivery(
        _ body: [UInt8], _ type: String?, _ fields: [String: String], _ provider: any Provider, _ hook: Hook.ID
    ) -> StoredDelivery {
        StoredDelivery(contentType: type, fields: fields, hook: hook, bytesLimit: provider.bodyLimit) {
            () throws(StoreError) in BodyReader(body)
        }
    }

    private struct Reader {
        let provider: any Provider
        let hook: Hook.ID
        let blobs: HeldBlobs

        func verdict(
            on parts: [(ProviderVerdict.Delivery, body: [UInt8], type: String?)]
        ) throws(HookError) -> Verdict {
            var contents: [MessageContent] = []
            for (delivery, body, type) in parts where delivery.undo == nil {
                guard !delivery.isPayload else {
                    let envelope = Envelope(contentType: type)
                    contents.append(
                        try HookReader().read(
                            body: BodyReader(body), envelope: envelope, into: blobs, knownBoards: []))
                    continue
                }
                let stored = ProviderExplanation.delivery(body, type, delivery.fields, provider, hook)
                let drafts = try provider.read(stored, into: Intake(blobs: blobs, limits: HookLimits()))
                contents.append(try ProviderReading.content(of: drafts, isAlbum: false, knownBoards: []))
            }
            return contents.isEmpty ? .undo : .content(contents)
        }
    }
}

/// A blob store in memory, for one reading.
private final class HeldBlobs: BlobStore {
    func makeWriter() -> any BlobWriter { Writer() }
    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { BodyReader(self.bytes(of: bytes)) }
    func discard(_: StoredBytes) {}

    func bytes(of stored: StoredBytes) -> [UInt8] {
        if case .inline(let bytes) = stored.place { bytes } else { [] }
    }

    private final class Writer: BlobWriter {
        private var bytes: [UInt8] = []

        func write(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }
        func finish() -> StoredBytes {
            StoredBytes(place: .inline(bytes), count: bytes.count, sha256: SHA256.hash(bytes))
        }
        func discard() {}
    }
}
