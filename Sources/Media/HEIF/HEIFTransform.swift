import DecoderProtocol

/// What a container does to a picture before it is shown (ISO/IEC 23008-12, section 6.5).
struct HEIFTransform {
    /// All rotations and mirrors together, in the order in which the file names them.
    private(set) var turn = Orientation.up
    private(set) var isTurned = false
    /// Something is cut away at the edges (`clap`).
    private(set) var isCropped = false
    /// The picture that is turned: not the item itself where that only stands for another one (`iden`).
    let source: HEIFContainer.ItemID

    private static let maximumIdentities = 2

    /// Reads the properties of an item, and of those that it stands for.
    init(of item: HEIFContainer.ItemID, in container: HEIFContainer) {
        var chain = [item]
        while chain.count <= Self.maximumIdentities, container.items[chain[0]]?.type == "iden",
            let next = container.targets("dimg", of: chain[0]).first
        {
            chain.insert(next, at: 0)
        }
        source = chain[0]
        for property in chain.flatMap({ container.items[$0]?.properties ?? [] }) { apply(property) }
    }

    private mutating func apply(_ property: Box) {
        let value = property.payload.first ?? 0
        switch property.type {
        case "irot": add([.up, .left, .down, .right][Int(value & 3)])
        // 1 exchanges left and right, 0 top and bottom.
        case "imir": add(value & 1 == 1 ? .upMirrored : .downMirrored)
        case "clap": isCropped = true
        default: break
        }
    }

    private mutating func add(_ step: Orientation) {
        (turn, isTurned) = (turn.followed(by: step), true)
    }
}
