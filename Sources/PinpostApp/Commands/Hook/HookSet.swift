import Administration
import PinpostCore

extension Command {
    static let hookSet = Command(
        "hook set", "change a webhook",
        operands: [SharedFlags.slug, Operand("ID", "the hook's id from `hook list`")],
        flags: EntranceRequest.flags + [AnyFlag(HookFlags.noBoard), AnyFlag(HookFlags.isPublic)] + HookFlags.ofAny
            + HookFlags.ofProvider,
        notes: "Lists (--tag, --allow) replace the ones before; --option NAME= takes a setting back."
    ) { arguments, context in
        let (tenant, id) = (arguments.operands[0], arguments.operands[1])
        var settings = try await context.perform(HookSettingsOf(tenant: tenant, id: id))
        try settings.apply(arguments, context)
        var action = SetHook(tenant: tenant, id: id, settings: settings)
        action.board = try arguments.value(SharedFlags.board)
        action.forgetsBoard = arguments.has(HookFlags.noBoard)
        let tags = try arguments.all(SharedFlags.tag)
        action.tags = tags.isEmpty ? nil : tags
        if arguments.has(SharedFlags.isPrivate) { action.isPrivate = true }
        if arguments.has(HookFlags.isPublic) { action.isPrivate = false }
        action.label = try arguments.value(SharedFlags.label)
        action.secret = try context.password(HookFlags.secretFile, arguments)
        action.token = try context.password(HookFlags.tokenFile, arguments)
        let report = try await context.perform(action)
        try context.print(report) { HookText.details($0) }
        return .done
    }
}

extension HookFlags {
    static let noBoard = Switch("no-board", "pins go where the tenant's own do")
    static let isPublic = Switch("public", "take --private back")
}

/// What `hook set` starts from.
struct HookSettingsOf: AdminAction {
    static let name = "hook.settings"
    var tenant: String
    var id: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> HookSettings {
        try await desk.administration.hook(id, ofTenant: tenant).settings
    }
}

struct SetHook: AdminAction {
    static let name = "hook.set"
    var tenant: String
    var id: String
    var settings: HookSettings
    var board: String?
    var forgetsBoard = false
    var tags: [String]?
    var isPrivate: Bool?
    var label: String?
    var secret: WireSecret?
    var token: WireSecret?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> HookReport {
        var changes = HookChanges()
        (changes.board, changes.forgetsBoard) = (board.map { BoardChoice($0) }, forgetsBoard)
        (changes.tags, changes.isPrivate, changes.label) = (tags, isPrivate, label)
        (changes.settings, changes.secret, changes.token) = (settings, secret?.secret, token?.secret)
        let hook = try await desk.administration.setHook(id, of: tenant, changes)
        return try await desk.administration.report(of: hook)
    }
}
