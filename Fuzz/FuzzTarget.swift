import PinpostCore

/// What can be fuzzed, by the word that `script/fuzz` takes.
enum FuzzTarget: String, CaseIterable {
    // Pictures.
    case heif, jpeg, png, gif, webp, foreign, picture
    // What decoder processes answer.
    case reply, outline
    // Messages.
    case mail, tnef, json, form, multipart
    // What mail servers answer, and what they say when they bring mail.
    case imap, lmtp

    /// The first argument of the program.
    static let chosen = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.init)

    /// Reads one input; a trap, a failed `precondition`, or too much time or memory is a finding.
    func run(_ bytes: [UInt8]) {
        switch self {
        case .heif: HEIFTarget.run(bytes)
        case .jpeg: CleanerTarget.run(.jpeg, bytes)
        case .png: CleanerTarget.run(.png, PNGChecksums.corrected(bytes))
        case .gif: CleanerTarget.run(.gif, bytes)
        case .webp: CleanerTarget.run(.webp, bytes)
        case .foreign: ForeignTarget.run(bytes)
        case .picture: PictureTarget.run(bytes)
        case .reply: DecoderTarget.reply(bytes)
        case .outline: DecoderTarget.outline(bytes)
        case .mail: MailTarget.mail(bytes)
        case .tnef: MailTarget.tnef(bytes)
        case .json: HookTarget.run(bytes, "application/json")
        case .form: HookTarget.run(bytes, "application/x-www-form-urlencoded")
        case .multipart: HookTarget.run(bytes, "multipart/form-data; boundary=b")
        case .imap: IMAPTarget.run(bytes)
        case .lmtp: LMTPTarget.run(bytes)
        }
    }
}
