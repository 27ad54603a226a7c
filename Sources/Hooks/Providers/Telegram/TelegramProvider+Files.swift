internal import PinpostCore

/// Calls to the Bot API: the bot's token is part of their addresses.
extension TelegramProvider {
    /// What a bot may fetch, in bytes.
    static let largestFile = 20 << 20

    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        switch answers.count {
        case 0: return .call(try call("getFile", access, "{\"file_id\":\(JSONText.quote(media.file))}"))
        case 1:
            let path = try Self.path(in: answers[0])
            return .call(try access.call("/file/bot\(try Self.token(of: access))/\(path)", of: self))
        default: return .done
        }
    }

    /// A method of the Bot API with its parameters as JSON.
    func call(_ method: String, _ access: ProviderAccess, _ parameters: String) throws(ProviderError) -> ProviderCall {
        try access.call(
            "/bot\(try Self.token(of: access))/\(method)", of: self, method: "POST",
            body: .bytes(Array(parameters.utf8), contentType: "application/json"))
    }

    /// `123456:ABC-DEF…`, and nothing that would change the address around it.
    private static func token(of access: ProviderAccess) throws(ProviderError) -> String {
        let text = access.token?.withBytes { String(decoding: $0, as: UTF8.self) }.trimmed ?? ""
        guard !text.isEmpty, text.utf8.allSatisfy({ isPlain($0) || $0 == UInt8(ascii: ":") }) else {
            throw ProviderError(.notConfigured, "The hook needs the token that BotFather gave.")
        }
        return text
    }

    private static func path(in answer: HTTPResponse) throws(ProviderError) -> String {
        guard let result = try? JSONTree(answer.body)["result"], let path = result["file_path"]?.text else {
            throw ProviderError(.refused, "Telegram gives no way to the file.")
        }
        if let size = result["file_size"]?.int, size > largestFile {
            throw ProviderError(.refused, "The file is over the 20 MB that a bot may fetch.")
        }
        let isSafe = path.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
        guard isSafe, !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            throw ProviderError(.refused, "Telegram gives a way to the file that cannot be followed.")
        }
        return path
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isDigit || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }
}
