import FoundationEssentials
import Glibc
import Media
import PinpostCore

/// All pictures of a folder, several at a time; one that cannot be converted does not stop the others.
struct FolderConversion: Sendable {
    let folder: FolderOfPictures
    let pool: DecoderPool
    let limits: PictureLimits
    /// How many are converted at the same time.
    let width: Int
    let isForced: Bool
    let context: CommandContext

    func run() async throws -> ExitCode {
        let blobs = FileBlobs(.folder(folder.output))
        let converter = SandboxedPictureConverter(pool, storingIn: blobs, limits: limits)
        let progress = ProgressLine(context.console, of: folder.entries.count)
        var files: [(Int, FolderReport.File)] = []
        await withTaskGroup(of: (Int, FolderReport.File).self) { group in
            var waiting = folder.entries.enumerated().makeIterator()
            func startNext() {
                guard let (number, entry) = waiting.next() else { return }
                group.addTask { (number, await convert(entry, converter, blobs)) }
            }
            for _ in 0..<width { startNext() }
            for await (number, file) in group {
                files.append((number, file))
                startNext()
                progress.clear()
                if let error = file.error { context.hint("\(file.path): \(error.detail)") }
                progress.show(files.count, file.path)
            }
        }
        progress.clear()
        let report = FolderReport(files.sorted { $0.0 < $1.0 }.map(\.1), leftAlone: folder.leftAlone)
        try context.print(report) { $0.text }
        return report.failed == 0 ? .done : .wrongData
    }

    private func convert(
        _ entry: FolderOfPictures.Entry, _ converter: SandboxedPictureConverter, _ blobs: FileBlobs
    ) async -> FolderReport.File {
        let begun = ContinuousClock.now
        func milliseconds() -> Int { Int((ContinuousClock.now - begun) / .milliseconds(1)) }
        do {
            let picture = try await context.pool.run { () throws(SystemFailure) in
                try blobs.picture("\(folder.input)/\(entry.path)")
            }
            guard picture.count > 0 else { throw Failure("empty", "The file is empty.", exit: .wrongData) }
            let converted = try await converter.convert(picture)
            let output = entry.output(for: converted.shape.type)
            do {
                try await context.pool.run { () throws(Failure) in try put(converted.bytes, at: output, blobs) }
            } catch {
                blobs.discard(converted.bytes)
                throw error
            }
            return .init(
                path: entry.path, output: output, conversion: ConversionReport(converted), error: nil,
                milliseconds: milliseconds())
        } catch {
            let failure =
                switch error {
                case let error as SystemFailure:
                    Failure("not_read", "It cannot be read (\(error.reason)).", exit: .usage)
                case let error as MediaError where error.code == .unavailable:
                    blobs.writingFailure.map { Failure.notWritten(folder.output, $0) } ?? Failure(error)
                default: Failure(error)
                }
            return .init(
                path: entry.path, output: nil, conversion: nil,
                error: .init(code: failure.code, detail: failure.detail), milliseconds: milliseconds())
        }
    }

    private func put(_ bytes: StoredBytes, at output: String, _ blobs: FileBlobs) throws(Failure) {
        let path = "\(folder.output)/\(output)"
        let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        try? FileManager.default.createDirectory(atPath: String(parent), withIntermediateDirectories: true)
        try blobs.put(bytes, at: path, replacing: isForced)
    }
}

/// One line on a terminal that tells how far the work is, and is overwritten each time.
struct ProgressLine {
    private let console: Console
    private let total: Int
    private static let width = 78

    init(_ console: Console, of total: Int) { (self.console, self.total) = (console, total) }

    func show(_ done: Int, _ path: String) {
        guard console.showsProgress, done < total else { return }
        let line = "\(done) of \(total)  \(TextTable.printable(path))"
        console.writeError("\r" + String(line.prefix(Self.width)))
    }

    func clear() {
        guard console.showsProgress else { return }
        console.writeError("\r" + String(repeating: " ", count: Self.width) + "\r")
    }
}
