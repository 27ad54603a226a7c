import PinpostCore
import Testing

@testable import Mail

@Suite("Whether a sender is proven")
struct SenderCheckTests {
    private func verdict(_ header: String, trusting servers: [String] = ["mx.example.org"]) -> SenderVerdict {
        let lines = header.split(separator: "\n").map { Array($0.utf8)[...] }
        return SenderCheck.verdict(
            on: HeaderBlock(lines: lines), trusting: servers.compactMap { AuthServerPattern($0) })
    }

    private let from = "From: Ada <ada@example.net>"
    private let pass = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net"

    @Test("DMARC, aligned DKIM, aligned SPF")
    func proofs() {
        let field = "Authentication-Results: mx.example.org; "
        #expect(verdict("\(pass)\n\(from)").proof == .dmarc)
        #expect(verdict("\(pass)\n\(from)").provenFrom == "ada@example.net")
        #expect(verdict("\(field)dkim=pass header.d=mail.example.net\n\(from)").proof == .dkim)
        #expect(verdict("\(field)dkim=pass header.i=@example.net\n\(from)").proof == .dkim)
        #expect(verdict("\(field)spf=pass smtp.mailfrom=bounce@news.example.net\n\(from)").proof == .spf)
        #expect(
            verdict("\(field)dkim=fail header.d=example.net; spf=pass smtp.mailfrom=example.net\n\(from)").proof == .spf
        )
        let chain = "From: a@news.example.co.uk\n"
        #expect(verdict(chain + "\(field)dkim=pass header.d=example.co.uk").proof == .dkim)
        #expect(verdict(chain + "\(field)spf=pass smtp.mailfrom=bounce.news.example.co.uk").proof == .spf)
        // Beside each other they may be two people's.
        #expect(verdict(chain + "\(field)dkim=pass header.d=mail.example.co.uk").proof == nil)
        #expect(verdict(chain + "\(field)dkim=pass header.d=other.co.uk").proof == nil)
        #expect(verdict(chain + "\(field)dkim=pass header.d=co.uk").proof == nil)
    }

    @Test(
        "a name below the sender's domain is nobody's word where strangers have names there",
        arguments: [
            ("eu.org", "stranger.eu.org"), ("eu.org", "a.stranger.eu.org"), ("fr.eu.org", "stranger.fr.eu.org"),
            ("co.uk", "stranger.co.uk"), ("nsw.edu.au", "stranger.nsw.edu.au"), ("msk.ru", "stranger.msk.ru"),
            ("asso.fr", "stranger.asso.fr"), ("github.io", "stranger.github.io"),
            ("duckdns.org", "stranger.duckdns.org"),
            ("police.uk", "stranger.police.uk"), ("us.to", "stranger.us.to"),
        ])
    func strangersBelow(_ domain: String, _ signer: String) {
        for result in [
            "dkim=pass header.d=\(signer)", "spf=pass smtp.mailfrom=x@\(signer)", "dkim=pass header.i=@\(signer)",
        ] {
            for policy in ["", "dmarc=none header.from=\(domain); "] {
                let header = "Authentication-Results: mx.example.org; \(policy)\(result)\nFrom: x@\(domain)"
                #expect(verdict(header).proof == nil, "\(header)")
            }
        }
        // Its own word counts, and so does that of whoever has a name there for himself.
        let field = "Authentication-Results: mx.example.org; dkim=pass header.d="
        #expect(verdict("\(field)\(domain)\nFrom: x@\(domain)").proof == .dkim)
        #expect(verdict("\(field)\(signer)\nFrom: x@\(signer)").proof == .dkim)
        #expect(verdict("\(field)mail.\(signer)\nFrom: x@\(signer)").proof == .dkim)
        #expect(verdict("\(field)other.\(domain)\nFrom: x@\(signer)").proof == nil)
    }

    @Test(
        "names of one owner vouch for each other",
        arguments: [
            ("example.net", "mail.example.net"), ("mail.example.net", "example.net"), ("example.de", "mx.example.de"),
            ("example.co.uk", "mail.example.co.uk"), ("abc.de", "abc.de"), ("mx.abc.de", "abc.de"),
            ("abc.org", "a.b.abc.org"),
        ])
    func oneOwner(_ domain: String, _ signer: String) {
        let field = "Authentication-Results: mx.example.org; dkim=pass header.d="
        #expect(verdict("\(field)\(signer)\nFrom: x@\(domain)").proof == .dkim)
    }

    @Test(
        "what proves nothing",
        arguments: [
            "dmarc=pass", "dmarc=pass header.from=example.com", "dmarc=fail header.from=example.net",
            "dkim=pass header.d=example.com", "dkim=pass", "dkim=pass header.d=net", "dkim=fail header.d=example.net",
            "spf=pass smtp.helo=example.net", "spf=softfail smtp.mailfrom=example.net", "spf=pass smtp.mailfrom=<>",
            "dkim=pass header.d=notexample.net", "arc=pass header.from=example.net", "none",
            "dmarc=fail header.from=example.net; dkim=pass header.d=example.net",
        ])
    func nothing(_ results: String) {
        let found = verdict("Authentication-Results: mx.example.org; \(results)\n\(from)")
        #expect(found.proof == nil && found.from == "ada@example.net")
    }

    @Test("only who is pinned is believed, and only his topmost word")
    func servers() {
        #expect(verdict("\(pass)\n\(from)", trusting: []).proof == nil)
        #expect(verdict("\(pass)\n\(from)", trusting: ["mx.example.com"]).proof == nil)
        #expect(verdict("\(pass)\n\(from)", trusting: ["example.org"]).proof == nil)
        #expect(verdict("\(pass)\n\(from)", trusting: [".example.org"]).proof == .dmarc)
        let suffix = pass.replacing("mx.example.org", with: "mx.evilexample.org")
        #expect(verdict("\(suffix)\n\(from)", trusting: [".example.org"]).proof == nil)
        for below in ["dmarc=fail header.from=example.net", "spf=fail; dkim=none", "spf=none", "none"] {
            let genuine = "Authentication-Results: mx.example.org; \(below)\n"
            #expect(verdict("\(genuine)\(pass)\n\(from)").proof == nil, "\(below)")
            #expect(verdict("\(genuine)Received: x\n\(pass)\n\(from)").proof == nil, "\(below)")
        }
        // Another server's field above does not hide it, and one of the same server about something else neither.
        #expect(verdict("Authentication-Results: aaa.com; dmarc=fail\n\(pass)\n\(from)").proof == .dmarc)
        #expect(verdict("Authentication-Results: mx.example.org; bimi=skipped\n\(pass)\n\(from)").proof == .dmarc)
        // A field of the trusted server that cannot be read may have said no.
        #expect(verdict("Authentication-Results: mx.example.org; dmarc=fail action=x\n\(pass)\n\(from)").proof == nil)
        // The name in a comment, in quotes or behind another one is not the name.
        for id in ["evil.com (mx.example.org)", "(mx.example.org) evil.com", "mx.example.org.evil.com"] {
            #expect(verdict("\(pass.replacing("mx.example.org", with: id))\n\(from)").proof == nil, "\(id)")
        }
    }

    @Test("several From fields or addresses have no sender")
    func fromFields() {
        #expect(verdict("\(pass)\n\(from)\nFrom: b@example.net").from == nil)
        #expect(verdict("\(pass)\n\(from)\nFROM : b@example.net").from == nil)
        #expect(verdict("\(pass)\nFrom: a@example.net, b@example.net").from == nil)
        #expect(verdict(pass).from == nil)
        #expect(verdict("\(pass)\nFrom: ada@example.net <evil@example.com>").provenFrom == nil)
        #expect(verdict("\(pass)\nFrom: \"ada@example.net\" <evil@example.com>").provenFrom == nil)
    }

    @Test("a signature over a part of the body is no proof")
    func partialSignature() {
        let field = "Authentication-Results: mx.example.org; "
        let partial = "DKIM-Signature: v=1; a=rsa-sha256; d=example.net; L = 3582; b=x"
        #expect(verdict("\(field)dkim=pass header.d=example.net\n\(partial)\n\(from)").proof == nil)
        #expect(verdict("\(pass)\n\(partial)\n\(from)").proof == nil)
        let both = "\(field)dmarc=pass header.from=example.net; spf=pass smtp.mailfrom=example.net"
        #expect(verdict("\(both)\n\(partial)\n\(from)").proof == .dmarc)
        // A mailing list's own signature is not ours to judge.
        #expect(verdict("\(pass)\n\(partial.replacing("example.net", with: "lists.example"))\n\(from)").proof == .dmarc)
    }

    @Test("reading a mail brings the verdict along")
    func reading() throws {
        let mail = Array("\(pass)\n\(from)\nSubject: a\n\nhttps://example.com/\n".utf8)
        let server = try #require(AuthServerPattern("mx.example.org"))
        let content = try MailReader().read(MemoryReader(mail), into: MeasuringBlobStore(), trusting: [server])
        #expect(content.sender?.provenFrom == "ada@example.net")
        #expect(try read(mail).sender?.provenFrom == nil)
        #expect(try MailReader.sender(of: MemoryReader(mail), trusting: [server]).proof == .dmarc)
    }
}
