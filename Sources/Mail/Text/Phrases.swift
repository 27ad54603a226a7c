internal import PinpostCore

/// The beginning of a line in lower case, as bytes: all that is compared with phrases, so that long lines cost nothing.
struct LineHead {
    let bytes: [UInt8]
    /// Nothing of the line is missing.
    let isWhole: Bool

    static let length = 320

    init(_ line: String) {
        isWhole = line.utf8.count <= Self.length
        let head = line.utf8.prefix(Self.length)
        bytes =
            head.allSatisfy { $0 < 0x80 }
            ? head.map(\.asciiLowercased)
            : Array(String(decoding: head, as: UTF8.self).lowercased().utf8)
    }

    func starts(with phrase: [UInt8]) -> Bool { bytes.starts(with: phrase) }

    func isMade(of byte: Unicode.Scalar) -> Bool { bytes.allSatisfy { $0 == UInt8(ascii: byte) } }

    /// Without these characters at both ends.
    func trimmed(of characters: String) -> [UInt8] {
        let start = bytes.drop { characters.utf8.contains($0) }
        return Array(start.prefix(start.reversed().drop { characters.utf8.contains($0) }.count))
    }
}

/// What mail programs write between the sender's words, in the languages that we know.
enum Phrases {
    /// `-- `, or what programs make of it.
    static func isSignatureMark(_ head: LineHead) -> Bool {
        let mark = head.bytes.last == UInt8(ascii: " ") ? head.bytes.dropLast() : head.bytes[...]
        return mark.elementsEqual("--".utf8) || mark.elementsEqual("—".utf8)
    }

    /// The rule above the footer of a mailing list.
    static func isListFooterMark(_ head: LineHead) -> Bool { head.bytes.count >= 40 && head.isMade(of: "_") }

    static func isForwardMark(_ head: LineHead) -> Bool {
        guard let first = head.bytes.first, "-*=".utf8.contains(first) || head.bytes.last == UInt8(ascii: ":")
        else { return false }
        return forwardMarks.contains(head.trimmed(of: "-=*_ >:"))
    }

    static func isReplyMark(_ head: LineHead) -> Bool {
        if head.bytes.first == UInt8(ascii: "_") { return (20..<40).contains(head.bytes.count) && head.isMade(of: "_") }
        return head.starts(with: Array("--".utf8)) && replyMarks.contains(head.trimmed(of: "-=*_ >"))
    }

    /// A field of a header that was copied into the text.
    static func isHeaderField(_ line: String) -> Bool {
        let start = line.utf8.prefix(40)
        guard let colon = start.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let name = String(decoding: start[..<colon].filter { !"* |".utf8.contains($0) }, as: UTF8.self)
        return headerNames.contains(name.lowercased())
    }

    /// How many lines make `On … wrote:` or its like, which may be broken over up to three; nil where it is none.
    static func attributionLength(_ lines: [String]) -> Int? {
        guard let first = lines.first.map({ LineHead($0) }) else { return nil }
        let candidates = attributions.filter { first.starts(with: $0.start) }
        guard !candidates.isEmpty else { return nil }
        var hasNumber = false
        for (index, line) in lines.enumerated() {
            let head = index == 0 ? first : LineHead(line)
            guard head.isWhole else { return nil }
            hasNumber = hasNumber || head.bytes.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            let words = head.trimmed(of: " \t")
            if hasNumber, candidates.contains(where: { words.reversed().starts(with: $0.end.reversed()) }) {
                return index + 1
            }
        }
        return nil
    }

    /// What a phone or a mail program writes below a mail by itself.
    static func isFooter(_ head: LineHead) -> Bool {
        let words = head.trimmed(of: " \t*_")
        return head.isWhole && words.count < 200 && footerStarts.contains { words.starts(with: $0) }
    }

    /// The words before the name at the end of a letter, alone on their line.
    static func isClosing(_ head: LineHead) -> Bool {
        head.isWhole && head.bytes.count < 60 && closings.contains(head.trimmed(of: " \t,.!*_"))
    }

    /// The last lines of newsletters, which nobody wants to pin.
    static func isSubscriptionLine(_ head: LineHead) -> Bool {
        let words = String(decoding: head.bytes, as: UTF8.self)
        return head.isWhole && footerWords.contains { words.contains($0) }
    }

