import PinpostCore

/// Flags of the verbs that make and change tenants.
enum TenantFlags {
    static let server = Flag("server", "URL", "the address at which Pinry's start page opens")
    static let tokenFile = Flag(
        "token-file", "FILE|-", "where the Pinry API token is; - is standard input, or asks on a terminal")
    static let caFile = Flag("ca-file", "FILE", "certificates to trust for this server, in PEM form")
    static let dialect = Flag<Server.Dialect>(
        "dialect", "which calls make a pin: Pinry's own, or the one call of the PinrySaver app")
    static let allowPrivate = Switch("allow-private", "the server may have a private or loopback address")

    static let refusePrivate = Switch("refuse-private", "take --allow-private back")
    static let noToken = Switch("no-token", "forget the token")
    static let noBoard = Switch("no-board", "pins that name no board go on none")
    static let noCA = Switch("no-ca", "forget --ca-file")
    static let createBoards = choice("create-boards", "make a board that a message names and that is missing")
    static let keepCamera = choice("keep-camera", "leave make and model of the camera and the date in pictures")
    static let items = Flag("items", "N", "how many items of one message are pinned", in: 1...500)

    static let replies = Flag<Tenant.Replies>("replies", "which mails are answered with what became of them")

    private static func choice(_ name: String, _ summary: String) -> Flag<Bool> {
        Flag(name, "yes|no", summary, expected: "yes or no") { ["yes": true, "no": false][$0] }
    }

    static let add = [
        AnyFlag(server), AnyFlag(tokenFile), AnyFlag(SharedFlags.board), AnyFlag(allowPrivate), AnyFlag(caFile),
        AnyFlag(dialect),
    ]
    static let set =
        add + [
            AnyFlag(refusePrivate), AnyFlag(noToken), AnyFlag(noBoard), AnyFlag(noCA), AnyFlag(createBoards),
            AnyFlag(items), AnyFlag(replies), AnyFlag(keepCamera),
        ]
}
