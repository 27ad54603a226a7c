import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@Suite("The vault")
struct VaultTests {
    private let ada = Tenant.ID("ada")
    private let bob = Tenant.ID("bob")
    private let token = Array("a token of Pinry".utf8)

    private func makeVault(_ keys: String = "k1", instance: UInt8 = 7) throws -> Vault {
        Vault(ring: try ring(keys), instanceID: [UInt8](repeating: instance, count: 16))
    }

    private func contents(_ secret: Secret) -> [UInt8] { secret.withBytes { Array($0) } }

    @Test("opens what it sealed, and never seals the same way twice")
    func roundTrip() throws {
        let vault = try makeVault()
        let first = try vault.seal(Secret(copying: token), for: .pinryToken, of: ada)
        let second = try vault.seal(Secret(copying: token), for: .pinryToken, of: ada)
        #expect(contents(try vault.open(first, of: ada)) == token)
        #expect(first.keyID == "k1")
        #expect(first.box.count == 1 + 12 + token.count + 16)
        #expect(first.id != second.id)
        #expect(first.box != second.box)
        #expect(!first.box.contains(subsequence: token))
    }

    @Test("opens nothing that was moved to another tenant, purpose, id, key or instance")
    func moved() throws {
        let vault = try makeVault("k1 k2")
        let sealed = try vault.seal(Secret(copying: token), for: .pinryToken, of: ada)
        func expectTampered(_ sealed: SealedSecret, of tenant: Tenant.ID, by vault: Vault) {
            let error = #expect(throws: VaultError.self) { try vault.open(sealed, of: tenant) }
            #expect(error?.code == .tampered)
        }
        expectTampered(sealed, of: bob, by: vault)
        let (id, box) = (sealed.id, sealed.box)
        expectTampered(SealedSecret(id: id, purpose: .hookSecret, keyID: "k1", box: box), of: ada, by: vault)
        expectTampered(SealedSecret(id: .init("x"), purpose: .pinryToken, keyID: "k1", box: box), of: ada, by: vault)
        expectTampered(SealedSecret(id: id, purpose: .pinryToken, keyID: "k2", box: box), of: ada, by: vault)
        expectTampered(sealed, of: ada, by: try makeVault("k1 k2", instance: 8))
    }

    @Test("opens no record with a flipped bit, in the box or in what is authenticated")
    func flippedBits() throws {
        let vault = try makeVault()
        let tenant = Tenant.ID("tenantabcdefghijklmnopqrst")
        let sealed = try vault.seal(Secret(copying: token), for: .pinryToken, of: tenant)
        var random = SystemRandom()
        for _ in 0..<10_000 {
            var fields = [sealed.box, Array(tenant.rawValue.utf8), Array(sealed.id.rawValue.utf8)]
            let place = Int.random(in: 0..<fields.joined().count, using: &random)
            var (field, index) = (0, place)
            while index >= fields[field].count { (field, index) = (field + 1, index - fields[field].count) }
            // The names are text: a highest bit would be repaired on its way into a string.
            let bit = UInt8(1) << UInt8.random(in: 0..<(field == 0 ? 8 : 7), using: &random)
            fields[field][index] ^= bit
            let changed = SealedSecret(
                id: .init(String(decoding: fields[2], as: UTF8.self)), purpose: sealed.purpose, keyID: sealed.keyID,
                box: fields[0])
            let owner = Tenant.ID(String(decoding: fields[1], as: UTF8.self))
            let isRefused = (try? vault.open(changed, of: owner)) == nil
            if !isRefused { Issue.record("bit \(bit) of byte \(place) was not noticed") }
        }
    }

    @Test("a cut or longer record is an error at every length")
    func cutRecords() throws {
        let vault = try makeVault()
        let sealed = try vault.seal(Secret(copying: token), for: .pinryToken, of: ada)
        for length in 0..<sealed.box.count {
            let cut = SealedSecret(
                id: sealed.id, purpose: sealed.purpose, keyID: sealed.keyID, box: Array(sealed.box.prefix(length)))
            #expect(throws: VaultError.self) { try vault.open(cut, of: ada) }
        }
        let longer = SealedSecret(
            id: sealed.id, purpose: sealed.purpose, keyID: sealed.keyID, box: sealed.box + [0])
        #expect(throws: VaultError.self) { try vault.open(longer, of: ada) }
    }

    @Test("after a rotation the new key seals and the old one still opens; without it the error names the key")
    func rotation() throws {
        let old = try makeVault("k1")
        let sealed = try old.seal(Secret(copying: token), for: .mailboxPassword, of: ada)
        let rotated = try makeVault("k2 k1")
        #expect(contents(try rotated.open(sealed, of: ada)) == token)
        #expect(try rotated.seal(Secret(copying: token), for: .pinryToken, of: ada).keyID == "k2")
        let error = #expect(throws: VaultError.self) { try makeVault("k2").open(sealed, of: ada) }
        #expect(error?.code == .keyMissing)
        #expect(error?.detail.contains("k1") == true)
    }

    @Test("takes an empty secret and refuses a giant one")
    func sizes() throws {
        let vault = try makeVault()
        let empty = try vault.seal(Secret(copying: []), for: .hookSecret, of: ada)
        #expect(try vault.open(empty, of: ada).count == 0)
        let giant = Secret(copying: [UInt8](repeating: 0, count: Vault.longestSecret + 1))
        #expect(throws: VaultError.self) { try vault.seal(giant, for: .hookSecret, of: ada) }
    }

    @Test("memory that is wiped holds nothing")
    func wiped() {
        var bytes = token
        bytes.withUnsafeMutableBytes { Secret.wipe($0) }
        #expect(bytes.allSatisfy { $0 == 0 })
        var taken = token
        let secret = Secret(taking: &taken)
        #expect(taken.isEmpty)
        #expect(contents(secret) == token)
        #expect("\(secret) \(String(reflecting: secret))".contains("token") == false)
    }
}

/// A ring of keys by these names; a name always means the same key.
func ring(_ names: String) throws -> KeyRing {
    let text = names.split(separator: " ").map { "\($0) \(keyText($0))\n" }.joined()
    var random = SystemRandom()
    let sources = KeySources(dataFolder: "/nowhere", environment: Secret(copying: Array(text.utf8)))
    return try KeyRing.load(from: sources, checkValues: [:], needed: [], using: &random).ring
}

func keyText(_ name: some StringProtocol) -> String { Data(SHA256.hash(String(name))).base64EncodedString() }

extension [UInt8] {
    func contains(subsequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: subsequence) }
    }
}
