import FoundationEssentials
import PinpostCore
import Testing

@Suite("Preparing items")
struct PrepareStepTests {
    private static let url = "https://a.example/page"

    private struct Converter: PictureConverter {
        func convert(
            _ picture: StoredBytes, _ options: ConversionOptions
        ) async throws(MediaError) -> ConvertedPicture {
            if picture.count == 0 { throw MediaError(.damaged, "It is broken.") }
            return Self.made(.jpeg)
        }

        func card(_: CardText) async throws(MediaError) -> ConvertedPicture { Self.made(.png) }

        private static func made(_ type: PictureType) -> ConvertedPicture {
            ConvertedPicture(
                bytes: StoredBytes(place: .inline([1]), count: 1, sha256: []),
                shape: .init(type: type, width: 1, height: 1), original: nil, actions: [])
        }
    }

    private struct Pages: LinkPictures {
        var answer: Result<LinkPicture, LinkError>
        func picture(of _: FoundLink) async throws(LinkError) -> LinkPicture { try answer.get() }

        func picture(at _: String, from _: String) async throws(LinkError) -> StoredBytes {
            guard case .image(let bytes) = try answer.get().content else { throw LinkError(.noPicture, "none") }
            return bytes
        }
    }

    private struct Memory: PinMemory {
        var earlier: EarlierPin?
        func earlierPin(ofPageIn _: Item) async throws(StoreError) -> EarlierPin? { earlier }
        func forget(_: PinID, ofPageIn _: Item) async throws(StoreError) {}
    }

    private func item(_ draft: PinDraft? = nil, isImage: Bool = false, attempt: Int = 1) -> Item {
        let standard = PinDraft(description: DefaultDescription.ofLink(Self.url), source: Self.url)
        return Item(
            id: .init("i"), tenant: .init("t"), server: .init("s"), message: .init("m"), sequence: 0,
            kind: .link(FoundLink(url: Self.url, isImage: isImage)), draft: draft ?? standard, step: .prepare,
            state: .running, attempt: attempt, ambiguousUntil: nil, facts: .init(), reason: nil,
            queuedAt: Date(timeIntervalSince1970: 0))
    }

    private func step(_ answer: Result<LinkPicture, LinkError>, earlier: EarlierPin? = nil) -> PrepareStep {
        PrepareStep(converter: Converter(), links: Pages(answer: answer), memory: Memory(earlier: earlier))
    }

    private static func image(_ count: Int = 1, _ words: String? = nil) -> LinkPicture {
        let bytes = StoredBytes(place: .inline([UInt8](repeating: 1, count: count)), count: count, sha256: [])
        return LinkPicture(.image(bytes), description: words)
    }

    private func notes(_ outcome: PrepareStep.Outcome) throws -> (PreparedPicture, PageNotes) {
        guard case .picture(.found(let picture, let notes)) = outcome else {
            throw StepFailure(.park, "no notes: \(outcome)")
        }
        return (picture, notes)
    }

    @Test("the page describes the pin only where the sender wrote nothing")
    func words() async throws {
        let step = step(.success(Self.image(1, "Its title")))
        let completed = try notes(try await step.perform(item())).1.draft
        #expect(completed.description == "Its title" && completed.isDescribedByPage == true)
        let own = PinDraft(description: "Mine", source: Self.url)
        #expect(try notes(try await step.perform(item(own))).1.draft == own)
    }

    @Test("the original of a copy for phones becomes the source, unless the sender named another")
    func canonical() async throws {
        var page = Self.image()
        page.canonical = "https://a.example/original"
        let step = step(.success(page))
        #expect(try notes(try await step.perform(item())).1.draft.source == "https://a.example/original")
        let own = PinDraft(description: "", source: "https://b.example/")
        #expect(try notes(try await step.perform(item(own))).1.draft.source == "https://b.example/")
    }

    @Test("a page that is pinned already is not fetched again, but for `again` and for pictures")
    func alreadyPinned() async throws {
        let step = step(.success(Self.image()), earlier: .pinned(PinID(7)))
        #expect(try await step.perform(item()) == .alreadyPinned(PinID(7)))
        let again = PinDraft(description: "", source: Self.url, isAgain: true)
        _ = try notes(try await step.perform(item(again)))
        _ = try notes(try await step.perform(item(isImage: true)))
        await #expect(throws: StepFailure.self) {
            try await self.step(.success(Self.image()), earlier: .underway).perform(item())
        }
    }

    @Test("a site that is down gets three attempts, then its card says why")
    func cards() async throws {
        let step = step(.failure(LinkError(.failed, "the site answered 503")))
        await #expect(throws: LinkError.self) { try await step.perform(item(attempt: 2)) }
        let (picture, notes) = try notes(try await step.perform(item(attempt: 3)))
        #expect(picture.type == .png)
        #expect(notes.note == "Pinned as a card: the site answered 503")
        await #expect(throws: LinkError.self) { try await step.perform(item(isImage: true, attempt: 3)) }
    }

    @Test("a picture that stays too large for its server makes a page a card, and a promised picture an error")
    func tooLarge() async throws {
        let (step, options) = (step(.success(Self.image())), ConversionOptions(maximumBytes: 0))
        let (picture, notes) = try notes(try await step.perform(item(), options))
        #expect(picture.type == .png && notes.note?.contains("client_max_body_size") == true)
        let error = await #expect(throws: MediaError.self) { try await step.perform(item(isImage: true), options) }
        #expect(error?.code == .overLimit)
    }

    @Test("a card that only an obstacle makes waits for the last of the attempts, and keeps the page's words")
    func obstacle() async throws {
        var page = LinkPicture(.card(CardText(link: Self.url)), description: "Its title", note: "Pinned as a card: so")
        page.obstacle = LinkError(.failed, "the picture's site answered 503")
        let step = step(.success(page))
        for attempt in 1...2 {
            let error = await #expect(throws: LinkError.self) { try await step.perform(item(attempt: attempt)) }
            #expect(error?.detail == "the picture's site answered 503")
        }
        let (picture, notes) = try notes(try await step.perform(item(attempt: 3)))
        #expect(picture.type == .png)
        #expect(notes.draft.description == "Its title" && notes.note == "Pinned as a card: so")
    }

    @Test("a picture that cannot be taken makes a page a card, and a promised picture an error")
    func damaged() async throws {
        let step = step(.success(Self.image(0)))
        let (picture, notes) = try notes(try await step.perform(item()))
        #expect(picture.type == .png)
        #expect(notes.note?.hasPrefix("Pinned as a card: ") == true)
        await #expect(throws: MediaError.self) { try await step.perform(item(isImage: true)) }
    }
}

extension PrepareStep {
    /// For a server that takes what others take.
    fileprivate func perform(_ item: Item) async throws -> Outcome { try await perform(item, ConversionOptions()) }
}
