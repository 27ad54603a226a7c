import Cryptography
import FoundationEssentials
import PinpostTesting
import Testing

@Suite("An RSA key")
struct RSAKeyTests {
    private func decoded(_ text: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: text))) }

    @Test("accepts what it signed with the hash that was used, and no changed byte of it")
    func accepts() throws {
        let key = try VerifyingKey(rsa: decoded(RSASamples.publicKey))
        let message = Array("sample".utf8)
        let signatures = [
            (try decoded(RSASamples.sampleSHA1), VerifyingKey.Hash.sha1),
            (try decoded(RSASamples.sampleSHA256), .sha256),
        ]
        for (signature, hash) in signatures {
            #expect(key.verifies(signature, of: message, hash: hash))
            #expect(!key.verifies(signature, of: message, hash: hash == .sha1 ? .sha256 : .sha1))
            #expect(!key.verifies(signature, of: message + [0], hash: hash))
            #expect(!key.verifies(signature + [0], of: message, hash: hash))
            for index in stride(from: 0, to: signature.count, by: 17) {
                var changed = signature
                changed[index] ^= 1
                #expect(!key.verifies(changed, of: message, hash: hash), "byte \(index)")
            }
            for length in [0, 1, 255] {
                #expect(!key.verifies(Array(signature.prefix(length)), of: message, hash: hash))
            }
        }
    }

    @Test("comes out of a certificate with its days")
    func certificate() throws {
        let certificate = try Certificate(pem: Array(RSASamples.certificate.utf8))
        #expect(certificate.key.verifies(try decoded(RSASamples.sampleSHA256), of: Array("sample".utf8)))
        #expect(certificate.notBefore == Date(timeIntervalSince1970: 1_796_047_909))
        #expect(certificate.notAfter.timeIntervalSince(certificate.notBefore) == 7_300 * 86_400)
        #expect(certificate.isValid(at: certificate.notBefore) && certificate.isValid(at: certificate.notAfter))
        #expect(
            !certificate.isValid(at: certificate.notBefore - 1) && !certificate.isValid(at: certificate.notAfter + 1))
    }

    @Test("of a wrong length, form or kind is refused")
    func refused() throws {
        let key = try decoded(RSASamples.publicKey)
        #expect(throws: CryptographyError.badLength) { try VerifyingKey(rsa: []) }
        #expect(throws: CryptographyError.badLength) { try VerifyingKey(rsa: [UInt8](repeating: 0x30, count: 3_000)) }
        #expect(throws: CryptographyError.refused) { try VerifyingKey(rsa: key + [0]) }
        #expect(throws: CryptographyError.refused) { try VerifyingKey(rsa: Array(key.dropLast())) }
        #expect(throws: CryptographyError.refused) { try VerifyingKey(p256: key) }
        let short = try decoded(
            "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBANZiNm5i0vz0PxhkZUhxb8qho9+BnqEiNO3TFsZJJcc+Qaxi66xqGSRVQNlM32ZkvoFWoMwL6rtA"
                + "Q2KwwZuBPsMCAwEAAQ==")
        #expect(throws: CryptographyError.badLength) { try VerifyingKey(rsa: short) }
        let ed25519 = bytes("302a300506032b6570032100fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
        #expect(throws: CryptographyError.refused) { try VerifyingKey(rsa: ed25519) }
    }

    @Test("is not found in what is no certificate")
    func noCertificate() {
        let wrong = [
            "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            String(RSASamples.certificate.dropFirst(40)),
        ]
        for text in wrong {
            #expect(throws: CryptographyError.refused) { try Certificate(pem: Array(text.utf8)) }
        }
        #expect(throws: CryptographyError.badLength) { try Certificate(pem: []) }
        #expect(throws: CryptographyError.badLength) { try Certificate(pem: [UInt8](repeating: 0x20, count: 40_000)) }
    }
}
