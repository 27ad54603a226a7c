internal import PinpostCore

/// A JSON Pointer (RFC 6901) with two additions that count on arrays alone: `*` and `largest(width*height)`.
///
/// On an object both are keys like any other.
struct JSONPointer: Sendable, Hashable {
    /// A value, and the plain pointer to it.
    struct Match: Sendable, Hashable {
        let pointer: String
        let value: JSONTree
    }

    private static let mostSteps = 32
    private static let mostMatches = 1_000

    fileprivate enum Step: Sendable, Hashable {
        case key(String)
        case every
        /// The element whose product of these members is the greatest, the first of equal ones.
        case largest([String], text: String)
    }

    private let steps: [Step]

    /// nil for text that is no pointer.
    init?(_ text: some StringProtocol) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        let tokens = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard tokens.count <= Self.mostSteps else { return nil }
        var steps: [Step] = []
        for token in tokens {
            guard let key = Self.unescaped(String(token)) else { return nil }
            steps.append(Self.step(key))
        }
        self.steps = steps
    }

    /// What it points to, in the order of the text; nothing where there is nothing.
    func matches(in tree: JSONTree) -> [Match] {
        var matches = [Match(pointer: "", value: tree)]
        for step in steps {
            matches = Array(matches.lazy.flatMap { Self.take(step, from: $0) }.prefix(Self.mostMatches))
        }
        return matches
    }

    private static func step(_ key: String) -> Step {
        if key == "*" { return .every }
        guard key.hasPrefix("largest("), key.hasSuffix(")") else { return .key(key) }
        let names = key.dropFirst(8).dropLast().split(separator: "*").map(\.trimmed).filter { !$0.isEmpty }
        return names.isEmpty ? .key(key) : .largest(names, text: key)
    }

    private static func take(_ step: Step, from match: Match) -> [Match] {
        switch (match.value, step) {
        case (.object(let members), _):
            let key = step.asKey
            return members[key].map { [match.child(escaped(key), $0)] } ?? []
        case (.array(let elements), .every):
            return elements.prefix(mostMatches).enumerated().map { match.child(String($0.offset), $0.element) }
        case (.array(let elements), .largest(let names, _)):
            return largest(of: elements, by: names).map { [match.child(String($0), elements[$0])] } ?? []
        case (.array(let elements), .key(let key)):
            guard let index = index(key), index < elements.count else { return [] }
            return [match.child(key, elements[index])]
        default: return []
        }
    }

    /// Digits without a leading zero (RFC 6901 section 4).
    private static func index(_ key: String) -> Int? {
        guard key.utf8.allSatisfy(\.isDigit), key == "0" || !key.hasPrefix("0") else { return nil }
        return Int(key)
    }

    private static func largest(of elements: [JSONTree], by names: [String]) -> Int? {
        var best: (index: Int, size: Double)?
        for (index, element) in elements.enumerated() {
            guard let size = size(of: element, by: names), size > best?.size ?? -.infinity else { continue }
            best = (index, size)
        }
        return best?.index
    }

    /// nil where a member is missing or no number.
    private static func size(of element: JSONTree, by names: [String]) -> Double? {
        guard case .object(let members) = element else { return nil }
        var size = 1.0
        for name in names {
            guard case .literal(let text)? = members[name], let factor = Double(text) else { return nil }
            size *= factor
        }
        return size
    }

    private static func escaped(_ key: String) -> String {
        key.reduce(into: "") { text, character in
            text += character == "~" ? "~0" : character == "/" ? "~1" : String(character)
        }
    }

    /// nil where a tilde is neither `~0` nor `~1`.
    private static func unescaped(_ token: String) -> String? {
        var parts = token.split(separator: "~", omittingEmptySubsequences: false)[...]
        var text = String(parts.popFirst() ?? "")
        for part in parts {
            switch part.first {
            case "0": text += "~" + part.dropFirst()
            case "1": text += "/" + part.dropFirst()
            default: return nil
            }
        }
        return text
    }
}

extension JSONPointer.Match {
    fileprivate func child(_ token: String, _ value: JSONTree) -> JSONPointer.Match {
        JSONPointer.Match(pointer: "\(pointer)/\(token)", value: value)
    }
}

extension JSONPointer.Step {
    fileprivate var asKey: String {
        switch self {
        case .key(let key): key
        case .every: "*"
        case .largest(_, let text): text
        }
    }
}
