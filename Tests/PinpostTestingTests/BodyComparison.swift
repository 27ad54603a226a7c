@testable import PinpostTesting

/// Compares a body with a recorded one, which is cut after 2,000 characters.
struct BodyComparison {
    let recorded: String
    let answered: String
    private let isCut: Bool

    init(recorded: String, answered: String) {
        let marker = recorded.firstRange(of: "\n...<body ")
        let kept = marker.map { String(recorded[..<$0.lowerBound]) } ?? recorded
        isCut = marker != nil || recorded.unicodeScalars.count >= 2_000
        self.recorded = Self.normalise(kept)
        self.answered = Self.normalise(answered)
    }

    /// The same text; where the cut falls into a path or a host, the last characters cannot be compared.
    var isExact: Bool { isCut ? answered.hasPrefix(recorded.dropLast(120)) : answered == recorded }

    var hasSameShape: Bool {
        if isExact { return true }
        guard isCut else { return Self.shape(answered) == Self.shape(recorded) }
        return Self.flat(answered).hasPrefix(Self.flat(recorded).prefix(400))
    }

    /// Hosts, hashes in media paths and times differ from run to run.
    static func normalise(_ text: String) -> String {
        text.replacing(/https?:\/\/127\.0\.0\.1(:\d+)?/, with: "BASE")
            .replacing(/\/media\/\w\/\w\/\w{32}\/[^"]*/, with: "/media/FILE")
            .replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "TIME")
    }

    /// Keys and nesting of half a text: every plain value is `v`.
    private static func flat(_ text: String) -> String {
        text.replacing(/"(?:[^"\\]|\\.)*"(?!:)/, with: "v").replacing(/:(null|true|false|-?\d+)/, with: ":v")
    }

    /// Keys and nesting: every plain value is `v`, a list shows its first element.
    private static func shape(_ text: String) -> String {
        (try? JSONValue(parsing: Array(text.utf8))).map(shape) ?? text
    }

    private static func shape(_ value: JSONValue) -> String {
        switch value {
        case .object(let members): "{\(members.map { "\"\($0.key)\":\(shape($0.value))" }.joined(separator: ","))}"
        case .array(let elements): "[\(elements.first.map(shape) ?? "")]"
        case .null, .bool, .number, .string, .brokenString: "v"
        }
    }
}
