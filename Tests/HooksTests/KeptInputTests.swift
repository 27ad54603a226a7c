import PinpostCore
import Testing

@testable import Hooks

/// What the fuzz targets keep: the fewest inputs that reach every place they know of; see docs/fuzzing.md.
@Suite("The kept inputs of the fuzz targets", .timeLimit(.minutes(10)))
struct KeptInputTests {
    static let targets = [
        ("json", "application/json"), ("form", "application/x-www-form-urlencoded"),
        ("multipart", "multipart/form-data; boundary=b"),
    ]

    @Test("read alike whole and in pieces", arguments: targets)
    func pieces(_ target: String, _ type: String) throws {
        let folder = packageRoot + "/Fuzz/Corpus/" + target
        let names = fileNames(in: folder)
        #expect(names.count > 50)
        for name in names {
            let body = try contents(of: folder + "/" + name)
            #expect(outcome(body, type, piece: .max) == outcome(body, type, piece: body.count % 61 + 1))
        }
    }

    private func outcome(_ body: [UInt8], _ type: String, piece: Int) -> Result<MessageContent, HookError> {
        Result { () throws(HookError) in try read(body, as: type, pieces: piece) }
    }
}
