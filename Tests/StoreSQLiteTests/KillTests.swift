import CLinux
import FoundationEssentials
import Glibc
import PinpostCore
import Testing

@testable import StoreSQLite

@Suite("A process killed in the middle of commits", .timeLimit(.minutes(10)))
struct KillTests {
    @Test("leaves every message that it had confirmed, whole")
    func kill9() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let tenant = try await store.addTenant()
            await store.close()
            var confirmed: Set<String> = []
            for round in 1...6 {
                let lines = try await BlockingPool(width: 1).run {
                    try killVictim(in: folder, tenant, after: round * 37)
                }
                #expect(lines.count >= round * 37)
                confirmed.formUnion(lines)
            }
            let again = try await SQLiteStore.open(in: folder, now: .now)
            for id in confirmed {
                let message = try #require(try await again.message(Message.ID(id)))
                let reader = try again.open(try #require(message.body))
                let body = try reader.read(upTo: 100_000)
                #expect(body == Array(String(repeating: id, count: body.count / 26).utf8))
                #expect([494, 69_992].contains(body.count))
            }
            await again.close()
        }
    }
}

/// Starts a victim, kills it once it has confirmed `count` messages, and returns all that it confirmed.
private func killVictim(in folder: String, _ tenant: Tenant, after count: Int) throws -> [String] {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    let program = try victimPath()
    var process = pid_t()
    let status = withArguments([program, folder, tenant.id.rawValue]) { arguments in
        posix_spawn(&process, program, &actions, nil, arguments, environ)
    }
    close(ends[1])
    defer { close(ends[0]) }
    try #require(status == 0)
    var output: [UInt8] = []
    var isKilled = false
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
        let size = read(ends[0], &piece, piece.count)
        guard size > 0 else { break }
        output += piece.prefix(size)
        if !isKilled, output.count(where: { $0 == UInt8(ascii: "\n") }) >= count {
            kill(process, SIGKILL)
            isKilled = true
        }
    }
    kill(process, SIGKILL)
    var ending: CInt = 0
    waitpid(process, &ending, 0)
    return output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }.filter {
        $0.count == 26
    }
}

/// The victim is built beside the tests.
private func victimPath() throws -> String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    try #require(count > 0)
    let own = String(decoding: buffer.prefix(count), as: UTF8.self)
    return own.prefix(upTo: try #require(own.lastIndex(of: "/"))) + "/store-victim"
}

private func withArguments(
    _ arguments: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt
) -> CInt {
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map(body) ?? -1 }
}
