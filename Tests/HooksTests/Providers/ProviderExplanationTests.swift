import Testing

@testable import Hooks

@Suite("The explanation of a recorded request")
struct ProviderExplanationTests {
    @Test("says of a probe what the server answers")
    func probe() throws {
        let explanation = try ProviderExplanation(
            provider: "slack", body: Array("token=x&ssl_check=1".utf8),
            headers: [("content-type", "application/x-www-form-urlencoded")])
        guard case .answered(_, let status) = explanation.verdict else {
            Issue.record("\(explanation.verdict)")
            return
        }
        #expect(status == 200)
    }
}
