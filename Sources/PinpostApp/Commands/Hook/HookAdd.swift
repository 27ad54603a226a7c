import Administration

extension Command {
    static let hookAdd = Command(
        "hook add", "make a webhook for a tenant",
        operands: [SharedFlags.optionalSlug], flags: EntranceRequest.flags,
        notes: "The token is shown this once; a lost one is replaced by a new hook."
    ) { arguments, context in
        let secret = try await context.perform(AddHook(request: try EntranceRequest(arguments)))
        try context.print(secret) { TextTable([["id", $0.id], ["url", $0.url], ["token", $0.token]]).text }
        context.hint(
            """
            The token is not shown again. With it in a file `auth` as "Authorization: Bearer TOKEN", try:
            curl -H @auth -d url=https://example.org/ \(secret.url)
            """)
        return .done
    }
}

struct AddHook: AdminAction {
    static let name = "hook.add"
    var request: EntranceRequest

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> HookSecret {
        try await desk.administration.addHook(request.entrance)
    }
}
