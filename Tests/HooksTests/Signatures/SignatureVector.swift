import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@testable import Hooks

/// One signed request of the shared list, with the verdict that it must get.
struct SignatureVector: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let provider: String
    let expect: String
    let secret: String?
    let publicKey: String?
    let now: Int?
    let url: String?
    let headers: [String: String]?
    let body: String?
    let form: [String: String]?

    var testDescription: String { id }

    private enum CodingKeys: String, CodingKey {
        case id, provider, expect, secret, now, url, headers, body, form
        case publicKey = "public_key"
    }

    /// Empty where the list is not on this machine.
    static let all: [SignatureVector] = {
        guard Samples.areThere, let bytes = try? contents(of: Samples.folder + "/signature-vectors.json") else {
            return []
        }
        return (try? JSONDecoder().decode([SignatureVector].self, from: Data(bytes))) ?? []
    }()

    var request: SignedRequest {
        let headers = (headers ?? [:]).map { SignedRequest.Header($0.key, $0.value) }
        return SignedRequest(headers: headers, body: Array((body ?? form.map(Self.encoded) ?? "").utf8), url: url)
    }

    func verify(_ request: SignedRequest) throws -> VerifiedDelivery {
        let scheme = try #require(SignatureScheme(rawValue: provider), "\(provider)")
        let check = try scheme.check(secret: Secret(copying: Array((secret ?? publicKey ?? "").utf8)))
        return try check.verify(request, now: Date(timeIntervalSince1970: Double(now ?? 1_700_000_000)))
    }

    private static func encoded(_ form: [String: String]) -> String {
        form.map { "\(escaped($0.key))=\(escaped($0.value))" }.joined(separator: "&")
    }

    /// Every byte that is not a letter or digit is escaped.
    private static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { escaped, byte in
            let character = Character(Unicode.Scalar(byte))
            let digits = String(byte, radix: 16, uppercase: true)
            escaped +=
                character.isLetter || character.isNumber ? String(character) : "%" + (byte < 16 ? "0" : "") + digits
        }
    }
}

/// Checks a request that a test made.
func verdict(
    _ scheme: SignatureScheme, secret: String, headers: [(String, String)], body: String = "", url: String? = nil,
    at now: Int = 1_614_265_330, format: HMACFormat = HMACFormat()
) throws(SignatureRefusal) -> VerifiedDelivery {
    let request = SignedRequest(
        headers: headers.map { SignedRequest.Header($0.0, $0.1) }, body: Array(body.utf8), url: url)
    let check = try scheme.check(secret: Secret(copying: Array(secret.utf8)), format: format)
    return try check.verify(request, now: Date(timeIntervalSince1970: Double(now)))
}

/// Why a request is refused; nil where it is accepted.
func refusal(_ body: () throws(SignatureRefusal) -> VerifiedDelivery) -> SignatureRefusal.Code? {
    do throws(SignatureRefusal) {
        _ = try body()
        return nil
    } catch { return error.code }
}

/// The keyed hash of a text in hexadecimal digits.
func hexCode(of message: String, key: String, hash: HMAC.Hash = .sha256) -> String {
    HMAC.code(of: Array(message.utf8), key: Array(key.utf8), hash: hash).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}

/// The keyed hash of a text in base64.
func base64Code(of message: String, key: String, hash: HMAC.Hash = .sha256) -> String {
    Data(HMAC.code(of: Array(message.utf8), key: Array(key.utf8), hash: hash)).base64EncodedString()
}
