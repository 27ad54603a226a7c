import CurlKit
import FoundationEssentials
import PinpostCore
import Testing

@testable import PinpostTesting

/// What the double offers beside Pinry's own answers.
@Suite("The Pinry double", .timeLimit(.minutes(10)))
struct PinryDoubleTests {
    private func send(_ method: String, _ url: String, _ body: String = "") async throws -> HTTPResponse {
        let request = HTTPRequest(
            method: method, url: url, body: .bytes(Array(body.utf8), contentType: "application/json"))
        let server = Server(id: Server.ID("s"), baseURL: url, allowsPrivateNetwork: true)
        return try await HTTPClient().send(request, as: .pinry(server))
    }

    @Test("faults are switched on and off over HTTP, counted, and wrong ones refused")
    func faults() async throws {
        let double = try PinryDouble()
        double.addUser("alice", token: "t")
        let fault = "[{\"match\":\"GET /api/v2/\",\"do\":\"status\",\"status\":503,\"retry_after\":3,\"times\":1}]"
        #expect(try await send("POST", "\(double.url)/_faults", fault).status == 200)
        let failed = try await send("GET", "\(double.url)/api/v2/pins/")
        #expect(failed.status == 503 && failed.header("retry-after") == "3")
        #expect(try await send("GET", "\(double.url)/api/v2/pins/").status == 200)
        #expect(try await send("POST", "\(double.url)/_faults", "[{\"do\":\"dance\"}]").status == 400)
        #expect(try await send("POST", "\(double.url)/_faults", "no").status == 400)
    }

    @Test("the state names every pin, and what is there twice")
    func state() async throws {
        let double = try PinryDouble()
        double.addUser("alice", token: "t")
        double.fill(with: 2, by: "alice")
        double.withState { state in
            let image = state.pins[0].image
            _ = state.addPin(
                by: "alice", on: image, url: nil, description: "twice", referer: nil, tags: ["a"], isPrivate: false)
        }
        let text = String(decoding: try await send("GET", "\(double.url)/_state").body, as: UTF8.self)
        #expect(text.contains("\"pin_count\":3,\"image_count\":2,\"duplicates_by_image\":[[1,3]]"))
        #expect(text.contains("\"duplicates_by_picture\":[[1,3]],\"users\":{\"alice\":3}"))
        double.deletePin(PinID(3))
        #expect(double.pins.map(\.id) == [PinID(2)])
    }

    @Test("the gallery shows pins and pictures, and nothing that was sent in as markup")
    func gallery() async throws {
        let double = try PinryDouble()
        double.addUser("alice", token: "t")
        double.withState { state in
            let image = state.addImage(
                TestPicture.png(seed: 1), named: "a\"b.png", by: "alice", width: 8, height: 8, hasThumbnails: true)
            _ = state.addPin(
                by: "alice", on: image.id, url: nil, description: "<script>x</script>", referer: "javascript:x",
                tags: ["\"><b>"], isPrivate: false)
        }
        for path in ["/", "/pins/1"] {
            let page = String(decoding: try await send("GET", double.url + path).body, as: UTF8.self)
            #expect(page.contains("&lt;script&gt;x"))
            #expect(!page.contains("<script") && !page.contains("href=\"javascript") && !page.contains("><b>"))
        }
        let path = double.withState { state in state.images[1].map(PinryState.mediaPath) ?? "" }
        let picture = try await send("GET", double.url + String(path.map { $0 == "\"" ? "_" : $0 }))
        #expect(picture.status == 404)
        #expect(try await send("GET", "\(double.url)/pins/99").status == 404)
    }

    @Test("a fault drawn by chance comes as often as its probability says, and the same for the same seed")
    func chance() {
        func draws(_ seed: UInt64) -> [Bool] {
            var plan = FaultPlan(seed: seed)
            plan.replace(with: [PinryFault(.reset, on: "POST /", probability: 0.2)])
            return (0..<2_000).map { _ in plan.draw("POST /api/", .before) != nil }
        }
        #expect(draws(7) == draws(7) && draws(7) != draws(8))
        #expect((300...500).contains(draws(7).count { $0 }))
    }
}
