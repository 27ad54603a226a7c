import Hooks
import PinpostCore

/// Flags of the verbs that make and change hooks of named providers.
enum HookFlags {
    static let provider = Flag(
        "provider", "NAME", "whose requests it takes (generic)", expected: "one of \(names.joined(separator: ", "))"
    ) { names.contains($0) ? $0 : nil }
    static let secretFile = Flag("secret-file", "FILE|-", "where the provider's signing secret or public key is")
    static let tokenFile = Flag("token-file", "FILE|-", "where the token of the provider's API is (bot token)")
    static let apiBase = Flag("api-base", "URL", "where the provider's API is, when not at its usual place")
    static let allow = Flag("allow", "ID", "a chat, channel or person that may pin; repeatable")
    static let option = Flag(
        "option", "NAME=VALUE", "a setting of this provider alone; repeatable", expected: "NAME=VALUE"
    ) { HookOption($0) }

    static let names = [Hook.generic] + ProviderDesk.names
    static let ofProvider = [
        AnyFlag(secretFile), AnyFlag(tokenFile), AnyFlag(apiBase), AnyFlag(allow, repeatable: true),
        AnyFlag(option, repeatable: true),
    ]
}

/// `NAME=VALUE`; an empty value takes the setting back.
struct HookOption: Sendable {
    let name: String
    let value: String

    init?(_ text: String) {
        guard let mark = text.firstIndex(of: "="), mark != text.startIndex else { return nil }
        name = String(text[..<mark])
        value = String(text[text.index(after: mark)...])
    }
}

extension HookSettings {
    /// Takes over what the command line says; a list that is named replaces the one before.
    mutating func apply(_ arguments: Arguments) throws(UsageError) {
        if let base = try arguments.value(HookFlags.apiBase) {
            apiBase = base.hasSuffix("/") ? String(base.dropLast()) : base
        }
        let allowed = try arguments.all(HookFlags.allow)
        if !allowed.isEmpty { self.allowed = allowed }
        for option in try arguments.all(HookFlags.option) {
            options[option.name] = option.value.isEmpty ? nil : option.value
        }
    }
}
