import CurlKit
import FoundationEssentials
import Links
import PinpostCore
import PinpostTesting
import Testing

/// A site on loopback that the guard lets through, and a fetcher that visits it.
struct Site {
    let server: LoopbackServer
    let links: FetchedLinks

    /// Starts a site; `pages` says what each target answers, and anything else is a 404.
    init(
        within limit: Duration = .seconds(50),
        _ pages: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Reply?
    ) throws {
        server = try LoopbackServer { pages($0) ?? LoopbackServer.Reply(404) }
        var settings = HTTPClient.Settings()
        settings.exceptions = Set([AddressPolicy.Exception("127.0.0.1:\(server.port)")].compactMap(\.self))
        links = FetchedLinks(
            http: PoliteExchange(try HTTPClient(settings)), reader: PageDesk.reader, blobs: MemoryBlobs(),
            pool: BlockingPool(width: 1), timeLimit: limit)
    }

    func picture(of path: String, isImage: Bool = false) async throws -> LinkPicture {
        try await links.picture(of: FoundLink(url: server.url + path, isImage: isImage))
    }

    static func html(_ head: String, _ body: String = "") -> LoopbackServer.Reply {
        LoopbackServer.Reply(
            200, [("Content-Type", "text/html")],
            body: Array("<html><head><title>Page</title>\(head)</head><body>\(body)</body></html>".utf8))
    }

    /// A PNG header of that size: enough for whoever only looks.
    static func png(_ width: Int = 640, _ height: Int = 480) -> LoopbackServer.Reply {
        func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        return LoopbackServer.Reply(
            200, [("Content-Type", "text/plain")], body: head + big(width) + big(height) + [8, 6, 0, 0, 0])
    }
}

extension LinkPicture {
    var imageSize: Int? {
        if case .image(let bytes) = content { bytes.count } else { nil }
    }

    var card: CardText? {
        if case .card(let text) = content { text } else { nil }
    }
}
