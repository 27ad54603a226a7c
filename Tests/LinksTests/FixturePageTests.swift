import FoundationEssentials
import Links
import PinpostCore
import Testing

@Suite("Pictures of fixture pages", .timeLimit(.minutes(10)))
struct FixturePageTests {
    /// One row of `Fixtures/pages/expected.json`.
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let page: String
        let url: String
        let type: String?
        let embed: String?
        let image: String?
        let rule: String?
        let title: String?
        let hindrance: String?

        var testDescription: String { page }
    }

    static let rows: [Row] = {
        guard let file = try? PageDesk.file("expected.json") else { return [] }
        return (try? JSONDecoder().decode([Row].self, from: Data(file))) ?? []
    }()

    @Test("there are fixture pages")
    func notEmpty() { #expect(Self.rows.count >= 20) }

    @Test("the picture, the rule and the title are those that a person would name", arguments: rows)
    func picture(_ row: Row) async throws {
        let text = PageText.decode(try PageDesk.file(row.page), contentType: row.type)
        let embed = try row.embed.map { String(decoding: try PageDesk.file($0), as: UTF8.self) }
        let findings = try await PageDesk.findings(text, at: row.url, embed: embed)
        #expect(findings.candidates.first?.url == row.image)
        #expect(findings.candidates.first?.rule == row.rule)
        #expect(findings.title == row.title)
        #expect(findings.hindrance == row.hindrance)
    }
}
