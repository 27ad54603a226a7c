/// Columns for people: each as wide as its longest cell, two spaces between them.
struct TextTable {
    private let rows: [[String]]

    init(_ rows: [[String]]) { self.rows = rows }

    /// With a line of titles; without rows there is nothing but them.
    init(titles: [String], _ rows: [[String]]) { self.init([titles] + rows) }

    /// Ends with a line break; control characters cannot disturb the terminal.
    var text: String {
        let rows = rows.map { $0.map(Self.printable) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }
            var line = cells.joined(separator: "  ")[...]
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    /// What others wrote must not move the cursor or hide text.
    static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmless($0) ? $0 : substitute(for: $0) }))
    }

    /// A line break inside a cell is shown as one.
    private static func substitute(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar == "\n" ? "\u{21B5}" : "\u{FFFD}"
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // Bidirectional overrides live here, and so does the joiner that emoji need.
        case .format: scalar == "\u{200D}"
        default: true
        }
    }
}
