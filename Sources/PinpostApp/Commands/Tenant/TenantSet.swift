import Administration
import PinpostCore

extension Command {
    static let tenantSet = Command(
        "tenant set", "change a tenant; what concerns Pinry is tried out first",
        operands: [SharedFlags.slug], flags: TenantFlags.set,
        notes: "Another --server drops the token unless it is given again. A new token starts a stopped tenant again."
    ) { arguments, context in
        try arguments.requireChange(by: "tenant set")
        let report = try await context.perform(try SetTenant(arguments, context))
        try context.print(report, TenantText.details)
        return .done
    }
}

struct SetTenant: AdminAction {
    static let name = "tenant.set"
    var slug: String
    var server: String?
    var dialect: Server.Dialect?
    var token: WireSecret?
    var dropsToken: Bool
    var board: Change<String>
    var allowsPrivateNetwork: Bool?
    var caPEM: Change<String>
    var createsBoards: Bool?
    var itemsPerMessage: Int?
    var replies: Tenant.Replies?
    var keepsCamera: Bool?

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        let flags = TenantFlags.self
        for (set, clear) in [
            (flags.tokenFile.name, flags.noToken), (SharedFlags.board.name, flags.noBoard),
            (flags.caFile.name, flags.noCA), (flags.allowPrivate.name, flags.refusePrivate),
        ] where arguments.values[set] != nil && arguments.has(clear) {
            throw UsageError("--\(set) and --\(clear.name) exclude each other.")
        }
        slug = arguments.operands[0]
        server = try arguments.value(flags.server)
        dialect = try arguments.value(flags.dialect)
        dropsToken = arguments.has(flags.noToken)
        board =
            try arguments.value(SharedFlags.board).map { .set($0) } ?? (arguments.has(flags.noBoard) ? .remove : .keep)
        allowsPrivateNetwork =
            arguments.has(flags.allowPrivate) ? true : arguments.has(flags.refusePrivate) ? false : nil
        let file = try arguments.value(flags.caFile).map { try context.text(of: $0, flag: "--ca-file") }
        caPEM = file.map { .set($0) } ?? (arguments.has(flags.noCA) ? .remove : .keep)
        createsBoards = try arguments.value(flags.createBoards)
        itemsPerMessage = try arguments.value(flags.items)
        replies = try arguments.value(flags.replies)
        keepsCamera = try arguments.value(flags.keepCamera)
        token = try arguments.value(flags.tokenFile).map { WireSecret(try context.token(from: $0)) }
    }

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> TenantReport {
        var change = TenantChange(slug: slug)
        change.server = server
        change.dialect = dialect
        change.token = token?.secret
        change.dropsToken = dropsToken
        change.board = board
        change.allowsPrivateNetwork = allowsPrivateNetwork
        change.caPEM = caPEM
        change.createsBoards = createsBoards
        change.itemsPerMessage = itemsPerMessage
        change.replies = replies
        change.keepsCamera = keepsCamera
        let report = try await desk.administration.change(change)
        return replies == nil ? report : desk.advised(report)
    }
}
