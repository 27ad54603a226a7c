import CurlKit
import FoundationEssentials
public import PinpostCore

extension RemotePinry {
    /// Only reads: profile, boards and the permissions that OPTIONS shows.
    public func diagnose(_ account: Account, board choice: BoardChoice?) async throws(PinryError) -> Diagnosis {
        let url = try base(of: account.server)
        do throws(PinryError) {
            return account.server.dialect == .pinrysaver
                ? try await diagnoseSaver(account, at: url) : try await diagnoseOwnAPI(account, choice, at: url)
        } catch {
            guard error.code == .wrongBase || error.code == .notPinry else { throw error }
            throw await hint(error, account)
        }
    }

    private func diagnoseOwnAPI(
        _ account: Account, _ choice: BoardChoice?, at url: ParsedURL
    ) async throws(PinryError) -> Diagnosis {
        var diagnosis = Diagnosis(warnings: warnings(about: url, account.server))
        if account.token != nil {
            // `[]` with status 200 is what Pinry says to somebody whose Authorization header never came through.
            guard let username = try await profile(as: account) else { throw PinryError(.authorizationEaten) }
            diagnosis.username = username
            // The profile answers even where PUBLIC=False shuts everything else.
            _ = try await answer(
                to: .get("boards-auto-complete/", [("submitter__username", username)]), as: account, expecting: 200,
                [Wire.Board].self)
            guard try await may("POST", "pins/", as: account) else {
                throw PinryError(.forbidden, detail: "the account may not create pins")
            }
            diagnosis.boards = try await boards(of: username, as: account)
            if let choice {
                diagnosis.board = try await find(choice, among: diagnosis.boards, of: username, as: account)
            }
        } else if choice != nil {
            throw PinryError(.tokenMissing, detail: "a board belongs to an account")
        }
        diagnosis.newestPin = try await newestPin(as: account)
        if let board = diagnosis.board, board.isPrivate {
            diagnosis.warnings.append("The board \(board.name) is private: its pins will be private too.")
        }
        return diagnosis
    }

    /// The name behind the token; nil when Pinry sees no token.
    func profile(as account: Account) async throws(PinryError) -> String? {
        let users = try await answer(
            to: .get("profile/users/"), as: account, expecting: 200, [Wire.User].self)
        return users.first?.username
    }

    /// Whether this token may do it: Pinry lists the method's fields in its answer to OPTIONS only then.
    private func may(_ method: String, _ path: String, as account: Account) async throws(PinryError) -> Bool {
        let call = PinryCall(.read, "OPTIONS", path, timeout: .seconds(30))
        let options = try await answer(to: call, as: account, expecting: 200, Wire.Options.self)
        return options.actions?[method] != nil
    }

    private func base(of server: Server) throws(PinryError) -> ParsedURL {
        guard server.hasScheme else {
            throw PinryError(.missingScheme, detail: "write https://\(server.baseURL)")
        }
        let url: ParsedURL
        do { url = try ParsedURL(server.baseURL) } catch { throw PinryError(.notPinry, detail: error.detail) }
        if url.query != nil || server.baseURL.contains("#") {
            throw PinryError(.wrongBase, detail: "leave off what follows ? or #")
        }
        if let api = "\(url.text)/".firstRange(of: "/api/") {
            throw PinryError(.wrongBase, detail: "leave off the API's path: \(url.text[..<api.lowerBound])")
        }
        return url
    }

    private func warnings(about url: ParsedURL, _ server: Server) -> [String] {
        let isPublic = NumericAddress(url.host).map { AddressScope($0) == .public } ?? !server.allowsPrivateNetwork
        guard url.scheme == "http", isPublic else { return [] }
        return ["The server is reached by plain http: everybody on the way can read the token. Use https."]
    }

    // MARK: Boards

