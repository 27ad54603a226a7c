import Glibc
import PinpostCore
import PinpostTesting
import Synchronization
import Testing

@testable import StoreSQLite

@Suite("Naming finished files", .timeLimit(.minutes(10)))
struct NamingRoundsTests {
    /// Counts the syncs; each one waits until it may go on, or fails.
    private final class Disk: Sendable {
        private let synced = Mutex<[String]>([])
        /// Nothing comes through it; closing it lets everybody go on.
        private let gate = Mailbox<Void>()
        let isBroken: Bool

        init(isBroken: Bool = false) { self.isBroken = isBroken }

        var folders: [String] { synced.withLock(\.self) }

        func open() { gate.close() }

        func sync(_ folder: String) throws(StoreError) {
            synced.withLock { $0.append(folder) }
            _ = gate.next()
            if isBroken { throw StoreError(.diskFull) }
        }
    }

    /// Makes the folders of a spool, so that none is made, and synced, on the way.
    private func makeFolders(in root: String) {
        for letter in "abcdefghijklmnopqrstuvwxyz234567" { mkdir("\(root)/\(letter)", 0o700) }
    }

    private func adopt(_ count: Int, in root: String, _ disk: Disk) async throws -> [Result<Blob.ID, StoreError>] {
        makeFolders(in: root)
        for number in 0..<count { try writeFile([UInt8(number)], to: "\(root)/new-\(number)") }
        let naming = NamingRounds(root: root) { (folder) throws(StoreError) in try disk.sync(folder) }
        let pool = BlockingPool(width: count)
        return await withTaskGroup(of: Result<Blob.ID, StoreError>.self) { group in
            for number in 0..<count {
                group.addTask {
                    await pool.run {
                        Result { () throws(StoreError) in try naming.adopt("\(root)/new-\(number)") }
                    }
                }
            }
            // The first is at its sync, all others wait behind it.
            while naming.count < count - 1 || disk.folders.isEmpty { await Task.yield() }
            disk.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("files that come while a folder is synced share the next sync, and each gets a name of its own")
    func shared() async throws {
        try await withFolder { root in
            let disk = Disk()
            let ids = try await adopt(20, in: root, disk).map { try $0.get() }
            #expect(disk.folders.count == 2)
            #expect(Set(ids).count == 20)
            let contents = ids.flatMap { id in readFile("\(root)/\(id.rawValue.prefix(1))/\(id)") }
            #expect(contents.sorted() == (0..<20).map { UInt8($0) })
            #expect(Set(ids.map { "\(root)/\($0.rawValue.prefix(1))" }) == Set(disk.folders))
        }
    }

    @Test("a sync that fails fails for all who shared it, and leaves no names")
    func broken() async throws {
        try await withFolder { root in
            let results = try await adopt(5, in: root, Disk(isBroken: true))
            for result in results {
                #expect(throws: StoreError(.diskFull)) { try result.get() }
            }
            #expect(TestFolder.files(below: root).isEmpty)
        }
    }

    @Test("a file that is gone fails alone")
    func missing() async throws {
        try await withFolder { root in
            makeFolders(in: root)
            let naming = NamingRounds(root: root)
            #expect(throws: StoreError.self) { try naming.adopt("\(root)/nothing") }
            try writeFile([1], to: "\(root)/new")
            let id = try naming.adopt("\(root)/new")
            #expect(TestFolder.files(below: root) == ["\(root)/\(id.rawValue.prefix(1))/\(id)"])
        }
    }
}
