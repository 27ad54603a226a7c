import Media
import PinpostCore

extension Command {
    static let convert = Command(
        "convert", "make of a picture what Pinry would get, without a store",
        operands: [Operand("IN", "the picture"), Operand("OUT", "the file to write; one that is there is replaced")]
    ) { arguments, context in
        let bytes = try context.wholeFile(arguments.operands[0], limit: PinTarget.limit)
        guard !bytes.isEmpty else { throw Failure("empty", "\(arguments.operands[0]) is empty.", exit: .wrongData) }
        let blobs = MemoryBlobs()
        let picture = try blobs.store(bytes)
        let converter = SandboxedPictureConverter(DecoderPool(try .besideRunningProgram()), storingIn: blobs)
        let converted = try await converter.convert(picture)
        let content = try blobs.content(of: converted.bytes)
        let path = arguments.operands[1]
        try await context.pool.run { () throws(UsageError) in
            do throws(SystemFailure) { try WriteFile.replace(path, with: content) } catch {
                throw UsageError("\(path) cannot be written (\(error.reason)).")
            }
        }
        try context.print(ConversionReport(converted)) { $0.text }
        return .done
    }
}

/// What `convert --json` prints.
private struct ConversionReport: Encodable {
    struct Input: Encodable {
        let type: String
        let width: Int
        let height: Int
    }

    struct Output: Encodable {
        let type: String
        let width: Int
        let height: Int
        let bytes: Int
    }

    let `in`: Input
    let out: Output
    let actions: [String]

    init(_ picture: ConvertedPicture) {
        let original = picture.original ?? picture.shape
        `in` = Input(type: original.type.mimeType, width: original.width, height: original.height)
        out = Output(
            type: picture.shape.type.mimeType, width: picture.shape.width, height: picture.shape.height,
            bytes: picture.bytes.count)
        actions = picture.actions
    }

    var text: String {
        """
        \(`in`.type) \(`in`.width)×\(`in`.height) → \(out.type) \(out.width)×\(out.height), \(out.bytes) bytes
        \(actions.joined(separator: ", "))

        """
    }
}
