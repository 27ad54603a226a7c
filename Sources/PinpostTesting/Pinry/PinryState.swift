import PinpostCore

/// What the double's database holds; ids count up and are never used twice, as Pinry's do.
struct PinryState: Sendable {
    struct User: Sendable {
        let id: Int64
        let name: String
        let token: String
        var isActive = true
        var password = "password1"

        var email: String { "\(name)@example.org" }
    }

    struct Image: Sendable {
        let id: Int64
        let fileName: String
        let md5: String
        let bytes: [UInt8]
        let width: Int
        let height: Int
        /// False for what an upload that ended with 500 leaves behind.
        let hasThumbnails: Bool
        let uploader: String
    }

    struct Pin: Sendable {
        let id: Int64
        let user: String
        let image: Int64
        var url: String?
        var description: String?
        var referer: String?
        var tags: [String]
        var isPrivate: Bool
    }

    struct Board: Sendable {
        let id: Int64
        let user: String
        var name: String
        var isPrivate: Bool
        let published: String
        var pins: [Int64] = []
    }

    private(set) var users: [User] = []
    private(set) var images: [Int64: Image] = [:]
    /// Oldest first.
    private(set) var pins: [Pin] = []
    private(set) var boards: [Board] = []
    /// Every tag ever used, in order of first use.
    private(set) var tags: [String] = []
    var nextImage: Int64 = 1
    var nextPin: Int64 = 1
    var nextBoard: Int64 = 1
    private var fileNames: Set<String> = []

    // MARK: Users

    mutating func addUser(_ name: String, token: String, isActive: Bool = true) -> User {
        let user = User(id: Int64(users.count + 1), name: name, token: token, isActive: isActive)
        users.append(user)
        return user
    }

    func user(named name: String) -> User? { users.first { $0.name == name } }

    // MARK: Images

    /// Stores bytes under a name that is not taken yet; a taken one gets seven more letters.
    mutating func addImage(
        _ bytes: [UInt8], named name: String, by uploader: String, width: Int, height: Int, hasThumbnails: Bool
    ) -> Image {
        let md5 = MD5.hex(bytes)
        var free = name
        if !fileNames.insert("\(md5)/\(name)").inserted {
            let dot = name.lastIndex(of: ".") ?? name.endIndex
            free = "\(name[..<dot])_\(Self.letters(of: nextImage))\(name[dot...])"
            fileNames.insert("\(md5)/\(free)")
        }
        let image = Image(
            id: nextImage, fileName: free, md5: md5, bytes: bytes, width: width, height: height,
            hasThumbnails: hasThumbnails, uploader: uploader)
        images[image.id] = image
        nextImage += 1
        return image
    }

    mutating func deleteImage(_ id: Int64) { images[id] = nil }

    private static func letters(of number: Int64) -> String {
        String(
            (0..<7).map { place in
                let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
                return alphabet[Int(number &* 2_654_435_761 >> Int64(place * 5)) & 0x3F % alphabet.count]
            })
    }

    // MARK: Pins

    mutating func addPin(
        by user: String, on image: Int64, url: String?, description: String?, referer: String?, tags: [String],
        isPrivate: Bool
    ) -> Pin {
        let pin = Pin(
            id: nextPin, user: user, image: image, url: url, description: description, referer: referer,
            tags: noting(tags), isPrivate: isPrivate)
        pins.append(pin)
        nextPin += 1
        return pin
    }

    func pin(_ id: Int64) -> Pin? { pins.last { $0.id == id } }

    mutating func replace(_ pin: Pin) {
        guard let index = pins.lastIndex(where: { $0.id == pin.id }) else { return }
        pins[index] = pin
        pins[index].tags = noting(pin.tags)
    }

    /// Deletes the pin's image too, and with it every other pin on that image.
    mutating func deletePin(_ pin: Pin) {
        images[pin.image] = nil
        let gone = Set(pins.filter { $0.image == pin.image }.map(\.id))
        pins.removeAll { gone.contains($0.id) }
        for index in boards.indices { boards[index].pins.removeAll { gone.contains($0) } }
    }

    /// Each tag once, in the order given.
    private mutating func noting(_ names: [String]) -> [String] {
        var unique: [String] = []
        // Django compares code points: NFC and NFD are two tags.
        for name in names where !unique.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { unique.append(name) }
        for name in unique where !tags.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { tags.append(name) }
        return unique
    }

    // MARK: Boards

    mutating func addBoard(_ name: String, of user: String, isPrivate: Bool, at time: String) -> Board {
        let board = Board(id: nextBoard, user: user, name: name, isPrivate: isPrivate, published: time)
        boards.append(board)
        nextBoard += 1
        return board
    }

    func board(_ id: Int64) -> Board? { boards.first { $0.id == id } }

    mutating func replace(_ board: Board) {
        if let index = boards.firstIndex(where: { $0.id == board.id }) { boards[index] = board }
    }
}
