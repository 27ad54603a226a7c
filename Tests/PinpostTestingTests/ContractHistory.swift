@testable import PinpostTesting

/// What steps that are not in the recording, or not replayed, had stored.
enum ContractHistory {
    /// Makes what the case refers to, as far as it is not there.
    static func apply(before row: ContractRecording, to state: inout PinryState) {
        addNamedImage(of: row, to: &state)
        steps[row.id]?(&state)
    }

    private static let steps: [String: @Sendable (inout PinryState) -> Void] = [
        "5-errors/61-pins-multipart-image_by_id": { addImage(33, to: &$0) },
        "10-idempotency/01-list-after-pin-on-thumbless-image": { state in
            state.nextImage = 601
            _ = state.addImage([1], named: "wide.png", by: "alice", width: 3_000, height: 2, hasThumbnails: false)
            addPin(64, on: 601, by: "alice", "pin of image without thumbs", to: &state)
        },
        "10-idempotency/02-pins-lookup": { state in
            addPin(65, on: 602, by: "alice", "dup", to: &state)
            addPin(66, on: 602, by: "alice", "dup", to: &state)
        },
        "10-idempotency/06-bob-deletes-his-pin-sharing-alices-image": { state in
            addPin(67, on: 604, by: "alice", nil, to: &state)
            addPin(68, on: 604, by: "bob", nil, to: &state)
        },
        "10-idempotency/08-patch-url-with-tags": { state in
            addImage(603, to: &state)
            addPin(69, on: 605, by: "alice", nil, to: &state)
        },
        "14-boards/add-public-pin-to-private-board": { state in
            for id in Int64(270)...448 {
                addPin(id, on: 563 + id, by: "alice", "load", tags: ["inbox", "load", "new0-\(563 + id)"], to: &state)
            }
            setPins(Array(270...448), of: 2, in: &state)
            addPin(482, on: 1_226, by: "alice", nil, to: &state)
        },
        "14-boards/make-private": { state in
            addPin(479, on: 1_223, by: "alice", nil, to: &state)
            setPins([2, 479], of: 1, in: &state)
        },
        "14-boards/private-pin-get-anon": { addPin(480, on: 1_224, by: "alice", nil, isPrivate: true, to: &$0) },
        "17-probe/options-board-anon": { state in
            guard var board = state.board(1) else { return }
            board.isPrivate = false
            state.replace(board)
        },
    ]

    private static func addNamedImage(of row: ContractRecording, to state: inout PinryState) {
        guard let request = row.requestBody, let name = request.firstRange(of: "image_by_id") else { return }
        let digits = request[name.upperBound...].drop { !$0.isNumber }.prefix(while: \.isNumber)
        let isSmall = row.body?.contains("\"width\":300,\"height\":200") == true
        guard let id = Int64(digits), row.body?.contains("Invalid pk") != true else { return }
        addImage(id, width: isSmall ? 300 : 1_200, height: isSmall ? 200 : 800, to: &state)
    }

    private static func addImage(_ id: Int64, width: Int = 1_200, height: Int = 800, to state: inout PinryState) {
        guard state.images[id] == nil else { return }
        let next = state.nextImage
        state.nextImage = id
        let bytes = TestPicture.jpegMarkers(width: width, height: height)
        _ = state.addImage(bytes, named: "red.jpg", by: "alice", width: width, height: height, hasThumbnails: true)
        state.nextImage = max(next, id + 1)
    }

    private static func addPin(
        _ id: Int64, on image: Int64, by user: String, _ description: String?, tags: [String] = [],
        isPrivate: Bool = false, to state: inout PinryState
    ) {
        guard state.pin(id) == nil else { return }
        addImage(image, to: &state)
        let next = state.nextPin
        state.nextPin = id
        _ = state.addPin(
            by: user, on: image, url: nil, description: description, referer: nil, tags: tags, isPrivate: isPrivate)
        state.nextPin = max(next, id + 1)
    }

    private static func setPins(_ pins: [Int64], of board: Int64, in state: inout PinryState) {
        guard var record = state.board(board) else { return }
        record.pins = pins
        state.replace(record)
    }
}
