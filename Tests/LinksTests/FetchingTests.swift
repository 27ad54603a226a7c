import FoundationEssentials
import Links
import PinpostCore
import PinpostTesting
import Synchronization
import Testing

@Suite("Fetching links", .timeLimit(.minutes(10)))
struct FetchingTests {
    @Test("a page becomes its picture, with its words, whatever the types say")
    func page() async throws {
        let site = try Site { request in
            switch request.target {
            case "/post":
                Site.html("<meta property='og:image' content='/p.png'><meta name=description content='A walk.'>")
            case "/p.png": Site.png()
            default: nil
            }
        }
        let found = try await site.picture(of: "/post")
        #expect(found.imageSize != nil)
        #expect(found.description == "Page\n\nA walk.")
        #expect(found.candidates.map(\.rule) == ["og:image"])
        #expect(found.note == nil)
    }

    @Test("the next picture is tried when one is missing, tiny, or a page")
    func nextCandidate() async throws {
        let site = try Site { request in
            switch request.target {
            case "/post":
                Site.html(
                    """
                    <meta property='og:image' content='/gone.png'><meta property='og:image' content='/tiny.png'>
                    <meta name='twitter:image' content='/html.png'><link rel=image_src href='/good.png'>
                    """)
            case "/tiny.png": Site.png(1, 1)
            case "/html.png": Site.html("")
            case "/good.png": Site.png(800, 600)
            default: nil
            }
        }
        let found = try await site.picture(of: "/post")
        #expect(found.imageSize != nil)
        #expect(found.candidates.count == 4)
    }

