/// The command line is wrong: one sentence with cause and remedy; the exit code is 2.
struct UsageError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ sentence: String) { description = sentence }
}
