import Media
import PinpostCore

extension Command {
    static let convert = Command(
        "convert", "make of a picture what Pinry would get, without a store",
        operands: [Operand("IN", "the picture"), Operand("OUT", "the file to write; one that is there is replaced")]
    ) { arguments, context in
        let (input, path) = (arguments.operands[0], arguments.operands[1])
        let output: FreshFile
        do throws(SystemFailure) { output = try FreshFile(path) } catch {
            throw UsageError("\(path) cannot be written (\(error.reason)).")
        }
        let blobs = FileBlobs(input: input, output: output)
        let picture = try context.picture(input, from: blobs)
        guard picture.count > 0 else { throw Failure("empty", "\(input) is empty.", exit: .wrongData) }
        let converter = SandboxedPictureConverter(DecoderPool(try .besideRunningProgram()), storingIn: blobs)
        let converted = try await converter.convert(picture)
        do throws(SystemFailure) { try output.commit() } catch {
            throw UsageError("\(path) cannot be written (\(error.reason)).")
        }
        try context.print(ConversionReport(converted)) { $0.text }
        return .done
    }
}

extension CommandContext {
    /// A picture that a command line names: a file where it lies, or standard input for `-`.
    fileprivate func picture(_ path: String, from blobs: FileBlobs) throws -> StoredBytes {
        guard path != "-" else {
            let bytes = try wholeFile(path, limit: PinTarget.limit)
            return StoredBytes(place: .inline(bytes), count: bytes.count, sha256: [])
        }
        do throws(SystemFailure) { return try blobs.picture() } catch {
            throw UsageError("\(path) cannot be read (\(error.reason)).")
        }
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
