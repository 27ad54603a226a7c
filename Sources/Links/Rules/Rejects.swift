import PinpostCore

/// Pictures that stand for nothing: pixels, icons, advertisements, placeholders.
enum Rejects {
    /// Addresses that are never taken, whoever names them.
    static func forbids(_ address: WebAddress) -> Bool {
        let file = address.fileName.lowercased()
        if file.hasSuffix(".svg") || file.hasSuffix(".svgz") || file.hasSuffix(".ico") { return true }
        if placeholders.contains(where: { address.withoutFragment.lowercased().contains($0) }) { return true }
        return trackers.contains { address.hostName == $0 || address.hostName.hasSuffix("." + $0) }
    }

    /// What stands in the text of a page, but is none of its pictures.
    static func looksLikeOrnament(_ address: WebAddress, _ element: PageOutline.Element) -> Bool {
        let own = [element.attributes["class"], element.attributes["id"]]
        if element.attributes["style"].map(isHidden) == true { return true }
        let words = Self.words(in: address.path) + Self.words(in: element.attributes["alt"] ?? "")
        if words.contains(where: { ornaments.contains($0) || $0 == "banner" }) { return true }
        // A banner is an advertisement by its address; by its class it may be the large picture above an article.
        if own.compactMap(\.self).flatMap(Self.words).contains(where: ornaments.contains) { return true }
        return Self.words(in: element.surroundings).contains(where: advertising.contains)
            || Self.words(in: address.hostName).contains(where: advertising.contains)
    }

    private static func isHidden(_ style: String) -> Bool {
        let style = style.filter { !$0.isWhitespace }.lowercased()
        return ["display:none", "visibility:hidden", "left:-", "top:-9", "opacity:0;"].contains { style.contains($0) }
    }

    /// Runs of letters in lower case: `site-logo_2x.png` has `site`, `logo`, `x` and `png`; `trackingPixel` has two.
    static func words(in text: String) -> [Substring] {
        var spaced = ""
        var wasSmall = false
        for character in text {
            if character.isUppercase, wasSmall { spaced.append(" ") }
            wasSmall = character.isLowercase
            spaced.append(character)
        }
        return spaced.lowercased().split { !$0.isLetter }
    }

    private static let ornaments: Set<Substring> = [
        "sprite", "sprites", "logo", "logos", "avatar", "avatars", "gravatar", "emoji", "emojis", "emoticon", "smiley",
        "smilies", "smileys", "pixel", "icon", "icons", "favicon", "badge", "button", "btn", "spacer", "blank",
        "loading",
        "loader", "spinner", "placeholder", "transparent", "captcha", "flag", "flags", "rating", "arrow", "bullet",
        "advert", "ads", "sponsor", "sponsors", "wordmark", "profilepic", "headshot", "byline", "feed", "rss",
        "share", "social", "facebook", "twitter", "linkedin", "whatsapp",
    ]
    private static let advertising: Set<Substring> = [
        "ad", "ads", "advert", "advertisement", "adsense", "adslot", "adbox", "adwrap", "doubleclick", "sponsor",
        "sponsored", "promo", "outbrain", "taboola", "cookie", "consent", "gdpr", "newsletter", "avatar", "author",
        "byline", "comment", "comments", "related", "recommended", "sidebar", "share", "social", "emoji",
    ]
    /// Shown by well-known software where there is no picture.
    private static let placeholders = [
        "s0.wp.com/i/blank.jpg", "s.w.org/images/core/emoji", "wp.com/wp-content/mu-plugins/wpcom-smileys",
        "redditstatic.com/icon.png", "facebook.com/images/fb_icon_325x325.png",
        "static.xx.fbcdn.net/rsrc.php", "instagram.com/static/images/ico", "static.cdninstagram.com/rsrc.php",
        "abs.twimg.com/emoji", "abs.twimg.com/responsive-web/client-web/icon", "twemoji", "/emoji/",
        "googleusercontent.com/img/b/blank", "/captcha", "1x1.gif", "1x1.png", "/pixel.gif", "/pixel.png", "spacer.gif",
        "/blank.gif", "/blank.png", "/transparent.gif", "/transparent.png", "/no-image.", "/no_image.", "/noimage.",
        "/image-not-available", "/image_not_available", "www.facebook.com/tr",
    ]
    private static let trackers = [
        "scorecardresearch.com", "doubleclick.net", "google-analytics.com", "googletagmanager.com",
        "quantserve.com", "pixel.wp.com", "stats.wordpress.com", "bat.bing.com", "px.ads.linkedin.com",
        "pixel.quantserve.com", "googlesyndication.com", "2mdn.net", "mc.yandex.ru", "adnxs.com", "amazon-adsystem.com",
        "assoc-amazon.com",
    ]
}
