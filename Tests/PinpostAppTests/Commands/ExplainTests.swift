import PinpostCore
import Testing

@testable import PinpostApp

@Suite("explain", .timeLimit(.minutes(10)))
struct ExplainTests {
    private let mail = """
        From: Ada <ada@example.com>
        To: pins+abc@example.org
        Subject: =?utf-8?q?D=C3=ADa?= #sun
        Message-ID: <a@b>

        board: Trips
        https://example.org/?utm_source=x
        """

    @Test("a mail is explained with every agreed field")
    func mailFields() async throws {
        try await Stage.open { stage in
            let path = try stage.file("mail.eml", Array(mail.utf8))
            let outcome = try await stage.run("explain", path, "--json")
            #expect(outcome.exit == .done)
            let fields = try outcome.object()
            #expect(
                Set(fields.keys) == [
                    "kind", "subject", "from", "recipients", "automated", "description", "tags", "board", "private",
                    "items", "skipped", "links",
                ])
            #expect(fields["kind"] == .text("mail") && fields["subject"] == .text("Día #sun"))
            #expect(fields["board"] == .text("Trips") && fields["automated"] == .null)
            #expect(outcome.output.contains("\"tags\":[\"sun\"]"))
            #expect(outcome.output.contains("\"kind\":\"link\",\"url\":\"https://example.org/"))
        }
    }

    @Test(
        "finds out what a file is",
        arguments: [
            ("Subject: x\n\nhttps://example.org/", "mail"), ("\n \nReceived: x\nSubject: y\n\nz", "mail"),
            ("From ada@example.com Mon Jan  1\nSubject: x\n\ny", "mail"),
            ("{\"url\":\"https://example.org/\"}", "hook"),
            ("https://example.org/", "hook"), ("look: at https://example.org/", "mail"),
        ])
    func guesses(_ text: String, _ kind: String) async throws {
        try await Stage.open { stage in
            let outcome = try await stage.run(["explain", "-", "--json"], input: Array(text.utf8))
            #expect(try outcome.object()["kind"] == .text(kind), "\(outcome.errors)")
        }
    }

    @Test("a recorded request of a provider is explained as its hook would read it, with nobody asked")
    func provider() async throws {
        try await Stage.open { stage in
            let update =
                #"{"update_id":1,"message":{"message_id":2,"chat":{"id":7,"type":"private"},"from":{"id":7},"#
                + #""caption":"The pier #sea","photo":[{"file_id":"F","width":9,"height":9}]}}"#
            let path = try stage.file("update.json", Array(update.utf8))
            let kept = try await stage.run("explain", path, "--provider", "telegram", "--json")
            #expect(kept.exit == .done && kept.output.contains(#""verdict":"kept""#), "\(kept.errors)")
            #expect(kept.output.contains(#""tags":["sea"]"#) && kept.output.contains(#""description":"The pier""#))
            let edited = try stage.file(
                "edited.json", Array(update.replacing("\"message\"", with: "\"edited_message\"").utf8))
            let ignored = try await stage.run("explain", edited, "--provider", "telegram")
            #expect(ignored.exit == .done && ignored.output.contains("nothing is stored: no new message (answer 200)"))
            let undo = try stage.file(
                "undo.json",
                Array(#"{"post_id":"p","user_id":"u","text":"undo"}"#.utf8))
            #expect(try await stage.run("explain", undo, "--provider", "mattermost").output.contains("takes back"))
            let headers = try stage.file("headers.txt", Array("Content-Type: multipart/form-data; boundary=b\n".utf8))
            let mime =
                "--b\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\n"
                + "Subject: Sea\r\n\r\nhttps://example.org/p\r\n--b--\r\n"
            let raw = try stage.file("raw.http", Array(mime.utf8))
            let mail = try await stage.run(
                "explain", raw, "--provider", "sendgrid", "--headers", headers, "--json")
            #expect(mail.output.contains(#""subject":"Sea""#) && mail.output.contains("https://example.org/p"))
            #expect(try await stage.run("explain", path, "--provider", "fax").exit == .usage)
            #expect(try await stage.run("explain", path, "--provider", "line").exit == .wrongData)
        }
    }

    /// One pixel, and a text chunk that is cut out.
    private static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
        0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0, 0, 0, 2, 0,
        1, 0x48, 0xAF, 0xA4, 0x71, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    @Test("a picture is explained with every agreed field")
    func picture() async throws {
        try await Stage.open { stage in
            let outcome = try await stage.run(["explain", "-", "--json"], input: Self.png)
            #expect(outcome.exit == .done)
            let fields = try outcome.object()
            #expect(
                Set(fields.keys) == [
                    "kind", "type", "bytes", "brands", "width", "height", "tiles", "bits", "sampling", "alpha",
                    "orientation", "colour", "exif", "frames", "extras", "verdict",
                ])
            #expect(fields["kind"] == .text("picture") && fields["type"] == .text("image/png"))
            #expect(fields["sampling"] == .text("grey") && fields["bits"] == .number(8))
            #expect(fields["tiles"] == .null && fields["exif"] == .null)
            #expect(outcome.output.contains("\"treatment\":\"keep\""))
        }
    }

    @Test("files that are no pictures, and formats that are switched off, are explained as refused")
    func refusedPictures() async throws {
        try await Stage.open { stage in
            let document = try await stage.run(["explain", "-", "--json"], input: Array("%PDF-1.7\n".utf8))
            #expect(document.exit == .done && document.output.contains("\"code\":\"unsupported_format\""))
            #expect(try document.object()["type"] == .null)
            let off = stage.with(["PINPOST_DECODER_FORMATS": "-png"])
            let outcome = try await off.run(["explain", "-"], input: Self.png)
            #expect(outcome.output.contains("switched off") && outcome.output.contains("PINPOST_DECODER_FORMATS"))
        }
    }

    @Test("a board in the recipient counts where the mail names none")
    func boardOfRecipient() async throws {
        try await Stage.open { stage in
            let path = try stage.file("mail.eml", Array("Subject: x\n\nhttps://example.org/".utf8))
            let outcome = try await stage.run(
                "explain", path, "--recipient", "pins+abcdefghijklmnop.trips@example.org", "--json")
            #expect(try outcome.object()["board"] == .text("trips"))
        }
    }

    @Test("what cannot be read ends with 65 and a code, what is not there with 2")
    func refused() async throws {
        try await Stage.open { stage in
            for input in ["", "{\"url\":"] {
                let outcome = try await stage.run(["explain", "-", "--json"], input: Array(input.utf8))
                #expect(outcome.exit == .wrongData && outcome.output.hasPrefix("{\"error\":{\"code\":"))
            }
            #expect(try await stage.run("explain", "\(stage.folder)/none").exit == .usage)
            #expect(try await stage.run("explain", stage.folder).exit == .usage)
        }
    }
}
