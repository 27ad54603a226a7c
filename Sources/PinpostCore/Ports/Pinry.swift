/// The tenant's Pinry: one call per step, each safe to name in a log.
public protocol PinryAPI: Sendable {
    /// Uploads a picture under our own ASCII file name; the id is good for exactly one pin.
    func upload(
        _ picture: PreparedPicture, named name: String, as account: Account
    ) async throws(PinryError) -> UploadedImage
    func createPin(_ pin: Pin, on image: ImageID, as account: Account) async throws(PinryError) -> PinID
    /// Dialect `pinrysaver`: picture, pin and board in one call that has no key of idempotency.
    func createPin(
        _ pin: Pin, with picture: PreparedPicture, named name: String, board: BoardID?, as account: Account
    ) async throws(PinryError) -> PinID?
    /// The pin that shows `image`, looked for from the newest pin down to `floor`; nil when a full reading has none.
    func findPin(on image: ImageID, downTo floor: PinID, as account: Account) async throws(PinryError) -> PinID?
    /// Whether a pin is still there, by one short question; always true where the dialect cannot ask.
    func hasPin(_ pin: PinID, as account: Account) async throws(PinryError) -> Bool
    /// The highest pin id in use; 0 for an empty Pinry.
    func newestPin(as account: Account) async throws(PinryError) -> PinID
    /// Puts 1…10 pins on a board; safe to repeat.
    func add(_ pins: [PinID], to board: BoardID, as account: Account) async throws(PinryError)
    /// Removes a pin and its picture; one that is gone already is no error.
    ///
    /// Pinry removes every pin on the picture with it. Where another pin shows it, newer than `floor`, nothing is done.
    func remove(_ pin: PinID, downTo floor: PinID, as account: Account) async throws(PinryError) -> PinRemoval
    /// The account's own boards, in Pinry's order.
    func boards(as account: Account) async throws(PinryError) -> [Board]
    /// Makes a board, or finds the one of that name.
    func createBoard(named name: String, isPrivate: Bool, as account: Account) async throws(PinryError) -> Board
    /// Newest pins first; of the account's user when there is one, else the public ones.
    func pins(of board: BoardID?, limit: Int, as account: Account) async throws(PinryError) -> [RemotePin]
    /// Names the one thing to fix, or says who we are there.
    func diagnose(_ account: Account, board: BoardChoice?) async throws(PinryError) -> Diagnosis
}

/// A picture that Pinry has taken.
public struct UploadedImage: Sendable, Hashable {
    public let id: ImageID
    /// The path of the small copy below the server's address; nil where Pinry made none, or keeps it elsewhere.
    public let thumbnail: String?

    public init(id: ImageID, thumbnail: String? = nil) {
        self.id = id
        self.thumbnail = thumbnail
    }
}

/// What became of a pin that was to be removed.
public enum PinRemoval: Sendable, Hashable {
    case removed
    /// Another pin shows the same picture.
    case sharesItsPicture
}

/// A board as an admin writes it.
public enum BoardChoice: Sendable, Hashable {
    case id(BoardID)
    case name(String)

    /// A number is an id, anything else a name.
    public init(_ text: String) {
        if let number = Int64(text), number > 0 { self = .id(BoardID(number)) } else { self = .name(text) }
    }
}

/// What a check of a server and an account found; faults are thrown.
public struct Diagnosis: Sendable, Hashable {
    /// nil without a token.
    public var username: String?
    /// The board that was asked for.
    public var board: Board?
    public var boards: [Board]
    public var newestPin: PinID
    /// Works, but should be looked at: plain http to a public host, a private board.
    public var warnings: [String]

    public init(
        username: String? = nil, board: Board? = nil, boards: [Board] = [], newestPin: PinID = PinID(0),
        warnings: [String] = []
    ) {
        self.username = username
        self.board = board
        self.boards = boards
        self.newestPin = newestPin
        self.warnings = warnings
    }
}
