internal import PinpostCore

/// How much text a payload may still bring: text is kept in memory, pictures are not.
final class TextBudget {
    private let each: Int
    private var left: Int

    init(_ limits: HookLimits) {
        each = limits.text
        left = limits.allText
    }

    /// Throws when a text that is being read has become too long.
    func check(_ count: Int) throws(HookError) {
        guard count <= each else { throw HookError(.tooLarge, "A text field is over \(ByteCount.text(each)).") }
        guard count <= left else { throw HookError(.tooLarge, "The text fields are too long together.") }
    }

    func spend(_ count: Int) throws(HookError) {
        try check(count)
        left -= count
    }
}
