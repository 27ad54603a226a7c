import PinpostCore

/// Pages that stand in front of the one that was meant: log-ins, consent, captchas, error pages.
///
/// Only clear signs count: a picture too few is a card, a wrong picture is an annoyance.
enum WrongPage {
    /// What the page is instead, in words for the sender; nil for a page like any other.
    ///
    /// `asked` is the address that was asked for, before redirects.
    static func name(of page: Page, titled title: String?, asked: WebAddress) -> String? {
        let address = page.address
        let isElsewhere = address.hostName != asked.hostName || address.path != asked.path
        let title = title?.lowercased() ?? ""
        if address.hostName.hasPrefix("consent.") || address.path.hasPrefix("/_consent") { return "a consent page" }
        if captchaTitles.contains(where: { title.hasPrefix($0) }) || isCaptcha(page) { return "a captcha" }
        if consentTitles.contains(where: { title.hasPrefix($0) }) { return "a consent page" }
        if isElsewhere, isLogin(address) { return "a log-in page" }
        if loginTitles.contains(where: { isTitle(title, $0) }), hasPassword(page) || isLogin(address) {
            return "a log-in page"
        }
        return errorTitles.contains { isTitle(title, $0) } ? "an error page" : nil
    }

    private static func hasPassword(_ page: Page) -> Bool {
        page.elements.contains { $0.name == "input" && $0.attributes["type"] == "password" }
    }

    /// A captcha in a comment form is none; one without an article is.
    private static func isCaptcha(_ page: Page) -> Bool {
        let isChallenge = page.elements.contains { element in
            element.name == "form" && element.attributes["id"] == "challenge-form"
                || element.name == "script"
                    && element.attributes["src"]?.contains("/cdn-cgi/challenge-platform/") == true
                    && page.metadata.first("og:image", "og:title", "description") == nil
        }
        return isChallenge && page.metadata.first("og:image") == nil
    }

    private static func isLogin(_ address: WebAddress) -> Bool {
        let parts = address.path.lowercased().split(separator: "/")
        let hosts = ["login.", "accounts.google.", "signin.", "auth.", "sso."]
        return hosts.contains { address.hostName.hasPrefix($0) }
            || parts.contains {
                ["login", "signin", "sign-in", "sign_in", "log-in", "authwall", "login.php"].contains($0)
            }
    }

    /// The title itself, or with the site's name behind.
    private static func isTitle(_ title: String, _ name: String) -> Bool {
        title == name || [" |", " -", " –", " —", " •", " ·", ":"].contains { title.hasPrefix(name + $0) }
            || ["| ", "- ", "• ", "· "].contains { title.hasSuffix($0 + name) }
    }

    private static let captchaTitles = [
        "just a moment...", "attention required! | cloudflare", "are you a robot", "robot or human", "robot check",
        "human verification", "verify you are human", "security check", "ddos-guard", "pardon our interruption",
        "access to this page has been denied", "please verify you are a human", "checking your browser",
        "unusual traffic", "captcha",
    ]
    private static let consentTitles = [
        "before you continue", "bevor sie zu", "avant de continuer", "antes de continuar",
    ]
    private static let loginTitles = [
        "log in", "login", "sign in", "signin", "log in to facebook", "log into facebook", "log in or sign up to view",
        "anmelden", "einloggen", "connexion", "iniciar sesión", "accedi", "inloggen", "zaloguj się",
    ]
    private static let errorTitles = [
        "access denied", "403 forbidden", "404 not found", "page not found", "502 bad gateway",
        "503 service unavailable", "error 404", "error 403", "not found", "forbidden", "500 internal server error",
        "504 gateway time-out", "site not found", "account suspended",
    ]
}
