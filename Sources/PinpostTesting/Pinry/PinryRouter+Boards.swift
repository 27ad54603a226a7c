import PinpostCore

extension PinryRouter {
    private func isVisible(_ board: PinryState.Board, to caller: PinryState.User?) -> Bool {
        !board.isPrivate || board.user == caller?.name
    }

    /// Newest first, as far as the caller may see them.
    private func boards(_ request: PinryRequest, _ caller: PinryState.User?) -> [PinryState.Board] {
        let owner = request.value("submitter__username") ?? ""
        return state.boards.reversed().filter { isVisible($0, to: caller) && (owner.isEmpty || $0.user == owner) }
    }

    func listBoards(_ request: PinryRequest, _ caller: PinryState.User?) -> PinryReply {
        let words = (request.value("search") ?? "").lowercased().split(separator: " ")
        let found = boards(request, caller).filter { board in
            words.allSatisfy { board.name.lowercased().contains($0) }
        }
        let records = records(request, caller)
        return .json(200, records.page(found) { records.board($0) })
    }

    func boardNames(_ request: PinryRequest, _ caller: PinryState.User?) -> PinryReply {
        .json(
            200,
            .array(
                boards(request, caller).map { board in
                    .object([
                        "resource_link": .string(request.link("boards/\(board.id)")), "id": .number(board.id),
                        "name": .string(board.name),
                    ])
                }))
    }

    mutating func createBoard(
        _ request: PinryRequest, _ caller: PinryState.User?
    ) throws(PinryReply) -> PinryReply {
        let fields = try request.fields(lists: ["pins_to_add", "pins_to_remove"])
        let name = try boardName(fields, isRequired: true) ?? ""
        let isPrivate = try Fields.flag(fields, "private") ?? false
        guard let caller else { throw .noCredentials }
        if state.boards.contains(where: { $0.user == caller.name && $0.name == name }) {
            throw .json(400, .object(["name": .string("board with this name already exists.")]))
        }
        let board = state.addBoard(name, of: caller.name, isPrivate: isPrivate, at: now)
        var reply = PinryReply.json(201, records(request, caller).board(board, isNew: true))
        reply.headers.append(("Location", request.link("boards/\(board.id)")))
        return reply
    }

    func visibleBoard(_ text: String, to caller: PinryState.User?) throws(PinryReply) -> PinryState.Board {
        if Int64(text) == nil, !text.isEmpty, text.allSatisfy(\.isNumber) {
            // SQLite's integers end at 63 bits; PostgreSQL compares and finds nothing.
            throw options.database == .sqlite ? .serverError : .notFound
        }
        guard let id = Int64(text), let board = state.board(id), isVisible(board, to: caller) else { throw .notFound }
        return board
    }

    mutating func oneBoard(
        _ id: String, _ request: PinryRequest, _ caller: PinryState.User?
    ) throws(PinryReply) -> PinryReply {
        var board = try visibleBoard(id, to: caller)
        if request.method == "GET" || request.method == "HEAD" {
            return .json(200, records(request, caller).board(board))
        }
        guard board.user == caller?.name else { throw .notAllowed }
        if request.method == "DELETE" { throw .detail(405, "Method \"DELETE\" not allowed.") }
        let fields = try request.fields(lists: ["pins_to_add", "pins_to_remove"])
        if let name = try boardName(fields, isRequired: request.method == "PUT") {
            if state.boards.contains(where: { $0.user == board.user && $0.name == name && $0.id != board.id }) {
                throw .json(400, .object(["name": .string("Board with this name already exists")]))
            }
            board.name = name
        }
        if let isPrivate = try Fields.flag(fields, "private") { board.isPrivate = isPrivate }
        for pin in try pinIDs(fields, "pins_to_add") where !board.pins.contains(pin) {
            // Absent pins, and other people's private ones, are passed over in silence.
            if state.pin(pin).map({ !$0.isPrivate || $0.user == caller?.name }) == true { board.pins.append(pin) }
        }
        let removed = try pinIDs(fields, "pins_to_remove")
        board.pins.removeAll { removed.contains($0) }
        state.replace(board)
        return .json(200, records(request, caller).board(board))
    }

    private func boardName(_ fields: JSONValue, isRequired: Bool) throws(PinryReply) -> String? {
        guard let value = fields["name"] else {
            if isRequired { throw .invalid("name", "This field is required.") }
            return nil
        }
        let name = try Fields.text(fields, "name") ?? ""
        if value == .null { throw .invalid("name", "This field may not be null.") }
        if name.isEmpty { throw .invalid("name", "This field may not be blank.") }
        guard name.unicodeScalars.count <= 128 else {
            throw .invalid("name", "Ensure this field has no more than 128 characters.")
        }
        return name
    }

    private func pinIDs(_ fields: JSONValue, _ field: String) throws(PinryReply) -> [Int64] {
        guard let value = fields[field] else { return [] }
        if value == .null { throw .invalid(field, "This field may not be null.") }
        guard let elements = value.elements else {
            throw .invalid(field, "Expected a list of items but got type \"\(value.pythonType)\".")
        }
        if elements.isEmpty { throw .invalid(field, "This list may not be empty.") }
        guard elements.count <= 10 else { throw .invalid(field, "Ensure this field has no more than 10 elements.") }
        var ids: [Int64] = []
        for (index, element) in elements.enumerated() {
            let id = element.integer ?? element.text.flatMap { Int64($0) }
            if id == nil, case .number = element { throw .serverError }
            guard let id, id >= 1 else {
                let words =
                    id == nil ? "A valid integer is required." : "Ensure this value is greater than or equal to 1."
                let error = JSONValue.object([.init(key: "\(index)", value: .strings([words]))])
                throw .json(400, .object([.init(key: field, value: error)]))
            }
            ids.append(id)
        }
        return ids
    }
}

/// Django REST framework's field types.
enum Fields {
    private static let yes = ["t", "y", "yes", "true", "on", "1"]
    private static let no = ["f", "n", "no", "false", "off", "0"]

    static func flag(_ fields: JSONValue, _ name: String) throws(PinryReply) -> Bool? {
        switch fields[name] {
        case nil: return nil
        case .null: throw .invalid(name, "This field may not be null.")
        case .bool(let flag): return flag
        case .number("1"): return true
        case .number("0"): return false
        case .string(let text) where yes.contains(text.lowercased()): return true
        case .string(let text) where no.contains(text.lowercased()): return false
        default: throw .invalid(name, "Must be a valid boolean.")
        }
    }

    /// Trimmed; numbers become text.
    static func text(_ fields: JSONValue, _ name: String, limit: Int? = nil) throws(PinryReply) -> String? {
        let text: String
        switch fields[name] {
        case nil, .null: return nil
        case .string(let value): text = value
        case .number(let value): text = value
        case .brokenString(let surrogate):
            throw .invalid(name, "Surrogate characters are not allowed: U+\(surrogate).")
        default: throw .invalid(name, "Not a valid string.")
        }
        let trimmed = String(
            text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        if trimmed.unicodeScalars.contains("\0") { throw .invalid(name, "Null characters are not allowed.") }
        if let limit, trimmed.unicodeScalars.count > limit {
            throw .invalid(name, "Ensure this field has no more than \(limit) characters.")
        }
        return trimmed
    }
}
