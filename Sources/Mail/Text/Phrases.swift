/// What mail programs write between the sender's words, in the languages that we know.
enum Phrases {
    /// `-- `, or what programs make of it, and the short rules that people draw above their names.
    static func isSignatureMark(_ line: String) -> Bool {
        let mark = line.last == " " ? String(line.dropLast()) : line
        return mark == "--" || mark == "—" || mark == "\u{2014}\u{2014}"
    }

    /// The rule above the footer of a mailing list.
    static func isListFooterMark(_ line: String) -> Bool {
        line.count >= 40 && line.allSatisfy { $0 == "_" }
    }

    static func isForwardMark(_ line: String) -> Bool {
        let words = bare(line)
        return forwardMarks.contains { words == $0 || words == $0 + ":" }
            && (line.hasPrefix("-") || line.hasSuffix(":") || line.hasPrefix("*") || line.hasPrefix("="))
    }

    static func isReplyMark(_ line: String) -> Bool {
        line.hasPrefix("--") && replyMarks.contains(bare(line))
            || line.count >= 20 && line.count < 40 && line.allSatisfy { $0 == "_" }
    }

    /// A field of a header that was copied into the text.
    static func isHeaderField(_ line: String) -> Bool {
        var words = line.lowercased()[...]
        while let first = words.first, first == "*" || first == " " || first == "|" { words = words.dropFirst() }
        guard let colon = words.prefix(20).firstIndex(of: ":") else { return false }
        let name = words[..<colon].filter { $0 != "*" && $0 != " " }
        return headerNames.contains(name)
    }

    /// `On … wrote:` and its like, which may be broken over up to three lines.
    static func attributionLength(_ lines: [String]) -> Int? {
        var joined = ""
        for (index, line) in lines.enumerated() where joined.count < 400 {
            joined += (joined.isEmpty ? "" : " ") + line.lowercased()
            let starts = attributions.contains { joined.hasPrefix($0.start) }
            guard starts else { return nil }
            var words = joined[...]
            while words.last?.isWhitespace == true { words = words.dropLast() }
            if attributions.contains(where: { joined.hasPrefix($0.start) && words.hasSuffix($0.end) }),
                joined.contains(where: \.isNumber)
            {
                return index + 1
            }
        }
        return nil
    }

    /// What a phone or a mail program writes below a mail by itself, and the last lines of newsletters.
    static func isFooter(_ line: String) -> Bool {
        let words = line.lowercased().drop { $0.isWhitespace || $0 == "*" || $0 == "_" }
        if words.count < 160, footerStarts.contains(where: { words.hasPrefix($0) }) { return true }
        return words.count < 300 && footerWords.contains { words.contains($0) }
    }

