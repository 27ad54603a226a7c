import Administration
import PinpostCore

/// Flags of the verbs that make and change addresses.
enum AddressFlags {
    static let mode = Flag<SenderPolicy.Mode>(
        "mode", "who may pin: who knows the address, who also is one of the senders, or the senders alone (token)")
    static let from = Flag(
        "from", "ADDRESS|@DOMAIN", "a sender for the modes token+sender and sender; repeatable")
    static let expires = Flag(
        "expires", "WHEN", "when it stops: \(Expiry.forms)", expected: Expiry.forms
    ) { Expiry($0) }
    static let keep = Flag(
        "keep", "WHILE", "how long the old address lives on (7d); 0d: not at all",
        expected: "a while such as 12h or 30d"
    ) { text -> Double? in
        guard case .after(let seconds) = Expiry(text) else { return nil }
        return seconds
    }

    static let rules = [AnyFlag(mode), AnyFlag(from, repeatable: true), AnyFlag(expires)]
    static let id = Command.Operand("ID", "the address's id from `address list`")

    static let notes = """
        token: whoever knows the address can pin. token+sender: the mail has to come from a --from as well. sender: the
        same, and the sender may also write to the mailbox itself, without a token. A sender counts only when a mail
        server that you trust has checked him: PINPOST_TRUSTED_AUTHSERV for your own, `pinpost mailbox set` for a mailbox;
        other mail waits in `pinpost quarantine list`.
        """
}

extension AddressRules {
    init(_ arguments: Arguments) throws(UsageError) {
        let senders = try arguments.all(AddressFlags.from)
        self.init(
            mode: try arguments.value(AddressFlags.mode), senders: senders.isEmpty ? nil : senders,
            expires: try arguments.value(AddressFlags.expires))
    }
}

/// Addresses as text for people.
enum AddressText {
    static func list(_ reports: [AddressReport]) -> String {
        guard !reports.isEmpty else { return "There is no address yet; make one with `pinpost address add`.\n" }
        return TextTable(
            titles: ["ID", "BOARD", "TAGS", "PRIVATE", "MODE", "EXPIRES", "ADDED", "LABEL"],
            reports.map { report in
                [
                    report.id, report.board ?? "-", report.tags.isEmpty ? "-" : report.tags.joined(separator: ","),
                    report.isPrivate ? "yes" : "no", report.mode.rawValue, report.expires.map(\.forPeople) ?? "never",
                    report.created.forPeople, report.label,
                ]
            }
        ).text
    }

    /// The address on a line of its own, then what it does.
    static func details(_ report: AddressReport) -> String {
        var rows = [
            ["id", report.id], ["board", report.board ?? "the tenant's"],
            ["tags", report.tags.isEmpty ? "none" : report.tags.joined(separator: ", ")],
            ["private", report.isPrivate ? "yes" : "no"], ["mode", report.mode.rawValue],
        ]
        if !report.senders.isEmpty { rows.append(["from", report.senders.joined(separator: ", ")]) }
        rows.append(["expires", report.expires.map(\.forPeople) ?? "never"])
        if let until = report.formerUntil { rows.append(["old address", "lives until \(until.forPeople)"]) }
        if !report.label.isEmpty { rows.append(["label", report.label]) }
        return "\(report.address ?? "")\n\n" + TextTable(rows).text
    }
}

extension CommandContext {
    /// Says what keeps mail to an address from becoming pins.
    func warn(about report: AddressReport) { for warning in report.warnings ?? [] { hint("Warning: \(warning)") } }
}
