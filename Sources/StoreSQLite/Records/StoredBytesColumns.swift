internal import PinpostCore

/// Stored bytes take four columns: the bytes or the name of the file, the length, the digest.
struct StoredBytesColumns {
    let inline: SQLValue
    let blob: SQLValue
    let count: SQLValue
    let sha256: SQLValue

    init(_ bytes: StoredBytes?) {
        guard let bytes else {
            (inline, blob, count, sha256) = (.null, .null, .null, .null)
            return
        }
        switch bytes.place {
        case .inline(let content): (inline, blob) = (.blob(content), .null)
        case .spooled(let id): (inline, blob) = (.null, id.sqlValue)
        }
        count = bytes.count.sqlValue
        sha256 = bytes.sha256.sqlValue
    }
}

extension StoredBytes {
    /// The spool file, where there is one.
    var blob: Blob.ID? {
        if case .spooled(let id) = place { id } else { nil }
    }

    /// What is known of bytes that are gone.
    static func gone(count: Int, sha256: [UInt8]) -> StoredBytes {
        StoredBytes(place: .inline([]), count: count, sha256: sha256)
    }
}

extension Row {
    /// Reads the four columns; `isThere` is false when the bytes have been removed.
    mutating func storedBytes() -> (bytes: StoredBytes, isThere: Bool) {
        let inline = optional { $0.blob() }
        let blob: Blob.ID? = optional { $0.id() }
        let (count, sha256) = (int(), self.blob())
        if let blob { return (StoredBytes(place: .spooled(blob), count: count, sha256: sha256), true) }
        guard let inline else { return (.gone(count: count, sha256: sha256), false) }
        return (StoredBytes(place: .inline(inline), count: count, sha256: sha256), true)
    }
}
