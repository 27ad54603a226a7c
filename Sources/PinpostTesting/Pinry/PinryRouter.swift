import PinpostCore

/// Answers requests as Pinry does: middleware, authentication, permission, then the view.
struct PinryRouter {
    var state: PinryState
    let options: PinryDouble.Options
    /// ISO 8601, for boards made now.
    let now: String

    enum Route: Equatable {
        case root, pins, images, boards, boardNames, tagNames, users, publicUsers, login, docs, saver
        case pin(String)
        case board(String)
        case user(String)

        init?(_ path: String) {
            var path = path
            if path.hasSuffix(".json") { path = String(path.dropLast(5)) + "/" }
            guard path.hasPrefix("/api/"), path.hasSuffix("/") else { return nil }
            let parts = path.dropFirst(5).dropLast().split(separator: "/", omittingEmptySubsequences: false).map(
                String.init)
            switch (parts.first, parts.dropFirst().first, parts.dropFirst(2).first, parts.count) {
            case ("v2", nil, nil, 1): self = .root
            case ("v2", "pins", nil, 2): self = .pins
            case ("v2", "images", nil, 2): self = .images
            case ("v2", "boards", nil, 2): self = .boards
            case ("v2", "boards-auto-complete", nil, 2): self = .boardNames
            case ("v2", "tags-auto-complete", nil, 2): self = .tagNames
            case ("v2", "docs", nil, 2): self = .docs
            case ("v2", "profile", "users", 3): self = .users
            case ("v2", "profile", "public-users", 3): self = .publicUsers
            case ("v2", "profile", "login", 3): self = .login
            case ("v2", "pins", let id?, 3) where !id.contains("."): self = .pin(id)
            case ("v2", "boards", let id?, 3) where !id.contains("."): self = .board(id)
            case ("v2", "profile", "users", 4): self = .user(parts[3])
            case ("pins", nil, nil, 1): self = .saver
            default: return nil
            }
        }

        var methods: String {
            switch self {
            case .pins, .boards, .users: "GET, POST, HEAD, OPTIONS"
            case .pin, .board: "GET, PUT, PATCH, DELETE, HEAD, OPTIONS"
            case .images: "POST, OPTIONS"
            case .login: "POST, OPTIONS"
            case .saver: "POST, OPTIONS"
            case .root, .boardNames, .tagNames, .publicUsers, .user, .docs: "GET, HEAD, OPTIONS"
            }
        }
    }

    mutating func answer(_ request: PinryRequest) -> PinryReply {
        let isPrivate = !options.isPublic && !request.path.hasPrefix("/api/v2/profile/")
        if isPrivate { return .empty(403) }
        guard let route = known(request.path) else { return unrouted(request) }
        do {
            var reply = try view(route, request)
            reply.headers.append(("Allow", route.methods))
            return reply
        } catch {
            var reply = error
            if reply.contentType == "application/json" { reply.headers.append(("Allow", route.methods)) }
            return reply
        }
    }

    /// The paths of one dialect are unknown to the other.
    private func known(_ path: String) -> Route? {
        guard let route = Route(path), (route == .saver) == (options.dialect == .pinrysaver) else { return nil }
        return route
    }

    /// Django sends a path without slash to the one with it; the Docker image's nginx shows the start page.
    private func unrouted(_ request: PinryRequest) -> PinryReply {
        if !request.path.hasSuffix("/"), known(request.path + "/") != nil {
            let target = request.raw.target.split(separator: "?", maxSplits: 1).map(String.init)
            let query = target.count > 1 ? "?\(target[1])" : ""
            return .empty(
                301, location: "\(options.frontDoor == .nginx ? "" : options.pathPrefix)\(request.path)/\(query)")
        }
        guard options.frontDoor == .nginx, !request.path.hasPrefix("/api/") else { return .unknownPath }
        if request.method == "GET" || request.method == "HEAD" {
            return .html(
                200, "<!DOCTYPE html><html><head><title>Pinry</title></head><body><div id=\"app\"></div></body></html>")
        }
        return .html(405, "<html>\n<head><title>405 Not Allowed</title></head>\n</html>\n")
    }

