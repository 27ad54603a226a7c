import FoundationEssentials
import PinpostCore
import Testing

@testable import Mail

@Suite("Access tokens and the refresh tokens behind them", .timeLimit(.minutes(1)))
struct AccessTokenTests {
    private func text(_ secret: Secret) -> String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }

    private func granted(_ number: Int, _ lifetime: String = "3600") -> (Int, String) {
        (200, "{\"access_token\":\"at-\(number)\",\"refresh_token\":\"rt-\(number)\",\"expires_in\":\(lifetime)}")
    }

    @Test(
        "a lifetime is read whatever form it has, and bounded",
        arguments: [
            ("3599", 3_539), ("\"3599\"", 3_539), ("3599.5", 3_539), ("\"3599.5\"", 3_539), ("null", 240),
            ("\"\"", 240),
            ("\"soon\"", 240), ("{}", 240), ("true", 240), ("-5", -60), ("\"-5\"", -60), ("0", -60), ("1e300", 86_340),
            ("99999999999999999999999", 86_340), ("\"inf\"", 240), ("\"nan\"", 240), ("[3599]", 240),
        ])
    func lifetimes(_ field: String, _ seconds: Int) async throws {
        let stage = TokenStage()
        stage.change { $0.answers = [granted(1, field)] }
        let tokens = AccessTokens(of: stage.mailbox, ports: try stage.ports())
        #expect(text(try await tokens.secret()) == "at-1")
        #expect(stage.stored == "rt-1")
        guard seconds > 0 else { return }
        stage.change { $0.now += TimeInterval(seconds - 1) }
        _ = try await tokens.secret()
        #expect(stage.asked.count == 1)
        stage.change { $0.now += 2 }
        _ = try await tokens.secret()
        #expect(stage.asked == ["rt-0", "rt-1"])
    }

    @Test(
        "a new refresh token is kept, however odd the rest of the answer is",
        arguments: [
            "{\"refresh_token\":\"rt-9\"}", "{\"access_token\":7,\"refresh_token\":\"rt-9\",\"expires_in\":[]}",
            "{\"access_token\":\"\",\"refresh_token\":\"rt-9\",\"error\":3,\"error_description\":{}}",
        ])
    func oddAnswers(_ body: String) async throws {
        let stage = TokenStage()
        stage.change { $0.answers = [(200, body)] }
        let tokens = AccessTokens(of: stage.mailbox, ports: try stage.ports())
        await #expect { try await tokens.secret() } throws: { ($0 as? IMAPError)?.code == .busy }
        #expect(stage.stored == "rt-9")
    }

    @Test("an empty refresh token takes no other one's place")
    func emptyToken() async throws {
        let stage = TokenStage()
        stage.change { $0.answers = [(200, "{\"access_token\":\"at\",\"refresh_token\":\"\"}")] }
        #expect(text(try await AccessTokens(of: stage.mailbox, ports: try stage.ports()).secret()) == "at")
        #expect(stage.stored == "rt-0")
    }

    @Test("a refresh token for which there is no room is used from memory, and stored as soon as there is some")
    func fullDisk() async throws {
        let stage = TokenStage()
        let ports = try stage.ports()
        stage.change { ($0.answers, $0.isDiskFull) = ([granted(1, "60"), granted(2, "60"), granted(3, "60")], true) }
        let tokens = AccessTokens(of: stage.mailbox, ports: ports)
        #expect(text(try await tokens.secret()) == "at-1")
        await tokens.save()
        #expect(stage.stored == "rt-0")
        // Whoever else connects knows it too.
        #expect(text(try await AccessTokens(of: stage.mailbox, ports: ports).secret()) == "at-2")
        #expect(stage.asked == ["rt-0", "rt-1"])
        stage.change { $0.isDiskFull = false }
        await tokens.save()
        #expect(stage.stored == "rt-2")
        #expect(text(try await tokens.secret()) == "at-3")
        #expect(stage.asked == ["rt-0", "rt-1", "rt-2"])
        #expect(stage.stored == "rt-3")
    }

    @Test("what a person has authorized meanwhile goes before what was kept in memory")
    func authorizedMeanwhile() async throws {
        let stage = TokenStage()
        let ports = try stage.ports()
        stage.change { ($0.answers, $0.isDiskFull) = ([granted(1, "60"), granted(2, "60")], true) }
        let tokens = AccessTokens(of: stage.mailbox, ports: ports)
        _ = try await tokens.secret()
        stage.authorize("fresh")
        stage.change { $0.isDiskFull = false }
        await tokens.save()
        #expect(stage.stored == "fresh")
        _ = try await tokens.secret()
        #expect(stage.asked == ["rt-0", "fresh"])
    }

    @Test("a trial that uses up the refresh token leaves the watcher with the new one")
    func trial() async throws {
        let stage = TokenStage()
        let ports = try stage.ports()
        let mailbox = stage.mailbox
        stage.change { $0.answers = [granted(1, "60"), granted(2, "60"), granted(3, "60")] }
        let watcher = AccessTokens(of: mailbox, ports: ports)
        _ = try await watcher.secret()
        _ = try await AccessTokens(of: mailbox, ports: ports).secret()
        _ = try await watcher.secret()
        #expect(stage.asked == ["rt-0", "rt-1", "rt-2"])
    }

    @Test("a mailbox that is authorized while its dead token is asked with goes on with the new one")
    func deadMeanwhile() async throws {
        let stage = TokenStage()
        stage.change { script in
            script.answers = [(400, "{\"error\":\"invalid_grant\"}"), granted(1)]
            script.meanwhile = { stage in
                if stage.asked.count == 1 { stage.authorize("fresh") }
            }
        }
        #expect(text(try await AccessTokens(of: stage.mailbox, ports: try stage.ports()).secret()) == "at-1")
        #expect(stage.asked == ["rt-0", "fresh"])
    }

    @Test("a dead token is asked with once")
    func dead() async throws {
        let stage = TokenStage()
        stage.change { $0.answers = [(400, "{\"error\":\"invalid_grant\",\"error_description\":\"gone\"}")] }
        let tokens = AccessTokens(of: stage.mailbox, ports: try stage.ports())
        await #expect { try await tokens.secret() } throws: { ($0 as? IMAPError)?.code == .loginRefused }
        #expect(stage.asked == ["rt-0"])
    }

    @Test("two who need a token at once use the refresh token one after the other")
    func turns() async throws {
        let stage = TokenStage()
        let ports = try stage.ports()
        let mailbox = stage.mailbox
        stage.change { $0.answers = (1...9).map { granted($0) } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { _ = try await AccessTokens(of: mailbox, ports: ports).secret() }
            }
            try await group.waitForAll()
        }
        #expect(stage.asked == (0..<8).map { "rt-\($0)" })
    }

    @Test(
        "only what asking again cannot change is final",
        arguments: [
            (400, "invalid_grant", true), (401, "invalid_client", true), (400, "unauthorized_client", true),
            (400, "invalid_scope", true), (403, "access_denied", true), (400, "interaction_required", true),
            (200, "invalid_grant", true), (400, "temporarily_unavailable", false), (400, "slow_down", false),
            (400, "server_error", false), (408, "invalid_grant", false), (429, "invalid_grant", false),
            (503, "invalid_grant", false), (500, "server_error", false), (403, "rate_limit_exceeded", false),
            (400, "", false), (404, "", false), (407, "", false), (200, "", false),
            (400, "authorization_pending", false),
        ])
    func refusals(_ status: Int, _ error: String, _ isFinal: Bool) async throws {
        let stage = TokenStage()
        stage.change {
            $0.answers = [(status, error.isEmpty ? "<html>" : "{\"error\":\"\(error)\",\"expires_in\":\"x\"}")]
        }
        let tokens = AccessTokens(of: stage.mailbox, ports: try stage.ports())
        await #expect {
            try await tokens.secret()
        } throws: {
            ($0 as? IMAPError)?.code == (isFinal ? .loginRefused : .busy)
        }
        #expect(stage.stored == "rt-0")
    }
}
