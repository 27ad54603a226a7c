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

    /// The first picture that can be had; nil where there is none.
    func first(of candidates: [OfferedPicture]) async throws(LinkError) -> [UInt8]? {
        for candidate in candidates.prefix(Self.mostCandidates) where !requests.isLate {
            let larger = WebAddress(candidate.url).flatMap(KnownHosts.larger)
            for url in [larger, candidate.url].compactMap(\.self) {
                if let bytes = try await picture(at: url) { return bytes }
            }
        }
        return nil
    }

    /// The bytes behind an address; nil where there is no good picture.
    func picture(at url: String) async throws(LinkError) -> [UInt8]? {
        let own = WebAddress(url).map { $0.origin + "/" }
        for referer in [page, nil, own] {
            let answer: HTTPResponse
            do throws(LinkError) {
                answer = try await requests.picture(url, from: referer)
            } catch {
                // Our own faults and the end of patience end the search; a bad address only ends this attempt.
                if error.code == .unavailable || error.code == .busy { throw error }
                return nil
            }
            if answer.isPicture { return isGood(answer) ? answer.body : nil }
            guard Self.isProtected(answer) else { return nil }
        }
        return nil
    }

    /// A site that shows its pictures on some pages only refuses, or sends a page instead.
    private static func isProtected(_ answer: HTTPResponse) -> Bool {
        answer.isSuccess || [401, 403, 406, 412, 418].contains(answer.status)
    }

    private func isGood(_ answer: HTTPResponse) -> Bool {
        guard let size = PictureHeader.size(of: answer.body) else { return true }
        if let address = WebAddress(answer.url),
            KnownHosts.isMissing(address, width: size.width, height: size.height)
        {
            return false
        }
        return size.width >= Self.smallest && size.height >= Self.smallest
    }
}
