import PinpostCore

/// Tries the pictures that a page offers until one is good.
struct PictureSearch {
    let requests: LinkRequests
    /// Sent as `Referer`: most sites let their own pages load their pictures.
    let page: String

    /// More attempts than these annoy the site.
    private static let mostCandidates = 5
    /// Smaller ones are icons, in pixels, either side.
    private static let smallest = 64

    enum Result {
        case found([UInt8])
        /// In words for the person who asked for that picture; nil where no address was tried.
        case nothing(because: String?)
        /// It may well be there, but its site does not answer at the moment.
        case notNow(LinkError)
    }

    /// The first picture that can be had.
    func first(of candidates: [OfferedPicture]) async throws(LinkError) -> Result {
        let urls = candidates.prefix(Self.mostCandidates).flatMap { candidate in
            [WebAddress(candidate.url).flatMap(KnownHosts.larger), candidate.url].compactMap(\.self)
        }
        return try await first(at: urls)
    }

    func first(at urls: [String]) async throws(LinkError) -> Result {
        var obstacle: LinkError?
        var reason: String?
        for url in urls {
            switch try await picture(at: url) {
            case .found(let bytes): return .found(bytes)
            case .nothing(let because): reason = reason ?? because
            case .notNow(let error): obstacle = obstacle ?? error
            }
        }
        return obstacle.map { .notNow($0) } ?? .nothing(because: reason)
    }

    /// The bytes behind an address.
    func picture(at url: String) async throws(LinkError) -> Result {
        let own = WebAddress(url).map { $0.origin + "/" }
        var refusal: String?
        for referer in [page, nil, own] {
            let answer: HTTPResponse
            do throws(LinkError) {
                answer = try await requests.picture(url, from: referer)
            } catch {
                switch error.code {
                // Our own faults and the end of patience end the search.
                case .unavailable, .busy: throw error
                case .failed: return .notNow(error)
                case .refused, .noPicture, .tooLarge: return .nothing(because: error.detail)
                }
            }
            if answer.isPicture {
                return flaw(of: answer).map { .nothing(because: $0) } ?? .found(answer.body)
            }
            if answer.mayPass { return .notNow(LinkError(.failed, "the picture's site answered \(answer.status)")) }
            refusal =
                answer.isSuccess ? "the address leads to no picture" : "the picture's site answered \(answer.status)"
            guard Self.isProtected(answer) else { break }
        }
        return .nothing(because: refusal)
    }

    /// A site that shows its pictures on some pages only refuses, or sends a page instead.
    private static func isProtected(_ answer: HTTPResponse) -> Bool {
        answer.isSuccess || [401, 403, 406, 412, 418].contains(answer.status)
    }

    /// Why a picture is no good; nil where it is.
    private func flaw(of answer: HTTPResponse) -> String? {
        guard let size = PictureHeader.size(of: answer.body) else { return nil }
        if let address = WebAddress(answer.url),
            KnownHosts.isMissing(address, width: size.width, height: size.height)
        {
            return "the site has no picture in that size"
        }
        if size.width >= Self.smallest, size.height >= Self.smallest { return nil }
        return "the picture has only \(size.width) × \(size.height) pixels, and less than \(Self.smallest) × "
            + "\(Self.smallest) is an icon"
    }
}
