import PinpostCore

/// Flags that mean the same wherever they appear.
enum SharedFlags {
    static let board = Flag("board", "NAME|ID", "one of the tenant's boards in Pinry")
    static let tag = Flag("tag", "TAG", "a tag for every pin")
    static let isPrivate = Switch("private", "make the pins private")
    static let label = Flag("label", "TEXT", "a note for yourself")
    static let limit = Flag("limit", "N", "how many at most, newest first (50)", in: 1...500)
    static let dryRun = Switch("dry-run", "say what would be done, and do nothing")
    static let tenant = Flag("tenant", "SLUG", "whose; may be left out while there is one tenant")

    static let source = Switch("source", "print it as it came, byte for byte, while it is still there")
    static let heldMail = Command.Operand("ID", "the mail's id from `quarantine list`")

    static let slug = Command.Operand("SLUG", "the tenant's name")
    static let optionalSlug = Command.Operand(
        "SLUG", "the tenant's name; may be left out while there is one", count: .optional)

    static let anySlug = Command.Operand("SLUG", "only of this tenant", count: .optional)

    static let standardLimit = 50
}
