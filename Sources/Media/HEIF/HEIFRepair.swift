/// Small changes without which libheif 1.15 refuses good files; no size and no offset changes.
enum HEIFRepair {
    /// Changes the file where it needs it.
    static func repaired(_ container: HEIFContainer) -> ArraySlice<UInt8> {
        let changes = references(of: container) + sequenceBrand(of: container)
        guard !changes.isEmpty else { return container.file }
        var bytes = Array(container.file)
        let start = container.file.startIndex
        for change in changes {
            bytes.replaceSubrange(change.position - start..<change.position - start + 4, with: change.code.utf8)
        }
        return bytes[...]
    }

    private typealias Change = (position: Int, code: String)

    /// Hides references to more than one picture.
    ///
    /// iOS 18 points gain map, depth and EXIF at the photo and at its tone map; libheif 1.15 takes references to one
    /// picture only and gives up the whole file (strukturag/libheif#1190). None of them is needed to decode.
    private static func references(of container: HEIFContainer) -> [Change] {
        container.references.filter { reference in
            guard ["auxl", "thmb", "cdsc"].contains(reference.box.type) else { return false }
            let types = reference.to.map { container.items[$0]?.type ?? "" }
            return types.count != 1 || !types.allSatisfy(HEIFContainer.pictureTypes.contains)
        }
        .map { ($0.box.typePosition, "skip") }
    }

    /// An AVIF sequence has a still picture too, but without the brand of one libheif 1.15 does not look for it.
    private static func sequenceBrand(of container: HEIFContainer) -> [Change] {
        guard container.brands.contains("avis"), !container.brands.contains("avif"),
            let index = container.brands.dropFirst().firstIndex(of: "msf1")
        else { return [] }
        return [(container.brandsPosition + 4 * (index - 1), "avif")]
    }
}
