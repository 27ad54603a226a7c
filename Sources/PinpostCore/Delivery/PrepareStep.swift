/// `prepare`: from what came in to a picture that Pinry takes.
public struct PrepareStep: Sendable {
    private let converter: any PictureConverter
    private let links: any LinkPictures
    private let memory: any PinMemory
    private let files: any ProviderFiles
    private let discard: @Sendable (StoredBytes) async -> Void

    /// Makes the step; `discard` removes what was fetched once it is converted: no row ever names it.
    public init(
        converter: any PictureConverter, links: any LinkPictures, memory: any PinMemory,
        files: any ProviderFiles = NoProviderFiles(),
        discard: @escaping @Sendable (StoredBytes) async -> Void = { _ in }
    ) {
        self.files = files
        self.discard = discard
        self.converter = converter
        self.links = links
        self.memory = memory
    }

    public enum Outcome: Sendable, Hashable {
        case picture(StepFacts)
        /// The tenant has the page behind the link already.
        case alreadyPinned(PinID)
    }

    /// Performs the step; what is prepared has no more bytes than the options allow.
    public func perform(_ item: Item, _ options: ConversionOptions) async throws -> Outcome {
        switch item.kind {
        case .image(let bytes, _): return .picture(.prepared(try await convert(bytes, options)))
        case .media(let media):
            let fetched = try await files.file(media, of: item.tenant)
            return .picture(.prepared(try await convert(fetched: fetched, options)))
        case .link(let link):
            if let replacement = item.draft.replacement {
                let picture = try await links.picture(at: replacement.picture, from: link.url)
                return .picture(.prepared(try await convert(picture, options)))
            }
            if let pin = try await earlierPin(of: item, link) { return .alreadyPinned(pin) }
            return .picture(try await found(link, for: item, options))
        }
    }

    /// Attempts on a page before its card has to do: a site that is down for a minute still gives its picture.
    private static let pageAttempts = 3
    /// What a twin that came earlier is given to get done, in seconds.
    private static let twinPause = 5.0

    /// The pin that an earlier message made of the same page; a picture that is sent again is meant again.
    private func earlierPin(of item: Item, _ link: FoundLink) async throws -> PinID? {
        guard !link.isImage, item.draft.isAgain != true else { return nil }
        switch try await memory.earlierPin(ofPageIn: item) {
        case .pinned(let pin): return pin
        case .underway: throw StepFailure(.wait(Self.twinPause), "The same link is being pinned.")
        case nil: return nil
        }
    }

    private func found(
        _ link: FoundLink, for item: Item, _ options: ConversionOptions
    ) async throws -> StepFacts {
        let answer = try await answer(to: link, attempt: item.attempt)
        let (picture, note) = try await picture(answer.content, of: link, options)
        let draft = item.draft.completed(by: answer, of: link)
        return .found(
            picture, PageNotes(draft: draft, candidates: answer.candidates, note: note ?? answer.note))
    }

    private func answer(to link: FoundLink, attempt: Int) async throws -> LinkPicture {
        do throws(LinkError) {
            let answer = try await links.picture(of: link)
            if let obstacle = answer.obstacle, attempt < Self.pageAttempts { throw obstacle }
            return answer
        } catch {
            guard error.code == .failed, !link.isImage, attempt >= Self.pageAttempts else { throw error }
            return LinkPicture(.card(CardText(link: link.url)), note: "Pinned as a card: \(error.detail)")
        }
    }

    /// A page that turns out to be a picture we cannot take is still worth a pin; the note says why.
    private func picture(
        _ content: LinkPicture.Content, of link: FoundLink, _ options: ConversionOptions
    ) async throws -> (picture: PreparedPicture, note: String?) {
        do {
            return (try await convert(content, options), nil)
        } catch let error as MediaError where !error.isTransient && !link.isImage {
            let card = try await converter.card(CardText(link: link.url))
            return (PreparedPicture(card), "Pinned as a card: \(error.description)")
        }
    }

    private func convert(
        _ content: LinkPicture.Content, _ options: ConversionOptions
    ) async throws -> PreparedPicture {
        switch content {
        case .image(let bytes): try await convert(fetched: bytes, options)
        case .card(let text): PreparedPicture(try await converter.card(text))
        }
    }

    private func convert(
        fetched bytes: StoredBytes, _ options: ConversionOptions
    ) async throws -> PreparedPicture {
        do {
            let picture = try await convert(bytes, options)
            if picture.bytes.place != bytes.place { await discard(bytes) }
            return picture
        } catch {
            await discard(bytes)
            throw error
        }
    }

    /// A picture that stayed too large would be refused, prepared and refused for ever.
    private func convert(
        _ bytes: StoredBytes, _ options: ConversionOptions
    ) async throws(MediaError) -> PreparedPicture {
        let picture = PreparedPicture(try await converter.convert(bytes, options))
        guard picture.bytes.count <= options.maximumBytes ?? .max else {
            throw MediaError(.overLimit, PinryError(.imageTooLarge).description)
        }
        return picture
    }
}

extension PinDraft {
    /// The page speaks where the sender did not.
    func completed(by page: LinkPicture, of link: FoundLink) -> PinDraft {
        var draft = self
        // A page may greet its reader by the address under which it knows him.
        if description == DefaultDescription.ofLink(link.url),
            let words = page.description.flatMap(Private.cleaned(text:))
        {
            draft.description = words
            draft.isDescribedByPage = true
        }
        if source == SignedLink.published(link.url), let canonical = page.canonical.flatMap(SignedLink.published) {
            draft.source = canonical
        }
        return draft
    }
}

extension PreparedPicture {
    init(_ picture: ConvertedPicture) { self.init(bytes: picture.bytes, type: picture.shape.type) }
}

extension CardText {
    /// What is known from the link alone.
    public init(link: String) {
        let host = HostName.shown(DefaultDescription.host(of: link))
        self.init(domain: host, title: "", url: SignedLink.published(link) ?? host)
    }
}
