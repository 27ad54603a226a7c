import Links
import PinpostCore
import PinpostTesting
import Testing

@Suite("Icons for cards", .timeLimit(.minutes(10)))
struct IconTests {
    private static let links = """
        <link rel="icon" href="/tab.svg"><link rel="shortcut icon" sizes="16x16 48x48" href="/tab.png">
        <link rel="apple-touch-icon" sizes="120x120" href="/small.png">
        <link rel="apple-touch-icon" sizes="180x180" href="/large.png"><link rel="mask-icon" href="/mask.png">
        """

    private func icon(
        _ head: String = links, _ answers: @escaping @Sendable (String) -> LoopbackServer.Reply?
    ) async throws -> [UInt8] {
        let site = try Site { $0.target == "/page" ? Site.html(head) : answers($0.target) }
        return try #require(try await site.picture(of: "/page").card).icon
    }

    /// The body of a PNG of that size.
    private static func png(_ side: Int) -> [UInt8] { Array(Site.png(side, side).bytes.suffix(29)) }

    @Test("the largest icon for home screens comes first, then the next, and /favicon.ico last")
    func order() async throws {
        #expect(try await icon { _ in Site.png(90, 90) } == Self.png(90))
        for (name, side) in [("/large.png", 180), ("/small.png", 120), ("/favicon.ico", 64)] {
            #expect(try await icon { $0 == name ? Site.png(side, side) : nil } == Self.png(side), "\(name)")
        }
        #expect(try await icon("") { $0 == "/favicon.ico" ? Site.png(32, 32) : nil } == Self.png(32))
    }

    @Test("what is small, gigantic, no picture, or leads inside is left out, and the card is made all the same")
    func none() async throws {
        let answers: [LoopbackServer.Reply] = [
            Site.png(31, 31), Site.png(2_000, 2_000), Site.html("<svg/>"), .init(503), .init(bytes: [], then: .reset),
            .init(302, [("Location", "http://10.0.0.1/icon.png")]), .init(200, body: [0, 0, 1, 0, 9, 9]),
            .init(200, body: [0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: 0, count: 1 << 20)),
        ]
        for answer in answers { #expect(try await icon { _ in answer }.isEmpty) }
    }

    @Test("the largest bitmap of an ICO file is taken out of it")
    func directory() async throws {
        let bitmap = [UInt8](repeating: 7, count: 40)
        let place = UInt8(6 + 32)
        let file: [UInt8] =
            [0, 0, 1, 0, 2, 0] + [16, 16, 0, 0, 1, 0, 32, 0, 4, 0, 0, 0, place, 0, 0, 0]
            + [48, 48, 0, 0, 1, 0, 32, 0, 36, 0, 0, 0, place + 4, 0, 0, 0] + bitmap
        #expect(try await icon { _ in .init(200, body: file) } == [UInt8](bitmap.suffix(36)))
    }

    @Test("a page with a picture of its own asks for no icon, and a wall has none")
    func unasked() async throws {
        let site = try Site { request in
            switch request.target {
            case "/page": Site.html(Self.links + "<meta property='og:image' content='/p.png'>")
            case "/wall": Site.html("<title>Just a moment...</title>" + Self.links)
            case "/p.png": Site.png()
            default: .init(500)
            }
        }
        #expect(try await site.picture(of: "/page").imageSize != nil)
        #expect(try await site.picture(of: "/page").obstacle == nil)
        let wall = try await site.picture(of: "/wall")
        #expect(wall.card?.icon.isEmpty == true)
    }
}
