/// One message on the control socket: 8 bytes of header, then a bounded payload.
///
/// ```
/// 0      1      2         3      4 … 7             8 …
/// 'P'    'D'    version   kind   payload length    payload     (integers little-endian)
/// ```
struct Frame: Equatable {
    static let version: UInt8 = 3
    static let headerLength = 8
    /// The largest payload: the places of 4,096 tiles, 16 KiB of parameter sets and some numbers.
    static let maximumPayload = 64 << 10

    enum Kind: UInt8 {
        case job = 1
        case ready
        case finished
        case failed
        case outlined
    }

    let kind: Kind
    let payload: [UInt8]

    var encoded: [UInt8] {
        var writer = FieldWriter()
        writer.append(UInt8(ascii: "P"))
        writer.append(UInt8(ascii: "D"))
        writer.append(Self.version)
        writer.append(kind.rawValue)
        writer.append(UInt32(clamping: payload.count))
        return writer.bytes + payload
    }

    /// Reads a header.
    /// - Throws: `.malformed` for foreign bytes, `.version` when the two executables are not of one build,
    ///   `.oversized` above `maximumPayload`.
    static func header(_ bytes: [UInt8]) throws(FrameError) -> (kind: Kind, length: Int) {
        var reader = FieldReader(bytes)
        guard try reader.byte() == UInt8(ascii: "P"), try reader.byte() == UInt8(ascii: "D") else { throw .malformed }
        guard try reader.byte() == version else { throw .version }
        guard let kind = Kind(rawValue: try reader.byte()) else { throw .malformed }
        let length = Int(try reader.integer())
        guard length <= maximumPayload else { throw .oversized }
        return (kind, length)
    }
}

/// Why a frame could not be exchanged.
public enum FrameError: Error, Sendable, Hashable {
    case malformed
    case version
    case oversized
    /// The other side is gone.
    case closed
    /// The deadline passed.
    case timedOut
    /// A system call failed with this `errno`.
    case system(Int32)
}
