import CurlKit
import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@testable import PinryClient

/// What the client needs of every Pinry; the same for the double and for a live one.
@Suite("Pinry contract", .timeLimit(.minutes(10)))
struct PinryContractTests {
    private func client() throws -> RemotePinry { RemotePinry(try HTTPClient()) }
    private static func unique() -> Int { Int.random(in: 1..<(1 << 24)) }
    private let pin = Pin(
        description: " A photo — ünï 📷\0 ", source: "https://example.org/page", tags: ["mail", " inbox ", "mail", ""],
        isPrivate: false)

    @Test("a picture becomes a pin with its words, and is found again by its image", arguments: PinryBackend.available)
    func wholeWay(_ backend: PinryBackend) async throws {
        let pinry = try client()
        let floor = try await pinry.newestPin(as: backend.account)
        let image = try await pinry.upload(
            TestPicture.prepared(seed: Self.unique()), named: "contract-0", as: backend.account)
        #expect(image.thumbnail?.hasPrefix("/media/") == true)
        #expect(try await pinry.findPin(on: image.id, downTo: floor, as: backend.account) == nil)
        let id = try await pinry.createPin(pin, on: image.id, as: backend.account)
        #expect(id > floor)
        #expect(try await pinry.findPin(on: image.id, downTo: floor, as: backend.account) == id)
        #expect(try await pinry.newestPin(as: backend.account) >= id)
        let listed = try await pinry.pins(of: nil, limit: 20, as: backend.account)
        let made = try #require(listed.first { $0.id == id })
        #expect(made.image == image.id && made.description == "A photo — ünï 📷")
        #expect(made.source == "https://example.org/page" && Set(made.tags) == ["mail", "inbox"] && !made.isPrivate)
    }

    @Test("pins get onto an own board, again and again without harm", arguments: PinryBackend.available)
    func boards(_ backend: PinryBackend) async throws {
        let pinry = try client()
        let name = "Contract \(Self.unique())"
        let board = try await pinry.createBoard(named: name, isPrivate: true, as: backend.account)
        #expect(try await pinry.createBoard(named: name, isPrivate: true, as: backend.account) == board)
        #expect(try await pinry.boards(as: backend.account).contains(board))
        var pins: [PinID] = []
        for _ in 0..<3 {
            let image = try await pinry.upload(
                TestPicture.prepared(seed: Self.unique()), named: "contract-1", as: backend.account)
            pins.append(try await pinry.createPin(pin, on: image.id, as: backend.account))
        }
        for _ in 0..<2 { try await pinry.add(pins, to: board.id, as: backend.account) }
        let listed = try await pinry.pins(of: board.id, limit: 10, as: backend.account)
        #expect(listed.map(\.id) == pins.sorted(by: >))
    }

    @Test("what is not ours, or not there, is refused by name", arguments: PinryBackend.available)
    func refusals(_ backend: PinryBackend) async throws {
        let pinry = try client()
        let image = try await pinry.upload(
            TestPicture.prepared(seed: Self.unique()), named: "contract-2", as: backend.account)
        let id = try await pinry.createPin(pin, on: image.id, as: backend.account)
        let foreign = try await pinry.createBoard(named: "Other \(Self.unique())", isPrivate: false, as: backend.other)
        let hidden = try await pinry.createBoard(named: "Hidden \(Self.unique())", isPrivate: true, as: backend.other)
        await expect(.boardForeign) { try await pinry.add([id], to: foreign.id, as: backend.account) }
        await expect(.boardMissing) { try await pinry.add([id], to: hidden.id, as: backend.account) }
        await expect(.imageGone) { _ = try await pinry.createPin(pin, on: ImageID(99_999_999), as: backend.account) }
        let wrong = PinryBackend.account(backend.account.server.baseURL, nil, "0000")
        await expect(.tokenRejected) {
            _ = try await pinry.upload(TestPicture.prepared(seed: 1), named: "x", as: wrong)
        }
        let none = PinryBackend.account(backend.account.server.baseURL, nil, nil)
        await expect(.tokenMissing) { _ = try await pinry.upload(TestPicture.prepared(seed: 1), named: "x", as: none) }
        let text = PreparedPicture(
            bytes: StoredBytes(place: .inline(Array("no picture".utf8)), count: 10, sha256: []), type: .jpeg)
        await expect(.imageRejected) { _ = try await pinry.upload(text, named: "x", as: backend.account) }
        let own = try await pinry.createBoard(named: "Own \(Self.unique())", isPrivate: false, as: backend.account)
        await expect(.pinRejected) { try await pinry.add([PinID(99_999_999)], to: own.id, as: backend.account) }
    }

    @Test("odd words do not stop a pin", arguments: PinryBackend.available)
    func oddWords(_ backend: PinryBackend) async throws {
        let pinry = try client()
        let odd = Pin(
            description: String(repeating: "long ", count: 20_000), source: "javascript:alert(1)",
            tags: [String(repeating: "é", count: 300), "a\0b", "📷", "a,b", "\0"], isPrivate: true)
        let image = try await pinry.upload(
            TestPicture.prepared(seed: Self.unique()), named: "Foto 📷 ä/../x", as: backend.account)
        let id = try await pinry.createPin(odd, on: image.id, as: backend.account)
        let made = try await pinry.pins(of: nil, limit: 10, as: backend.account).first { $0.id == id }
        #expect(made?.source == nil && made?.isPrivate == true)
        #expect(made?.tags.map(\.count).max() == 100 && made?.tags.contains("ab") == true && made?.tags.count == 4)
        let seenByOther = try await pinry.findPin(on: image.id, downTo: PinID(id.rawValue - 1), as: backend.other)
        #expect(seenByOther == nil)
    }

    @Test("the diagnosis names who we are and what is there", arguments: PinryBackend.available)
    func diagnosis(_ backend: PinryBackend) async throws {
        let pinry = try client()
        let name = "Diagnosed \(Self.unique())"
        let board = try await pinry.createBoard(named: name, isPrivate: true, as: backend.account)
        let found = try await pinry.diagnose(backend.account, board: .name(name.lowercased()))
        #expect(found.username?.isEmpty == false && found.board == board && found.boards.contains(board))
        #expect(found.warnings.contains { $0.contains("private") })
        await expect(.boardForeign) {
            _ = try await pinry.diagnose(backend.other, board: .id(self.publicBoard(backend)))
        }
        await expect(.boardMissing) {
            _ = try await pinry.diagnose(backend.account, board: .name("no such board at all"))
        }
        await expect(.boardMissing) { _ = try await pinry.diagnose(backend.account, board: .id(BoardID(99_999_999))) }
    }

    private func publicBoard(_ backend: PinryBackend) async throws -> BoardID {
        try await client().createBoard(named: "Public \(Self.unique())", isPrivate: false, as: backend.account).id
    }
}

/// Expects that error code of the client.
func expect(
    _ code: PinryError.Code, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    let error = await #expect(throws: PinryError.self, comment, sourceLocation: sourceLocation) { try await body() }
    #expect(error?.code == code, comment, sourceLocation: sourceLocation)
}
