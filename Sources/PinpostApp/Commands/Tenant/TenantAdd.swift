import Administration
import PinpostCore

extension Command {
    static let tenantAdd = Command(
        "tenant add", "add a person with a Pinry account; it is tried out first",
        operands: [Operand("SLUG", "a short name: a-z, 0-9 and inner hyphens")],
        flags: TenantFlags.add,
        notes: """
            The token is in Pinry under the user's settings. On a terminal it is asked for when --token-file is left out;
            without a token only public pins can be listed.
            --allow-private covers private and loopback addresses, for everybody on that server.
            """
    ) { arguments, context in
        let flags = TenantFlags.self
        var action = AddTenant(slug: arguments.operands[0], server: try arguments.required(flags.server))
        action.dialect = try arguments.value(flags.dialect) ?? .v2
        action.board = try arguments.value(SharedFlags.board)
        action.allowsPrivateNetwork = arguments.has(flags.allowPrivate)
        action.caPEM = try arguments.value(flags.caFile).map { try context.text(of: $0, flag: "--ca-file") }
        action.token = try context.tokenOfNewTenant(from: try arguments.value(flags.tokenFile)).map { WireSecret($0) }
        let report = try await context.perform(action)
        try context.print(AddedTenant(report)) { _ in TenantText.details(report) }
        context.hint("Next: pinpost address add \(report.tenant), or pinpost hook add \(report.tenant)")
        return .done
    }
}

struct AddTenant: AdminAction {
    static let name = "tenant.add"
    var slug: String
    var server: String
    var dialect = Server.Dialect.v2
    var token: WireSecret?
    var board: String?
    var allowsPrivateNetwork = false
    var caPEM: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> TenantReport {
        try await desk.administration.add(
            NewTenant(
                slug: slug, server: server, dialect: dialect, token: token?.secret,
                board: board.map { BoardChoice($0) },
                allowsPrivateNetwork: allowsPrivateNetwork, caPEM: caPEM))
    }
}

/// What scripts get from `tenant add`.
private struct AddedTenant: Encodable {
    var tenant: String
    var server: String
    @Nullable var username: String?
    @Nullable var board: String?
    var warnings: [String]

    init(_ report: TenantReport) {
        tenant = report.tenant
        server = report.server
        username = report.username
        board = report.board
        warnings = report.warnings
    }
}
