import Cryptography
import FoundationEssentials
import Testing

@Suite("An RSA key")
struct RSAKeyTests {
    /// A key of 2,048 bits, base64 of DER.
    private static let rsa = """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAs5Ta7n0PP23CXM73ImSQ+8xdKm9Ne3ePyTFfrBByYrXRAX2EGlWzGTT4\
        lItw2eb8Mfqlw5bsrASXW2HnIcaBjk7WKcLZhe484Mto/kBo73DWzmy0UCwuKZ+AtCZBX+12CA+UvgFi8f1ZPG1QLqHi8Sd2Nq4j\
        x/K/6cauFSAJyJvrF01uGmOMJR0j+kFU8Pe9i0ko+ghIl4QdB2LapdnY/bB11mupBz16uUjOI/gIFvonI1UyXT+ZNjGjcvgqHIne\
        dvUB+fOWHr7hFdoLicKpuR0W+HXh1t/RAU4Ea9k2He1HH5htoTQ8sbBs5qIbAgZgBpXRSVPubMwfoHtKr95cswIDAQAB
        """
    /// Over `sample`.
    private static let rsaSHA1 = """
        pKpLd1thm7hWwcV75Vde1Q+l35Z3rnIWM2UuFckhW07uY/mrT0QNwyZ6hkleAjEIc2yNEBCEvh+Vrv4HIUXerHIR5EHTfvfnPPIF\
        Q+li1U05MhP3sSbZFI69gUiCbERtoTdUOs4sy6GRWPoyy7QhtHlszXCPYI23xqP9pr7W8lEYUKF8KpIjh+z5oUObSmLEmZvE6KoH\
        6+3Gcri6j2XiV9L+sC9Er1ZxvCzfL2dS6gSis6vN4yCzAdsr0G3R8qAEy4jUiTY5PDalZkOTejLrJ7KtMskVI2qv9wvAR+zKSxO7\
        ATK5AkntiYfStbPGJOMlNVM3EAU1LnOqOtSDbqEA9Q==
        """
    /// Over `sample`.
    private static let rsaSHA256 = """
        cvljVlkix+aeyUt5MRfKAW7YEUJ6b1O5h1ufgbDD4sKu5jePK/wS/mwzWvw9PDalD2DBlutHgra2sOQ+yTFYHuNiyxQTwRzLtdS4\
        AreTjZna+TyWYAlhtaZxEQt09K97OU1bMnXMSCbLjOCrOJC+7ELOddFb8sH53hjtj09TwjJfrPcZqL3Iw14iQJxJU4nWlQKRiQ4F\
        kWTnh0et9zZpeMJNev+e/z2li+xyQEJwveyFr+POiHi5S897o97MSbCASDpY5QSFsBKkS2mmxhCZw5FZMJ0Ny9udjmdM366KeGlb\
        PFdYXISDxkIkhHphmKz5qS7SX0zgF7gsSVKcDHCEQw==
        """
    /// The same key in a certificate that is good from 30 November 2026, 14:11:49, for 7,300 days.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIDGTCCAgGgAwIBAgIUBj4BJoRZ1FlZWzsCuq7ysLGQstgwDQYJKoZIhvcNAQEL
        BQAwHDEaMBgGA1UEAwwRc25zLmFtYXpvbmF3cy5jb20wHhcNMjYxMTMwMTQxMTQ5
        WhcNNDYxMTI1MTQxMTQ5WjAcMRowGAYDVQQDDBFzbnMuYW1hem9uYXdzLmNvbTCC
        ASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBALOU2u59Dz9twlzO9yJkkPvM
        XSpvTXt3j8kxX6wQcmK10QF9hBpVsxk0+JSLcNnm/DH6pcOW7KwEl1th5yHGgY5O
        1inC2YXuPODLaP5AaO9w1s5stFAsLimfgLQmQV/tdggPlL4BYvH9WTxtUC6h4vEn
        djauI8fyv+nGrhUgCcib6xdNbhpjjCUdI/pBVPD3vYtJKPoISJeEHQdi2qXZ2P2w
        ddZrqQc9erlIziP4CBb6JyNVMl0/mTYxo3L4KhyJ3nb1Afnzlh6+4RXaC4nCqbkd
        Fvh14dbf0QFOBGvZNh3tRx+YbaE0PLGwbOaiGwIGYAaV0UlT7mzMH6B7Sq/eXLMC
        AwEAAaNTMFEwHQYDVR0OBBYEFA1HuTAHj9JAUb2HAlnbeyENwZhgMB8GA1UdIwQY
        MBaAFA1HuTAHj9JAUb2HAlnbeyENwZhgMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZI
        hvcNAQELBQADggEBAEAIcj/BOjJqlbA3YOj07NxqaoeEtQYcLJXKPblAlI2R1zHL
        aFo9CtnDY5nMI1TOQAYkx388WMLJWZV97H/9Loyjr8NSJTE/lzV0h5wXgKhTlxw4
        3E8ExAfGcdrDLonm3RJHXou50SgAxq2vGfvKwcsNXJouVKOh39p80nTXqvOTKVT6
        LRvyRxLR4uT8YLV2vl/5cDdcWxUi8f6LJAa5YI/g2SIyT1Y0Mav/riOST4Q3kyaG
        Z0ZEsnAsG9v48ms0xDPDpPt1XaHaSzKW8wPbPbH4Y5cpHfY8tWe1He6h8xxjWpir
        dqo+719orrl+TyibpQtfEL7YfSJWVY3W/dMHzB4=
        -----END CERTIFICATE-----
        """

    private func decoded(_ text: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: text))) }

    @Test("accepts what it signed with the hash that was used, and no changed byte of it")
    func accepts() throws {
        let key = try VerifyingKey(rsa: decoded(Self.rsa))
        let message = Array("sample".utf8)
        let signatures = [(try decoded(Self.rsaSHA1), VerifyingKey.Hash.sha1), (try decoded(Self.rsaSHA256), .sha256)]
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
        let certificate = try Certificate(pem: Array(Self.certificate.utf8))
        #expect(certificate.key.verifies(try decoded(Self.rsaSHA256), of: Array("sample".utf8)))
        #expect(certificate.notBefore == Date(timeIntervalSince1970: 1_796_047_909))
        #expect(certificate.notAfter.timeIntervalSince(certificate.notBefore) == 7_300 * 86_400)
        #expect(certificate.isValid(at: certificate.notBefore) && certificate.isValid(at: certificate.notAfter))
        #expect(
            !certificate.isValid(at: certificate.notBefore - 1) && !certificate.isValid(at: certificate.notAfter + 1))
    }

    @Test("of a wrong length, form or kind is refused")
    func refused() throws {
        let key = try decoded(Self.rsa)
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
            String(Self.certificate.dropFirst(40)),
        ]
        for text in wrong {
            #expect(throws: CryptographyError.refused) { try Certificate(pem: Array(text.utf8)) }
        }
        #expect(throws: CryptographyError.badLength) { try Certificate(pem: []) }
        #expect(throws: CryptographyError.badLength) { try Certificate(pem: [UInt8](repeating: 0x20, count: 40_000)) }
    }
}
