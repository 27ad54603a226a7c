import FoundationEssentials
import PinpostCore
import Testing

@testable import PinpostTesting

/// The double against 450 recorded exchanges with real Pinrys.
@Suite("The Pinry double answers as recorded", .timeLimit(.minutes(10)))
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
        let (sqlite, postgres) = (try ContractScene.makeDouble(), try ContractScene.makeDouble())
        let outcomes = await BlockingPool(width: 1).run {
            rows.compactMap { Self.replay($0, on: $0.group == "16-postgres" ? postgres : sqlite) }
        }
        for outcome in outcomes {
            if let difference = outcome.difference { Issue.record("\(outcome.id): \(difference)") }
        }
        let exact = outcomes.count { $0.isExact }
        print("replayed \(outcomes.count) of \(rows.count) recorded exchanges, \(exact) to the letter")
        #expect(rows.count == 450 && outcomes.count >= 400)
        #expect(exact >= 370)
    }

    /// Nil for an excluded case; what it stored is there all the same for those after it.
    private static func replay(_ row: ContractRecording, on double: PinryDouble) -> Outcome? {
        let scene = ContractScene(double: double, row: row)
        guard ContractExclusions.reason(for: row.id) == nil else {
            scene.skip()
            return nil
        }
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
