import DecoderProtocol
import PinpostCore

extension Output {
    /// What a decoder did beside decoding, in short words and in order.
    func notes(reducedTo target: PictureSize?) -> [String] {
        var notes = target == nil ? [] : ["scaled to \(width) x \(height)"]
        if traits.contains(.flattened) { notes.append("laid on white") }
        if traits.contains(.transparent) { notes.append("kept transparency") }
        return notes
    }
}

extension HEIFFile {
    /// What was done with the file, in short words and in order.
    func actions(_ output: Output, reducedTo target: PictureSize?) -> [String] {
        var actions = ["decoded \(type.name.lowercased())"]
        if turn != .up { actions.append(turn.description) }
        actions += output.notes(reducedTo: target)
        if pictureCount > 1 { actions.append("took 1 of \(pictureCount) pictures") }
        if let exif { actions += exif.hasGPS ? ["removed exif", "removed gps"] : ["removed exif"] }
        if let profile { actions.append(profile == .displayP3 ? "added icc profile" : "kept icc profile") }
        return actions
    }
}
