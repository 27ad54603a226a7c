import Links
import PinpostCore
import PinpostTesting
import Testing

@Suite("Pictures that are not to be had at the moment", .timeLimit(.minutes(10)))
struct ObstacleTests {
    @Test("a card for want of an answer is for when another attempt does not help, and it has the page's words")
    func obstacle() async throws {
        let site = try Site { request in
            switch request.target {
            case "/reset": Site.html("<meta property='og:image' content='/reset.png'>")
            case "/busy": Site.html("<meta property='og:image' content='/busy.png'>")
            case "/embed": Site.html("<link rel=alternate type='application/json+oembed' href='/busy.json'>")
            case "/reset.png": .init(bytes: [], then: .reset)
            case "/busy.png", "/busy.json": .init(503)
            default: nil
            }
        }
        for path in ["/reset", "/busy", "/embed"] {
            let found = try await site.picture(of: path)
            #expect(found.card?.title == "Page", "\(path)")
            #expect(found.obstacle?.code == .failed, "\(path)")
        }
    }

    @Test("a picture that is not there is no obstacle, nor is one that another one stands in for")
    func none() async throws {
        let site = try Site { request in
            switch request.target {
            case "/gone": Site.html("<meta property='og:image' content='/gone.png'>")
            case "/two":
                Site.html(
                    "<meta property='og:image' content='/busy.png'><meta name='twitter:image' content='/good.png'>")
            case "/busy.png": .init(503)
            case "/good.png": Site.png()
            default: nil
            }
        }
        let gone = try await site.picture(of: "/gone")
        #expect(gone.card != nil && gone.obstacle == nil)
        let two = try await site.picture(of: "/two")
        #expect(two.imageSize != nil && two.obstacle == nil)
    }

    @Test("a page that used up the link's time before its pictures were asked for is looked at again")
    func late() async throws {
        let asked = Signal()
        var (found, limit) = (LinkPicture?.none, Duration.milliseconds(20))
        // A slow machine may use up the time before the page is asked for: then with more of it.
        while asked.generation == 0 {
            let links = FetchedLinks(
                http: LatePage(asked: asked), reader: PageDesk.reader, blobs: MemoryBlobs(),
                pool: BlockingPool(width: 1), timeLimit: limit)
            found = try? await links.picture(of: FoundLink(url: "http://a.example/late"))
            limit *= 4
        }
        #expect(found?.card?.title == "Late" && found?.obstacle?.code == .failed)
    }

    @Test("a picture that was chosen is tried again while its site does not answer")
    func chosen() async throws {
        let site = try Site { $0.target == "/busy.png" ? .init(503) : nil }
        for (path, code) in [("/busy.png", LinkError.Code.failed), ("/gone.png", .noPicture)] {
            let error = await #expect(throws: LinkError.self) {
                try await site.links.picture(at: site.server.url + path, from: site.server.url)
            }
            #expect(error?.code == code)
        }
    }

    @Test("a picture that was chosen and is no good is refused with the reason that is its own")
    func reasons() async throws {
        let site = try Site { request in
            switch request.target {
            case "/tiny.png": Site.png(48, 300)
            case "/page.png": Site.html("")
            case "/loop.png": .init(302, [("Location", "/loop.png")])
            case "/card": Site.html("<meta property='og:image' content='/tiny.png'>")
            default: nil
            }
        }
        let reasons = [
            "/tiny.png": "only 48 × 300 pixels", "/page.png": "leads to no picture", "/gone.png": "answered 404",
        ]
        for (path, reason) in reasons {
            let error = await #expect(throws: LinkError.self) {
                try await site.links.picture(at: site.server.url + path, from: site.server.url)
            }
            #expect(error?.code == .noPicture && error?.detail.contains(reason) == true, "\(error?.detail ?? "")")
        }
        let error = await #expect(throws: LinkError.self) {
            try await site.links.picture(at: "http://10.0.0.1/a.png", from: site.server.url)
        }
        #expect(error?.detail.contains("private") == true)
        #expect(try await site.picture(of: "/card").note?.contains("only 48 × 300 pixels") == true)
    }
}

/// Answers when the whole time of the request is over, and never with a picture.
private struct LatePage: HTTPExchange {
    let asked: Signal

    func send(_ request: HTTPRequest, as _: EgressClass) async throws(HTTPExchangeError) -> HTTPResponse {
        asked.fire()
        await Shutdown().wait(upTo: request.timeout)
        let html = "<html><head><title>Late</title><meta property='og:image' content='/p.png'></head></html>"
        return HTTPResponse(status: 200, headers: [], body: Array(html.utf8), url: request.url)
    }
}
