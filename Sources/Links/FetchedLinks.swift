public import PinpostCore

/// Fetches what a link leads to: the picture that stands for it, or the words for a card.
public struct FetchedLinks: LinkPictures {
    private let http: any HTTPExchange
    private let reader: any PageReader
    private let blobs: any BlobStore
    private let pool: BlockingPool
    private let limit: Int
    private let timeLimit: Duration

    /// Makes a fetcher that takes pictures up to `limit` bytes and `timeLimit` for everything that one link causes;
    /// `pool` is where it may block on the disk.
    public init(
        http: any HTTPExchange, reader: any PageReader, blobs: any BlobStore, pool: BlockingPool,
        limit: Int = 25 << 20, timeLimit: Duration = .seconds(20)
    ) {
        self.timeLimit = timeLimit
        self.http = http
        self.reader = reader
        self.blobs = blobs
        self.pool = pool
        self.limit = limit
    }

    public func picture(of link: FoundLink) async throws(LinkError) -> LinkPicture {
        let requests = LinkRequests(http, pictureLimit: limit, within: timeLimit)
        if link.isImage { return try await promised(link, requests) }
        let direct = try await direct(link, requests)
        if case .found(let bytes) = direct { return LinkPicture(.image(try await store(bytes))) }
        do throws(LinkError) {
            var picture = try await page(link, requests)
            if case .notNow(let error) = direct, case .card = picture.content { picture.obstacle = error }
            return picture
        } catch {
            // A document or a film too large to look into; trying again would not make it smaller.
            guard error.code == .tooLarge else { throw error }
            return LinkPicture(.card(CardText(link: link.url)), note: "Pinned as a card: \(error.detail)")
        }
    }

    public func picture(at address: String, from page: String) async throws(LinkError) -> StoredBytes {
        let requests = LinkRequests(http, pictureLimit: limit, within: timeLimit)
        switch try await PictureSearch(requests: requests, page: page).picture(at: address) {
        case .found(let bytes): return try await store(bytes)
        case .notNow(let error): throw error
        case .nothing(let reason): throw LinkError(.noPicture, reason ?? "there is no picture at that address")
        }
    }

    /// The sender said that it is a picture.
    private func promised(_ link: FoundLink, _ requests: LinkRequests) async throws(LinkError) -> LinkPicture {
        let answer = try await requests.picture(link.url, from: nil)
        if answer.mayPass { throw LinkError(.failed, "the site answered \(answer.status)") }
        guard answer.isPicture else {
            throw LinkError(
                .noPicture,
                answer.isSuccess
                    ? "the link does not lead to a picture" : "the picture's site answered \(answer.status)")
        }
        return LinkPicture(.image(try await store(answer.body)))
    }

    /// A link whose address alone tells where the picture is.
    private func direct(_ link: FoundLink, _ requests: LinkRequests) async throws(LinkError) -> PictureSearch.Result {
        guard let address = WebAddress(link.url) else { return .nothing(because: nil) }
        return try await PictureSearch(requests: requests, page: link.url)
            .first(at: KnownHosts.pictures(behind: address))
    }

    private func page(_ link: FoundLink, _ requests: LinkRequests) async throws(LinkError) -> LinkPicture {
        switch try await PageVisit(requests: requests, reader: reader).go(to: link.url) {
        case .picture(let answer): return LinkPicture(.image(try await store(answer.body)))
        case .nothing(let reason):
            return LinkPicture(.card(CardText(link: link.url)), note: "Pinned as a card: \(reason)")
        case .page(let findings, let url, let silence):
            // Consent pages stand in front of films, whose pictures are known all the same.
            let candidates = (WebAddress(link.url).map(KnownHosts.frames) ?? []) + findings.candidates
            switch try await PictureSearch(requests: requests, page: url).first(of: candidates) {
            case .found(let bytes):
                return LinkPicture(
                    .image(try await store(bytes)), description: findings.pinDescription,
                    canonical: findings.canonical, candidates: candidates)
            case .nothing(let reason):
                let card = findings.card(at: url, for: link, obstacle: silence, because: reason)
                return await adorned(card, with: findings.icons, of: url, requests)
            case .notNow(let error):
                let card = findings.card(at: url, for: link, obstacle: error)
                return await adorned(card, with: findings.icons, of: url, requests)
            }
        }
    }

    /// A card with the site's icon, where that is to be had in a short time.
    private func adorned(
        _ picture: LinkPicture, with icons: [String], of page: String, _ requests: LinkRequests
    ) async -> LinkPicture {
        guard case .card(var text) = picture.content else { return picture }
        text.icon = await IconSearch(requests: requests.hurried(), page: page).icon(at: icons)
        var adorned = picture
        adorned.content = .card(text)
        return adorned
    }

    private func store(_ bytes: [UInt8]) async throws(LinkError) -> StoredBytes {
        do {
            return try await pool.run { [blobs] () throws(StoreError) in try blobs.store(bytes) }
        } catch {
            throw LinkError(.unavailable, error.description)
        }
    }
}

extension PageFindings {
    /// Pinry's own form takes no more characters of a description.
    private static let longestExcerpt = 400

    /// The title, and below it what the page says of itself.
    var pinDescription: String? {
        guard let title, hindrance == nil else { return nil }
        guard let description, description != title, !description.hasPrefix(title) else { return title }
        let excerpt =
            description.count <= Self.longestExcerpt
            ? description : description.prefix(Self.longestExcerpt - 1) + "…"
        return "\(title)\n\n\(excerpt)"
    }

    /// What stands for a page without a picture; a page that is not the one that was meant has no words either.
    func card(at url: String, for link: FoundLink, obstacle: LinkError?, because reason: String? = nil) -> LinkPicture {
        let host = WebAddress(url).map { HostName.shown($0.host) } ?? url
        if let hindrance {
            return LinkPicture(
                .card(CardText(link: link.url)), note: "Pinned as a card: the page is \(hindrance)",
                obstacle: obstacle)
        }
        let text = CardText(
            domain: host, title: title ?? "", url: SignedLink.published(url) ?? host, site: site ?? "")
        return LinkPicture(
            .card(text), description: pinDescription, canonical: canonical, candidates: candidates,
            note: "Pinned as a card: "
                + (candidates.isEmpty
                    ? "the page has no picture"
                    : "no picture of the page could be used\(reason.map { ": " + $0 } ?? "")"),
            obstacle: obstacle)
    }
}
