import PinpostCore
import Testing

@testable import Hooks

/// Requests with what each must become beside it; whatever a sender met as a fault becomes one.
@Suite("A request of the fixtures")
struct FixtureTests {
    private static let folder = packageRoot + "/Tests/Fixtures/hooks"

    static let names = fileNames(in: folder).filter { $0.hasSuffix(".http") }.map { String($0.dropLast(5)) }

    @Test("are there")
    func areThere() { #expect(Self.names.count >= 46) }

    @Test("becomes what stands beside it", arguments: names)
    func becomes(_ name: String) throws {
        let request = try RecordedRequest(contents(of: "\(Self.folder)/\(name).http"))
        let expected = String(decoding: try contents(of: "\(Self.folder)/\(name).expected"), as: UTF8.self)
        #expect(outcome(of: request) == expected.split(separator: "\n").map(String.init))
    }

    private func outcome(of request: RecordedRequest) -> [String] {
        do {
            return try request.content().report
        } catch {
            let place = error.position.map { " line \($0.line) column \($0.column)" } ?? ""
            return ["error \(error.code.rawValue)\(place)"]
        }
    }
}

extension MessageContent {
    /// A line for each item, for what was skipped, and for each wish.
    var report: [String] {
        let items = zip(summary, items).map { line, item in
            (["item \(line)"] + item.wishes.report).joined(separator: " | ")
        }
        return items + skipped.map { "skipped \($0.name ?? "-"): \($0.reason)" } + wishes.report
    }
}

extension Wishes {
    fileprivate var report: [String] {
        [
            description.map { "description \($0.split(separator: "\n").joined(separator: " / "))" },
            source.map { "source \($0)" },
            tags.isEmpty ? nil : "tags \(tags.joined(separator: ", "))", board.map { "board \($0)" },
            isPrivate.map { "private \($0)" },
        ].compactMap { $0 }
    }
}
