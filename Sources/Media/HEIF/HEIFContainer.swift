/// The `meta` box of a HEIF file, taken apart (ISO/IEC 23008-12).
struct HEIFContainer {
    typealias ItemID = Int

    struct Item {
        let type: String
        var extents: [Extent] = []
        var construction = Construction.file
        /// In order, as `irot` and `imir` are applied in it.
        var properties: [Box] = []
    }

    /// Where offsets count from (ISO/IEC 14496-12, section 8.11.3).
    enum Construction: Int {
        case file
        /// The `idat` box.
        case data
        /// Another item, which is named by the extent.
        case item
    }

    struct Extent {
        let offset: Int
        /// 0 means everything to the end.
        let length: Int
        /// Which of the items that an `iloc` reference names, counted from 1.
        let index: Int
    }

    struct Reference {
        let box: Box
        let from: ItemID
        let to: [ItemID]
    }

    /// Coded pictures, and pictures derived from them.
    static let pictureTypes: Set<String> = ["hvc1", "av01", "grid", "iden", "iovl"]

    private(set) var brands: [String] = []
    /// Where in the file the first compatible brand stands.
    private(set) var brandsPosition = 0
    /// What to add to an index of the description to get a place in the file.
    private(set) var metaOffset = 0
    private(set) var primary: ItemID?
    private(set) var items: [ItemID: Item] = [:]
    private(set) var references: [Reference] = []
    private(set) var data: ArraySlice<UInt8> = []
    /// The file holds a movie; the items need not be in it.
    private(set) var hasMovie = false
    /// A short video is stored beside the photo (Samsung's motion photo).
    private(set) var hasVideo = false

    let file: PictureSource

    /// Reads the structure within the limits; what the items say of each other is for `HEIFGate` to judge.
    init(_ file: PictureSource, limits: HEIFLimits = HEIFLimits()) throws(Malformed) {
        self.file = file
        var (position, count) = (0, 0)
        while position < file.count {
            count += 1
            guard count <= limits.topLevelBoxes else { throw Malformed.tooMuch("it has too many boxes") }
            var reader = ByteReader(try file.bytes(position..<position + Box.Header.maximumLength))
            let header = try Box.Header(&reader, available: file.count - position)
            try read(header.type, position + header.length..<position + header.size, limits)
            position += header.size
        }
    }

    private mutating func read(_ type: String, _ place: Range<Int>, _ limits: HEIFLimits) throws(Malformed) {
        switch type {
        case "ftyp": try readBrands(place)
        case "moov": hasMovie = true
        case "mpvd": hasVideo = true
        case "meta":
            guard place.count <= limits.metaBytes else { throw Malformed.tooMuch("its description is too large") }
            let payload = try file.bytes(place)
            metaOffset = place.lowerBound - payload.startIndex
            let meta = Box(type: type, typePosition: payload.startIndex, payload: payload)
            try limits.checkNesting(of: meta)
            try readMeta(meta, limits)
        default: break
        }
    }

    private mutating func readBrands(_ place: Range<Int>) throws(Malformed) {
        var reader = ByteReader(try file.bytes(place.prefix(HEIFLimits.brandBytes)))
        brands = [try reader.code()]
        try reader.take(4)
        brandsPosition = place.lowerBound + 8
        while reader.remaining >= 4 { brands.append(try reader.code()) }
    }

    private mutating func readMeta(_ meta: Box, _ limits: HEIFLimits) throws(Malformed) {
        let children = try Box.all(in: try meta.full().reader.rest, limit: limits.items)
        // The order of the boxes is free, but properties and places belong to items.
        for box in children where box.type == "iinf" { try readItems(box, limits) }
        for box in children {
            switch box.type {
            case "pitm":
                var (version, _, reader) = try box.full()
                primary = try reader.big(version == 0 ? 2 : 4)
            case "iloc": try readPlaces(box, limits)
            case "iref": try readReferences(box, limits)
            case "iprp": try readProperties(box, limits)
            case "idat": data = box.payload
            default: break
            }
        }
    }

    private mutating func readItems(_ box: Box, _ limits: HEIFLimits) throws(Malformed) {
        var (version, _, reader) = try box.full()
        try reader.take(version == 0 ? 2 : 4)
        for entry in try Box.all(in: reader.rest, limit: limits.items) where entry.type == "infe" {
            var (version, _, reader) = try entry.full()
            guard version == 2 || version == 3 else { continue }
            let id = try reader.big(version == 2 ? 2 : 4)
            try reader.take(2)
            guard items.updateValue(Item(type: try reader.code()), forKey: id) == nil else {
                throw Malformed("an item is there twice")
            }
        }
    }

    private mutating func readPlaces(_ box: Box, _ limits: HEIFLimits) throws(Malformed) {
        var (version, _, reader) = try box.full()
        let sizes = try reader.big(2)
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else {
            throw Malformed("the size of an offset is unknown")
        }
        let count = try reader.big(version < 2 ? 2 : 4)
        guard count <= limits.items else { throw Malformed.tooMuch("it has too many items") }
        var left = limits.extents
        for _ in 0..<count {
            let id = try reader.big(version < 2 ? 2 : 4)
            guard let construction = Construction(rawValue: version == 0 ? 0 : try reader.big(2) & 15) else {
                throw Malformed("an item is in an unknown place")
            }
            try reader.take(2)
            let base = try reader.big(baseSize)
            let extents = try reader.big(2)
            left -= extents
            guard left >= 0 else { throw Malformed.tooMuch("its items are in too many pieces") }
            items[id]?.construction = construction
            for _ in 0..<extents {
                let index = indexSize == 0 ? 1 : try reader.big(indexSize)
                let (offset, overflowed) = try reader.big(offsetSize).addingReportingOverflow(base)
                guard !overflowed else { throw Malformed("an offset is too large") }
                let length = try reader.big(lengthSize)
                items[id]?.extents.append(Extent(offset: offset, length: length, index: index))
            }
        }
    }

    private mutating func readReferences(_ box: Box, _ limits: HEIFLimits) throws(Malformed) {
        let (version, _, reader) = try box.full()
        let idSize = version == 0 ? 2 : 4
        var left = limits.references
        for entry in try Box.all(in: reader.rest, limit: limits.items) {
            var reader = ByteReader(entry.payload)
            let from = try reader.big(idSize)
            let count = try reader.big(2)
            left -= count
            guard left >= 0 else { throw Malformed.tooMuch("it has too many references") }
            var targets: [ItemID] = []
            for _ in 0..<count { targets.append(try reader.big(idSize)) }
            references.append(Reference(box: entry, from: from, to: targets))
        }
    }

    private mutating func readProperties(_ box: Box, _ limits: HEIFLimits) throws(Malformed) {
        var known: [Box] = []
        let children = try Box.all(in: box.payload, limit: limits.items)
        for child in children where child.type == "ipco" {
            known += try Box.all(in: child.payload, limit: limits.items)
        }
        var left = limits.associations
        for child in children where child.type == "ipma" {
            var (version, flags, reader) = try child.full()
            for _ in 0..<(try reader.big(4)) {
                let id = try reader.big(version < 1 ? 2 : 4)
                let count = try reader.big(1)
                left -= count
                guard left >= 0 else { throw Malformed.tooMuch("it has too many properties") }
                for _ in 0..<count {
                    let index = flags & 1 == 1 ? try reader.big(2) & 0x7FFF : try reader.big(1) & 0x7F
                    if known.indices.contains(index - 1) { items[id]?.properties.append(known[index - 1]) }
                }
            }
        }
    }
}
