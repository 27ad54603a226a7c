import FoundationEssentials
import Glibc
import Media
import PinpostCore

extension Command {
    private static let force = Switch("force", "replace files that are there already")

    static let convert = Command(
        "convert", "make of pictures what Pinry would get, without a store",
        operands: [
            Operand("IN", "the picture, or a folder with pictures; - is standard input"),
            Operand("OUT", "the file or folder to write; - is standard output"),
        ],
        flags: [AnyFlag(force)],
        notes: """
            The type of what comes out depends on the picture: a HEIC becomes a JPEG (a PNG where it is transparent),
            other pictures keep their format. A name that says another type is refused, before anything is written; with
            a folder as OUT the ending is chosen. In a folder, IN is searched with all that is below it, hidden files and
            other kinds of files are left alone, and what cannot be converted is named while the rest goes on (exit 65).
            """
    ) { arguments, context in
        let (input, output) = (arguments.operands[0], arguments.operands[1])
        let settings = try context.configuration().media
        var configuration = DecoderPool.Configuration()
        configuration.concurrency = settings.decoders
        let pool = DecoderPool(try .besideRunningProgram(), configuration)
        let isFolder = input != "-" && FolderOfPictures.isFolder(input)
        guard !isFolder else {
            guard output != "-" else { throw UsageError("A folder is not written to standard output; name a folder.") }
            let folder = try FolderOfPictures(input, into: output)
            let conversion = FolderConversion(
                folder: folder, pool: pool, limits: settings.limits, width: settings.decoders,
                isForced: arguments.has(force), context: context)
            return try await conversion.run()
        }
        let conversion = FileConversion(
            input: input, output: output, isForced: arguments.has(force), context: context)
        return try await conversion.run(pool, settings.limits)
    }
}

/// One picture to one file, or to standard output.
private struct FileConversion {
    let input: String
    let output: String
    let isForced: Bool
    let context: CommandContext

    func run(_ pool: DecoderPool, _ limits: PictureLimits) async throws -> ExitCode {
        guard output != "-" else { return try await toStandardOutput(pool, limits) }
        let isFolder = FolderOfPictures.isFolder(output)
        let blobs = FileBlobs(.folder(isFolder ? output : Self.folder(of: output)))
        guard isForced || isFolder || access(output, F_OK) != 0 else { throw Failure.exists(output) }
        let picture = try self.picture(from: blobs)
        let converter = SandboxedPictureConverter(pool, storingIn: blobs, limits: limits)
        let converted: ConvertedPicture
        do { converted = try await converter.convert(picture) } catch {
            throw blobs.writingFailure.map { Failure.notWritten(output, $0) } ?? Failure(error)
        }
        do {
            let path = try path(for: converted.shape.type, isFolder: isFolder)
            try blobs.put(converted.bytes, at: path, replacing: isForced)
        } catch {
            blobs.discard(converted.bytes)
            throw error
        }
        try context.print(ConversionReport(converted)) { $0.text }
        return .done
    }

    /// The bytes go to standard output, and what would be said there to standard error.
    private func toStandardOutput(_ pool: DecoderPool, _ limits: PictureLimits) async throws -> ExitCode {
        guard isatty(context.console.output) == 0 else {
            throw UsageError("A picture is not written to a terminal; send standard output to a file or a program.")
        }
        let blobs = FileBlobs(.descriptor(context.console.output))
        let picture = try self.picture(from: blobs)
        let converted = try await SandboxedPictureConverter(pool, storingIn: blobs, limits: limits).convert(picture)
        let report = ConversionReport(converted)
        context.console.writeError(context.isJSON ? try JSONOutput.line(report) : report.text)
        return .done
    }

    private func picture(from blobs: FileBlobs) throws -> StoredBytes {
        let picture: StoredBytes
        if input == "-" {
            let bytes = try context.wholeFile(input, limit: PinTarget.limit)
            picture = StoredBytes(place: .inline(bytes), count: bytes.count, sha256: [])
        } else {
            do throws(SystemFailure) { picture = try blobs.picture(input) } catch {
                throw UsageError("\(input) cannot be read (\(error.reason)).")
            }
        }
        guard picture.count > 0 else { throw Failure("empty", "\(input) is empty.", exit: .wrongData) }
        return picture
    }

    private func path(for type: PictureType, isFolder: Bool) throws -> String {
        let stem = ConvertedName(input == "-" ? "picture" : String(input.split(separator: "/").last ?? "picture"))
        guard !isFolder else { return "\(output)/\(stem.name(for: type))" }
        guard let said = ConvertedName(output).type, said != type else { return output }
        let better = "\(ConvertedName(output).stem).\(type.fileExtension)"
        throw UsageError(
            "This picture becomes a \(type.name), not a \(said.name): name the output \(better), or name a folder. "
                + "Nothing was written.")
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }
}

extension FileBlobs {
    /// Gives what was made its name.
    /// - Throws: with the code `exists` where a file may not be replaced.
    func put(_ bytes: StoredBytes, at path: String, replacing: Bool) throws(Failure) {
        do throws(SystemFailure) { try commit(bytes, as: path, replacing: replacing) } catch {
            guard error.code != EEXIST else { throw Failure.exists(path) }
            throw Failure.notWritten(path, error)
        }
    }
}

extension Failure {
    fileprivate static func exists(_ path: String) -> Failure {
        Failure("exists", "\(path) is there already; --force replaces it.", exit: .refused)
    }

    static func notWritten(_ path: String, _ failure: SystemFailure) -> Failure {
        let isFull = failure.code == ENOSPC || failure.code == EDQUOT
        return Failure(
            "not_written", "\(path) cannot be written (\(failure.reason)).", exit: isFull ? .tryLater : .usage)
    }
}
