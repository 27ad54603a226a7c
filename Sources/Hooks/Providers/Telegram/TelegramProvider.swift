internal import PinpostCore

/// A bot on Telegram (core.telegram.org/bots/api).
struct TelegramProvider: Provider {
    let name = "telegram"
    let apiBase: String? = "https://api.telegram.org"

    func proof(of _: String) -> RequestProof { .signature(.telegram) }

    func receive(_ request: ProviderRequest) throws(HookError) -> ProviderVerdict {
        let update = try request.body.object()
        guard let message = update["message"] ?? update["channel_post"], let id = update["update_id"]?.id,
            let chat = message["chat"]?["id"]?.id
        else { return .answer(ProviderAnswer(), log: "not a message") }
        guard request.access.allows([chat, message["from"]?["id"]?.id], byDefault: false) else {
            return .answer(ProviderAnswer(), log: "neither chat nor sender is on the allow-list")
        }
        return .accept(ProviderVerdict.Delivery(id: id), ProviderAnswer())
    }

    func read(_ delivery: StoredDelivery, into _: Intake) throws(HookError) -> [Draft] {
        let update = try delivery.object()
        var draft = Draft()
        draft.text = (update["message"] ?? update["channel_post"])?["text"]?.text
        return [draft]
    }
}
