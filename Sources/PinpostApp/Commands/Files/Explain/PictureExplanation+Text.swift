/// The same for people.
extension PictureExplanation {
    var text: String {
        var rows = [["picture", description]]
        if let tiles { rows.append(["tiles", Self.words(tiles)]) }
        if type != nil {
            rows += [["samples", samples], ["upright", upright], ["colour", colours], ["exif", told]]
            if frames > 1 { rows.append(["frames", "\(frames)"]) }
            if !extras.isEmpty { rows.append(["beside it", extras.joined(separator: ", ") + " (not taken)"]) }
        }
        rows.append([verdict.treatment == "refuse" ? "refused" : "becomes", result])
        if !verdict.actions.isEmpty { rows.append(["done", verdict.actions.joined(separator: ", ")]) }
        if verdict.treatment != "refuse" { rows.append(["because", verdict.reason]) }
        return TextTable(rows).text
    }

    private var description: String {
        let size = width.flatMap { width in height.map { "\(width)×\($0), " } } ?? ""
        let brand = brands.first.map { ", brand \($0)" } ?? ""
        return "\(type ?? "none")\(brand), \(size)\(bytes) bytes"
    }

    private static func words(_ tiles: Tiles) -> String {
        let size = tiles.width.flatMap { width in tiles.height.map { " of \(width)×\($0)" } } ?? ""
        return "\(tiles.columns)×\(tiles.rows)\(size)"
    }

    private var samples: String {
        let parts = [sampling, bits.map { "\($0) bits" }, alpha == true ? "transparency" : nil].compactMap { $0 }
        return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    }

    private var upright: String {
        guard let origin = orientation.origin else { return "as stored; nothing says otherwise" }
        let who = origin == "exif" ? "EXIF" : "the container"
        return orientation.value == 1 ? "as stored, says \(who)" : "when \(orientation.words), says \(who)"
    }

    private var colours: String {
        var parts: [String] = []
        if let profile = colour.profile {
            parts.append(
                "\(profile.isEmpty ? "a profile" : "profile \"\(profile)\"") of \(colour.profileBytes ?? 0) bytes")
        }
        if let primaries = colour.primaries, let matrix = colour.matrix {
            let range = colour.fullRange == true ? "full" : "limited"
            parts.append("primaries \(primaries), matrix \(matrix), \(range) range")
        }
        return parts.isEmpty ? "not named" : parts.joined(separator: "; ")
    }

    private var told: String {
        guard let exif else { return "none" }
        return "place: \(exif.gps ? "yes" : "no"), camera: \(exif.camera ? "yes" : "no"), "
            + "date: \(exif.date ? "yes" : "no")"
    }

    private var result: String {
        guard let out = verdict.out else { return verdict.reason }
        let type = out.type ?? "image/jpeg, or image/png where it is really transparent"
        let size = out.width.flatMap { width in out.height.map { "\(width)×\($0)" } } ?? "as large as its crop"
        return "\(type), \(size)"
    }
}
