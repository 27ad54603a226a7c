import FoundationEssentials
import PinpostCore

extension PinryRouter {
    /// `Token …` as rest_framework.authtoken reads it, and Basic; everything else counts as no header at all.
    func authenticate(_ request: PinryRequest) throws(PinryReply) -> PinryState.User? {
        guard !options.eatsAuthorization, let header = request.raw.header("authorization") else { return nil }
        let words = header.split { $0 == " " || $0 == "\t" }.map(String.init)
        switch words.first?.lowercased() {
        case "token":
            guard words.count > 1 else { throw .detail(401, "Invalid token header. No credentials provided.") }
            guard words.count == 2 else {
                throw .detail(401, "Invalid token header. Token string should not contain spaces.")
            }
            guard let user = state.users.first(where: { $0.token == words[1] }) else {
                throw .detail(401, "Invalid token.")
            }
            guard user.isActive else { throw .detail(401, "User inactive or deleted.") }
            return user
        case "basic":
            guard words.count == 2, let data = Data(base64Encoded: words[1]) else {
                throw .detail(401, "Invalid basic header. Credentials not correctly base64 encoded.")
            }
            let pair = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).map(String.init)
            guard pair.count == 2, let user = state.user(named: pair[0]), user.password == pair[1], user.isActive else {
                throw .detail(401, "Invalid username/password.")
            }
            return user
        default:
            return nil
        }
    }

    func profile(_ request: PinryRequest, _ caller: PinryState.User?) -> PinryReply {
        let records = records(request, caller)
        return .json(200, .array(caller.map { [records.user($0.name, withGravatar: true)] } ?? []))
    }

    func profile(
        _ id: String, _ request: PinryRequest, _ caller: PinryState.User?
    ) throws(PinryReply) -> PinryReply {
        guard let caller, Int64(id) == caller.id else { throw .notFound }
        return .json(200, records(request, caller).user(caller.name, withGravatar: true))
    }

    func publicUsers(_ request: PinryRequest, _ caller: PinryState.User?) -> PinryReply {
        let records = records(request, caller)
        let found = state.users.filter { $0.name == request.value("username") }
        return .json(200, .array(found.map { records.user($0.name, withGravatar: true) }))
    }

    mutating func register(_ request: PinryRequest, _ caller: PinryState.User?) throws(PinryReply) -> PinryReply {
        guard options.allowsRegistration else { throw caller == nil ? .noCredentials : .notAllowed }
        let fields = try request.fields(lists: [])
        guard let name = fields["username"]?.text, state.user(named: name) == nil else {
            throw .invalid("username", "A user with that username already exists.")
        }
        let user = state.addUser(name, token: MD5.hex(Array(name.utf8)) + "ffffffff")
        var reply = PinryReply.json(201, records(request, user).user(name, withGravatar: true))
        reply.headers.append(("Location", request.link("profile/users/\(user.id)")))
        return reply
    }
}
