import Administration
import FoundationEssentials
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

    static let mapping = Flag(
        "mapping", "FILE|-", "JSON that says where the fields of a payload stand; see `hook map-test`")
    static let noMapping = Switch("no-mapping", "payloads have Pinpost's own names")
    static let expires = Flag(
        "expires", "WHEN", "when its tokens stop: \(Expiry.forms)", expected: Expiry.forms
    ) { Expiry($0) }
    static let scope = Flag<HookScope>("scope", "what its tokens open; both without it; repeatable")

    static let names = [Hook.generic] + ProviderDesk.names
    static let ofAny = [
        AnyFlag(mapping), AnyFlag(noMapping), AnyFlag(expires), AnyFlag(scope, repeatable: true),
    ]
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

extension Expiry {
    /// When that is, nil for never; what is over already is a slip that would lock everybody out.
    func comingDate(from now: Date) throws(UsageError) -> Date? {
        let date = date(from: now)
        if let date, date <= now { throw UsageError("--expires: \(date.forPeople) UTC has passed already.") }
        return date
    }
}

extension HookSettings {
    /// The text itself, once it is known to be a mapping.
    private static func checkedMapping(_ text: String) throws(Failure) -> String {
        do throws(HookError) {
            _ = try HookMapping(json: Array(text.utf8))
            return text
        } catch {
            throw Failure(error.code.rawValue.snakeCased, "--mapping: \(error.description)", exit: .wrongData)
        }
    }

    /// Takes over what the command line says; a list that is named replaces the one before.
    mutating func apply(_ arguments: Arguments, _ context: CommandContext) throws {
        if let expiry = try arguments.value(HookFlags.expires) { expiresAt = try expiry.comingDate(from: .now) }
        let scopes = try arguments.all(HookFlags.scope)
        if !scopes.isEmpty { self.scopes = scopes.count == HookScope.allCases.count ? nil : Set(scopes) }
        if arguments.has(HookFlags.noMapping) { mapping = nil }
        if let file = try arguments.value(HookFlags.mapping) {
            mapping = try Self.checkedMapping(context.text(of: file, flag: "--mapping"))
        }
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
