import FoundationEssentials
import PinpostCore

/// One request to Pinry, and what it means when its answer does not come.
struct PinryCall: Sendable {
    enum Purpose: Sendable {
        case read
        /// Worth repeating: an image that nobody pins is invisible.
        case upload
        /// Must never be repeated blindly.
        case createPin
        /// Both may be repeated: Pinry keeps boards as sets, and refuses a second board of the same name.
        case addToBoard, createBoard
        /// May be repeated: what is gone stays gone.
        case removePin
        /// The pinrysaver dialect's one call: no key tells whether it was carried out.
        case saverPin
    }

    let purpose: Purpose
    let method: String
    /// Below the base URL, with the slash that Pinry insists on.
    let path: String
    let body: HTTPRequest.Body
    let timeout: Duration

    init(
        _ purpose: Purpose, _ method: String, _ path: String, query: [(String, String)] = [],
        body: HTTPRequest.Body = .none, timeout: Duration = .seconds(60)
    ) {
        self.purpose = purpose
        self.method = method
        let pairs = query.map { "\($0.0)=\(Self.encode($0.1))" }.joined(separator: "&")
        self.path = "/api/v2/" + path + (pairs.isEmpty ? "" : "?\(pairs)")
        self.body = body
        self.timeout = timeout
    }

    init(_ purpose: Purpose, _ method: String, _ path: String, json: some Encodable) {
        let data = (try? JSONEncoder().encode(json)) ?? Data()
        self.init(purpose, method, path, body: .bytes(Array(data), contentType: "application/json"))
    }

    /// A read of a list or a record.
    static func get(_ path: String, _ query: [(String, String)] = []) -> PinryCall {
        PinryCall(.read, "GET", path, query: query, timeout: .seconds(30))
    }

    /// A call outside of `/api/v2/`.
    init(_ purpose: Purpose, _ method: String, absolute path: String, body: HTTPRequest.Body = .none) {
        self.purpose = purpose
        self.method = method
        self.path = path
        self.body = body
        timeout = purpose == .read ? .seconds(30) : .seconds(300)
    }

    /// Percent-encoding of a query value (RFC 3986 unreserved characters stay).
    private static func encode(_ value: String) -> String {
        var text = ""
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}

extension RemotePinry {
    /// Lists may carry descriptions of any length.
    private static let responseLimit = 64 << 20

    /// Sends a call and hands back whatever Pinry answered; only transport failures are thrown.
    func send(_ call: PinryCall, as account: Account) async throws(PinryError) -> HTTPResponse {
        var request = HTTPRequest(
            method: call.method, url: account.server.baseURL + call.path, headers: [("Accept", "application/json")],
            body: call.body, timeout: call.timeout, responseLimit: Self.responseLimit)
        request.authorization = account.token.map { ("Token", $0) }
        do {
            return try await http.send(request, as: .pinry(account.server))
        } catch {
            throw PinryError(error, during: call.purpose, at: account.server)
        }
    }

    /// Sends a call that has exactly one good answer.
    func answer<Body: Decodable>(
        to call: PinryCall, as account: Account, expecting status: Int, _ type: Body.Type
    ) async throws(PinryError) -> Body {
        if call.purpose != .read, account.token == nil { throw PinryError(.tokenMissing) }
        let response = try await send(call, as: account)
        guard response.status == status, response.isJSON else {
            throw PinryError(response, to: call.purpose, as: account)
        }
        do {
            return try JSONDecoder().decode(type, from: Data(response.body))
        } catch {
            // The decoder's error quotes the body: it ends here.
            throw PinryError.unreadable(response, to: call.purpose)
        }
    }
}

extension HTTPResponse {
    var isJSON: Bool { header("content-type")?.lowercased().hasPrefix("application/json") == true }

    /// Whether the body contains a phrase; bodies are looked into, never passed on.
    func mentions(_ phrase: String) -> Bool {
        String(decoding: body.prefix(16 << 10), as: UTF8.self).contains(phrase)
    }
}
