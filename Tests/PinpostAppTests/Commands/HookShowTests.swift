import PinpostCore
import Testing

@testable import PinpostApp

@Suite("hook show", .timeLimit(.minutes(10)))
struct HookShowTests {
    @Test("prints what sets a sender up, with the hook's address, and the token where it is given")
    func samples() async throws {
        try await Stage.open(.besideDaemon) { stage in
            try await stage.addAda()
            let made = try await stage.run("hook", "add", "ada", "--json").object()
            let (id, url) = (try #require(made["id"]?.text), try #require(made["url"]?.text))
            let token = try #require(made["token"]?.text)
            let plain = try await stage.run("hook", "show", id, "--for", "sharex")
            #expect(plain.output.contains("Bearer TOKEN") && plain.output.contains("/v1/hooks/\(id)"))
            let full = try await stage.run(
                "hook", "show", "ada", id, "--for", "curl", "--token-file", "-", input: "\(token)\n")
            #expect(full.output.contains("Bearer \(token)'") && full.output.contains(url))
            #expect(try await stage.run("hook", "show", id, "--for", "fax").exit == .usage)
            #expect(try await stage.run("hook", "show", "nowhere").exit == .refused)
        }
    }

    @Test("has the mapping, the end and the purpose of a hook; map-test takes its mapping")
    func settings() async throws {
        try await Stage.open(.besideDaemon) { stage in
            try await stage.addAda()
            let map = try stage.file("map.json", Array(#"{"url":"/payload/url"}"#.utf8))
            let made = try await stage.run(
                "hook", "add", "ada", "--mapping", map, "--expires", "2131-02-03", "--scope", "send", "--json"
            ).object()
            let id = try #require(made["id"]?.text)
            let shown = try await stage.run("hook", "show", id, "--json")
            #expect(shown.output.contains(#""expires":"2131-02-04T00:00:00Z""#))
            #expect(shown.output.contains(#""last_used":null"#) && shown.output.contains(#""scopes":["send"]"#))
            let body = #"{"payload":{"url":"https://example.org/a"}}"#
            let found = try await stage.run("hook", "map-test", id, "-", input: body)
            #expect(found.output.contains("/payload/url  https://example.org/a"))
            _ = try await stage.run("hook", "set", "ada", id, "--no-mapping", "--expires", "never")
            #expect(try await stage.run("hook", "map-test", id, "-", input: body).exit == .refused)
            #expect(try await stage.run("hook", "show", id, "--json").output.contains(#""expires":null"#))
        }
    }

    @Test("a mapping or a day that is none is refused")
    func wrong() async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            let map = try stage.file("map.json", Array(#"{"color":"/a"}"#.utf8))
            #expect(try await stage.run("hook", "add", "ada", "--mapping", map).exit == .wrongData)
            for day in ["2131-02-30", "tomorrow", "2131-2-3", "2020-01-01", "0d"] {
                #expect(try await stage.run("hook", "add", "ada", "--expires", day).exit == .usage)
            }
            let past = try await stage.run("hook", "add", "ada", "--expires", "2020-01-01")
            #expect(past.errors.contains("has passed already"))
            #expect(try await stage.run("hook", "list", "ada").output.contains("There is no hook yet"))
        }
    }

    @Test("hook list has provider, purpose, end and last use; a token may end before its hook")
    func list() async throws {
        try await Stage.open(.besideDaemon) { stage in
            try await stage.addAda()
            let made = try await stage.run(
                "hook", "add", "ada", "--expires", "30d", "--scope", "send", "--json"
            ).object()
            let id = try #require(made["id"]?.text)
            let listed = try await stage.run("hook", "list", "ada", "--json").output
            #expect(listed.contains(#""provider":"generic""#) && listed.contains(#""scopes":["send"]"#))
            #expect(listed.contains(#""last_used":null"#) && !listed.contains(#""expires":null"#))
            let table = try await stage.run("hook", "list", "ada").output
            #expect(table.contains("PROVIDER") && table.contains("LAST USED"))
            _ = try await stage.run("hook", "rotate", "ada", id, "--keep", "7d", "--expires", "8w", "--scope", "send")
            let shown = try await stage.run("hook", "show", id)
            #expect(shown.output.contains("newest token") && shown.output.contains("former token"))
            #expect(try await stage.run("hook", "rotate", "ada", id, "--expires", "2020-01-01").exit == .usage)
            _ = try await stage.run("hook", "rotate", "ada", id, "--at-once")
            #expect(try await stage.run("hook", "show", id, "--json").output.contains(#""live_tokens":1"#))
        }
    }
}
