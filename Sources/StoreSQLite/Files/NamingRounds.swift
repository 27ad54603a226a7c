internal import Cryptography
internal import Glibc
internal import PinpostCore

/// Gives finished files their names: all that come while the disk is busy share one folder, and one sync of it.
///
/// `@unchecked Sendable` is safe: `waiting`, `isBusy` and the results are touched only between lock and unlock of the
/// monitor.
final class NamingRounds: @unchecked Sendable {
    /// Files that one round takes at most.
    private static let limit = 256

    private let root: String
    private let sync: @Sendable (String) throws(StoreError) -> Void
    private var waiting: [Request] = []
    private var isBusy = false
    private let monitor = Monitor()

    private final class Request {
        let file: String
        var result: Result<Blob.ID, StoreError>?

        init(_ file: String) { self.file = file }
    }

    /// Names files in the folders of `root`; `sync` makes the names in a folder durable.
    init(
        root: String, sync: @escaping @Sendable (String) throws(StoreError) -> Void = Descriptor.syncFolder
    ) {
        self.root = root
        self.sync = sync
    }

    /// Files that wait for the next round.
    var count: Int {
        monitor.lock()
        defer { monitor.unlock() }
        return waiting.count
    }

    /// Gives a finished file its place; returns when its name is on the disk.
    func adopt(_ file: String) throws(StoreError) -> Blob.ID {
        let request = Request(file)
        monitor.lock()
        defer { monitor.unlock() }
        waiting.append(request)
        while true {
            if let result = request.result { return try result.get() }
            if isBusy {
                monitor.wait()
            } else {
                lead()
            }
        }
    }

    /// Does one round for all who wait, the caller's lock let go meanwhile; the oldest are the first.
    private func lead() {
        let round = Array(waiting.prefix(Self.limit))
        waiting.removeFirst(round.count)
        isBusy = true
        monitor.unlock()
        let results = name(round.map(\.file))
        monitor.lock()
        for (request, result) in zip(round, results) { request.result = result }
        isBusy = false
        monitor.wakeAll()
    }

    private func name(_ files: [String]) -> [Result<Blob.ID, StoreError>] {
        var random = SystemRandom()
        let folder = String(Blob.ID.random(using: &random).rawValue.prefix(1))
        var results: [Result<Blob.ID, StoreError>] = []
        for file in files {
            let id = Blob.ID(folder + Blob.ID.random(using: &random).rawValue.dropFirst())
            do throws(StoreError) {
                results.append(.success(try rename(file, to: id, in: folder)))
            } catch {
                results.append(.failure(error))
            }
        }
        do throws(StoreError) {
            try sync("\(root)/\(folder)")
        } catch {
            for case .success(let id) in results { unlink("\(root)/\(folder)/\(id)") }
            let failure = Result<Blob.ID, StoreError>.failure(error)
            results = results.map { result in result.flatMap { _ in failure } }
        }
        return results
    }

    private func rename(_ file: String, to id: Blob.ID, in folder: String) throws(StoreError) -> Blob.ID {
        let path = "\(root)/\(folder)/\(id)"
        if Glibc.rename(file, path) == 0 { return id }
        guard errno == ENOENT else { throw .system("named", path) }
        guard mkdir("\(root)/\(folder)", 0o700) == 0 || errno == EEXIST else { throw .system("made", folder) }
        try sync(root)
        guard Glibc.rename(file, path) == 0 else { throw .system("named", path) }
        return id
    }
}
