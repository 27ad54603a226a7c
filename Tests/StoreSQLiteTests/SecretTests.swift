import Cryptography
import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@testable import StoreSQLite

@Suite("Secrets in the files", .timeLimit(.minutes(10)))
struct SecretTests {
    @Test("no token and no key stands in the database, its log or the spool, in any notation")
    func nothingPlain() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            var random = SystemRandom()
            let sources = KeySources(dataFolder: folder)
            let ring = try KeyRing.load(from: sources, checkValues: [:], needed: [], using: &random).ring
            let vault = Vault(ring: ring, instanceID: try await store.instanceID())
            let (hookToken, addressToken) = (HookToken.random(using: &random), AddressToken.random(using: &random))
            let pinryToken = Secret(copying: Array("0123456789abcdef/secret+token==".utf8))

            try await store.addKeyCheckValue(ring.current.checkValue, for: ring.current.id)
            let server = Server(id: makeID(), baseURL: "https://pinry.example")
            let id = Tenant.ID("tenant")
            let sealed = try vault.seal(pinryToken, for: .pinryToken, of: id)
            let tenant = Tenant(id: id, slug: "ada", server: server.id, token: sealed, createdAt: .noon)
            try await store.add(tenant, on: server)
            try await store.add(
                Hook(id: makeID(), tenant: id, tokenHashes: [hookToken.hash], defaults: .init(), createdAt: .noon))
            try await store.add(
                Address(
                    id: makeID(), tenant: id, tokenHash: addressToken.hash,
                    token: try vault.seal(addressToken.text, for: .addressToken, of: id), defaults: .init(),
                    createdAt: .noon))
            _ = try await store.accept("a message", of: tenant)
            _ = try store.put([UInt8](repeating: 1, count: 80_000))

            let stored = try #require(try await store.tenant(id)?.token)
            #expect(try vault.open(stored, of: id).withBytes { Array($0) } == pinryToken.withBytes { Array($0) })
            let files = TestFolder.files(below: folder).filter { !$0.hasSuffix("/master-keys") }
            #expect(files.contains { $0.hasSuffix("-wal") })
            for secret in [hookToken.text, addressToken.text, pinryToken, ring.current.secret] {
                for needle in notations(of: secret) {
                    for file in files { #expect(!readFile(file).contains(sequence: needle), "\(file)") }
                }
            }
            // The search itself finds what is there.
            #expect(readFile("\(folder)/pinpost.db-wal").contains(sequence: Array("https://pinry.example".utf8)))
            await store.close()
        }
    }

    private func notations(of secret: Secret) -> [[UInt8]] {
        let bytes = secret.withBytes { Array($0) }
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let percent = bytes.map { byte in
            Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }.joined()
        return [bytes, Array(hex.utf8), Array(Data(bytes).base64EncodedString().utf8), Array(percent.utf8)]
    }
}

extension [UInt8] {
    func contains(sequence: [UInt8]) -> Bool {
        guard let first = sequence.first else { return true }
        var start = startIndex
        while let index = self[start...].firstIndex(of: first) {
            if self[index...].starts(with: sequence) { return true }
            start = index + 1
        }
        return false
    }
}
