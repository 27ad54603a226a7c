import PinpostCore
import PinpostTesting
import Testing

@testable import Mail

@Suite("Header fields")
struct HeaderTests {
    @Test(
        "encoded words are decoded, joined and folded",
        arguments: [
            ("plain  text\t here", "plain text here"),
            ("=?utf-8?Q?caf=C3=A9?=", "café"),
            ("=?UTF-8?B?w4lkZQ==?= =?utf-8?B?IGhlbGxv?= tail", "Éde hello tail"),
            ("=?utf-8?B?8J+M?=\t=?utf-8?B?nQ==?=", "🌝"),
            ("a =?utf-8?Q?b?= c =?utf-8?Q?d?=  =?utf-8?Q?e?= f", "a b c de f"),
            ("=?iso-8859-1*de?Q?Gr=FC=DFe_aus?=", "Grüße aus"),
            ("=?koi8_r?B?98nLyQ==?=", "Вики"),
            ("=?x-unknown?Q?a=E9?=", "aé"),
            ("=??Q?a=E9_b?= c", "aé b c"),
            ("=?iso-2022-jp?B?GyRCRnxLXDhsGyhC?=", "日本語"),
            ("=?iso-2022-jp?B?GyRCLSEtai1iGyhCIBsoSTEbKEI=?= x", "①㈱№ ｱ x"),
            ("glued=?utf-8?Q?_x?=on", "glued xon"),
            ("=?utf-8?Q?with spaces inside?=", "with spaces inside"),
            ("=?utf-8?Q?never closed", "=?utf-8?Q?never closed"),
            ("=?utf-8?X?abc?=", "=?utf-8?X?abc?="),
            ("=?utf-8?Q??=", ""),
            ("", ""),
            ("a\u{7}b", "ab"),
        ])
    func encodedWords(field: String, text: String) {
        #expect(EncodedWords.decode(Array(field.utf8)) == text)
    }

