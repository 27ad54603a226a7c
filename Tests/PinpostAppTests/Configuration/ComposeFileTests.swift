import PinpostCore
import Testing

@testable import PinpostApp

@Suite("deploy/compose.yaml")
struct ComposeFileTests {
    /// What stands behind a key, wherever in the file.
    private func values(of key: String) throws -> [Substring] {
        let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let file = try ReadFile.bytes(of: "/\(package)/deploy/compose.yaml", limit: 1 << 20)
        return String(decoding: file, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words.first == "\(key):" ? words.last : nil
        }
    }

    @Test("trusts Caddy's own address and nobody else, not even the rest of its network")
    func proxies() throws {
        let trusted = try values(of: "PINPOST_TRUSTED_PROXIES")
        let addresses = try values(of: "ipv4_address")
        #expect(trusted.count == 1 && trusted == addresses)
        #expect(trusted.allSatisfy { !$0.contains("/") && !$0.contains(",") })
    }
}
