internal import PinpostCore

/// The fields at the top of a body that signatures and delivery ids stand in.
struct BodyFields: Sendable {
    private let values: [String: [String]]

    /// Reads the named fields of a JSON object, a form or a multipart body; others are skipped.
    ///
    /// A body of another kind has no fields. Values that are no scalars count as empty.
    /// `object` names the member of a JSON object that has them inside.
    /// - Throws: `.malformed` for a body that is not what its type says.
    init(
        _ names: Set<String>, of request: SignedRequest, inside object: String? = nil
    ) throws(SignatureRefusal) {
        let contentType = try request.optionalHeader("Content-Type")
        do throws(HookError) {
            switch try? PayloadKind(contentType: contentType) {
            case .json: values = try Self.json(names, request.body, Self.limits, inside: object)
            case .form: values = Self.form(names, request.body)
            case .multipart(let boundary): values = try Self.multipart(names, request.body, boundary)
            case .unlabelled: values = try Self.unlabelled(names, request.body)
            case .picture, .text, .pictureText, nil: values = [:]
            }
        } catch {
            throw SignatureRefusal(.malformed, "The body is not what its type says.")
        }
    }

    /// The same of a body that is JSON, whatever its type says.
    init(_ names: Set<String>, ofJSON body: [UInt8], limits: HookLimits) throws(SignatureRefusal) {
        do throws(HookError) {
            values = try Self.json(names, body, limits)
        } catch {
            throw SignatureRefusal(.malformed, "The body is not JSON.")
        }
    }

    /// Whether there is something of that name; null and an empty text are nothing.
    func has(_ name: String) -> Bool { !(values[name] ?? [""]).allSatisfy(\.isEmpty) }

    /// A field that has to be there exactly once; two of a name are read differently by others.
    func required(_ name: String) throws(SignatureRefusal) -> String {
        guard let values = values[name], !(values == [""]) else {
            throw SignatureRefusal(.incomplete, "The field \(name) is missing or empty.")
        }
        guard values.count == 1 else {
            throw SignatureRefusal(.incomplete, "The field \(name) is there more than once.")
        }
        return values[0]
    }

    private static let limits = HookLimits()

    private static func source(_ body: [UInt8]) -> ByteSource {
        ByteSource(BodyReader(body), limit: limits.multipart)
    }

    private static func unlabelled(
        _ names: Set<String>, _ body: [UInt8]
    ) throws(HookError) -> [String: [String]] {
        let first = body.first { !$0.isJSONSpace }
        return first == UInt8(ascii: "{") ? try json(names, body, limits) : form(names, body)
    }

    private static func json(
        _ names: Set<String>, _ body: [UInt8], _ limits: HookLimits, inside object: String? = nil
    ) throws(HookError) -> [String: [String]] {
        let reader = try JSONReader(source(body), budget: TextBudget(limits), deepest: limits.depth)
        guard try reader.kind() == .object else { return [:] }
        var values: [String: [String]] = [:]
        func take(_ key: String) throws(HookError) {
            guard names.contains(key) else { return try reader.skip() }
            switch try reader.kind() {
            case .string: values[key, default: []].append(try reader.string())
            case .number: values[key, default: []].append(try reader.literal())
            default:
                values[key, default: []].append("")
                try reader.skip()
            }
        }
        try reader.members { key throws(HookError) in
            guard let object else { return try take(key) }
            guard key == object, try reader.kind() == .object else { return try reader.skip() }
            try reader.members { key throws(HookError) in try take(key) }
        }
        try reader.finish()
        return values
    }

    private static func form(_ names: Set<String>, _ body: [UInt8]) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for field in FormFields(body) {
            let name = String(decoding: field.name, as: UTF8.self)
            if names.contains(name) { values[name, default: []].append(String(decoding: field.value, as: UTF8.self)) }
        }
        return values
    }

    private static func multipart(
        _ names: Set<String>, _ body: [UInt8], _ boundary: String
    ) throws(HookError) -> [String: [String]] {
        let reader = MultipartReader(source(body), boundary: boundary, headLimit: limits.partHead)
        let budget = TextBudget(limits)
        var values: [String: [String]] = [:]
        var parts = 0
        while let head = try reader.next() {
            parts += 1
            guard parts <= limits.entries else { throw HookError(.tooLarge, "Too many parts.") }
            let name = head.disposition.parameters["name"].flatMap { names.contains($0) ? $0 : nil }
            var text: [UInt8] = []
            try reader.body { run throws(HookError) in
                guard name != nil else { return }
                try budget.check(text.count + run.count)
                text.append(contentsOf: run)
            }
            guard let name else { continue }
            try budget.spend(text.count)
            values[name, default: []].append(String(decoding: text, as: UTF8.self))
        }
        return values
    }
}
