internal import FoundationEssentials
internal import PinpostCore

/// Files on Discord's own hosts, and the commands that the application offers.
extension DiscordProvider {
    /// The addresses are signed by Discord and good for about a day; no credentials are sent.
    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        guard answers.isEmpty else { return .done }
        guard let place = access.moved(media.file, where: Self.isDiscords) else {
            throw ProviderError(.refused, "The file does not lie with Discord.")
        }
        return .call(ProviderCall(HTTPRequest(url: place), as: .provider(host: ProviderAccess.host(of: place))))
    }

    static func isDiscords(_ url: String) -> Bool {
        let hosts = ["cdn.discordapp.com", "media.discordapp.net", "cdn.discord.com"]
        return url.hasPrefix("https://") && hosts.contains(ProviderAccess.host(of: url))
    }

    /// Registers `/pin` and "Save to Pinry" for every server and for direct messages; the interactions' address is
    /// entered in Discord's developer portal, which tries it at once.
    func registration(of _: String, with access: ProviderAccess) throws(ProviderError) -> [ProviderCall] {
        guard let token = access.token else { throw ProviderError(.notConfigured, "The hook has no bot token.") }
        // Without the id nothing can be registered; the hook works as soon as somebody has registered the commands.
        guard let application = access.settings.options["application"] ?? Self.application(of: token) else { return [] }
        guard application.utf8.allSatisfy(\.isDigit) else {
            throw ProviderError(.notConfigured, "The option application has to be the application's id, a number.")
        }
        var call = try access.call(
            "/applications/\(application)/commands", of: self, method: "PUT",
            body: .bytes(Array(Self.commands.utf8), contentType: "application/json"))
        call.request.authorization = ("Bot", token)
        return [call]
    }

    /// A bot token begins with the application's id in base64.
    private static func application(of token: Secret) -> String? {
        let start = token.withBytes { String(decoding: $0, as: UTF8.self) }.trimmed.prefix { $0 != "." }
        let padded = start + String(repeating: "=", count: (4 - start.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: String(padded)), !data.isEmpty else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        return text.utf8.allSatisfy(\.isDigit) ? text : nil
    }

    private static let commands = """
        [{"name":"pin","type":1,"description":"Pin a picture or a link","integration_types":[0,1],"contexts":[0,1,2],\
        "options":[{"type":11,"name":"image","description":"A picture"},\
        {"type":3,"name":"link","description":"A page or a picture on the web"},\
        {"type":3,"name":"text","description":"What the pin says; #tags count"},\
        {"type":3,"name":"board","description":"Name of the board"},\
        {"type":3,"name":"tags","description":"Tags, with commas or blanks"},\
        {"type":5,"name":"private","description":"Only you can see it in Pinry"}]},\
        {"name":"Save to Pinry","type":3,"integration_types":[0,1],"contexts":[0,1,2]}]
        """
}
