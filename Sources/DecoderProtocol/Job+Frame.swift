extension Job {
    private enum Tag: UInt8 {
        case check = 1
        case bake
        case convert
        case drawCard
        case joinTiles
        case outlinePage
        case misbehave = 255
    }

    var frame: Frame {
        var writer = FieldWriter()
        switch self {
        case .check(let codec):
            writer.append(Tag.check.rawValue)
            writer.append(codec.rawValue)
        case .bake(let codec, let finish):
            writer.append(Tag.bake.rawValue)
            writer.append(codec.rawValue)
            writer.append(finish)
        case .convert(let format, let finish):
            writer.append(Tag.convert.rawValue)
            writer.append(format.rawValue)
            writer.append(finish)
        case .joinTiles(let plan):
            writer.append(Tag.joinTiles.rawValue)
            writer.append(plan)
        case .outlinePage: writer.append(Tag.outlinePage.rawValue)
        case .drawCard(let card):
            writer.append(Tag.drawCard.rawValue)
            writer.append(card.domain)
            writer.append(card.title)
            writer.append(card.footer)
            writer.append(card.site)
        #if DEBUG
            case .misbehave(let misdeed):
                writer.append(Tag.misbehave.rawValue)
                writer.append(misdeed.rawValue)
        #endif
        }
        return Frame(kind: .job, payload: writer.bytes)
    }

    init(_ frame: Frame) throws(FrameError) {
        guard frame.kind == .job else { throw .malformed }
        var reader = FieldReader(frame.payload)
        self = try Self.read(from: &reader)
        guard reader.isAtEnd else { throw .malformed }
    }

    private static func read(from reader: inout FieldReader) throws(FrameError) -> Job {
        guard let tag = Tag(rawValue: try reader.byte()) else { throw .malformed }
        switch tag {
        case .check: return .check(try reader.value())
        case .bake: return .bake(try reader.value(), try reader.finish())
        case .convert: return .convert(try reader.value(), try reader.finish())
        case .joinTiles: return .joinTiles(try reader.tilePlan())
        case .outlinePage: return .outlinePage
        case .drawCard:
            return .drawCard(
                Card(
                    domain: try reader.text(upTo: Card.maximumText),
                    title: try reader.text(upTo: Card.maximumText),
                    footer: try reader.text(upTo: Card.maximumText), site: try reader.text(upTo: Card.maximumText)))
        case .misbehave:
            #if DEBUG
                return .misbehave(try reader.value())
            #else
                throw .malformed
            #endif
        }
    }
}

extension FieldReader {
    /// Reads one byte that must be a case of the enumeration.
    mutating func value<Value: RawRepresentable<UInt8>>() throws(FrameError) -> Value {
        guard let value = Value(rawValue: try byte()) else { throw .malformed }
        return value
    }
}