    private func find(
        _ choice: BoardChoice, among own: [Board], of username: String, as account: Account
    ) async throws(PinryError) -> Board {
        let board: Board
        switch choice {
        case .id(let id): board = try await self.board(id, of: username, as: account)
        case .name(let name): board = try await self.board(named: name, among: own, of: username, as: account)
        }
        guard try await may("PUT", "boards/\(board.id.rawValue)/", as: account) else {
            throw PinryError(.boardForeign, detail: board.name)
        }
        return board
    }

    private func board(
        _ id: BoardID, of username: String, as account: Account
    ) async throws(PinryError) -> Board {
        let response = try await send(.get("boards/\(id.rawValue)/"), as: account)
        if response.status == 404, response.isJSON {
            throw PinryError(.boardMissing, status: 404, detail: "no board \(id.rawValue), or somebody's private one")
        }
        guard response.status == 200, response.isJSON, let found = decode(Wire.Board.self, from: response) else {
            throw PinryError(response, to: .read, as: account)
        }
        guard let board = found.board(ownedBy: username) else {
            throw PinryError(
                .boardForeign, detail: "board \(id.rawValue) belongs to \(found.submitter?.username ?? "?")")
        }
        return board
    }

    /// The exact name wins; otherwise upper and lower case do not matter, if only one board is meant.
    private func board(
        named name: String, among own: [Board], of username: String, as account: Account
    ) async throws(PinryError) -> Board {
        if let board = own.first(where: { $0.name == name }) { return board }
        let alike = own.filter { $0.name.lowercased() == name.lowercased() }
        if alike.count > 1 {
            let ids = alike.map { "\($0.id.rawValue) (\($0.name))" }.joined(separator: ", ")
            throw PinryError(.boardMissing, detail: "several boards are called \(name): give the id, one of \(ids)")
        }
        if let board = alike.first { return board }
        let others = try await answer(
            to: .get("boards/", [("search", name)]), as: account, expecting: 200, Wire.Page<Wire.Board>.self)
        let foreign = others.results.first { $0.name?.lowercased() == name.lowercased() }
        if let owner = foreign?.submitter?.username, owner != username {
            throw PinryError(.boardForeign, detail: "\(name) belongs to \(owner)")
        }
        let names = own.isEmpty ? "the account has none" : "there are: \(own.map(\.name).joined(separator: ", "))"
        throw PinryError(.boardMissing, detail: "no board is called \(name); \(names)")
    }

    // MARK: The other dialect

    private func diagnoseSaver(_ account: Account, at url: ParsedURL) async throws(PinryError) -> Diagnosis {
        let response = try await send(PinryCall(.read, "OPTIONS", absolute: Self.saverPath), as: account)
        // Whoever does not know OPTIONS says 405: the path is there, and that is all a read can find out.
        let isThere = response.status == 405 || (200..<300).contains(response.status)
        guard isThere else { throw PinryError(response, to: .read, as: account) }
        return Diagnosis(username: account.username, warnings: warnings(about: url, account.server))
    }

    /// Says so when the other dialect's path answers where this one's does not.
    private func hint(_ error: PinryError, _ account: Account) async -> PinryError {
        let isSaver = account.server.dialect == .pinrysaver
        let probe =
            isSaver
            ? PinryCall.get("profile/users/") : PinryCall(.read, "OPTIONS", absolute: Self.saverPath)
        guard let response = try? await send(probe, as: account) else { return error }
        let isHTML = response.header("content-type")?.lowercased().hasPrefix("text/html") == true
        guard !isHTML, response.status < 300 || [401, 403, 405].contains(response.status) else { return error }
        let other = isSaver ? "v2" : "pinrysaver"
        return PinryError(
            error.code, status: error.status, detail: "the API of another dialect answers there: try --dialect \(other)"
        )
    }

    func decode<Body: Decodable>(_ type: Body.Type, from response: HTTPResponse) -> Body? {
        try? JSONDecoder().decode(type, from: Data(response.body))
    }
}