    @Test("raw bytes are UTF-8, or what the header's other fields are, or windows-1252")
    func rawBytes() {
        #expect(EncodedWords.decode(Array("café".utf8)) == "café")
        #expect(EncodedWords.decode([0x63, 0x61, 0x66, 0xE9, 0x85]) == "café…")
        #expect(EncodedWords.decode([0xCF, 0xF0, 0xE8], charsetHint: "windows-1251") == "При")
        let greeting: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x2C, 0x20, 0xEC, 0xE8, 0xF0]
        #expect(EncodedWords.decode(greeting) == "Привет, мир")
        #expect(EncodedWords.decode([0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4, 0x20, 0x31]) == "Привет 1")
        let german: [UInt8] = [0x47, 0x72, 0xF6, 0xDF, 0x65, 0x20, 0xC4, 0xD6, 0xDC]
        #expect(EncodedWords.decode(german) == "Größe ÄÖÜ")
        #expect(EncodedWords.decode(Array("Test ".utf8) + [0xE4, 0xF6, 0xFC, 0xDF]) == "Test äöüß")
        #expect(EncodedWords.decode([0xE6, 0xF8, 0xE5, 0xC6, 0xD8, 0xC5]) == "æøåÆØÅ")
        #expect(EncodedWords.decode(Array("fa".utf8) + [0xE7, 0xE0, 0xF1, 0xE9]) == "façàñé")
        #expect(EncodedWords.decode(Array("abcdefgh".utf8) + [0xC3, 0xA9, 0xC3]) == "abcdefghé\u{FFFD}")
    }

    @Test(
        "parameters are read as programs write them",
        arguments: [
            ("image/jpeg; name=a.jpg", "name", "a.jpg"),
            ("IMAGE/Jpeg ; NAME = \"a b.jpg\" ; x=y", "name", "a b.jpg"),
            ("x/y; name=two words.jpg; z=1", "name", "two words.jpg"),
            ("x/y; name=\"say \\\"hi\\\".gif\"", "name", "say \"hi\".gif"),
            ("x/y; name=\"never closed", "name", "never closed"),
            ("x/y;;; name=a", "name", "a"),
            ("x/y; boundary=a=b=c", "boundary", "a=b=c"),
            ("x/y; name=\"=?utf-8?B?54yr?= =?utf-8?Q?.jpg?=\"", "name", "猫.jpg"),
            ("x/y; name*=utf-8''caf%C3%A9", "name", "café"),
            ("x/y; name=plain; name*=utf-8''caf%C3%A9", "name", "café"),
            ("x/y; name*0*=utf-8''caf%C3; name*1*=%A9; name*2=.jpg", "name", "café.jpg"),
            ("x/y; name*1=b; name*0=a; name*2=c; name*1=z", "name", "abc"),
            ("x/y; name*=''caf%C3%A9", "name", "café"),
            ("x/y; name*=%zz", "name", "%zz"),
            ("x/y; name*0=\"=?utf-8?B?54\"; name*1=\"yr?=\"", "name", "猫"),
            ("x/y; name*=windows-1258''%D0%EC", "name", "Đ\u{301}"),
            ("x/y; name*=windows-1258''a.png", "name", "a.png"),
            ("x/y; name*=windows-1255''%F9%EC%E5%ED", "name", "שלום"),
            ("x/y; name*=tcvn''abc", "name", "abc"),
            ("x/y; name*=''x; name**=y", "name", "x"),
            ("attachment; filename=\"a\"junk; x=1", "filename", "a"),
        ])
    func parameters(field: String, name: String, value: String) {
        #expect(MIMEValue(Array(field.utf8)).parameter(name) == value)
    }

    @Test("eight thousand sections of a name cost four times as much as two thousand")
    func manySections() {
        func value(_ count: Int) -> MIMEValue {
            let sections = (0..<count).map { " name*\($0)*=\($0 == 0 ? "utf-8''" : "")%C3%A9;" }.joined()
            return MIMEValue(Array("x/y;\(sections)".utf8))
        }
        #expect(value(8_192).parameter("name")?.count == 8_192)
        #expect(growsLinearly(to: 8_192, value) { _ = $0.parameter("name") })
    }

    @Test(
        "addresses are taken out of names, comments and groups",
        arguments: [
            ("a@b.c", ["a@b.c"]), ("Ada <a@b.c>, \"B, (x)\" <d@e.f>", ["a@b.c", "d@e.f"]),
            ("friends: a@b.c, <d@e.f>;, g@h.i", ["a@b.c", "d@e.f", "g@h.i"]),
            ("a@b.c (comment (nested) <x@y.z>)", ["a@b.c"]), ("undisclosed-recipients:;", []), ("", []),
            ("\"a@b.c\" <d@e.f>", ["d@e.f"]), ("g:g:g:g:a@b.c;;;;", ["a@b.c"]),
        ])
    func addresses(field: String, expected: [String]) {
        #expect(AddressList.addresses(in: Array(field.utf8)) == expected)
    }

    @Test(
        "charset labels are mapped by a fixed list",
        arguments: [
            ("UTF8", "UTF-8"), ("latin1", "WINDOWS-1252"), ("ISO_8859-1", "WINDOWS-1252"),
            ("iso-8859-15", "ISO-8859-15"),
            ("gb2312", "GB18030"), ("ks_c_5601-1987", "CP949"), ("Shift_JIS", "CP932"), ("cp1251", "WINDOWS-1251"),
            ("koi8_r", "KOI8-R"), ("\"utf-8\"", "UTF-8"), ("//TRANSLIT", nil), ("UTF-8//IGNORE", nil), ("", nil),
            (String(repeating: "a", count: 100), nil),
        ])
    func charsets(label: String, name: String?) {
        #expect(Charset.iconvName(label) == name)
    }

    @Test("bytes that make no sense become replacement characters")
    func brokenBytes() {
        #expect(Charset.decode([0x61, 0xFF, 0x62], label: "utf-8") == "a\u{FFFD}b")
        #expect(Charset.decode([0x61, 0x81, 0x20, 0x62], label: "shift_jis").hasPrefix("a\u{FFFD}"))
        #expect(Charset.decode([0x61, 0x62, 0x81], label: "shift_jis") == "ab\u{FFFD}")
        #expect(Charset.decode([0x80], label: "us-ascii") == "€")
    }

    @Test("raw bytes of a header are read as the text says that it is, where the header says nothing")
    func hintOfText() throws {
        let subject: [UInt8] = [0xD6, 0xD0, 0xCE, 0xC4]
        for type in ["text/plain; charset=gbk", "text/html"] {
            let mail =
                Array("Subject: ".utf8) + subject
                + Array("\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: \(type)\n\n".utf8)
                + Array("<meta charset=gbk>\n--b\nContent-Type: image/gif; name=\"".utf8) + subject
                + Array("\"\n\nx\n--b--".utf8)
            let content = try read(mail)
            #expect(content.subject == "中文")
            #expect(content.skipped.map(\.name) == ["中文"])
        }
    }

    @Test("Japanese begins with an escape, which is no white space")
    func rawJapanese() throws {
        let mail = Array("Subject: \u{1B}$BF|K\\8l\u{1B}(B\n\nx".utf8)
        #expect(try read(mail).subject == "日本語")
    }
}