    /// Without `[image: …]`, `[cid:…]` and the other places where a picture stood.
    static func withoutPictureMarks(_ line: String) -> String {
        guard line.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "<") || $0 == 0xEF })
        else { return line }
        var rest = line[...]
        var result = ""
        while let open = rest.firstIndex(where: { $0 == "[" || $0 == "<" }) {
            let closing: Character = rest[open] == "[" ? "]" : ">"
            guard let close = rest[open...].firstIndex(of: closing) else { break }
            result += rest[..<open]
            if !isPictureMark(rest[rest.index(after: open)..<close].prefix(200), inBrackets: closing == "]") {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        result += rest
        result.unicodeScalars.removeAll { $0 == "\u{FFFC}" }
        var words = result.drop(while: \.isWhitespace)
        while words.last?.isWhitespace == true { words.removeLast() }
        return String(words)
    }

    private static func isPictureMark(_ words: Substring, inBrackets: Bool) -> Bool {
        let words = words.lowercased()
        if inBrackets { return pictureMarks.contains { words.hasPrefix($0) } }
        return ["png", "jpg", "jpeg", "gif", "heic", "webp", "bmp"].contains { words.hasSuffix(".\($0)") }
            && !words.contains("/") && !words.contains("@")
    }

    private static let pictureMarks = [
        "image:", "cid:", "inline image", "bild:", "imagem:", "imagen:", "immagine:", "afbeelding:", "изображение:",
        "image.png", "image.jpg", "画像:", "图片:", "photo:",
    ]
    private static let forwardMarks = utf8Set([
        "forwarded message", "begin forwarded message", "weitergeleitete nachricht",
        "anfang der weitergeleiteten nachricht",
        "message transféré", "début du message transféré", "début du message réexpédié", "mensaje reenviado",
        "inicio del mensaje reenviado", "messaggio inoltrato", "inizio messaggio inoltrato", "doorgestuurd bericht",
        "begin doorgestuurd bericht", "mensagem encaminhada", "início da mensagem encaminhada",
        "vidarebefordrat meddelande",
        "пересылаемое сообщение", "пересланное сообщение", "начало переадресованного сообщения", "przekazana wiadomość",
        "転送されたメッセージ", "转发的邮件", "forwarded by", "videresendt besked", "välitetty viesti", "edelleenlähetetty viesti",
    ])
    private static let replyMarks = utf8Set([
        "original message", "ursprüngliche nachricht", "original-nachricht", "originalnachricht", "message d'origine",
        "message original", "mensaje original", "messaggio originale", "oorspronkelijk bericht", "mensagem original",
        "ursprungligt meddelande", "исходное сообщение", "original appointment", "wiadomość oryginalna",
    ])
    private static let headerNames: Set<String> = [
        "from", "sent", "to", "cc", "date", "subject", "reply-to", "importance", "von", "gesendet", "an", "datum",
        "betreff",
        "de", "envoyé", "à", "objet", "enviado", "para", "asunto", "fecha", "da", "inviato", "a", "oggetto", "data",
        "van",
        "verzonden", "aan", "onderwerp", "assunto", "från", "skickat", "till", "ämne", "от", "кому", "тема", "дата",
        "отправлено", "od", "do", "temat", "wysłano", "fra", "sendt", "til", "emne", "發件人", "发件人", "收件人", "主题",
        "日期", "差出人", "宛先", "件名", "日時",
    ]
    private static let attributions: [(start: [UInt8], end: [UInt8])] = [
        ("on ", "wrote:"), ("am ", "schrieb:"), ("am ", ">:"), ("le ", "a écrit :"), ("le ", "a écrit:"),
        ("el ", "escribió:"),
        ("il ", "ha scritto:"), ("op ", "schreef:"), ("em ", "escreveu:"), ("den ", "skrev:"), ("den ", ">:"),
        ("w dniu", "napisał:"),
        ("w dniu", "napisał(a):"), ("dne ", "napsal(a):"),
    ].map { (Array($0.utf8), Array($1.utf8)) }
    private static let closings = Set(
        [
            "best regards", "kind regards", "warm regards", "with kind regards", "regards", "best", "all the best",
            "best wishes", "many thanks", "thanks and regards", "thanks & regards", "sincerely", "yours sincerely",
            "yours faithfully", "yours truly", "cheers", "kindly",
            "mit freundlichen grüßen", "mit freundlichen grüssen", "mit freundlichem gruß", "freundliche grüße",
            "freundliche grüsse", "beste grüße", "viele grüße", "liebe grüße", "herzliche grüße", "schöne grüße",
            "mit besten grüßen", "mfg", "vg", "lg", "gruß", "grüße",
            "cordialement", "bien cordialement", "bien à vous", "salutations", "sincères salutations",
            "saludos", "un saludo", "saludos cordiales", "atentamente", "cordiali saluti", "distinti saluti", "saluti",
            "met vriendelijke groet", "met vriendelijke groeten", "vriendelijke groet", "vriendelijke groeten",
            "groeten",
            "med vänlig hälsning", "med vänliga hälsningar", "vänliga hälsningar", "med vennlig hilsen", "hilsen",
            "venlig hilsen", "med venlig hilsen", "mvh", "ystävällisin terveisin", "terveisin",
            "atenciosamente", "cumprimentos", "com os melhores cumprimentos", "pozdrawiam", "z poważaniem",
            "s pozdravem", "с уважением", "敬具", "此致",
        ].map { Array($0.utf8) })
    private static let footerStarts: [[UInt8]] = [
        "sent from my ", "sent from mail for", "sent from yahoo mail", "sent from outlook", "sent from proton",
        "sent from the ",
        "sent with ", "get outlook for ", "von meinem ", "gesendet von ", "gesendet mit ", "gesendet aus ",
        "diese nachricht wurde von meinem",
        "envoyé de mon ", "envoyé depuis ", "envoyé à partir de ", "enviado desde ", "enviado do meu ",
        "enviado de mi ", "inviato da ",
        "verzonden vanaf ", "verstuurd vanaf ", "skickat från ", "sendt fra ", "отправлено с ", "отправлено из ",
        "wysłane z ",
        "holen sie sich outlook", "outlook für ", "télécharger outlook", "obtener outlook", "iphoneから送信", "发自我的",
    ].map { Array($0.utf8) }
    private static let footerWords = [
        "unsubscribe", "abbestellen", "abmelden", "désabonner", "désinscrire", "cancelar suscripción", "darse de baja",
        "disiscriviti",
        "afmelden", "view this email in your browser", "view in browser", "im browser ansehen",
        "manage your preferences",
        "email preferences", "отписаться",
    ]

    private static func utf8Set(_ phrases: [String]) -> Set<[UInt8]> { Set(phrases.map { Array($0.utf8) }) }
}
