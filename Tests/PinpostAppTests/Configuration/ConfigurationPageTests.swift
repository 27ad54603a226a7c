import PinpostCore
import Testing

@testable import PinpostApp

@Suite("docs/configuration.md")
struct ConfigurationPageTests {
    /// The cells of the table rows that begin with a setting.
    private func rows() throws -> [(name: String, standard: String)] {
        let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let page = try ReadFile.bytes(of: "/\(package)/docs/configuration.md", limit: 1 << 20)
        return String(decoding: page, as: UTF8.self).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmed.filter { $0 != "`" } }
            guard line.hasPrefix("| `PINPOST_"), cells.count >= 3 else { return nil }
            return (cells[0], cells[1])
        }
    }

    @Test("lists every setting once, with the default of the code")
    func complete() throws {
        let rows = try rows()
        #expect(rows.map(\.name) == ConfigurationKey.allCases.map(\.rawValue))
        #expect(rows.map(\.standard) == ConfigurationKey.allCases.map(\.standard))
    }
}
