import CurlKit
import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@testable import PinryClient

/// Every way in which a call can fail, before and after the server stored what it was told.
@Suite("Pinry faults", .timeLimit(.minutes(10)))
struct PinryFaultTests {
    private let pin = Pin(description: "x", source: nil, tags: [], isPrivate: false)

    struct Row: Sendable, CustomTestStringConvertible {
        let act: PinryFault.Act
        let upload: PinryError.Code
        let create: PinryError.Code
        let board: PinryError.Code

        var testDescription: String { "\(act)" }
    }

    static let rows: [Row] = [
        Row(act: .status(500), upload: .serverFailed, create: .answerLost, board: .serverFailed),
        Row(act: .status(502), upload: .serverFailed, create: .answerLost, board: .serverFailed),
        Row(act: .status(504), upload: .serverFailed, create: .answerLost, board: .serverFailed),
        Row(act: .status(503), upload: .serverFailed, create: .answerLost, board: .serverFailed),
        Row(act: .status(503, retryAfter: 7), upload: .rateLimited, create: .answerLost, board: .rateLimited),
        Row(act: .status(429, retryAfter: 7), upload: .rateLimited, create: .rateLimited, board: .rateLimited),
        Row(act: .status(413), upload: .imageTooLarge, create: .imageTooLarge, board: .imageTooLarge),
        Row(act: .reset, upload: .unreachable, create: .answerLost, board: .unreachable),
        Row(act: .truncate, upload: .unreachable, create: .answerLost, board: .unreachable),
        Row(act: .garbage, upload: .serverFailed, create: .answerLost, board: .serverFailed),
        Row(act: .empty, upload: .unreachable, create: .answerLost, board: .unreachable),
        Row(
            act: .redirect(to: "https://elsewhere.example/api/v2/pins/"), upload: .redirected, create: .redirected,
            board: .redirected),
    ]

    @Test("each failure is named, and one that may have pinned is never taken for harmless", arguments: rows)
    func table(_ row: Row) async throws {
        let (double, pinry, alice) = try PinryDouble.withAlice()
        let board = double.addBoard("B", of: "alice")
        for moment in [PinryFault.Moment.before, .after] {
            double.misbehave([])
            let image = try await pinry.upload(TestPicture.prepared(seed: 1), named: "x", as: alice)
            let other = try await pinry.upload(TestPicture.prepared(seed: 2), named: "y", as: alice)
            let id = try await pinry.createPin(pin, on: other.id, as: alice)
            let count = double.pins.count
            double.misbehave([
                PinryFault(row.act, moment, on: "POST /api/v2/"), PinryFault(row.act, moment, on: "PATCH /api/v2/"),
            ])
            // What a refused request stored cannot be told from its answer.
            await expect(row.upload) {
                _ = try await pinry.upload(TestPicture.prepared(seed: 3), named: "z", as: alice)
            }
            await expect(row.create) { _ = try await pinry.createPin(pin, on: image.id, as: alice) }
            await expect(row.board) { try await pinry.add([id], to: board, as: alice) }
            #expect(double.pins.count == count + (moment == .after ? 1 : 0))
            let found = try await pinry.findPin(on: image.id, downTo: id, as: alice)
            #expect((found != nil) == (moment == .after))
        }
    }

    @Test("a wait that the server asks for is handed on in seconds")
    func retryAfter() async throws {
        let (double, pinry, alice) = try PinryDouble.withAlice()
        double.misbehave([PinryFault(.status(429, retryAfter: 7), on: "GET ")])
        let error = await #expect(throws: PinryError.self) { try await pinry.newestPin(as: alice) }
        #expect(error?.code == .rateLimited && error?.retryAfter == 7)
    }

    @Test("a server that is not there is unreachable, for every call")
    func unreachable() async throws {
        let (double, pinry, alice) = try PinryDouble.withAlice()
        double.stop()
        await expect(.unreachable) { _ = try await pinry.createPin(pin, on: ImageID(1), as: alice) }
        await expect(.unreachable) { _ = try await pinry.upload(TestPicture.prepared(seed: 1), named: "x", as: alice) }
        await expect(.unreachable) { _ = try await pinry.newestPin(as: alice) }
    }

    @Test("a pin on a list of hundreds is found, whatever is pinned and deleted while we read")
    func readingWhileTheListChanges() async throws {
        let (double, _, alice) = try PinryDouble.withAlice()
        double.fill(with: 300, by: "alice")
        let ours = double.pins[20]
        // Each page that is read moves the list: a new pin on top, and more deletions than two pages overlap.
        let changing = ChangingExchange(http: try HTTPClient()) { round in
            double.fill(with: 1, by: "bob")
            for pin in double.pins.suffix(40).prefix(round < 3 ? 25 : 1) { double.deletePin(pin.id) }
        }
        let found = try await RemotePinry(changing).findPin(on: ours.image, downTo: PinID(0), as: alice)
        #expect(found == ours.id)
    }

    @Test("reading stops at the floor and passes over another user's pin on our image")
    func floor() async throws {
        let (double, pinry, alice) = try PinryDouble.withAlice()
        double.fill(with: 120, by: "alice")
        let pins = double.pins
        #expect(try await pinry.findPin(on: pins[100].image, downTo: pins[99].id, as: alice) == pins[100].id)
        #expect(try await pinry.findPin(on: pins[5].image, downTo: pins[99].id, as: alice) == nil)
        double.fill(with: 1, by: "bob")
        let stolen = try #require(double.pins.last)
        #expect(try await pinry.findPin(on: stolen.image, downTo: pins[99].id, as: alice) == nil)
    }

    @Test("no error of the client, printed in any way, contains the token")
    func redaction() async throws {
        let (double, pinry, alice) = try PinryDouble.withAlice()
        // Pinry puts the caller's token into every pin.
        double.fill(with: 3, by: "alice")
        let faults: [PinryFault.Act] = [.status(500), .garbage, .truncate, .redirect(to: "/x"), .reset]
        for act in faults {
            double.misbehave([PinryFault(act, .after, on: "")])
            let error = await #expect(throws: PinryError.self) { try await pinry.pins(of: nil, limit: 3, as: alice) }
            var dumped = ""
            if let error { dump(error, to: &dumped) }
            let all = "\(dumped) \(String(describing: error)) \(String(reflecting: error)) \(error?.description ?? "")"
            #expect(!all.contains(Token.alice))
        }
    }
}

/// Changes the world after every request.
private struct ChangingExchange: HTTPExchange {
    let http: HTTPClient
    let change: @Sendable (Int) -> Void
    private let rounds = Counter()

    init(http: HTTPClient, change: @escaping @Sendable (Int) -> Void) {
        self.http = http
        self.change = change
    }

    func send(_ request: HTTPRequest, as egress: EgressClass) async throws(HTTPExchangeError) -> HTTPResponse {
        let response = try await http.send(request, as: egress)
        change(await rounds.next())
        return response
    }
}

private actor Counter {
    private var value = 0
    func next() -> Int {
        value += 1
        return value
    }
}
