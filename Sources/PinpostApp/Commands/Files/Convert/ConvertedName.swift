import PinpostCore

/// A file name, and what becomes of it when its picture becomes another type.
struct ConvertedName {
    let name: String

    init(_ name: String) { self.name = name }

    /// Without the ending; paths keep their folders.
    var stem: String {
        guard let dot = name.lastIndex(of: "."), !name[..<dot].isEmpty, name[..<dot].last != "/",
            !name[dot...].contains("/")
        else { return name }
        return String(name[..<dot])
    }

    private var ending: String { name == stem ? "" : name.dropFirst(stem.count + 1).lowercased() }

    /// The type that the ending names; nil where it names none.
    var type: PictureType? {
        switch ending {
        case "jpeg", "jpe", "jfif": .jpeg
        case "tiff": .tiff
        case "heif", "hif": .heic
        case "apng": .png
        default: PictureType.allCases.first { $0.fileExtension == ending }
        }
    }

    /// The name for a picture of that type: as it was where it says that type, else with another ending.
    ///
    /// The whole old name stays in front where another file has the same one but for its ending.
    func name(for type: PictureType, isAmbiguous: Bool = false) -> String {
        if self.type == type { return name }
        return "\(isAmbiguous ? name : stem).\(type.fileExtension)"
    }
}
