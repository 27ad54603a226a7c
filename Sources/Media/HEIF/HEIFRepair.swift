/// Small changes without which libheif 1.15 refuses good files; no size and no offset changes.
enum HEIFRepair {
    /// The file, with changes where it needs them.
    static func repaired(_ container: HEIFContainer) -> PictureSource {
        container.file.patched(references(of: container) + sequenceBrand(of: container))
    }

    /// Hides references to more than one picture.
    ///
    /// iOS 18 points gain map, depth and EXIF at the photo and at its tone map; libheif 1.15 takes references to one
    /// picture only and gives up the whole file (strukturag/libheif#1190). None of them is needed to decode.
    private static func references(of container: HEIFContainer) -> [PictureSource.Patch] {
        container.references.filter { reference in
            guard ["auxl", "thmb", "cdsc"].contains(reference.box.type) else { return false }
            let types = reference.to.map { container.items[$0]?.type ?? "" }
            return types.count != 1 || !types.allSatisfy(HEIFContainer.pictureTypes.contains)
        }
        .map { .init(position: $0.box.typePosition + container.metaOffset, bytes: Array("skip".utf8)) }
    }

    /// An AVIF sequence has a still picture too, but without the brand of one libheif 1.15 does not look for it.
    private static func sequenceBrand(of container: HEIFContainer) -> [PictureSource.Patch] {
        guard container.brands.contains("avis"), !container.brands.contains("avif"),
            let index = container.brands.dropFirst().firstIndex(of: "msf1")
        else { return [] }
        return [.init(position: container.brandsPosition + 4 * (index - 1), bytes: Array("avif".utf8))]
    }
}
