import DecoderProtocol

/// What a container does to a picture before it is shown (ISO/IEC 23008-12, section 6.5).
struct HEIFTransform {
    /// All rotations and mirrors together, in the order in which the file names them.
    private(set) var turn = Orientation.up
    private(set) var isTurned = false
    /// Something is cut away at the edges (`clap`).
    private(set) var isCropped = false

    /// Reads the properties of an item.
    init(of item: HEIFContainer.ItemID, in container: HEIFContainer) {
        for property in container.items[item]?.properties ?? [] {
            let value = property.payload.first ?? 0
            switch property.type {
            case "irot": add([.up, .left, .down, .right][Int(value & 3)])
            // 1 exchanges left and right, 0 top and bottom.
            case "imir": add(value & 1 == 1 ? .upMirrored : .downMirrored)
            case "clap": isCropped = true
            default: break
            }
        }
    }

    private mutating func add(_ step: Orientation) {
        (turn, isTurned) = (turn.followed(by: step), true)
    }
}
