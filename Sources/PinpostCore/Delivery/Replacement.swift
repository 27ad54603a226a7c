/// Another picture for a page that is pinned already: the new pin is made first, then ours from before is removed.
///
/// It stands in the draft, so whatever stops the process in between, the item knows what is left to do.
public struct Replacement: Sendable, Hashable, Codable {
    /// The picture that was chosen; http or https.
    public var picture: String
    /// Ours, with the picture that was not liked.
    public var pin: PinID
    /// No pin on the old picture is older than this.
    public var floor: PinID

    public init(picture: String, pin: PinID, floor: PinID) {
        self.picture = picture
        self.pin = pin
        self.floor = floor
    }
}
