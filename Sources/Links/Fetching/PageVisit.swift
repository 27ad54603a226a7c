import PinpostCore

/// Goes to a page: through redirects and meta refreshes, then asks the site for its oEmbed answer.
///
/// All of it together takes at most five hops, each judged by the HTTP client like the link itself.
struct PageVisit {
    let requests: LinkRequests
    let reader: any PageReader

    enum Result {
        case picture(HTTPResponse)
        /// The last is why the site's oEmbed answer is missing and may be there later.
        case page(PageFindings, at: String, silence: LinkError?)
        /// No page to be read: an error page, a document, a video.
        case nothing(reason: String)
    }

    func go(to link: String) async throws(LinkError) -> Result {
        var hops = HTTPRequest.mostRedirects
        var url = link
        while true {
            let answer = try await requests.page(url, redirects: hops)
            hops -= answer.redirects
            if answer.isPicture { return .picture(answer) }
            if answer.mayPass { throw LinkError(.failed, "the site answered \(answer.status)") }
            guard answer.isSuccess else { return .nothing(reason: "the site answered \(answer.status)") }
            guard let outline = try await outline(of: answer) else {
                return .nothing(reason: "the link leads to neither a page nor a picture")
            }
            let findings = try PageFindings(outline, at: answer.url, asked: link)
            guard let target = findings.refreshTarget else {
                return try await embedded(findings, outline, at: answer.url, link, hops)
            }
            hops -= 1
            guard hops >= 0 else { throw LinkError(.failed, "the page leads in circles") }
            url = target
        }
    }

    /// The findings with the site's own answer, where it gives one.
    private func embedded(
        _ findings: PageFindings, _ outline: PageOutline, at url: String, _ link: String, _ hops: Int
    ) async throws(LinkError) -> Result {
        func alone(_ silence: LinkError? = nil) -> Result { .page(findings, at: url, silence: silence) }
        guard findings.hindrance == nil, let address = findings.embedAddress, hops > 0 else { return alone() }
        let answer: HTTPResponse
        do throws(LinkError) {
            answer = try await requests.embed(address, redirects: hops - 1)
        } catch {
            // Whatever goes wrong here, a page with a picture is good enough.
            return alone(error.mayPass ? error : nil)
        }
        if answer.mayPass { return alone(LinkError(.failed, "the site answered \(answer.status)")) }
        guard answer.isSuccess else { return alone() }
        return .page(
            try PageFindings(outline, at: url, asked: link, embed: String(decoding: answer.body, as: UTF8.self)),
            at: url, silence: nil)
    }

    private func outline(of answer: HTTPResponse) async throws(LinkError) -> PageOutline? {
        guard Self.looksLikePage(answer) else { return nil }
        do {
            return try await reader.outline(
                of: PageText.decode(answer.body, contentType: answer.header("content-type")))
        } catch {
            if error.isTransient { throw LinkError(.unavailable, error.description) }
            return nil
        }
    }

    /// By the bytes: markup begins with `<` somewhere near the start; what holds NULs and no mark is no text.
    private static func looksLikePage(_ answer: HTTPResponse) -> Bool {
        let head = answer.body.prefix(1_024)
        return head.contains(UInt8(ascii: "<")) && !head.starts(with: "%PDF-".utf8) && !head.starts(with: "PK".utf8)
    }
}
