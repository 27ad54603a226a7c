import Administration
import PinpostCore

/// What the service's own settings keep from working, said where somebody relies on it.
extension AdminDesk {
    func advised(_ report: AddressReport) async throws(StoreError) -> AddressReport {
        guard report.mode != .token, try await trust.isNobody() else { return report }
        var report = report
        report.warnings =
            (report.warnings ?? []) + [
                """
                No mail server is trusted to check senders, so all mail to it waits in the quarantine: set \
                \(ConfigurationKey.trustedAuthServers.rawValue) for your own server, or for a mailbox \
                `pinpost mailbox set NAME --trust-authserv ID`.
                """
            ]
        return report
    }

    /// Mails can be answered only through a server.
    func advised(_ report: TenantReport) -> TenantReport {
        guard report.replies != .never, !answersMail else { return report }
        var report = report
        report.warnings.append(
            "No mail is answered before \(ConfigurationKey.smtpURL.rawValue) names a server that takes the answers.")
        return report
    }
}
