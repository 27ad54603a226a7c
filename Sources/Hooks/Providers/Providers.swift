/// The providers that are known, each a folder beside this file.
enum Providers {
    static let all: [any Provider] =
        [
            TelegramProvider(), SlackProvider(), DiscordProvider(),
            MailgunProvider(), SendGridProvider(), PostmarkProvider(), CloudMailinProvider(),
            CloudflareEmailWorkerProvider(), AmazonSESProvider(), PostalProvider(), MoxProvider(),
            MattermostProvider(), RocketChatProvider(), MatrixProvider(), WhatsAppProvider(), TwilioProvider(),
            LINEProvider(), SignalProvider(),
        ] + SignedWebhookProvider.all

    static func named(_ name: String) -> (any Provider)? { all.first { $0.name == name } }
}
