import FoundationEssentials
import Mail
import PinpostCore
import Testing

/// Every rule has a mail in `Tests/Fixtures/mail`, with what it gives beside it.
@Suite("Mails and what becomes of them")
struct FixtureTests {
    static let folder = Samples.packageRoot + "/Tests/Fixtures/mail"
    static let names = ((try? Samples.files(in: folder, suffix: ".eml")) ?? []).map { String($0.dropLast(4)) }

    @Test("there are fixtures")
    func present() { #expect(Self.names.count > 20) }

    @Test("a mail gives what stands beside it", arguments: names)
    func fixture(_ name: String) throws {
        let content = try read(try Samples.bytes("\(Self.folder)/\(name).eml"), knownBoards: ["Küche", "Trips"])
        let expected = (try? Samples.bytes("\(Self.folder)/\(name).expected")) ?? []
        #expect(content.summary == String(decoding: expected, as: UTF8.self))
    }

    @Test("a mail is read alike in whatever pieces it comes", arguments: names)
    func pieces(_ name: String) throws {
        let mail = try Samples.bytes("\(Self.folder)/\(name).eml")
        let network =
            mail.contains(0x0D)
            ? mail : Array(mail.split(separator: 10, omittingEmptySubsequences: false).joined(separator: [13, 10]))
        for bytes in [mail, network] {
            let whole = try read(bytes)
            for piece in [1, 17, 61, 997] {
                let cut = try MailReader().read(SlowReader(bytes, piece: piece), into: MeasuringBlobStore())
                #expect(cut == whole, "in pieces of \(piece) bytes")
            }
        }
    }
}

extension MessageContent {
    /// One line for each fact, as the files beside the fixtures have it.
    var summary: String {
        var lines = ["subject: \(subject ?? "")", "from: \(from ?? "")", "to: \(recipients.joined(separator: " "))"]
        func add(_ name: String, _ value: String?) {
            if let value { lines.append("\(name): \(value)") }
        }
        add("automated", automated)
        add("description", wishes.description)
        add("tags", wishes.tags.isEmpty ? nil : wishes.tags.joined(separator: ", "))
        add("board", wishes.board)
        add("private", wishes.isPrivate.map { "\($0)" })
        add("source", wishes.source)
        for image in images {
            let place = image.isInline ? "inline" : "attached"
            add(
                "picture",
                "\(image.name ?? "-") | \(image.type.mimeType) | \(image.bytes.count) | \(place) | \(image.nesting)")
        }
        for link in itemLinks { add("link", link) }
        for part in skipped { add("skipped", "\(part.kind.rawValue) | \(part.name ?? "-") | \(part.reason)") }
        for link in links { add("listed", link) }
        return lines.joined(separator: "\n") + "\n"
    }
}
