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
            let isPrivateMode = row.group == "2-auth" && row.name.contains("-private-")
            options.isPublic = !isPrivateMode && !["options-pins-private-mode", "root-private"].contains(row.name)
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
            ContractHistory.apply(before: row, to: &state)
            prepareCounters(&state)
        }
    }

    /// A case that is not replayed leaves its board behind.
    func skip() {
        let row = row
        guard row.status == 201, row.path == "/api/v2/boards/", let name = row.requestBody.flatMap(Self.boardName)
        else {
            return
        }
        let user = row.auth?.hasSuffix(Self.token("b")) == true ? "bob" : "alice"
        double.withState { state in
            prepareCounters(&state)
            _ = state.addBoard(name, of: user, isPrivate: false, at: "2026-11-30T08:51:12.027927Z")
        }
    }

    private static func boardName(in request: String) -> String? {
        (try? JSONValue(parsing: Array(request.utf8)))?["name"]?.text
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
}
