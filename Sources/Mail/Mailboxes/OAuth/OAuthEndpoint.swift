internal import FoundationEssentials
internal import PinpostCore

/// What a token endpoint gives (RFC 6749 section 5.1).
struct OAuthGrant: Sendable {
    /// At least one of the two is there.
    let accessToken: Secret?
    /// A new one, where the provider rotates them.
    let refreshToken: Secret?
    /// Seconds, as the provider says.
    let lifetime: TimeInterval?
}

/// The fields of a request to a token endpoint, as `application/x-www-form-urlencoded`.
struct OAuthForm {
    private(set) var body: [UInt8] = []

    init(_ fields: [String: String]) {
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { add(name, value) }
    }

    mutating func add(_ name: String, _ value: String) { append(name, Array(value.utf8)) }
    mutating func add(_ name: String, _ value: Secret) { value.withBytes { append(name, $0) } }

    private mutating func append(_ name: String, _ value: some Sequence<UInt8>) {
        if !body.isEmpty { body.append(UInt8(ascii: "&")) }
        body += Array(name.utf8) + [UInt8(ascii: "=")]
        for byte in value {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                body.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                body += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}

/// A provider's token endpoint.
struct OAuthEndpoint: Sendable {
    let url: String
    let http: any HTTPExchange

    /// Throws `.loginRefused` when the grant is dead, `.busy` when the endpoint should be asked later.
    func grant(_ form: OAuthForm) async throws(IMAPError) -> OAuthGrant {
        let response = try await send(form)
        let answer = try? JSONDecoder().decode(OAuthAnswer.self, from: Data(response.body))
        if response.status == 200, let answer, answer.accessToken != nil || answer.refreshToken != nil {
            return OAuthGrant(
                accessToken: answer.accessToken, refreshToken: answer.refreshToken, lifetime: answer.lifetime?.value)
        }
        let words = [answer?.error, answer?.errorDescription].compactMap(\.self).joined(separator: ": ")
        let said = String((words.isEmpty ? "status \(response.status)" : words).prefix(300))
        let isFinal = response.status < 500 && ![408, 425, 429].contains(response.status) && answer?.isFinal == true
        throw IMAPError(
            isFinal ? .loginRefused : .busy, "\(said) (token endpoint)", responseCode: answer?.error)
    }

    func send(_ form: OAuthForm) async throws(IMAPError) -> HTTPResponse {
        let request = HTTPRequest(
            method: "POST", url: url, body: .bytes(form.body, contentType: "application/x-www-form-urlencoded"),
            timeout: .seconds(30), responseLimit: 256 << 10)
        let host = url.split(separator: "/").dropFirst().first ?? ""
        let name = host.split(separator: ":").first ?? host
        do throws(HTTPExchangeError) {
            return try await http.send(request, as: .provider(host: String(name)))
        } catch {
            throw IMAPError(.unreachable, "token endpoint at \(name): \(error.detail)")
        }
    }
}
