import PinpostCore
import Testing

@Suite("Rules about senders")
struct SenderPolicyTests {
    private func verdict(_ from: String?, _ proof: SenderVerdict.Proof? = .dmarc) -> SenderVerdict {
        SenderVerdict(from: from, proof: proof, reason: "because")
    }

    @Test("a rule names one sender or a whole domain, in any case")
    func rules() throws {
        let ada = try #require(SenderRule("Ada@Example.org"))
        #expect(ada.matches("ada@example.org") && ada.isOfOne && ada.description == "ada@example.org")
        #expect(!ada.matches("bob@example.org") && !ada.matches("ada@sub.example.org"))
        let all = try #require(SenderRule("@bücher.example"))
        #expect(all.matches("x@xn--bcher-kva.example") && !all.isOfOne)
        #expect(!all.matches("x@evilxn--bcher-kva.example"))
    }

    @Test(
        "what is no rule",
        arguments: ["", "@", "ada", "ada@", "ada@localhost", "a b@example.org", "@example..org", "<a@b.c>"])
    func wrong(_ text: String) { #expect(SenderRule(text) == nil) }

    @Test("only a proven sender of the list passes, unless the token is enough")
    func objections() throws {
        let senders = [try #require(SenderRule("ada@example.org"))]
        #expect(SenderPolicy().objection(to: nil) == nil)
        for mode in [SenderPolicy.Mode.tokenAndSender, .sender] {
            let policy = SenderPolicy(mode, senders: senders)
            #expect(policy.objection(to: verdict("ada@example.org")) == nil)
            for wrong in [verdict("bob@example.org"), verdict("ada@example.org", nil), verdict(nil), nil] {
                #expect(policy.objection(to: wrong) != nil)
            }
        }
    }

    @Test("ids of servers: exact, or all below a domain")
    func servers() throws {
        let exact = try #require(AuthServerPattern("MX.example.org"))
        #expect(exact.matches("mx.example.ORG") && !exact.matches("a.mx.example.org"))
        let suffix = try #require(AuthServerPattern("*.example.org"))
        #expect(suffix.description == ".example.org")
        #expect(
            suffix.matches("mx1.example.org") && !suffix.matches("example.org") && !suffix.matches("evilexample.org"))
        for text in ["", ".", ".org", "*", "a b", "a..b", "mx.example.org;"] { #expect(AuthServerPattern(text) == nil) }
    }
}