    private mutating func view(_ route: Route, _ request: PinryRequest) throws(PinryReply) -> PinryReply {
        if route == .docs { return .html(200, "<!DOCTYPE html>\n<html lang=\"en\"><title>PinryAPI</title></html>") }
        let accept = request.raw.header("accept") ?? "*/*"
        guard ["*/*", "application/*", "application/json"].contains(where: { accept.contains($0) }) else {
            throw .detail(406, "Could not satisfy the request Accept header.")
        }
        let caller = try authenticate(request)
        let isSafe = ["GET", "HEAD", "OPTIONS"].contains(request.method)
        let isOpen = route == .login || route == .users
        if !isSafe, !isOpen, caller == nil { throw .noCredentials }
        guard route.methods.contains(request.method) else {
            throw .detail(405, "Method \"\(request.method)\" not allowed.")
        }
        if request.method == "OPTIONS" { return try describe(route, for: caller) }
        return try dispatch(route, request, caller)
    }

    private mutating func dispatch(
        _ route: Route, _ request: PinryRequest, _ caller: PinryState.User?
    ) throws(PinryReply) -> PinryReply {
        switch route {
        case .root: root(request)
        case .pins where request.method == "POST": try createPin(request, caller)
        case .pins: try listPins(request, caller)
        case .pin(let id): try onePin(id, request, caller)
        case .images: try createImage(request, caller)
        case .boards where request.method == "POST": try createBoard(request, caller)
        case .boards: listBoards(request, caller)
        case .board(let id): try oneBoard(id, request, caller)
        case .boardNames: boardNames(request, caller)
        case .tagNames: .json(200, .array(state.tags.map { .object(["name": .string($0)]) }))
        case .users where request.method == "POST": try register(request, caller)
        case .users: profile(request, caller)
        case .user(let id): try profile(id, request, caller)
        case .publicUsers: publicUsers(request, caller)
        case .saver: try saverPin(request, caller)
        case .login, .docs: .unknownPath
        }
    }

    func records(_ request: PinryRequest, _ caller: PinryState.User?) -> PinryRecords {
        PinryRecords(state: state, request: request, caller: caller)
    }

    private func root(_ request: PinryRequest) -> PinryReply {
        let names = ["pins", "images", "boards", "tags-auto-complete", "boards-auto-complete"]
        let members = names.map { name in
            // A quirk of the real router: `boards` points to the short list.
            let path = name == "boards" ? "boards-auto-complete" : name
            return JSONValue.Member(key: name, value: .string(request.link(path)))
        }
        return .json(200, .object(members))
    }

    /// The permission probe: the writing method is listed only for those who may use it.
    private func describe(_ route: Route, for caller: PinryState.User?) throws(PinryReply) -> PinryReply {
        var method: String?
        switch route {
        case .pins, .images, .boards, .users, .saver: method = caller == nil ? nil : "POST"
        case .pin(let id): method = try visiblePin(id, to: caller).user == caller?.name ? "PUT" : nil
        case .board(let id): method = try visibleBoard(id, to: caller).user == caller?.name ? "PUT" : nil
        case .root, .boardNames, .tagNames, .publicUsers, .user, .login, .docs: break
        }
        var members: [JSONValue.Member] = [
            .init(key: "name", value: .string("Pinry")), .init(key: "description", value: .string("")),
            .init(key: "renders", value: .strings(["application/json"])),
            .init(
                key: "parses",
                value: .strings(["application/json", "application/x-www-form-urlencoded", "multipart/form-data"])),
        ]
        if let method {
            members.append(
                .init(key: "actions", value: .object([.init(key: method, value: .object([JSONValue.Member]()))])))
        }
        return .json(200, .object(members))
    }
}
