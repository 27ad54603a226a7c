internal import Cryptography
internal import FoundationEssentials
public import PinpostCore

/// What a person allows in a browser: an authorization code with PKCE (RFC 6749 section 4.1, RFC 7636).
public struct CodeRequest: Sendable {
    /// What the person opens.
    public let url: String
    /// Where the browser is sent with the code.
    public let redirect: String
    /// Proves to the token endpoint that we are who asked.
    public let verifier: Secret
    private let state: String

    /// Fails where the client names no authorization endpoint.
    ///
    /// `hint` is the user name.
    public init?(
        _ client: OAuthClient, redirect: String, hint: String, using random: inout some RandomNumberGenerator
    ) {
        guard let endpoint = client.authorizationEndpoint else { return nil }
        let verifier = Self.random(32, &random)
        state = Self.random(16, &random)
        self.redirect = redirect
        var form = OAuthForm([
            "response_type": "code", "client_id": client.clientID, "redirect_uri": redirect, "state": state,
            "code_challenge": Self.base64URL(SHA256.hash(Array(verifier.utf8))), "code_challenge_method": "S256",
            "login_hint": hint,
        ])
        if let scope = client.scope { form.add("scope", scope) }
        let query = String(decoding: form.body, as: UTF8.self)
        url = "\(endpoint)\(endpoint.contains("?") ? "&" : "?")\(query)"
        self.verifier = Secret(copying: Array(verifier.utf8))
    }

    /// The code in what the browser was sent to: its whole address, or the query alone.
    ///
    /// Throws `.loginRefused` with the provider's words, and for an answer to another request.
    public func code(in answer: String) throws(IMAPError) -> Secret {
        let fields = Self.fields(of: answer)
        if let error = fields["error"] {
            let words = [error, fields["error_description"]].compactMap(\.self).joined(separator: ": ")
            throw IMAPError(.loginRefused, String(words.prefix(300)))
        }
        guard let code = fields["code"], !code.isEmpty else {
            throw IMAPError(.loginRefused, "There is no code in it; give the whole address that the browser shows.")
        }
        guard fields["state"] == state else {
            throw IMAPError(.loginRefused, "It answers another request; begin again.")
        }
        return Secret(copying: Array(code.utf8))
    }

    private static func fields(of answer: String) -> [String: String] {
        let query = (answer.firstIndex(of: "?").map { answer[answer.index(after: $0)...] } ?? answer[...])
            .prefix { $0 != "#" && !$0.isWhitespace }
        var fields: [String: String] = [:]
        for pair in query.split(separator: "&").prefix(20) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { continue }
            fields[String(sides[0])] = decoded(sides[1])
        }
        return fields
    }

    /// `application/x-www-form-urlencoded`.
    private static func decoded(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
                let high = hexValue(of: bytes[position + 1]), let low = hexValue(of: bytes[position + 2])
            {
                result.append(high << 4 | low)
                position += 3
            } else {
                result.append(bytes[position] == UInt8(ascii: "+") ? 0x20 : bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func random(_ count: Int, _ random: inout some RandomNumberGenerator) -> String {
        base64URL((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// RFC 4648 section 5, without padding.
    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").filter { $0 != "=" }
    }
}
