extension Reply {
    var frame: Frame {
        var writer = FieldWriter()
        switch self {
        case .ready:
            return Frame(kind: .ready, payload: [])
        case .finished(let output):
            writer.append(output.codec.rawValue)
            writer.append(UInt32(clamping: output.width))
            writer.append(UInt32(clamping: output.height))
            writer.append(UInt32(clamping: output.byteCount))
            writer.append(output.traits.rawValue)
            return Frame(kind: .finished, payload: writer.bytes)
        case .outlined(let byteCount):
            writer.append(UInt32(clamping: byteCount))
            return Frame(kind: .outlined, payload: writer.bytes)
        case .failed(let failure):
            writer.append(failure.code.rawValue)
            writer.append(failure.detail)
            return Frame(kind: .failed, payload: writer.bytes)
        }
    }

    init(_ frame: Frame) throws(FrameError) {
        var reader = FieldReader(frame.payload)
        switch frame.kind {
        case .job: throw .malformed
        case .ready: self = .ready
        case .finished:
            self = .finished(
                Output(
                    codec: try reader.value(), width: Int(try reader.integer()), height: Int(try reader.integer()),
                    byteCount: Int(try reader.integer()), traits: Output.Traits(rawValue: try reader.byte())))
        case .outlined: self = .outlined(byteCount: Int(try reader.integer()))
        case .failed:
            self = .failed(Failure(try reader.value(), try reader.text(upTo: Failure.maximumDetail)))
        }
        guard reader.isAtEnd else { throw .malformed }
    }
}
