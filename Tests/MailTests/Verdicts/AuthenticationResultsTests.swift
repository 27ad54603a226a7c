import Testing

@testable import Mail

@Suite("Reading Authentication-Results")
struct AuthenticationResultsTests {
    private func read(_ text: String) -> AuthenticationResults? { AuthenticationResults(Array(text.utf8)) }

    @Test("what large providers write")
    func providers() throws {
        let google = try #require(
            read(
                """
                mx.google.com; dkim=pass header.i=@example.org header.s=k1 header.b="V/3A+0Ch=";\
                 spf=pass (google.com: domain of ada@example.org designates 192.0.2.1 as permitted sender) \
                smtp.mailfrom=ada@example.org; dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=example.org
                """))
        #expect(google.server == "mx.google.com")
        #expect(google.results.map(\.method) == ["dkim", "spf", "dmarc"])
        #expect(google.results[0].properties["header.i"] == "@example.org")
        #expect(google.results[2].properties == ["header.from": "example.org"])
        let fastmail = try #require(
            read(
                """
                MX5.messagingengine.com; x-tls=pass smtp.version=TLSv1.3 smtp.cipher=TLS_AES_256_GCM_SHA384 smtp.bits=256/256;\
                 dmarc=pass policy.published-domain-policy=none policy.evaluated-disposition=none (p=none,d=none) \
                policy.policy-from=p header.from=example.org;
                """))
        #expect(fastmail.server == "mx5.messagingengine.com")
        #expect(fastmail.results(of: "dmarc").first?.value == "pass")
        let yahoo = try #require(
            read(
                "atlas.aol.yahoo.com; dkim=pass header.i=@x.org header.s=a; spf=none smtp.mailfrom=x.org; dmarc=pass(p=NONE) header.from=x.org;"
            ))
        #expect(yahoo.results.map(\.value) == ["pass", "none", "pass"])
    }

    @Test("comments, folding, quotes and versions where the grammar has them")
    func grammar() throws {
        let field = try #require(
            read(
                """
                (a (nested \\) ; dkim=pass) comment) "mx.example.org" 1 ;
                \t SPF (c) / (d) 1 (e) = (f) PASS (g) reason (h) = "ok; dmarc=pass" smtp . mailfrom = "a b"@example.org
                """))
        #expect(field.server == "mx.example.org")
        #expect(field.results.count == 1)
        #expect(field.results[0].method == "spf" && field.results[0].value == "pass")
        #expect(field.results[0].properties == ["reason": "ok; dmarc=pass", "smtp.mailfrom": "a b@example.org"])
        #expect(read("mx.example.org; none")?.results == [])
        #expect(read("mx.example.org;")?.results == [])
    }

    @Test(
        "what does not keep to it says nothing",
        arguments: [
            "", ";", "mx.example.org", "spf=pass (sender IP is 1.2.3.4) smtp.mailfrom=x; dmarc=pass",
            "mx.example.org dmarc=pass", "mx.example.org 2; dmarc=pass", "mx example.org; dmarc=pass",
            "mx.example.org; dmarc", "mx.example.org; dmarc=", "mx.example.org; dmarc=pass header.from",
            "mx.example.org; dmarc=pass header.from=", "mx.example.org; dmarc=pass header.=x",
            "mx.example.org; spf=pass smtp.mailfrom=x.org dmarc=pass header.from=x.org", "mx.example.org; (dmarc=pass",
            "mx.example.org; dmarc=pass action header.from=x.org",
            "mx.example.org; dmarc=pass action=none; header.from=x",
            "mx.example.org; dkim=pass none=x header.d=x.org",
            "mx.example.org; dmarc=pass \"x", "\"mx.example.org; dmarc=pass", "mx.example.org; none; dmarc=pass",
            "mx.example.org; dmarc=pass header.from=\"x", "mx.example.org, y; dmarc=pass",
            "mx.example.org; dm arc=pass",
            "mx.example.org; dmarc=pass) header.from=x",
        ])
    func refused(_ text: String) { #expect(read(text) == nil) }

    @Test("hostile fields cost little")
    func hostile() {
        #expect(read("mx; " + String(repeating: "(", count: 100_000)) == nil)
        #expect(read("mx" + String(repeating: "; a=b", count: 50_000)) == nil)
        #expect(read("mx; a=b" + String(repeating: " c.d=e", count: 50_000))?.results.count == 1)
    }
}
