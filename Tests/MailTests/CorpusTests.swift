import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import Testing

/// What a mail of the corpus should give, as three readers and a person judged it.
struct ExpectedMail: Decodable {
    struct Image: Decodable {
        let name: String?
        let type: String
        let bytes: Int
        let pin: Bool
        let inline: Bool
        let nested: Int
        let bytesTolerance: Int?
        let nameMayDiffer: Bool?

        enum CodingKeys: String, CodingKey {
            case name, type, bytes, pin, inline, nested
            case bytesTolerance = "bytes_tolerance"
            case nameMayDiffer = "name_may_differ"
        }

        func matches(_ image: FoundImage) -> Bool {
            image.type.mimeType == type && abs(image.bytes.count - bytes) <= (bytesTolerance ?? 0)
        }
    }

    let file: String
    let subject: String?
    let images: [Image]
    let urls: [String]
    let auto: String?
    let mayRefuse: Bool?
    let notes: String

    enum CodingKeys: String, CodingKey {
        case file, subject, images, urls, auto, notes
        case mayRefuse = "may_refuse"
    }
}

/// Adds up how near the reader comes to what was expected.
struct CorpusScore {
    var wanted = 0
    var found = 0
    var extras: [String] = []
    var missing: [String] = []
    var subjects: [String] = []
    var links: [String] = []
    var automation: [String] = []
    var names: [String] = []
    var places: [String] = []
    var slowest = (file: "", time: Duration.zero)

    mutating func add(_ expected: ExpectedMail, _ content: MessageContent, _ time: Duration) {
        if time > slowest.time { slowest = (expected.file, time) }
        var images = content.images
        for image in expected.images where image.pin && expected.mayRefuse != true {
            wanted += 1
            let named = images.firstIndex { image.matches($0) && $0.name == image.name }
            guard let place = named ?? images.firstIndex(where: { image.matches($0) }) else {
                missing.append("\(expected.file) \(image.name ?? "-") \(image.bytes)")
                continue
            }
            found += 1
            let match = images.remove(at: place)
            if match.name != image.name, image.nameMayDiffer != true {
                names.append("\(expected.file): \(match.name ?? "-") | \(image.name ?? "-")")
            }
            if match.isInline != image.inline || match.nesting != image.nested {
                places.append("\(expected.file) \(image.name ?? "-") \(match.isInline) \(match.nesting)")
            }
        }
        extras += images.map { "\(expected.file) \($0.name ?? "-") \($0.bytes.count)" }
        if content.subject ?? "" != Self.folded(expected.subject ?? "") {
            subjects.append("\(expected.file): \(content.subject ?? "-") | \(expected.subject ?? "-")")
        }
        if Set(content.links) != Set(expected.urls) {
            let lost = expected.urls.filter { !content.links.contains($0) }
            let added = content.links.filter { !expected.urls.contains($0) }
            links.append("\(expected.file): lost \(lost) added \(added)")
        }
        if (content.automated == nil) != (expected.auto == nil) {
            automation.append("\(expected.file): \(content.automated ?? "-") | \(expected.auto ?? "-")")
        }
    }

    private static func folded(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Every single difference, where `PINPOST_TEST_VERBOSE` asks for it.
    func printDetails() {
        guard ProcessInfo.processInfo.environment["PINPOST_TEST_VERBOSE"] != nil else { return }
        for (name, list) in [
            ("missing", missing), ("extra", extras), ("subject", subjects), ("links", links),
            ("automated", automation), ("name", names), ("place", places),
        ] {
            for entry in list { print("  \(name): \(entry)") }
        }
    }

    var report: String {
        """
        pictures \(found)/\(wanted), extras \(extras.count), subjects off \(subjects.count), links off \(links.count), \
        automation off \(automation.count), names off \(names.count), places off \(places.count), \
        slowest \(slowest.file) \(slowest.time)
        """
    }
}

@Suite("The corpus of real mails", .enabled(if: Samples.hasMail, "no shared folder with mails"))
struct CorpusTests {
    @Test("nearly every picture is found, and hardly anything else is wrong")
    func corpus() throws {
        let folder = Samples.shared + "/mail/corpus"
        let lines = try Samples.bytes(folder + "/expected.jsonl").split(separator: UInt8(ascii: "\n"))
        var score = CorpusScore()
        for line in lines {
            let expected = try JSONDecoder().decode(ExpectedMail.self, from: Data(line))
            let mail = try Samples.bytes(folder + "/" + expected.file)
            var content = MessageContent(source: .mail)
            let time = try cpuTime { content = try read(mail) }
            score.add(expected, content, time)
        }
        print("corpus:", score.report)
        score.printDetails()
        #expect(Double(score.found) >= 0.99 * Double(score.wanted))
        #expect(score.extras.count <= 2)  // Two uuencoded pictures, which no other reader sees.
        #expect(score.subjects == [])
        #expect(score.links == [])
        #expect(score.automation.count <= 2)  // Newsletters without any other mark than List-Unsubscribe.
    }
}
