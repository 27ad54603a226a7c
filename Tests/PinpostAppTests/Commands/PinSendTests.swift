import PinpostCore
import PinpostTesting
import Testing

@testable import PinpostApp

@Suite("pin", .timeLimit(.minutes(10)))
struct PinSendTests {
    @Test("pictures and links are accepted as messages of their own", arguments: Stage.Way.allCases)
    func accepted(_ way: Stage.Way) async throws {
        try await Stage.open(way) { stage in
            try await stage.addAda()
            let picture = try stage.file("a.gif", Array("GIF89a and more".utf8))
            // Nothing is delivered here: the workers have no decoders.
            let action = SendPin(
                wishes: PinWishes(
                    tenant: nil, board: "Trips", description: "A day", source: nil, tags: ["sun"], isPrivate: true),
                link: "https://example.org/")
            let outcome = try await stage.run("message", "list", "--json")
            #expect(outcome.output == "[]\n")
            try await stage.connected { administration, pool in
                _ = try await administration.perform(action)
                let body = FileBody(try ReadFile.open(picture), closes: true, pool: pool)
                _ = try await administration.perform(
                    SendPin(wishes: action.wishes, picture: .gif, name: "a.gif"), body: body)
            }
            let listed = try await stage.run("message", "list", "--json")
            #expect(listed.output.split(separator: "\"source\":\"command\"").count == 3)
        }
    }

    @Test("everything is looked at before anything is sent")
    func wrongTargets() async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            let text = try stage.file("a.txt", Array("no picture".utf8))
            let empty = try stage.file("empty.jpg", [])
            for (target, exit) in [
                (text, ExitCode.wrongData), (empty, .wrongData), ("\(stage.folder)/none.jpg", .usage),
                (stage.folder, .usage), ("ftp://example.org/", .usage), ("https://", .usage),
            ] {
                let outcome = try await stage.run("pin", "https://example.org/", target)
                #expect(outcome.exit == exit, "\(target): \(outcome.errors)")
            }
            #expect(try await stage.run("message", "list", "--json").output == "[]\n")
        }
    }

    @Test(
        "an unknown board and a tenant without token are refused, and nothing is stored", arguments: Stage.Way.allCases)
    func refused(_ way: Stage.Way) async throws {
        try await Stage.open(way) { stage in
            try await stage.addAda()
            #expect(try await stage.run("pin", "https://example.org/", "--board", "Nowhere").exit == .wrongData)
            _ = try await stage.run("tenant", "set", "ada", "--no-token")
            let outcome = try await stage.run("pin", "https://example.org/")
            #expect(outcome.exit == .notAllowed && outcome.errors.contains("token"))
            #expect(try await stage.run("message", "list", "--json").output == "[]\n")
        }
    }
}
