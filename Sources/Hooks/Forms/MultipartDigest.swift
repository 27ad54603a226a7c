public import PinpostCore

/// What a multipart body says, whatever boundary its sender drew: the digest of names, types and bytes in their order.
enum MultipartDigest {
    static func of(_ source: ByteSource, boundary: String, limits: HookLimits) throws(HookError) -> [UInt8] {
        let parts = MultipartReader(source, boundary: boundary, headLimit: limits.partHead)
        var whole = PartsDigest()
        var count = 0
        while let head = try parts.next() {
            count += 1
            guard count <= limits.entries else { throw HookError(.tooLarge, "More than \(limits.entries) parts.") }
            try whole.add(texts(of: head), parts.body)
        }
        return whole.finish()
    }

    private static func texts(of head: MultipartReader.Head) -> [String] {
        let parameters = head.disposition.parameters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        return [head.disposition.value, head.contentType] + parameters
    }
}

extension HookReader {
    /// What the bytes of a body are compared by when it is sent again: SHA-256, of a multipart body over its parts.
    ///
    /// The content type goes with it, without the boundary. Reads the body only where that is multipart.
    public func content(
        of stored: StoredBytes, as contentType: String?, read: () throws(StoreError) -> any BlobReader
    ) throws(HookError) -> (contentType: String?, digest: [UInt8]) {
        guard case .multipart(let boundary) = try PayloadKind(contentType: contentType) else {
            return (contentType, stored.sha256)
        }
        let body: any BlobReader
        do throws(StoreError) { body = try read() } catch {
            throw HookError(unread: error)
        }
        let source = ByteSource(body, limit: limits.multipart)
        return ("multipart/form-data", try MultipartDigest.of(source, boundary: boundary, limits: limits))
    }
}
