import Cryptography
import Testing

@Suite("A verifying key")
struct VerifyingKeyTests {
    /// RFC 8032 section 7.1, TEST 3.
    private static let ed25519 = bytes("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
    private static let message = bytes("af82")
    private static let signature = bytes(
        """
        6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
        18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
        """)

    /// RFC 6979 section A.2.5, the key and its signature of "sample" with SHA-256.
    private static let p256 = bytes(
        """
        3059301306072a8648ce3d020106082a8648ce3d030107034200
        0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6
        7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299
        """)
    private static let p256Signature = bytes(
        """
        3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716
        022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8
        """)

    @Test("accepts the Ed25519 signature of RFC 8032, and no changed bit of it")
    func ed25519() throws {
        let key = try VerifyingKey(ed25519: Self.ed25519)
        #expect(key.verifies(Self.signature, of: Self.message))
        for index in Self.signature.indices {
            var changed = Self.signature
            changed[index] ^= 1
            #expect(!key.verifies(changed, of: Self.message), "byte \(index)")
        }
        #expect(!key.verifies(Self.signature, of: Self.message + [0]))
        for length in [0, 1, 63] { #expect(!key.verifies(Array(Self.signature.prefix(length)), of: Self.message)) }
        #expect(!key.verifies(Self.signature + [0], of: Self.message))
    }

    @Test("accepts the P-256 signature of RFC 6979, and no changed bit of it")
    func p256() throws {
        let key = try VerifyingKey(p256: Self.p256)
        let message = Array("sample".utf8)
        #expect(key.verifies(Self.p256Signature, of: message))
        for index in Self.p256Signature.indices {
            var changed = Self.p256Signature
            changed[index] ^= 1
            #expect(!key.verifies(changed, of: message), "byte \(index)")
        }
        #expect(!key.verifies(Self.p256Signature, of: Array("sampl".utf8)))
        for length in 0..<Self.p256Signature.count {
            #expect(!key.verifies(Array(Self.p256Signature.prefix(length)), of: message))
        }
        #expect(!key.verifies(Self.signature, of: message))
    }

    @Test("takes no Ed25519 key of small order, in whatever spelling: such keys verify what nobody signed")
    func smallOrder() {
        let end = String(repeating: "ff", count: 30) + "7f"
        let eighth = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc"
        for point in [
            String(repeating: "00", count: 32), "01" + String(repeating: "00", count: 31),
            "01" + String(repeating: "00", count: 30) + "80", "ec\(end)", "ed\(end)", "ee\(end)", "\(eighth)05",
            "\(eighth)85", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        ] {
            #expect(throws: CryptographyError.refused, "\(point)") { try VerifyingKey(ed25519: bytes(point)) }
        }
    }

    @Test("of a wrong length, form or curve is refused")
    func refused() {
        #expect(throws: CryptographyError.badLength) { try VerifyingKey(ed25519: []) }
        #expect(throws: CryptographyError.badLength) { try VerifyingKey(ed25519: Self.ed25519 + [0]) }
        #expect(throws: CryptographyError.badLength) { try VerifyingKey(p256: []) }
        #expect(throws: CryptographyError.badLength) { try VerifyingKey(p256: [UInt8](repeating: 0x30, count: 2_000)) }
        #expect(throws: CryptographyError.refused) { try VerifyingKey(p256: Self.p256 + [0]) }
        #expect(throws: CryptographyError.refused) { try VerifyingKey(p256: Array(Self.p256.dropLast())) }
        let ed25519AsDER = bytes("302a300506032b6570032100") + Self.ed25519
        #expect(throws: CryptographyError.refused) { try VerifyingKey(p256: ed25519AsDER) }
        let secp256k1 = bytes(
            """
            3056301006072a8648ce3d020106052b8104000a034200
            0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798
            483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8
            """)
        #expect(throws: CryptographyError.refused) { try VerifyingKey(p256: secp256k1) }
    }
}
