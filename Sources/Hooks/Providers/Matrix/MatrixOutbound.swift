/// What hookshot's outbound webhook sends: the event, and its file where it has one.
struct MatrixOutbound {
    private(set) var event = JSONTree.null
    private(set) var file: FoundPart?

    /// Without an intake the file is left alone.
    init(_ body: StoredDelivery, _ intake: Intake?) throws(HookError) {
        try body.formParts { name, part throws(HookError) in
            switch (name, part) {
            case ("event", .file(_, _, let content)): event = try Self.event(try content.bytes(upTo: 256 << 10))
            case ("event", .text(let bytes)): event = try Self.event(bytes)
            case ("media", .file(let fileName, _, let content)), ("blob", .file(let fileName, _, let content)):
                guard let intake else { return }
                file = try content.picture(named: fileName, into: intake)
            default: break
            }
        }
        guard case .object = event else { throw HookError(.malformed, "There is no event in the body.") }
    }

    private static func event(_ bytes: [UInt8]) throws(HookError) -> JSONTree {
        try JSONTree(reading: ByteSource(BodyReader(bytes), limit: bytes.count), limits: HookLimits())
    }
}
