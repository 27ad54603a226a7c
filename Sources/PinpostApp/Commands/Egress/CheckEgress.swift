import Administration
import CurlKit
import PinpostCore

extension Command {
    private static let egress = Flag<EgressClassName>("class", "who chose the URL: message without it")
    private static let resolve = Flag<KnownHost>(
        "resolve", "HOST=IP[,IP…]", "addresses that stand in for the name server",
        expected: "HOST=IP[,IP…] with numeric addresses"
    ) { KnownHost($0) }

    static let egressCheck = Command(
        "egress check", "say whether a URL may be fetched, without sending a request",
        operands: [Operand("URL", "as a message, an admin or a provider might give it")],
        flags: [AnyFlag(egress), AnyFlag(resolve, repeatable: true)],
        notes: """
            Exit status 0 when it is allowed, 77 when it is not. The class pinry is judged as a server's base URL
            without --allow-private. PINPOST_EGRESS_ALLOW counts.
            """
    ) { arguments, context in
        let known = try arguments.all(resolve).reduce(into: [:]) { $0[$1.host] = $1.addresses }
        let exceptions = try context.configuration().egress.allowed.map(\.description)
        let check = EgressCheck(
            exceptions: Set(exceptions.compactMap { AddressPolicy.Exception($0) }), known: known)
        let url = arguments.operands[0]
        let name = try arguments.value(egress) ?? .message
        let verdict = await context.pool.run { name.verdict(on: url, by: check) }
        try context.print(EgressReport(verdict)) { $0.text }
        return verdict.isAllowed ? .done : .notAllowed
    }
}

/// Who chose the URL, as the command line names it.
private enum EgressClassName: String, CaseIterable, Sendable {
    case message, pinry, provider

    func verdict(on url: String, by check: EgressCheck) -> EgressCheck.Verdict {
        switch self {
        case .message: return check.judge(url, as: .message)
        case .provider: return check.judge(url, as: EgressCheck.provider(of: url))
        case .pinry: return check.judge(url, as: .pinry(Server(id: Server.ID("check"), baseURL: url)))
        }
    }
}

/// `HOST=IP[,IP…]`.
struct KnownHost: Sendable {
    let host: String
    let addresses: [NumericAddress]

    init?(_ text: String) {
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex else { return nil }
        let parts = text[text.index(after: sign)...].split(separator: ",", omittingEmptySubsequences: false)
        let addresses = parts.compactMap { NumericAddress($0.filter { $0 != "[" && $0 != "]" }) }
        guard addresses.count == parts.count, addresses.count <= 64 else { return nil }
        host = text[..<sign].lowercased()
        self.addresses = addresses
    }
}

/// What `egress check --json` prints.
private struct EgressReport: Encodable {
    let allowed: Bool
    @Nullable var reason: String?
    @Nullable var host: String?
    let addresses: [String]

    init(_ verdict: EgressCheck.Verdict) {
        allowed = verdict.isAllowed
        _reason = Nullable(wrappedValue: verdict.reason)
        _host = Nullable(wrappedValue: verdict.host)
        addresses = verdict.addresses
    }

    var text: String {
        let place = addresses.isEmpty ? "" : " (\(addresses.joined(separator: ", ")))"
        if let reason { return "refused: \(reason)\n" }
        return "allowed: \(host ?? "")\(addresses.isEmpty ? ", which does not resolve here" : place)\n"
    }
}