    @Test("a picture that is kept for the site's own pages is asked for as one of them")
    func referer() async throws {
        let seen = Mutex<[String]>([])
        let site = try Site { request in
            switch request.target {
            case "/post": return Site.html("<meta property='og:image' content='/p.png'>")
            case "/p.png":
                let referer = request.header("referer") ?? "none"
                seen.withLock { $0.append(String(referer.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })) }
                return referer.hasSuffix("/") ? Site.png() : LoopbackServer.Reply(403)
            default: return nil
            }
        }
        #expect(try await site.picture(of: "/post").imageSize != nil)
        #expect(seen.withLock { $0 } == ["/post", "", "/"])
    }

    @Test("oEmbed is asked where the page names it, and a refusal there harms nothing")
    func embed() async throws {
        let site = try Site { request in
            let link = { (target: String) in "<link rel=alternate type='application/json+oembed' href='\(target)'>" }
            return switch request.target {
            case "/film": Site.html(link("/oembed") + "<meta property='og:image' content='/og.png'>")
            case "/bad": Site.html(link("http://127.0.0.1:1/oembed") + "<meta property='og:image' content='/og.png'>")
            case "/oembed": LoopbackServer.Reply(200, body: Array(#"{"type":"video","thumbnail_url":"/t.png"}"#.utf8))
            case "/og.png", "/t.png": Site.png()
            default: nil
            }
        }
        #expect(try await site.picture(of: "/film").candidates.map(\.rule) == ["oembed thumbnail", "og:image"])
        #expect(try await site.picture(of: "/bad").candidates.map(\.rule) == ["og:image"])
    }

    @Test("meta refreshes and redirects are hops of one count")
    func hops() async throws {
        let site = try Site { request in
            let refresh = { (target: String) in "<meta http-equiv=refresh content='0; url=\(target)'>" }
            return switch request.target {
            case "/a": LoopbackServer.Reply(302, [("Location", "/b")])
            case "/b": LoopbackServer.Reply(302, [("Location", "/c")])
            case "/c": Site.html(refresh("/d"))
            case "/d": LoopbackServer.Reply(302, [("Location", "/e")])
            case "/e": Site.html(refresh("/end"))
            case "/end": Site.html("<meta property='og:image' content='/p.png'>")
            case "/start": LoopbackServer.Reply(302, [("Location", "/a")])
            case "/circle": Site.html(refresh("/circle?2"))
            case "/circle?2": Site.html(refresh("/circle"))
            case "/p.png": Site.png()
            default: nil
            }
        }
        #expect(try await site.picture(of: "/a").imageSize != nil)
        for path in ["/start", "/circle"] {
            let error = await #expect(throws: LinkError.self) { try await site.picture(of: path) }
            #expect(error?.code == .failed, "\(path)")
        }
    }

    @Test("no way leads inside: neither redirects, refreshes, pictures, oEmbed nor a base")
    func inside() async throws {
        let hidden = try LoopbackServer { _ in Site.png() }
        let port = hidden.port
        let site = try Site { request in
            switch request.target {
            case "/redirect": LoopbackServer.Reply(302, [("Location", "http://127.0.0.1:\(port)/")])
            case "/folded": LoopbackServer.Reply(302, [("Location", "http://①②⑦.⓪.⓪.①:\(port)/")])
            case "/refresh": Site.html("<meta http-equiv=refresh content='0;url=http://127.0.0.1:\(port)/'>")
            case "/picture":
                Site.html(
                    """
                    <meta property='og:image' content='http://127.0.0.1:\(port)/a.png'>
                    <meta name='twitter:image' content='http://localhost:\(port)/a.png'>
                    <link rel=image_src href='http://2130706433:\(port)/a.png'>
                    <meta itemprop=image content='http://[::ffff:127.0.0.1]:\(port)/a.png'>
                    <script type='application/ld+json'>{"image":"http://0x7f.1:\(port)/a.png"}</script>
                    """)
            case "/base": Site.html("<base href='http://127.1:\(port)/'><meta property='og:image' content='a.png'>")
            case "/embed":
                Site.html("<link rel=alternate type='application/json+oembed' href='http://127.0.0.1:\(port)/'>")
            case "/bounce": Site.html("<meta property='og:image' content='/redirect'>")
            default: nil
            }
        }
        for path in ["/redirect", "/folded", "/refresh"] {
            let error = await #expect(throws: LinkError.self) { try await site.picture(of: path) }
            #expect(error?.code == .refused, "\(path)")
        }
        for path in ["/picture", "/base", "/embed", "/bounce"] {
            #expect(try await site.picture(of: path).card != nil, "\(path)")
        }
        #expect(hidden.connections == 0)
    }

    @Test("a wall in front of the page becomes a card that says so and has none of its words")
    func wall() async throws {
        let site = try Site { request in
            switch request.target {
            case "/p/1": LoopbackServer.Reply(302, [("Location", "/accounts/login/?next=1")])
            default: Site.html("<meta property='og:image' content='/brand.png'>", "<input type=password>")
            }
        }
        let found = try await site.picture(of: "/p/1")
        #expect(found.card?.title == "")
        #expect(found.note?.contains("log-in page") == true)
        #expect(found.description == nil)
    }

    @Test("the card of a page does not show the key that its link carries")
    func signedPage() async throws {
        let site = try Site { $0.target.hasPrefix("/doc") ? Site.html("<title>Page</title>") : nil }
        let card = try #require(try await site.picture(of: "/doc?id=1&X-Amz-Signature=abc").card)
        #expect(card.title == "Page" && card.url.hasSuffix("/doc?id=1"))
    }

    @Test("a promised picture has to be one")
    func promised() async throws {
        let site = try Site { $0.target == "/p" ? Site.png() : $0.target == "/busy" ? .init(503) : Site.html("") }
        #expect(try await site.picture(of: "/p", isImage: true).imageSize != nil)
        let page = await #expect(throws: LinkError.self) { try await site.picture(of: "/page", isImage: true) }
        #expect(page?.code == .noPicture)
        let busy = await #expect(throws: LinkError.self) { try await site.picture(of: "/busy", isImage: true) }
        #expect(busy?.code == .failed)
    }
}
