/// A JSON text as a tree: for mappings, which look into any place of it.
indirect enum JSONTree: Sendable, Hashable {
    case object([String: JSONTree])
    case array([JSONTree])
    case text(String)
    /// A number as written, `true` or `false`.
    case literal(String)
    case null

    /// A tree has at most so many values; beyond that it is no message.
    private static let mostValues = 50_000

    /// Reads a whole text.
    /// - Throws: `.malformed` also for two equal keys, of which parsers take different ones; `.tooLarge`.
    init(reading source: ByteSource, limits: HookLimits) throws(HookError) {
        // A picture may be among the texts; the source has its own limit.
        var roomy = limits
        (roomy.text, roomy.allText) = (limits.json, limits.json)
        let reader = try JSONReader(source, budget: TextBudget(roomy), deepest: limits.depth)
        var left = Self.mostValues
        self = try Self.value(from: reader, left: &left)
        try reader.finish()
    }

    /// Reads bytes that are in memory, such as a provider's answer.
    init(_ bytes: [UInt8]) throws(HookError) {
        let limits = HookLimits()
        try self.init(reading: ByteSource(BodyReader(bytes), limit: limits.json), limits: limits)
    }

    /// A number, text or flag as text; nil for the others.
    var scalar: String? {
        switch self {
        case .text(let text), .literal(let text): text
        case .object, .array, .null: nil
        }
    }

    private static func value(from reader: JSONReader, left: inout Int) throws(HookError) -> JSONTree {
        left -= 1
        guard left >= 0 else { throw HookError(.tooLarge, "More than \(mostValues) values.") }
        switch try reader.kind() {
        case .object: return .object(try members(from: reader, left: &left))
        case .array:
            var elements: [JSONTree] = []
            try reader.elements { () throws(HookError) in elements.append(try value(from: reader, left: &left)) }
            return .array(elements)
        case .string: return .text(try reader.string())
        case .number, .flag: return .literal(try reader.literal())
        case .null:
            _ = try reader.literal()
            return .null
        }
    }

    private static func members(from reader: JSONReader, left: inout Int) throws(HookError) -> [String: JSONTree] {
        var members: [String: JSONTree] = [:]
        try reader.members { key throws(HookError) in
            let value = try value(from: reader, left: &left)
            guard members.updateValue(value, forKey: key) == nil else {
                throw reader.failure("A key is there twice in one object.")
            }
        }
        return members
    }
}
