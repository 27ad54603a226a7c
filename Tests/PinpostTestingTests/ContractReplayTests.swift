import FoundationEssentials
import PinpostCore
import Testing

@testable import PinpostTesting

/// The double against 450 recorded exchanges with real Pinrys.
@Suite("The Pinry double answers as recorded", .timeLimit(.minutes(2)))
struct ContractReplayTests {
    private struct Outcome: Sendable {
        let id: String
        /// Nil where the answer is right.
        let difference: String?
        /// The very same body, but for hosts, media paths and times.
        let isExact: Bool
    }

    @Test(
        "status, headers and the shape of every body are the recorded ones",
        .enabled(if: !ContractRecording.all.isEmpty, "shared samples are missing"))
    func replay() async throws {
        let rows = ContractRecording.all
        let double = try ContractScene.makeDouble()
        let outcomes = await BlockingPool(width: 1).run {
            rows.filter { ContractExclusions.reason(for: $0.id) == nil }.map { Self.replay($0, on: double) }
        }
        for outcome in outcomes {
            if let difference = outcome.difference { Issue.record("\(outcome.id): \(difference)") }
        }
        let exact = outcomes.count { $0.isExact }
        print("replayed \(outcomes.count) of \(rows.count) recorded exchanges, \(exact) to the letter")
        #expect(rows.count == 450 && outcomes.count >= 400)
        #expect(exact >= 380)
    }

    private static func replay(_ row: ContractRecording, on double: PinryDouble) -> Outcome {
        let scene = ContractScene(double: double, row: row)
        scene.prepare()
        let port = double.port
        guard let answer = RawExchange(scene.request(to: port), to: port) else {
            return Outcome(id: row.id, difference: "no answer", isExact: false)
        }
        let comparison = BodyComparison(recorded: row.body ?? "", answered: answer.body)
        return Outcome(
            id: row.id, difference: difference(row, answer, comparison),
            isExact: comparison.isExact)
    }

    private static func difference(
        _ row: ContractRecording, _ answer: RawExchange, _ comparison: BodyComparison
    ) -> String? {
        if answer.status != row.status {
            return "status \(answer.status), recorded \(row.status): \(answer.body.prefix(200))"
        }
        func media(_ type: String?) -> String { String((type ?? "").prefix { $0 != ";" }) }
        if media(answer.header("content-type")) != media(row.contentType) {
            return "content type \(answer.header("content-type") ?? "none"), recorded \(row.contentType ?? "none")"
        }
        if answer.header("www-authenticate") != row.challenge {
            return "challenge \(answer.header("www-authenticate") ?? "none")"
        }
        func path(_ location: String?) -> String { BodyComparison.normalise(location ?? "") }
        if path(answer.header("location")) != path(row.location) {
            return "location \(answer.header("location") ?? "none")"
        }
        if let allow = row.allow, answer.header("allow") != allow { return "allow \(answer.header("allow") ?? "none")" }
        guard media(row.contentType) == "application/json" else { return nil }
        if row.method == "OPTIONS", row.status == 200 { return optionsDifference(row, answer) }
        return comparison.hasSameShape
            ? nil : "body \(comparison.answered.prefix(1_900))\nrecorded \(comparison.recorded)"
    }

    /// Of the long description only the permission is imitated: which writing method is listed.
    private static func optionsDifference(_ row: ContractRecording, _ answer: RawExchange) -> String? {
        for method in ["\"actions\":{\"POST\"", "\"actions\":{\"PUT\""] {
            let isRecorded = row.body?.contains(method) == true
            if answer.body.contains(method) != isRecorded { return "\(method) is\(isRecorded ? " not" : "") listed" }
        }
        return nil
    }
}

/// Compares a body with a recorded one that may have been cut after 2,000 characters.
private struct BodyComparison {
    let recorded: String
    let answered: String
    private let isCut: Bool

    init(recorded: String, answered: String) {
        isCut = recorded.count == 2_000
        self.recorded = Self.normalise(recorded)
        self.answered = Self.normalise(answered)
    }

    var isExact: Bool {
        // Where the cut falls into a path or a host, the last characters cannot be compared.
        isCut ? answered.hasPrefix(recorded.dropLast(120)) : answered == recorded
    }

    var hasSameShape: Bool {
        if isExact { return true }
        let (recordedShape, answeredShape) = (Self.shape(recorded), Self.shape(answered))
        return isCut
            ? recordedShape.isEmpty || answeredShape.hasPrefix(recordedShape.prefix(300))
            : answeredShape == recordedShape
    }

    /// Hosts, hashes in media paths and times differ from run to run.
    static func normalise(_ text: String) -> String {
        text.replacing(/https?:\/\/127\.0\.0\.1(:\d+)?/, with: "BASE")
            .replacing(/\/media\/\w\/\w\/\w{32}\/[^"]*/, with: "/media/FILE")
            .replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "TIME")
    }

    /// Keys and nesting: every plain value is `v`, a list shows its first element.
    private static func shape(_ text: String) -> String {
        guard let value = try? JSONValue(parsing: Array(text.utf8)) else {
            return text.replacing(/"(?:[^"\\]|\\.)*"(?!:)/, with: "v").replacing(/:(null|true|false|-?\d+)/, with: ":v")
        }
        return shape(value)
    }

    private static func shape(_ value: JSONValue) -> String {
        switch value {
        case .object(let members): "{\(members.map { "\"\($0.key)\":\(shape($0.value))" }.joined(separator: ","))}"
        case .array(let elements): "[\(elements.first.map(shape) ?? "")]"
        case .null, .bool, .number, .string, .brokenString: "v"
        }
    }
}
