@testable import DecoderProtocol

/// What a decoder process sends: a picture that has taken it over can send anything.
enum DecoderTarget {
    static func reply(_ bytes: [UInt8]) {
        guard let kind = bytes.first.flatMap(Frame.Kind.init),
            let reply = try? Reply(Frame(kind: kind, payload: Array(bytes.dropFirst())))
        else { return }
        precondition((try? Reply(reply.frame)) == reply, "a reply reads differently the second time")
    }

    static func outline(_ bytes: [UInt8]) {
        guard let elements = try? OutlineElement.decode(bytes) else { return }
        precondition(elements.count <= bytes.count)
    }
}
