import PinpostCore
import Testing

@testable import StoreSQLite

@Suite("Files that were written a moment ago")
struct FreshFilesTests {
    private let start = ContinuousClock.now
    private let files = FreshFiles()

    @Test("are known by their ids, and only for a while")
    func age() {
        files.note(Blob.ID("a"), at: start)
        #expect(files.contains(Blob.ID("a"), at: start + .seconds(299)))
        #expect(!files.contains(Blob.ID("b"), at: start))
        #expect(!files.contains(Blob.ID("a"), at: start + .seconds(300)))
    }

    @Test("push out those that were written before them")
    func limit() {
        for number in 0...FreshFiles.limit + 5 { files.note(Blob.ID("\(number)"), at: start) }
        #expect(!files.contains(Blob.ID("5"), at: start))
        #expect(files.contains(Blob.ID("6"), at: start))
        #expect(files.contains(Blob.ID("\(FreshFiles.limit + 5)"), at: start))
    }
}
