import Cryptography
import PinpostCore
import Testing

@Suite("HMAC")
struct HMACTests {
    @Test(
        "gives the codes of RFC 4231",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func sha256(_ key: [UInt8], _ message: [UInt8], _ code: String) {
        #expect(HMAC.code(of: message, key: key) == bytes(code))
        #expect(HMAC.code(of: message, key: Secret(copying: key)) == bytes(code))
    }

    @Test("with the other hashes gives the codes of RFC 2202 and RFC 4231")
    func otherHashes() {
        let (key, message) = (Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        #expect(
            HMAC.code(of: message, key: key, hash: .sha1) == bytes("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
        #expect(
            HMAC.code(of: message, key: key, hash: .sha512)
                == bytes(
                    """
                    164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554
                    9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737
                    """))
    }

    @Test("of nothing under an empty key is a code like any other")
    func empty() {
        #expect(
            HMAC.code(of: [], key: [UInt8]())
                == bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    @Test("codes are compared whole")
    func comparison() {
        let code = HMAC.code(of: [1], key: [2])
        #expect(HMAC.areEqual(code, code))
        #expect(HMAC.areEqual([], []))
        #expect(!HMAC.areEqual(code, Array(code.dropLast())))
        for index in code.indices {
            var other = code
            other[index] ^= 1
            #expect(!HMAC.areEqual(code, other))
        }
    }
}

@Suite("HKDF")
struct HKDFTests {
    @Test("derives the keys of RFC 5869, cases 1 to 3")
    func vectors() throws {
        let first = try HKDF.derive(
            from: Secret(copying: [UInt8](repeating: 0x0B, count: 22)), salt: bytes("000102030405060708090a0b0c"),
            info: bytes("f0f1f2f3f4f5f6f7f8f9"), count: 42)
        #expect(
            first.withBytes { Array($0) }
                == bytes(
                    "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
        let second = try HKDF.derive(
            from: Secret(copying: Array(0x00...0x4F)), salt: Array(0x60...0xAF), info: Array(0xB0...0xFF), count: 82)
        #expect(
            second.withBytes { Array($0) }
                == bytes(
                    """
                    b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c
                    59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71
                    cc30c58179ec3e87c14c01d5c1f3434f1d87
                    """))
        let third = try HKDF.derive(
            from: Secret(copying: [UInt8](repeating: 0x0B, count: 22)), salt: [], info: [], count: 42)
        #expect(
            third.withBytes { Array($0) }
                == bytes(
                    "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }

    @Test("refuses an empty key and impossible lengths", arguments: [(0, 32), (16, 0), (16, 8_161), (16, -1)])
    func limits(_ keyLength: Int, _ count: Int) {
        let key = Secret(copying: [UInt8](repeating: 1, count: keyLength))
        #expect(throws: CryptographyError.badLength) { try HKDF.derive(from: key, salt: [], info: [], count: count) }
    }
}

@Suite("AES-256-GCM")
struct AES256GCMTests {
    private let key = Secret(copying: bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
    private let nonce = bytes("cafebabefacedbaddecaf888")
    private let data = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    private let text = bytes(
        """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
        """)
    private let sealed = bytes(
        """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
        76fc6ece0f4e1768cddf8853bb2d551b
        """)

    @Test("seals and opens test case 16 of the GCM specification")
    func vector() throws {
        #expect(
            try AES256GCM.seal(Secret(copying: text), key: key, nonce: nonce, authenticating: data) == sealed)
        let opened = try AES256GCM.open(sealed, key: key, nonce: nonce, authenticating: data)
        #expect(opened.withBytes { Array($0) } == text)
    }

    @Test("seals and opens nothing, test case 13")
    func emptyText() throws {
        let key = Secret(copying: [UInt8](repeating: 0, count: 32))
        let nonce = [UInt8](repeating: 0, count: 12)
        let sealed = try AES256GCM.seal(Secret(copying: []), key: key, nonce: nonce, authenticating: [])
        #expect(sealed == bytes("530f8afbc74536b9a963b4f1c4cb738b"))
        #expect(try AES256GCM.open(sealed, key: key, nonce: nonce, authenticating: []).count == 0)
    }

    @Test("refuses another key, nonce, text or associated data")
    func refusals() {
        let otherKey = Secret(copying: [UInt8](repeating: 1, count: 32))
        let otherNonce = [UInt8](repeating: 1, count: 12)
        #expect(throws: CryptographyError.refused) {
            try AES256GCM.open(sealed, key: otherKey, nonce: nonce, authenticating: data)
        }
        #expect(throws: CryptographyError.refused) {
            try AES256GCM.open(sealed, key: key, nonce: otherNonce, authenticating: data)
        }
        #expect(throws: CryptographyError.refused) {
            try AES256GCM.open(sealed, key: key, nonce: nonce, authenticating: [])
        }
    }

    @Test("refuses keys, nonces and records of a wrong length", arguments: [0, 11, 13, 16, 31, 33])
    func lengths(_ count: Int) {
        let odd = [UInt8](repeating: 0, count: count)
        #expect(throws: CryptographyError.badLength) {
            try AES256GCM.open(sealed, key: Secret(copying: odd), nonce: nonce, authenticating: data)
        }
        #expect(throws: CryptographyError.badLength) {
            try AES256GCM.seal(Secret(copying: text), key: key, nonce: odd, authenticating: data)
        }
        if count < AES256GCM.tagLength {
            #expect(throws: CryptographyError.badLength) {
                try AES256GCM.open(odd, key: key, nonce: nonce, authenticating: data)
            }
        }
    }
}

@Suite("Random numbers")
struct SystemRandomTests {
    @Test("do not repeat and use every bit")
    func spread() {
        var random = SystemRandom()
        let numbers = (0..<1_000).map { _ in random.next() }
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.reduce(0, |) == .max)
        #expect(numbers.reduce(.max, &) == 0)
        #expect(random.bytes(20).count == 20)
        #expect(random.bytes(0).isEmpty)
        #expect(random.bytes(32) != random.bytes(32))
    }
}
