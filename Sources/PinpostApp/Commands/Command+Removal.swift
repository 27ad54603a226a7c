import Administration

extension Command {
    /// A verb that removes one thing, or says what it would remove; `action` gets the operands, and whether that is all.
    static func removal<Action: AdminAction>(
        of what: String, _ name: String, _ summary: String, operands: [Operand],
        _ action: @escaping @Sendable (_ operands: [String], _ rehearsal: Bool) -> Action
    ) -> Command where Action.Answer == Removal {
        Command(name, summary, operands: operands, flags: [AnyFlag(SharedFlags.dryRun)]) { arguments, context in
            let removal = try await context.perform(action(arguments.operands, arguments.has(SharedFlags.dryRun)))
            try context.print(removal) { "\($0.rehearsal ? "Would remove" : "Removed") \(what) \($0.id).\n" }
            return .done
        }
    }
}
