import PinpostCore

/// What a tenant may want to keep of EXIF: the camera and the date, and nothing else.
///
/// It is written anew: what was in the file around it cannot come along.
struct CameraFacts: Hashable {
    private static let maximumLength = 64

    /// Printable ASCII; empty where the file does not say.
    private(set) var make = ""
    private(set) var model = ""
    /// `YYYY:MM:DD hh:mm:ss`, without a time zone; empty where the file does not say.
    private(set) var date = ""

    init() {}

    /// Takes the values of the EXIF fields as they are in a file.
    init(make: ArraySlice<UInt8>?, model: ArraySlice<UInt8>?, date: ArraySlice<UInt8>?) {
        (self.make, self.model) = (Self.text(make), Self.text(model))
        let date = Self.text(date)
        if Self.isDate(date) { self.date = date }
    }

    var isEmpty: Bool { make.isEmpty && model.isEmpty && date.isEmpty }

    private static func text(_ bytes: ArraySlice<UInt8>?) -> String {
        let printable = (bytes ?? []).prefix { $0 != 0 }.filter { (0x20...0x7E).contains($0) }.prefix(maximumLength)
        let end = printable.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
        return String(decoding: printable.prefix(end), as: UTF8.self)
    }

    private static func isDate(_ text: String) -> Bool {
        let pattern = Array("0000:00:00 00:00:00".utf8)
        return text.utf8.count == pattern.count
            && zip(text.utf8, pattern).allSatisfy { byte, model in
                model == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == model
            }
    }

    /// How it stands in a file of a format; nil where there is nothing to say, or no place for it.
    func piece(for type: PictureType) -> ArraySlice<UInt8>? {
        guard !isEmpty else { return nil }
        switch type {
        case .jpeg:
            let payload = Array("Exif\0\0".utf8) + tiff
            return ([0xFF, 0xE1, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)] + payload)[...]
        case .png: return PNGChunk.bytes("eXIf", tiff)[...]
        default: return nil
        }
    }

    /// Two directories (Exif 2.32, section 4.6.2): make and model in the first, the date in the other.
    private var tiff: [UInt8] {
        let texts = [(0x010F, make), (0x0110, model)].filter { !$0.1.isEmpty }
        let count = texts.count + (date.isEmpty ? 0 : 1)
        let header: [UInt8] = Array("MM\0*".utf8) + UInt32(8).bigEndianBytes
        let start = header.count + 2 + 12 * count + 4
        var (fields, values): ([UInt8], [UInt8]) = ([], [])
        for (tag, text) in texts { Self.append(tag, text, to: &fields, &values, from: start) }
        if !date.isEmpty {
            fields += Self.field(0x8769, type: 4, count: 1) + UInt32(start + values.count).bigEndianBytes
            let details = start + values.count + 2 + 12 + 4
            var (field, value): ([UInt8], [UInt8]) = ([], [])
            Self.append(0x9003, date, to: &field, &value, from: details)
            values += [0, 1] + field + [0, 0, 0, 0] + value
        }
        return header + [0, UInt8(count)] + fields + [0, 0, 0, 0] + values
    }

    /// Adds a text: its field, and its bytes with an end, behind the fields where they do not fit into one.
    private static func append(
        _ tag: Int, _ text: String, to fields: inout [UInt8], _ values: inout [UInt8], from start: Int
    ) {
        var bytes = Array(text.utf8) + [0]
        fields += field(tag, type: 2, count: bytes.count)
        if bytes.count <= 4 {
            fields += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
        } else {
            fields += UInt32(start + values.count).bigEndianBytes
            if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
            values += bytes
        }
    }

    private static func field(_ tag: Int, type: UInt8, count: Int) -> [UInt8] {
        [UInt8(tag >> 8), UInt8(tag & 0xFF), 0, type] + UInt32(count).bigEndianBytes
    }
}
