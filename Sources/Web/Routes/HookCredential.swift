internal import Cryptography
internal import FoundationEssentials

/// The hook token that a request presents: `Bearer TOKEN`, Basic with the token as password, or a part of the path.
enum HookCredential {
    static func presented(by head: RequestHead, secret: String?) -> HookToken.Presented? {
        if let secret { return HookToken.presented(secret) }
        guard let field = head.field("authorization") else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0].lowercased() {
        case "bearer": return HookToken.presented(parts[1])
        case "basic": return password(parts[1]).flatMap { HookToken.presented($0) }
        default: return nil
        }
    }

    /// What stands after the first colon (RFC 7617).
    private static func password(_ encoded: Substring) -> String? {
        guard let data = Data(base64Encoded: String(encoded)) else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":") else { return nil }
        return String(text[text.index(after: colon)...])
    }
}

extension HookToken.Presented? {
    /// Takes as long for no hook as for a wrong token.
    func opens(_ hashes: [[UInt8]]?) -> Bool { self?.matches(hashes ?? []) ?? false }
}
