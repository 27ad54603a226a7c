import Cryptography
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "gives the digests of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func knownDigests(_ text: String, _ digest: String) {
        #expect(SHA256.hash(text) == bytes(digest))
    }

    @Test("of a million letters a, in uneven pieces, is that of FIPS 180-4")
    func pieces() {
        var hash = SHA256()
        var left = 1_000_000
        var size = 1
        while left > 0 {
            hash.update([UInt8](repeating: UInt8(ascii: "a"), count: min(size, left)))
            left -= size
            size = size % 4_099 + 1
        }
        #expect(hash.finish() == bytes("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"))
    }

    @Test("begins anew after a digest was taken")
    func reuse() {
        var hash = SHA256()
        hash.update(Array("something else".utf8))
        _ = hash.finish()
        hash.update(Array("abc".utf8))
        #expect(hash.finish() == SHA256.hash("abc"))
    }
}
