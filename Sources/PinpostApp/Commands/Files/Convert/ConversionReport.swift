import Administration
import PinpostCore

/// What `convert --json` prints of one picture.
struct ConversionReport: Codable, Sendable {
    struct Input: Codable, Sendable {
        let type: String
        let width: Int
        let height: Int
    }

    struct Output: Codable, Sendable {
        let type: String
        let width: Int
        let height: Int
        let bytes: Int
    }

    let `in`: Input
    let out: Output
    let actions: [String]

    init(_ picture: ConvertedPicture) {
        let original = picture.original ?? picture.shape
        `in` = Input(type: original.type.mimeType, width: original.width, height: original.height)
        out = Output(
            type: picture.shape.type.mimeType, width: picture.shape.width, height: picture.shape.height,
            bytes: picture.bytes.count)
        actions = picture.actions
    }

    var text: String {
        """
        \(`in`.type) \(`in`.width)×\(`in`.height) → \(out.type) \(out.width)×\(out.height), \(out.bytes) bytes
        \(actions.joined(separator: ", "))

        """
    }
}

/// What `convert --json` prints of a folder.
struct FolderReport: Codable, Sendable {
    struct File: Codable, Sendable {
        /// Below the folder that was named.
        let path: String
        /// Below the other folder; null where nothing was written.
        @Nullable var output: String?
        @Nullable var conversion: ConversionReport?
        @Nullable var error: Problem?
        /// From the first byte read to the last one written, waiting for a decoder included.
        let milliseconds: Int
    }

    struct Problem: Codable, Sendable {
        let code: String
        let detail: String
    }

    let files: [File]
    let converted: Int
    let failed: Int
    /// Files that are no pictures.
    let leftAlone: Int

    enum CodingKeys: String, CodingKey {
        case files, converted, failed
        case leftAlone = "left_alone"
    }

    init(_ files: [File], leftAlone: Int) {
        self.files = files
        self.leftAlone = leftAlone
        failed = files.count { $0.error != nil }
        converted = files.count - failed
    }

    var text: String {
        let other =
            leftAlone == 0 ? "" : leftAlone == 1 ? ", 1 other file left alone" : ", \(leftAlone) other files left alone"
        return "\(converted) of \(files.count) pictures converted\(failed == 0 ? "" : ", \(failed) failed")\(other)\n"
    }
}
