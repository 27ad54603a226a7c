internal import Cryptography

/// The digest of named parts in their order: texts behind their lengths, and the bytes of each part as their own
/// digest, so that no two lists of parts are written alike.
struct PartsDigest: ~Copyable {
    private var whole = SHA256()

    /// Takes a part whose bytes `stream` hands over, and what tells it apart from others.
    mutating func add(
        _ texts: [String], _ stream: ((UnsafeRawBufferPointer) throws(HookError) -> Void) throws(HookError) -> Void
    ) throws(HookError) {
        var body = SHA256()
        try stream { run in body.update(run) }
        add(texts, digest: body.finish())
    }

    /// Takes a part that is in memory.
    mutating func add(_ texts: [String], bytes: [UInt8]) { add(texts, digest: SHA256.hash(bytes)) }

    private mutating func add(_ texts: [String], digest: [UInt8]) {
        let head = "\(texts.count):" + texts.map { "\($0.utf8.count):\($0)" }.joined()
        whole.update(Array(head.utf8))
        whole.update(digest)
    }

    mutating func finish() -> [UInt8] { whole.finish() }
}
