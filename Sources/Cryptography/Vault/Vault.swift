public import PinpostCore

/// Seals secrets under keys that differ for every tenant.
///
/// A record is `0x01 | nonce (12) | ciphertext | tag (16)`; the version, the purpose, the tenant, the record's id and
/// the key's id are authenticated with it, so a record that was moved anywhere does not open.
public struct Vault: SecretKeeper {
    private static let version: UInt8 = 1
    /// No token or password is longer, in bytes.
    public static let longestSecret = 64 * 1024

    private let ring: KeyRing
    /// Salt of every tenant key, see `Registry.instanceID`.
    private let instanceID: [UInt8]

    public init(ring: KeyRing, instanceID: [UInt8]) {
        self.ring = ring
        self.instanceID = instanceID
    }

    public func seal(
        _ secret: Secret, for purpose: SealedSecret.Purpose, of tenant: Tenant.ID
    ) throws(VaultError) -> SealedSecret {
        guard secret.count <= Self.longestSecret else {
            throw VaultError(.cryptography, "A secret may have at most \(Self.longestSecret) bytes.")
        }
        var random = SystemRandom()
        let id = Identifier<SealedSecret>.random(using: &random)
        let nonce = random.bytes(AES256GCM.nonceLength)
        let data = Self.associatedData(purpose, tenant, id, keyID: ring.current.id)
        do throws(CryptographyError) {
            let key = try tenantKey(of: tenant, from: ring.current)
            let sealed = try AES256GCM.seal(secret, key: key, nonce: nonce, authenticating: data)
            return SealedSecret(id: id, purpose: purpose, keyID: ring.current.id, box: [Self.version] + nonce + sealed)
        } catch {
            throw VaultError(.cryptography, "The secret could not be sealed.")
        }
    }

    public func open(_ sealed: SealedSecret, of tenant: Tenant.ID) throws(VaultError) -> Secret {
        guard let master = ring.key(sealed.keyID) else {
            throw VaultError(.keyMissing, "The master key \(sealed.keyID) is not in the key ring. Put it back.")
        }
        let header = 1 + AES256GCM.nonceLength
        guard sealed.box.first == Self.version, sealed.box.count >= header + AES256GCM.tagLength else {
            throw Self.tampered(sealed)
        }
        let nonce = Array(sealed.box[1..<header])
        let data = Self.associatedData(sealed.purpose, tenant, sealed.id, keyID: sealed.keyID)
        do throws(CryptographyError) {
            let key = try tenantKey(of: tenant, from: master)
            return try AES256GCM.open(Array(sealed.box[header...]), key: key, nonce: nonce, authenticating: data)
        } catch {
            switch error {
            case .refused, .badLength: throw Self.tampered(sealed)
            case .failed: throw VaultError(.cryptography, "The secret could not be opened.")
            }
        }
    }

    private func tenantKey(of tenant: Tenant.ID, from master: MasterKey) throws(CryptographyError) -> Secret {
        let info = Array("cred-v1|\(tenant)".utf8)
        return try HKDF.derive(from: master.secret, salt: instanceID, info: info, count: AES256GCM.keyLength)
    }

    private static func associatedData(
        _ purpose: SealedSecret.Purpose, _ tenant: Tenant.ID, _ id: Identifier<SealedSecret>, keyID: String
    ) -> [UInt8] {
        Array("v1|\(purpose.rawValue)|\(tenant)|\(id)|\(keyID)".utf8)
    }

    private static func tampered(_ sealed: SealedSecret) -> VaultError {
        VaultError(
            .tampered,
            "A stored secret (\(sealed.purpose.rawValue)) was changed or moved and does not open. Enter it again.")
    }
}
