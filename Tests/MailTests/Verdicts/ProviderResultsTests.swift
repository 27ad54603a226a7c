import PinpostCore
import Testing

@testable import Mail

/// The forms in which servers write that `ada@example.net` is the sender, with everything that they add of their own.
@Suite("What servers write about senders")
struct ProviderResultsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let provider: String
        /// Who is trusted, as an admin would pin it.
        let server: String
        let proof: SenderVerdict.Proof
        let header: String

        var testDescription: String { provider }
    }

    @Test("each of them proves the sender", arguments: rows + ownServers)
    func proven(_ row: Row) throws {
        let found = verdict(row.header, trusting: row.server)
        #expect(found.proof == row.proof, "\(found.reason)")
        #expect(found.provenFrom == "ada@example.net")
    }

    @Test("none of them proves another sender", arguments: rows + ownServers)
    func notAnother(_ row: Row) throws {
        let found = verdict(row.header, from: "eve@example.com", trusting: row.server)
        #expect(found.from == "eve@example.com" && found.proof == nil)
    }

    private func verdict(_ header: String, from: String = "ada@example.net", trusting server: String) -> SenderVerdict {
        let text = "\(header)\nFrom: Ada <\(from)>\n\n"
        return SenderCheck.verdict(
            on: HeaderBlock(block: Array(text.utf8)), trusting: [server].compactMap { AuthServerPattern($0) })
    }

    private static let rows: [Row] = [
        Row(
            provider: "Gmail", server: "mx.google.com", proof: .dmarc,
            header: """
                Authentication-Results: mx.google.com;
                       dkim=pass header.i=@example.net header.s=20230601 header.b="kP3/x+A=";
                       arc=pass (i=1 spf=pass spfdomain=example.net dkim=pass dkdomain=example.net);
                       spf=pass (google.com: domain of ada@example.net designates 192.0.2.41 as permitted sender) smtp.mailfrom=ada@example.net;
                       dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=example.net;
                       dara=pass header.i=@gmail.com
                """),
        Row(
            provider: "Outlook and Exchange Online", server: "mx.microsoft.com", proof: .dmarc,
            header: """
                Authentication-Results: mx.microsoft.com 1; spf=pass (sender IP is
                 2001:db8:4864:41::2) smtp.mailfrom=example.net; dkim=pass (signature was
                 verified) header.d=example.net;dmarc=pass action=none
                 header.from=example.net;compauth=pass reason=100
                """),
        Row(
            provider: "Yahoo", server: ".yahoo.com", proof: .dmarc,
            header: """
                Authentication-Results: atlas-production.v2-mail-prod1-gq1.omega.yahoo.com;
                 dkim=pass header.i=@example.net header.s=20230601 arc_overridden_status=NOT_OVERRIDDEN;
                 spf=pass smtp.mailfrom=example.net arc_overridden_status=NOT_OVERRIDDEN;
                 dmarc=pass(p=NONE,sp=QUARANTINE) header.from=example.net arc_overridden_status=NOT_OVERRIDDEN;
                """),
        Row(
            provider: "Yahoo, a sender without a policy", server: ".yahoo.com", proof: .dkim,
            header: """
                Authentication-Results: atlas206.free.mail.ne1.yahoo.com;
                 dkim=pass header.i=@example.net header.s=s1;
                 spf=none smtp.mailfrom=mailer.example;
                 dmarc=unknown header.from=example.net;
                """),
        Row(
            provider: "iCloud", server: ".icloud.com", proof: .dmarc,
            header: """
                Authentication-Results: bimi.icloud.com; bimi=skipped reason="insufficient dmarc"
                Authentication-Results: arc.icloud.com; arc=none
                Authentication-Results: dmarc.icloud.com; dmarc=pass header.from=example.net
                Authentication-Results: dkim-verifier.icloud.com;
                \tdkim=pass (2048-bit key) header.d=example.net header.i=@example.net header.b=XEFkSwVW
                Authentication-Results: spf.icloud.com; spf=pass (spf.icloud.com: domain of ada@example.net designates 192.0.2.28 as permitted sender) smtp.mailfrom=ada@example.net
                """),
        Row(
            provider: "iCloud, forwarded", server: "spf.icloud.com", proof: .spf,
            header: """
                Authentication-Results: spf.icloud.com; spf=pass (spf.icloud.com: domain of SRS0=Z8Bj=5h=a.example=bob@example.net designates 192.0.2.15 as permitted sender) smtp.mailfrom="SRS0=Z8Bj=5h=a.example=bob@example.net"
                """),
        Row(
            provider: "Fastmail", server: ".messagingengine.com", proof: .dmarc,
            header: """
                Authentication-Results: mx3.messagingengine.com;
                    x-csa=none;
                    x-me-sender=none;
                    x-ptr=pass smtp.helo=out1.example.net policy.ptr=out1.example.net
                Authentication-Results: mx3.messagingengine.com;
                    bimi=none (No BIMI records found)
                Authentication-Results: mx3.messagingengine.com;
                    arc=pass (as.1.microsoft.com=pass, ams.1.microsoft.com=pass) smtp.remote-ip=192.0.2.24
                Authentication-Results: mx3.messagingengine.com;
                    dkim=pass (2048-bit rsa key sha256) header.d=example.net
                    header.i=@example.net header.b=0EDw+VrK header.a=rsa-sha256
                    header.s=fm1 x-bits=2048;
                    dmarc=pass policy.published-domain-policy=none
                    policy.published-subdomain-policy=quarantine
                    policy.applied-disposition=none policy.evaluated-disposition=none
                    (p=none,sp=quarantine,d=none,d.eval=none) policy.policy-from=p
                    header.from=example.net;
                    iprev=pass smtp.remote-ip=192.0.2.251 (out1.example.net);
                    spf=pass smtp.mailfrom=ada@example.net smtp.helo=out1.example.net
                """),
        Row(
            provider: "Fastmail, a sender without a policy", server: "mx3.messagingengine.com", proof: .dkim,
            header: """
                Authentication-Results: mx3.messagingengine.com;
                    dkim=pass (2048-bit rsa key) header.d=example.net header.i=@example.net header.b=abc header.a=rsa-sha256 header.s=fm1 x-bits=2048
                """),
        Row(
            provider: "Proton", server: "mail.protonmail.ch", proof: .dmarc,
            header: """
                Authentication-Results: mail.protonmail.ch; dmarc=pass (p=quarantine dis=none)
                 header.from=example.net
                Authentication-Results: mail.protonmail.ch; spf=pass smtp.mailfrom=example.net
                Authentication-Results: mail.protonmail.ch; arc=none smtp.remote-ip=192.0.2.245
                Authentication-Results: mail.protonmail.ch; dkim=pass (Good 2048 bit
                    rsa-sha256 signature.) header.d=example.net header.a=rsa-sha256
                """),
        Row(
            provider: "GMX and web.de", server: "gmx.net", proof: .dkim,
            header: "Authentication-Results: gmx.net; dkim=pass header.i=@example.net"),
        Row(
            provider: "Zoho", server: "mx.zohomail.com", proof: .dmarc,
            header: """
                Authentication-Results: mx.zohomail.com;
                \tdkim=pass;
                \tspf=pass (zohomail.com: domain of example.net designates 192.0.2.176 as permitted sender)  smtp.mailfrom=bounce@example.net;
                \tdmarc=pass(p=reject dis=none)  header.from=example.net
                """),
        Row(
            provider: "Yandex", server: ".qloud-c.yandex.net", proof: .dkim,
            header: "Authentication-Results: iva4-143b1447cf50.qloud-c.yandex.net; dkim=pass header.i=@example.net"),
        Row(
            provider: "Cloudflare", server: "mx.cloudflare.net", proof: .dmarc,
            header: """
                Authentication-Results: mx.cloudflare.net;
                \tdkim=pass header.d=example.net header.s=pf2023 header.b=SimvK/HI;
                \tdmarc=pass header.from=example.net policy.dmarc=reject;
                \tspf=none (mx.cloudflare.net: no SPF records found for postmaster@out.example.net) smtp.helo=out.example.net;
                \tarc=none smtp.remote-ip=192.0.2.210
                """),
    ]

    private static let ownServers: [Row] = [
        Row(
            provider: "Rspamd, at mailbox.org and in Mailcow", server: "mail.example.org", proof: .dmarc,
            header: """
                Authentication-Results: mail.example.org;
                \tdkim=pass header.d=example.net header.s=s1 header.b="jq/xp32Q";
                \tdmarc=pass (policy=quarantine) header.from=example.net;
                \tspf=pass (mail.example.org: domain of "list+bounces-1-ada=example.org@example.net" designates 192.0.2.10 as permitted sender) smtp.mailfrom="list+bounces-1-ada=example.org@example.net";
                \tarc=reject ("signature check failed: fail, {[1] = sig:google.com:reject}")
                """),
        Row(
            provider: "OpenDMARC above OpenDKIM", server: "OpenDMARC", proof: .dmarc,
            header: """
                Authentication-Results: OpenDMARC; dmarc=pass (p=reject dis=none) header.from=example.net
                Authentication-Results: OpenDMARC; spf=pass smtp.mailfrom=example.net
                Authentication-Results: mail.example.org;
                \tdkim=pass (1024-bit key, unprotected) header.d=example.net header.i=@example.net header.a=rsa-sha256 header.s=default header.b=jc4zX00L;
                \tdkim-atps=neutral
                """),
        Row(
            provider: "OpenDKIM alone", server: "mail.example.org", proof: .dkim,
            header: """
                Authentication-Results: mail.example.org;
                \tdkim=pass (2048-bit key; unprotected) header.d=example.net header.i=@example.net header.b="bvhR7yZk";
                \tdkim-atps=neutral
                """),
        Row(
            provider: "Stalwart", server: "mail.example.org", proof: .dmarc,
            header: """
                Authentication-Results: mail.example.org;
                \tdkim=pass header.d=example.net header.s=ed25519 header.b=Yau1kRq2;
                \tspf=none (mail.example.org: no SPF records found for postmaster@out.example.net) smtp.helo=out.example.net;
                \tspf=pass (mail.example.org: domain of ada@example.net designates 192.0.2.7 as permitted sender) smtp.mailfrom=ada@example.net;
                \tiprev=pass policy.iprev=192.0.2.7;
                \tdmarc=pass header.from=example.net policy.dmarc=none
                """),
        Row(
            provider: "Exim", server: "mail.example.org", proof: .dmarc,
            header: """
                Authentication-Results: mail.example.org;
                \tiprev=pass (out.example.net) smtp.remote-ip=2001:db8::7;
                \tspf=pass smtp.mailfrom=example.net;
                \tdkim=pass header.d=example.net header.s=s1 header.a=rsa-sha256;
                \tdmarc=pass header.from=example.net;
                \tarc=none
                """),
        Row(
            provider: "authheaders, in Mailman", server: "mail.example.org", proof: .dmarc,
            header: """
                Authentication-Results: mail.example.org; dkim=pass header.d=example.net;
                 arc=none (Message is not ARC signed);
                 dmarc=pass (Used From Domain Record) header.from=example.net policy.dmarc=reject
                """),
        Row(
            provider: "Authentication Milter with all its properties", server: "mail.example.org", proof: .dkim,
            header: """
                Authentication-Results: mail.example.org;
                    dkim=pass (2048-bit rsa key sha256) header.d=example.net header.i=@example.net header.b=P1aaAAaa x-bits=2048 x-keytype=rsa x-algorithm=sha256 x-selector=fm2;
                    dmarc=none (p=none,d=none) header.from=example.net;
                    iprev=pass policy.iprev=192.0.2.1 (out1.example.net);
                    x-aligned-from=pass (Address match);
                    x-cm=none score=0;
                    x-ptr=pass x-ptr-helo=out1.example.net x-ptr-lookup=out1.example.net;
                    x-return-mx=pass smtp.domain=example.net smtp.result=pass smtp_is_org_domain=yes header.domain=example.net;
                    x-tls=pass version=TLSv1.2 cipher=ECDHE-RSA-AES128-GCM-SHA256 bits=128/128
                """),
    ]
}
