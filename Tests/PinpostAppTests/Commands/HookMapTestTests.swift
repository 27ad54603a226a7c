import Testing

@testable import PinpostApp

@Suite("hook map-test", .timeLimit(.minutes(10)))
struct HookMapTestTests {
    @Test("shows what was found where, and what would be pinned")
    func shown() async throws {
        try await Stage.open { stage in
            let map = try stage.file("map.json", Array("{\"url\": [\"/none\", \"/payload/url\"]}".utf8))
            let body = "{\"payload\": {\"url\": \"https://example.org/a.jpg\"}}"
            let words = ["hook", "map-test", "-", "--mapping", map]
            let people = try await stage.run(words, input: Array(body.utf8))
            #expect(people.exit == .done && people.output.hasPrefix("url  /payload/url  https://example.org/a.jpg\n\n"))
            #expect(people.output.contains("link         https://example.org/a.jpg"), "\(people.output)")
            let scripts = try await stage.run(words + ["--json"], input: Array(body.utf8))
            let found =
                "\"found\":[{\"field\":\"url\",\"pointer\":\"/payload/url\",\"value\":\"https://example.org/a.jpg\"}]"
            #expect(scripts.output.contains(found), "\(scripts.output)")
            #expect(Set(try scripts.object().keys) == ["found", "result"])
        }
    }

    @Test("a wrong mapping, a wrong payload and nothing found end with 65, no mapping with 2")
    func refused() async throws {
        try await Stage.open { stage in
            for (map, body) in [("{\"url\": \"x\"}", "{}"), ("{\"url\": \"/x\"}", "{"), ("{\"url\": \"/x\"}", "{}")] {
                let file = try stage.file("map.json", Array(map.utf8))
                let outcome = try await stage.run("hook", "map-test", "-", "--mapping", file, "--json", input: body)
                #expect(outcome.exit == .wrongData && outcome.output.hasPrefix("{\"error\":{\"code\":"))
            }
            #expect(try await stage.run("hook", "map-test", "-").exit == .usage)
        }
    }
}
