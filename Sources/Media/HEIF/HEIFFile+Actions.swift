import DecoderProtocol
import PinpostCore

extension HEIFFile {
    /// What was done with the file, in short words and in order.
    func actions(_ output: Output, reduction: Int) -> [String] {
        var actions = ["decoded \(type.name.lowercased())"]
        if turn != .up { actions.append(turn.description) }
        if reduction > 1 { actions.append("scaled to 1/\(reduction)") }
        if output.traits.contains(.flattened) { actions.append("laid on white") }
        if output.codec == .png { actions.append("kept transparency") }
        if pictureCount > 1 { actions.append("took 1 of \(pictureCount) pictures") }
        if let exif { actions += exif.hasGPS ? ["removed exif", "removed gps"] : ["removed exif"] }
        if let profile { actions.append(profile == .displayP3 ? "added icc profile" : "kept icc profile") }
        return actions
    }
}
