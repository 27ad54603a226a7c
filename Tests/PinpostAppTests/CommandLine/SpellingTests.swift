import Testing

@testable import PinpostApp

@Suite("Spelling")
struct SpellingTests {
    @Test(
        "counts insertions, deletions, replacements and swaps",
        arguments: [
            ("", "", 0), ("a", "", 1), ("tenant", "tenant", 0), ("tenat", "tenant", 1), ("tneant", "tenant", 1),
            ("abc", "xyz", 3), ("kitten", "sitting", 3),
        ])
    func distance(_ left: String, _ right: String, _ expected: Int) {
        #expect(Spelling.distance(left, right) == expected)
        #expect(Spelling.distance(right, left) == expected)
    }

    @Test("does not guess when nothing is near")
    func nothingNear() { #expect(Spelling.nearest(to: "zebra", among: ["tenant", "pin"]) == nil) }
}
