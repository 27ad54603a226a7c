import DecoderProtocol

/// What items are, and where their bytes lie.
extension HEIFContainer {
    /// The first reference of a type from an item.
    func targets(_ type: String, of item: ItemID) -> [ItemID] {
        references.first { $0.box.type == type && $0.from == item }?.to ?? []
    }

    /// The payload of a property; nil where the item has none of that type.
    func property(_ type: String, of item: ItemID) -> ArraySlice<UInt8>? {
        items[item]?.properties.first { $0.type == type }?.payload
    }

    /// The size that the file declares for an item (`ispe`); nil where it declares none.
    func size(of item: ItemID) -> TilePlan.Size? {
        guard let payload = property("ispe", of: item) else { return nil }
        var reader = ByteReader(payload.dropFirst(4))
        guard let width = try? reader.big(4), let height = try? reader.big(4), width > 0, height > 0 else { return nil }
        return TilePlan.Size(width: width, height: height)
    }

    /// How a `grid` item lays out its tiles (ISO/IEC 23008-12, section 6.6.2.3).
    func grid(of item: ItemID) -> (rows: Int, columns: Int, size: TilePlan.Size)? {
        guard let bytes = bytes(of: item, limit: 64) else { return nil }
        var reader = ByteReader(bytes[...])
        guard let flags = try? reader.big(2), let rows = try? reader.big(1), let columns = try? reader.big(1),
            let width = try? reader.big(flags & 1 == 1 ? 4 : 2), let height = try? reader.big(flags & 1 == 1 ? 4 : 2)
        else { return nil }
        return (rows + 1, columns + 1, TilePlan.Size(width: width, height: height))
    }

    /// The pictures that stand for themselves: no tiles, no thumbnails, no gain or depth maps.
    var pictures: [ItemID] {
        let parts = Set(references.filter { $0.box.type == "dimg" }.flatMap(\.to))
        let companions = Set(references.filter { ["auxl", "thmb"].contains($0.box.type) }.map(\.from))
        return items.filter { id, item in
            Self.pictureTypes.contains(item.type) && !parts.contains(id) && !companions.contains(id)
        }
        .map(\.key)
    }

    /// Where the bytes of an item lie, counted from the start of the file; nil where a part of them is missing.
    func pieces(of id: ItemID) -> [Range<Int>]? {
        guard let item = items[id] else { return nil }
        var pieces: [Range<Int>] = []
        for extent in item.extents {
            guard let source = source(of: extent, in: id, item.construction), extent.offset <= source.count else {
                return nil
            }
            let length = extent.length == 0 ? source.count - extent.offset : extent.length
            guard length <= source.count - extent.offset else { return nil }
            let start = source.lowerBound + extent.offset
            pieces.append(start..<start + length)
        }
        return pieces
    }

    /// The bytes of an item; nil where there are more than `limit` of them.
    func bytes(of id: ItemID, limit: Int) -> [UInt8]? {
        guard let pieces = pieces(of: id), pieces.reduce(0, { $0 + $1.count }) <= limit else { return nil }
        return try? pieces.flatMap { try file.bytes($0) }
    }

    /// What an extent is a part of.
    ///
    /// An item that others are made of has to be in one piece itself.
    private func source(of extent: Extent, in id: ItemID, _ construction: Construction) -> Range<Int>? {
        switch construction {
        case .file: return 0..<file.count
        case .data:
            let start = data.startIndex + metaOffset
            return data.isEmpty ? nil : start..<start + data.count
        case .item:
            let sources = targets("iloc", of: id)
            guard sources.indices.contains(extent.index - 1), let source = items[sources[extent.index - 1]],
                source.construction != .item, source.extents.count == 1
            else { return nil }
            return pieces(of: sources[extent.index - 1])?.first
        }
    }
}
