import FoundationEssentials
import PinpostCore
import Testing

@Suite("Split plan")
struct SplitPlanTests {
    let trips = Board(id: BoardID(2), name: "Summer Trips", isPrivate: false)
    let home = Board(id: BoardID(1), name: "Home", isPrivate: false)

    private func tenant(_ change: (inout Tenant) -> Void = { _ in }) -> Tenant {
        var tenant = Tenant(
            id: Tenant.ID("ada"), slug: "ada", server: Server.ID("s"), board: home,
            createdAt: Date(timeIntervalSince1970: 0))
        change(&tenant)
        return tenant
    }

    private func plan(
        _ content: MessageContent, tenant: Tenant? = nil, defaults: EntranceDefaults = EntranceDefaults(),
        slug: String? = nil
    ) -> SplitPlan {
        var count = 0
        let circumstances = SplitPlan.Circumstances(
            tenant: tenant ?? self.tenant(), defaults: defaults, boardSlug: slug, boards: [home, trips])
        return SplitPlan(content, in: circumstances) {
            count += 1
            return Item.ID("item\(count)")
        }
    }

    private func content(_ wishes: Wishes = Wishes(), items: [FoundItem]) -> MessageContent {
        MessageContent(source: .hook, wishes: wishes, items: items)
    }

    private func image(_ name: String? = "a.jpg", _ wishes: Wishes = Wishes()) -> FoundItem {
        let bytes = StoredBytes(place: .inline([1, 2]), count: 2, sha256: [])
        return FoundItem(.image(FoundImage(name: name, type: .jpeg, bytes: bytes)), wishes: wishes)
    }

    private func link(_ url: String = "https://example.org:8080/a?b", _ wishes: Wishes = Wishes()) -> FoundItem {
        FoundItem(.link(FoundLink(url: url)), wishes: wishes)
    }

    @Test("what was said of the item goes before the message, and the message before the defaults")
    func precedence() throws {
        let defaults = EntranceDefaults(board: trips, tags: ["mail", "x"])
        let wishes = Wishes(description: "All", source: "https://s.example/", tags: ["x", "y"])
        let plan = plan(
            content(wishes, items: [image("a", Wishes(description: "One", tags: ["z"])), image("b")]),
            defaults: defaults)
        let drafts = plan.items.map(\.draft)
        #expect(drafts.map(\.description) == ["One", "All"])
        #expect(drafts[0].tags == ["mail", "x", "y", "z"])
        #expect(drafts.map(\.source) == ["https://s.example/", "https://s.example/"])
        #expect(drafts.map(\.destination) == [.board(BoardID(2)), .board(BoardID(2))])
        #expect(plan.items.map(\.sequence) == [0, 1])
        #expect(plan.note == nil)
    }

    @Test("without words a pin is named after its picture or its host, and a link is its own source")
    func nothingSaid() {
        let drafts = plan(content(items: [image(), image(nil), link()])).items.map(\.draft)
        #expect(drafts.map(\.description) == ["Image: a.jpg", "Image", "Link from example.org"])
        #expect(drafts.map(\.source) == [nil, nil, "https://example.org:8080/a?b"])
    }

    @Test(
        "a board is found by name in any case, by number, or by the slug of the address",
        arguments: [
            (wish: "summer trips", slug: nil), ("Summer Trips", nil), ("2", nil), (nil, "summer-trips"),
            (nil, "Summer-Trips"), ("Summer Trips", "home"),
        ] as [(wish: String?, slug: String?)])
    func boards(wish: String?, slug: String?) {
        let plan = plan(content(Wishes(board: wish), items: [link()]), slug: slug)
        #expect(plan.items.first?.draft.destination == .board(BoardID(2)))
        #expect(plan.note == nil)
    }

    @Test("an unknown board leads to the default board, and the note says so")
    func unknownBoard() throws {
        let plan = plan(content(Wishes(board: "Nowhere"), items: [link()]))
        #expect(plan.items.first?.draft.destination == .board(BoardID(1)))
        let note = try #require(plan.note)
        #expect(note.contains("Nowhere") && note.contains("Home"))
    }

    @Test("an unknown board is made where the tenant allows it")
    func newBoard() {
        let tenant = tenant { $0.preferences.createsBoards = true }
        let plan = plan(content(Wishes(board: "Nowhere"), items: [link()]), tenant: tenant)
        #expect(plan.items.first?.draft.destination == .newBoard(named: "Nowhere"))
    }

    @Test("an entrance that is private stays private whatever the message says")
    func privacy() {
        let loud = content(Wishes(isPrivate: false), items: [link()])
        #expect(plan(loud, defaults: EntranceDefaults(isPrivate: true)).items[0].draft.isPrivate)
        #expect(!plan(loud).items[0].draft.isPrivate)
        #expect(plan(content(Wishes(isPrivate: true), items: [link()])).items[0].draft.isPrivate)
    }

    @Test("what is over the limit is reported by name, not dropped")
    func limit() {
        let tenant = tenant { $0.preferences.itemsPerMessage = 2 }
        let plan = plan(content(items: [image(), link(), image("c.png"), link("https://d.example/")]), tenant: tenant)
        #expect(plan.items.count == 2)
        #expect(plan.skipped.map(\.name) == ["c.png", "https://d.example/"])
        #expect(plan.skipped.allSatisfy { $0.reason.contains("limit of 2") })
    }
}
