internal import Cryptography
public import PinpostCore

/// Whether the From of a mail is its sender's, by what a trusted server wrote into the header.
struct SenderCheck {
    private let header: HeaderBlock
    private let from: String
    private let domain: String

    /// Judges a mail; without trusted servers nothing is ever proven.
    static func verdict(on header: HeaderBlock, trusting servers: [AuthServerPattern]) -> SenderVerdict {
        let fields = header.all("from")
        guard fields.count == 1 else {
            return SenderVerdict(from: nil, proof: nil, reason: "there are \(fields.count) From fields")
        }
        guard let from = OneMailbox.address(in: fields[0]), let at = from.lastIndex(of: "@") else {
            return SenderVerdict(from: nil, proof: nil, reason: "From is not exactly one address")
        }
        let check = SenderCheck(header: header, from: from, domain: String(from[from.index(after: at)...]))
        return check.verdict(trusting: servers)
    }

    private func verdict(trusting servers: [AuthServerPattern]) -> SenderVerdict {
        let statements = servers.compactMap { statement(of: $0) }
        guard !statements.isEmpty else {
            let reason = servers.isEmpty ? "no server is trusted to check senders" : "no trusted server has checked it"
            return SenderVerdict(from: from, proof: nil, reason: reason)
        }
        // A server that says no is not outvoted by another.
        if let refusal = statements.first(where: { $0.results(of: "dmarc").contains { $0.value == "fail" } }) {
            return SenderVerdict(from: from, proof: nil, reason: "\(refusal.server) says dmarc=fail")
        }
        for statement in statements {
            if let proof = proof(in: statement) {
                return SenderVerdict(from: from, proof: proof, reason: "\(statement.server) says \(proof)=pass")
            }
        }
        return SenderVerdict(
            from: from, proof: nil,
            reason: "\(statements[0].server) names no dmarc, dkim or spf that passed for \(domain)")
    }

    /// The topmost field of a server that says who sent the mail: what is below may be the sender's own.
    ///
    /// A field of that server which cannot be read ends the search, since nobody knows what it says.
    private func statement(of server: AuthServerPattern) -> AuthenticationResults? {
        for field in header.all("authentication-results") {
            guard let results = AuthenticationResults(field) else {
                if Self.mentions(server, in: field) { return nil }
                continue
            }
            // `none` is a word about senders as well: nothing was found.
            if server.matches(results.server), results.saysWhoSent || results.results.isEmpty { return results }
        }
        return nil
    }

    /// Whether what stands before the first `;` could be that server's name.
    private static func mentions(_ server: AuthServerPattern, in field: [UInt8]) -> Bool {
        let words = String(decoding: field.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            .split { $0.isWhitespace || "()\"".contains($0) }
        return words.contains { server.matches(String($0)) }
    }

    private func proof(in statement: AuthenticationResults) -> SenderVerdict.Proof? {
        func passes(_ method: String) -> [AuthenticationResults.Result] {
            statement.results(of: method).filter { $0.value == "pass" }
        }
        let isSPF = passes("spf").contains { isAligned($0.properties["smtp.mailfrom"]) }
        let isDKIM =
            !hasPartialSignature
            && passes("dkim").contains { result in
                isAligned(result.properties["header.d"] ?? result.properties["header.i"])
            }
        // DMARC rests on one of the two; a signature over a part of the mail is not enough.
        let isDMARC = passes("dmarc").contains { Self.host(of: $0.properties["header.from"]) == domain }
        if isDMARC, isSPF || !hasPartialSignature { return .dmarc }
        return isDKIM ? .dkim : isSPF ? .spf : nil
    }

    /// `l=` in an aligned signature: the rest of the body is anybody's (RFC 6376 section 8.2).
    private var hasPartialSignature: Bool {
        header.all("dkim-signature").contains { field in
            let tags = String(decoding: field, as: UTF8.self).split(separator: ";").map { tag in
                tag.filter { !$0.isWhitespace }.lowercased()
            }
            let signer = tags.first { $0.hasPrefix("d=") }?.dropFirst(2)
            return tags.contains { $0.hasPrefix("l=") } && (signer == nil || isAligned(signer.map(String.init)))
        }
    }

    /// Alignment (RFC 7489 section 3.1), a little stricter than relaxed: the domain itself, or one above or below it.
    ///
    /// Two names beside each other may be two people's (`a.nsw.edu.au`, `b.nsw.edu.au`), and no list of registries is
    /// complete. A server that checks DMARC has judged them anyway.
    private func isAligned(_ value: String?) -> Bool {
        guard let host = Self.host(of: value) else { return false }
        if host == domain { return true }
        // Whoever owns the name above could make himself any name below it.
        if domain.hasSuffix(".\(host)") { return !RegistrableDomain.isShared(host) }
        // A name below is its owner's only where no strangers have names there: `stranger.eu.org` is not `eu.org`.
        return host.hasSuffix(".\(domain)") && !RegistrableDomain.mayBeShared(domain)
    }

    /// The domain of `ada@example.org`, `@example.org` or `example.org`.
    private static func host(of value: String?) -> String? {
        guard var text = value?[...] else { return nil }
        if text.first == "<", text.last == ">" { text = text.dropFirst().dropLast() }
        let host = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text
        return host.contains(".") ? HostName.ascii(String(host)) : nil
    }
}

extension MailReader {
    /// Who sent a mail, by the Authentication-Results of these servers; reads only its header, and blocks.
    public static func sender(
        of source: any BlobReader, trusting servers: [AuthServerPattern]
    ) throws(StoreError) -> SenderVerdict {
        var fingerprint = MailFingerprint()
        while fingerprint.isInHeader {
            let piece = try source.read(upTo: 16 << 10)
            if piece.isEmpty { break }
            fingerprint.update(piece)
        }
        return SenderCheck.verdict(on: HeaderBlock(block: fingerprint.header), trusting: servers)
    }
}
