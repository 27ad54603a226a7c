import FoundationEssentials
import PinpostCore

@testable import PinpostTesting

/// Brings the double into the state in which a case was recorded, and rebuilds its request.
struct ContractScene {
    let double: PinryDouble
    let row: ContractRecording

    static func token(_ letter: String) -> String { String(repeating: letter, count: 40) }

    /// The users and boards of the recording.
    static func makeDouble() throws -> PinryDouble {
        var options = PinryDouble.Options()
        options.hasGallery = false
        options.fetch = fetch
        let double = try PinryDouble(options)
        for (name, letter) in [("alice", "a"), ("bob", "b"), ("carol", "c")] {
            double.addUser(name, token: token(letter))
        }
        double.addUser("dave", token: token("d"), isActive: false)
        let boards = [
            ("Alice public", "alice", false), ("Alice private", "alice", true), ("Bob public", "bob", false),
            ("Bob private", "bob", true), ("Ünïcode 📌", "alice", false), ("Inbox", "alice", false),
            ("Inbox", "bob", false),
        ]
        for (name, user, isPrivate) in boards { double.addBoard(name, of: user, isPrivate: isPrivate) }
        return double
    }

    /// The recorded web server next to Pinry.
    private static let fetch: @Sendable (String) -> PinryDouble.Fetched = { url in
        let address = String(url.drop { $0 == " " })
        guard address.hasPrefix("http://127.0.0.1:18090/") else { return .failed }
        let path = address.dropFirst("http://127.0.0.1:18090".count).prefix { $0 != "?" && $0 != " " }
        return switch path {
        case "/loop": .failed
        case "/nope.jpg", "/page.html", "/svg.svg", "/empty.jpg": .notAnImage
        default: .image(TestPicture.jpegMarkers(width: 1_200, height: 800))
        }
    }

    // MARK: State

    func prepare() {
        let row = row
        double.change { options in
            let isPrivateMode = row.name.contains("private-") && row.group == "2-auth" && row.name.hasPrefix("6")
            options.isPublic =
                !(isPrivateMode || row.name.hasPrefix("7") && row.group == "2-auth")
                || ["options-pins-private-mode", "root-private"].contains(row.name)
            if row.name == "options-pins-private-mode" || row.name == "root-private" { options.isPublic = false }
            options.allowsRegistration = !row.name.contains("noreg")
            options.pathPrefix = row.path.hasPrefix("/sub/") ? "/sub" : row.path.hasPrefix("/pinry/") ? "/pinry" : ""
            if row.name == "34-sub-without-prefix" { options.pathPrefix = "/sub" }
            options.database = row.group == "16-postgres" ? .postgres : .sqlite
            let isNginx = row.group == "4-nginx-docker-like" || row.name.hasSuffix("via-nginx")
            options.frontDoor = isNginx ? .nginx : .gunicorn
        }
        let isLocked = row.name.contains("db-locked-8s") && row.method == "POST"
        double.misbehave(isLocked ? [PinryFault(.status(500), on: "POST ", times: 1)] : [])
        double.withState { state in
            prepareRecords(&state)
            prepareCounters(&state)
        }
    }

    /// Ids go on from where the recording stood.
    private func prepareCounters(_ state: inout PinryState) {
        guard row.status == 201, let body = row.body, let id = Self.firstID(in: body) else { return }
        switch row.path.split(separator: "/").last {
        case "images": state.nextImage = id
        case "pins": state.nextPin = id
        case "boards": state.nextBoard = id
        default: break
        }
    }

    private static func firstID(in body: String) -> Int64? {
        body.firstRange(of: "\"id\":").flatMap { Int64(body[$0.upperBound...].prefix(while: \.isNumber)) }
    }

    /// Images and pins that unrecorded steps had made.
    private func prepareRecords(_ state: inout PinryState) {
        if let request = row.requestBody, let name = request.firstRange(of: "image_by_id") {
            let digits = request[name.upperBound...].drop { !$0.isNumber }.prefix(while: \.isNumber)
            let isGone = row.body?.contains("Invalid pk") == true
            if let id = Int64(digits), !isGone { addImage(id, to: &state) }
        }
        let parts = row.path.split(separator: "/")
        if parts.count == 4, parts[2] == "pins", let id = Int64(parts[3]), row.status != 404, state.pin(id) == nil {
            addPin(
                id, by: row.body?.contains("\"bob\"") == true || row.name.contains("bob") ? "bob" : "alice", to: &state)
        }
        for (name, pins, board) in Self.boardMembers where row.name == name {
            for id in pins where state.pin(id) == nil { addPin(id, by: "alice", to: &state) }
            guard var record = state.board(board) else { continue }
            record.pins = pins
            state.replace(record)
        }
    }

    /// Boards that unrecorded steps had filled.
    private static let boardMembers: [(name: String, pins: [Int64], board: Int64)] = [
        ("make-private", [2, 479], 1), ("rename-to-existing", [2, 479], 1),
        ("add-public-pin-to-private-board", (270...448).map { $0 } + [482], 2),
    ]

    private func addImage(_ id: Int64, to state: inout PinryState) {
        guard state.images[id] == nil else { return }
        let next = state.nextImage
        state.nextImage = id
        let bytes = TestPicture.jpegMarkers(width: 1_200, height: 800)
        _ = state.addImage(bytes, named: "red.jpg", by: "alice", width: 1_200, height: 800, hasThumbnails: true)
        state.nextImage = max(next, id + 1)
    }

    private func addPin(_ id: Int64, by user: String, to state: inout PinryState) {
        let next = state.nextPin
        state.nextPin = id
        addImage(10_000 + id, to: &state)
        _ = state.addPin(
            by: user, on: 10_000 + id, url: nil, description: nil, referer: nil, tags: [], isPrivate: false)
        state.nextPin = max(next, id + 1)
    }
}
