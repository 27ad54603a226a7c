import Glibc
import Mail
import PinpostCore

/// Reads mails from files as the service does, but keeps nothing: `bench-mime [--limited] FILE…`, one line of JSON.
///
/// `--limited` is the service's own limit of length, and says why a mail is refused.
@main
struct Main {
    static func main() throws {
        var (bytes, items) = (0, 0)
        var refused = ""
        let isLimited = CommandLine.arguments.dropFirst().first == "--limited"
        let reader = MailReader(limits: isLimited ? MailLimits() : limits)
        for path in CommandLine.arguments.dropFirst(isLimited ? 2 : 1) {
            let file = try MailFile(path)
            do {
                items += try reader.read(file, into: Nowhere()).items.count
            } catch {
                guard isLimited else { throw error }
                refused = ",\"refused\":\(JSONText.quote(error.description))"
            }
            bytes += file.count
        }
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let cpu = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }.reduce(0, +)
        print("{\"bytes\":\(bytes),\"items\":\(items),\"cpu_s\":\(cpu),\"rss_kib\":\(usage.ru_maxrss)\(refused)}")
    }

    private static var limits: MailLimits {
        var limits = MailLimits()
        limits.messageBytes = 1 << 30
        return limits
    }
}

/// A file, read from its start to its end.
private final class MailFile: BlobReader {
    private let file: CInt
    private(set) var count = 0

    init(_ path: String) throws(StoreError) {
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw StoreError(.notFound, path) }
    }

    deinit { close(file) }

    func descriptor() throws(StoreError) -> CInt { file }

    func read(upTo limit: Int) throws(StoreError) -> [UInt8] {
        let piece = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(Glibc.read(file, buffer.baseAddress, limit), 0)
        }
        count += piece.count
        return piece
    }
}

/// Takes pictures and keeps nothing of them.
private struct Nowhere: BlobStore {
    private final class Writer: BlobWriter {
        private var count = 0
        func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) { count += bytes.count }
        func finish() throws(StoreError) -> StoredBytes {
            StoredBytes(
                place: .inline([]), count: count,
                sha256: withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { Array($0) })
        }
        func discard() {}
    }

    func makeWriter() -> any BlobWriter { Writer() }
    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { throw StoreError(.notFound) }
    func discard(_ bytes: StoredBytes) {}
}
