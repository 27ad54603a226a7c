import Testing

@testable import PinpostApp

@Suite("Tables for people")
struct TextTableTests {
    @Test("aligns columns and ends lines without blanks")
    func aligns() {
        let text = TextTable(titles: ["ID", "NAME", ""], [["1", "a", "x"], ["22", "bbbbbb", ""]]).text
        #expect(text == "ID  NAME\n1   a       x\n22  bbbbbb\n")
    }

    @Test("lets no control character through to the terminal")
    func harmless() {
        #expect(TextTable.printable("a\u{1B}[2Jb\nc\u{202E}d") == "a\u{FFFD}[2Jb\u{21B5}c\u{FFFD}d")
        #expect(TextTable.printable("Ünï 👩‍👩‍👧") == "Ünï 👩‍👩‍👧")
    }
}
