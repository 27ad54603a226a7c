internal import PinpostCore

/// Where the fields of a foreign JSON payload stand: for each field a list of rules, of which the first that finds
/// something counts.
///
/// Written as JSON: `{"url": ["/payload/url", "/text | first_url"], "tags": "/labels/*"}`.
public struct HookMapping: Sendable, Hashable {
    /// What a rule found.
    public struct Finding: Sendable, Hashable {
        public let field: String
        /// A plain JSON Pointer to the place (RFC 6901).
        public let pointer: String
        public let value: String
    }

    /// In bytes.
    public static let longest = 16 << 10
    private static let mostRules = 16
    /// Values of one field.
    private static let mostValues = 1_000

    private struct Target: Sendable, Hashable {
        let name: String
        let field: Field
        let rules: [MappingRule]
    }

    private let targets: [Target]

    /// Reads a mapping as a person wrote it.
    /// - Throws: `.malformed` or `.tooLarge` with a sentence that says what is wrong.
    public init(json: [UInt8]) throws(HookError) {
        let source = ByteSource(BodyReader(json), limit: Self.longest)
        guard case .object(let members) = try JSONTree(reading: source, limits: HookLimits()), !members.isEmpty else {
            throw HookError(.malformed, "A mapping is a JSON object with a field or more.")
        }
        var targets: [Target] = []
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let field = Field(named: name) else {
                throw HookError(.malformed, "There is no field `\(name)` to map to.")
            }
            targets.append(Target(name: name, field: field, rules: try Self.rules(value, of: name)))
        }
        self.targets = targets
    }

    /// What the mapping finds in a payload, in the order of the fields' names.
    public func findings(in body: [UInt8]) throws(HookError) -> [Finding] {
        let limits = HookLimits()
        return findings(in: try JSONTree(reading: ByteSource(BodyReader(body), limit: limits.json), limits: limits))
            .map(\.finding)
    }

    func draft(of source: ByteSource, _ intake: Intake) throws(HookError) -> Draft {
        var draft = Draft()
        for (field, finding) in findings(in: try JSONTree(reading: source, limits: intake.limits)) {
            if field == .image {
                var picture = PictureText(intake)
                try Array(finding.value.utf8).lend { run throws(HookError) in try picture.consume(run) }
                draft.add(try picture.finish())
            } else {
                try intake.budget.spend(finding.value.utf8.count)
                try draft.set(field, to: finding.value)
            }
        }
        return draft
    }

    private func findings(in tree: JSONTree) -> [(field: Field, finding: Finding)] {
        targets.flatMap { target in
            let found =
                target.rules.lazy
                .map { $0.values(in: tree, ofPicture: target.field == .image) }.first { !$0.isEmpty } ?? []
            return found.prefix(target.field.isList ? Self.mostValues : 1).map { pointer, text in
                (target.field, Finding(field: target.name, pointer: pointer, value: text))
            }
        }
    }

    private static func rules(_ value: JSONTree, of name: String) throws(HookError) -> [MappingRule] {
        let texts: [JSONTree] = if case .array(let elements) = value { elements } else { [value] }
        guard (1...mostRules).contains(texts.count) else {
            throw HookError(.malformed, "`\(name)` has to have 1 to \(mostRules) pointers.")
        }
        var rules: [MappingRule] = []
        for text in texts {
            guard case .text(let rule) = text else {
                throw HookError(.malformed, "`\(name)` has to be a pointer or a list of pointers.")
            }
            rules.append(try MappingRule(rule))
        }
        return rules
    }
}

extension Field {
    /// Whether several values count; of the others, the first.
    fileprivate var isList: Bool {
        switch self {
        case .url, .imageURL, .image, .tags: true
        case .line: true
        case .description, .title, .text, .source, .click, .board, .isPrivate, .isAgain, .fileName: false
        }
    }
}
