import DecoderProtocol
import FoundationEssentials
import PinpostCore
import Testing

@testable import Media

@Suite("Shared samples", .enabled(if: Workshop.hasSamples, "needs PINPOST_SHARED"), .timeLimit(.minutes(10)))
struct SampleTests {
    @Test("every sample ends in a picture or a reason, and no picture tells a place")
    func sweep() async throws {
        var table: [String: [String: Int]] = [:]
        for line in try String(contentsOfFile: Workshop.samplesFolder + "/index.jsonl", encoding: .utf8).split(
            separator: "\n")
        {
            let entry = try JSONDecoder().decode(Entry.self, from: Data(line.utf8))
            let outcome = try await outcome(of: entry)
            table[String(entry.file.prefix { $0 != "/" }), default: [:]][outcome, default: 0] += 1
        }
        for (folder, counts) in table.sorted(by: { $0.key < $1.key }) {
            print(folder, counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        }
    }

    private struct Entry: Decodable {
        let file: String
    }

    private func outcome(of entry: Entry) async throws -> String {
        let bytes = try Workshop.sample(entry.file)
        do {
            let picture = try await Workshop.convert(bytes)
            #expect(!picture.actions.isEmpty, "\(entry.file)")
            try keep(picture, of: entry)
            let again = try Survey(picture.bytes.content[...], PictureLimits())
            guard case .plain(let file, _) = again else { return "strange" }
            #expect(file.removed.isEmpty && file.orientation == .up, "\(entry.file): \(file.removed)")
            #expect(!picture.bytes.content.contains("GPSLatitude"), "\(entry.file)")
            return picture.actions[0].hasPrefix("decoded") ? "decoded" : "passed"
        } catch let error as MediaError {
            #expect(!error.isTransient, "\(entry.file): \(error)")
            if ProcessInfo.processInfo.environment["PINPOST_TEST_VERBOSE"] != nil {
                print(entry.file, error.debugDescription)
            }
            return error.code.rawValue
        }
    }

    /// Writes the result into a folder, if one is named, where other programs can look at it.
    private func keep(_ picture: ConvertedPicture, of entry: Entry) throws {
        guard let folder = ProcessInfo.processInfo.environment["PINPOST_TEST_OUTPUT"] else { return }
        let name = String(entry.file.map { $0 == "/" ? "+" : $0 }) + "." + picture.shape.type.fileExtension
        try Data(picture.bytes.content).write(to: URL(filePath: folder + "/" + name))
        try Data(picture.actions.joined(separator: ", ").utf8).write(to: URL(filePath: folder + "/" + name + ".txt"))
    }

    @Test(
        "a photo of a phone becomes an upright JPEG with its colours and without its place",
        arguments: ["phone/classic-car.heic", "crafted/ios18like.heic"])
    func phone(_ name: String) async throws {
        let picture = try await Workshop.convert(Workshop.sample(name))
        #expect(picture.shape == .init(type: .jpeg, width: 3024, height: 4032))
        #expect(
            picture.actions == ["decoded heic", "rotated 90", "removed exif", "removed gps", "kept icc profile"])
    }
}