    /// Without `[image: …]`, `[cid:…]` and the other places where a picture stood.
    static func withoutPictureMarks(_ line: String) -> String {
        var rest = line[...]
        var result = ""
        while let open = rest.firstIndex(where: { $0 == "[" || $0 == "<" }) {
            let closing: Character = rest[open] == "[" ? "]" : ">"
            guard let close = rest[open...].firstIndex(of: closing) else { break }
            result += rest[..<open]
            if !isPictureMark(rest[rest.index(after: open)..<close], inBrackets: closing == "]") {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        result += rest
        result.unicodeScalars.removeAll { $0 == "\u{FFFC}" }
        return String(result.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    private static func isPictureMark(_ words: Substring, inBrackets: Bool) -> Bool {
        let words = words.lowercased()
        if inBrackets {
            return pictureMarks.contains { words.hasPrefix($0) }
        }
        return ["png", "jpg", "jpeg", "gif", "heic", "webp", "bmp"].contains { words.hasSuffix(".\($0)") }
            && !words.contains("/") && !words.contains("@")
    }

    private static func bare(_ line: String) -> String {
        let words = line.lowercased().drop { "-=*_ >".contains($0) }
        return String(words.reversed().drop { "-=*_ ".contains($0) }.reversed())
    }

    private static let pictureMarks = [
        "image:", "cid:", "inline image", "bild:", "imagem:", "imagen:", "immagine:", "afbeelding:", "изображение:",
        "image.png", "image.jpg", "画像:", "图片:", "photo:",
    ]
    private static let forwardMarks: Set<String> = [
        "forwarded message", "begin forwarded message", "weitergeleitete nachricht",
        "anfang der weitergeleiteten nachricht",
        "message transféré", "début du message transféré", "début du message réexpédié", "mensaje reenviado",
        "inicio del mensaje reenviado", "messaggio inoltrato", "inizio messaggio inoltrato", "doorgestuurd bericht",
        "begin doorgestuurd bericht", "mensagem encaminhada", "início da mensagem encaminhada",
        "vidarebefordrat meddelande",
        "пересылаемое сообщение", "пересланное сообщение", "начало переадресованного сообщения", "przekazana wiadomość",
        "転送されたメッセージ", "转发的邮件", "forwarded by", "videresendt besked", "välitetty viesti", "edelleenlähetetty viesti",
    ]
    private static let replyMarks: Set<String> = [
        "original message", "ursprüngliche nachricht", "original-nachricht", "originalnachricht", "message d'origine",
        "message original", "mensaje original", "messaggio originale", "oorspronkelijk bericht", "mensagem original",
        "ursprungligt meddelande", "исходное сообщение", "original appointment", "wiadomość oryginalna",
    ]
    private static let headerNames: Set<String> = [
        "from", "sent", "to", "cc", "date", "subject", "reply-to", "importance", "von", "gesendet", "an", "datum",
        "betreff",
        "de", "envoyé", "à", "objet", "enviado", "para", "asunto", "fecha", "da", "inviato", "a", "oggetto", "data",
        "van",
        "verzonden", "aan", "onderwerp", "assunto", "från", "skickat", "till", "ämne", "от", "кому", "тема", "дата",
        "отправлено", "od", "do", "temat", "wysłano", "fra", "sendt", "til", "emne", "發件人", "发件人", "收件人", "主题",
        "日期", "差出人", "宛先", "件名", "日時",
    ]
    private static let attributions: [(start: String, end: String)] = [
        ("on ", "wrote:"), ("am ", "schrieb:"), ("am ", ">:"), ("le ", "a écrit :"), ("le ", "a écrit:"),
        ("el ", "escribió:"),
        ("il ", "ha scritto:"), ("op ", "schreef:"), ("em ", "escreveu:"), ("den ", "skrev:"), ("den ", ">:"),
        ("w dniu", "napisał:"),
        ("w dniu", "napisał(a):"), ("dne ", "napsal(a):"),
    ]
    private static let footerStarts = [
        "sent from my ", "sent from mail for", "sent from yahoo mail", "sent from outlook", "sent from proton",
        "sent from the ",
        "sent with ", "get outlook for ", "von meinem ", "gesendet von ", "gesendet mit ", "gesendet aus ",
        "diese nachricht wurde von meinem",
        "envoyé de mon ", "envoyé depuis ", "envoyé à partir de ", "enviado desde ", "enviado do meu ",
        "enviado de mi ", "inviato da ",
        "verzonden vanaf ", "verstuurd vanaf ", "skickat från ", "sendt fra ", "отправлено с ", "отправлено из ",
        "wysłane z ",
        "holen sie sich outlook", "outlook für ", "télécharger outlook", "obtener outlook", "iphoneから送信", "发自我的",
    ]
    private static let footerWords = [
        "unsubscribe", "abbestellen", "abmelden", "désabonner", "désinscrire", "cancelar suscripción", "darse de baja",
        "disiscriviti",
        "afmelden", "view this email in your browser", "view in browser", "im browser ansehen",
        "manage your preferences",
        "email preferences", "отписаться",
    ]
}
