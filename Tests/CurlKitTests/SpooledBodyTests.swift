import CurlKit
import FoundationEssentials
import Glibc
import PinpostCore
import PinpostTesting
import Testing

/// Bodies that come from files, as the spool hands them out.
@Suite("Spooled bodies", .timeLimit(.minutes(10)))
struct SpooledBodyTests {
    private func send(_ bytes: StoredBytes, from store: FileStore) async throws -> HTTPResponse {
        let server = try LoopbackServer { request in
            LoopbackServer.Reply(
                200, [("X-Length", request.header("content-length") ?? "")], body: Array(request.body.suffix(60)))
        }
        let request = HTTPRequest(
            method: "POST", url: server.url,
            body: .multipart([
                .init(name: "image", content: .file(bytes, name: "a.jpg", contentType: "image/jpeg"))
            ]), timeout: .seconds(20))
        let egress = EgressClass.pinry(Server(id: Server.ID("s"), baseURL: server.url, allowsPrivateNetwork: true))
        return try await HTTPClient(blobs: store).send(request, as: egress)
    }

    @Test("a large file streams with its length, past the 100-continue")
    func large() async throws {
        let store = try FileStore(size: 5 << 20)
        let response = try await send(store.bytes(claiming: 5 << 20), from: store)
        let length = try #require(response.header("x-length").flatMap { Int($0) })
        #expect(length > 5 << 20 && length < 5 << 20 + 500)
        #expect(String(decoding: response.body, as: UTF8.self).hasSuffix("--\r\n"))
    }

    @Test("a file that is shorter than its row says ends the request as our own fault")
    func short() async throws {
        let store = try FileStore(size: 100_000)
        let error = await #expect(throws: HTTPExchangeError.self) {
            try await send(store.bytes(claiming: 200_000), from: store)
        }
        #expect(error?.code == .localFailure)
    }

    @Test("a body that cannot be opened is never sent")
    func missing() async throws {
        let store = try FileStore(size: 10)
        store.remove()
        let error = await #expect(throws: HTTPExchangeError.self) {
            try await send(store.bytes(claiming: 10), from: store)
        }
        #expect(error?.code == .localFailure && error?.mayHaveArrived == false)
    }
}

/// One file as a blob store.
private final class FileStore: BlobStore {
    private let folder: TestFolder
    private var path: String { "\(folder.path)/one" }

    init(size: Int) throws {
        folder = try TestFolder("spool")
        try Data(repeating: 7, count: size).write(to: URL(filePath: path))
    }

    func remove() { unlink(path) }

    func bytes(claiming count: Int) -> StoredBytes {
        StoredBytes(place: .spooled(Blob.ID("one")), count: count, sha256: [])
    }

    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader {
        let descriptor = Glibc.open(path, O_RDONLY)
        guard descriptor >= 0 else { throw StoreError(.notFound) }
        return Reader(descriptor)
    }

    func makeWriter() -> any BlobWriter { NoWriter() }
    func discard(_ bytes: StoredBytes) {}

    private final class Reader: BlobReader {
        private let file: CInt

        init(_ file: CInt) { self.file = file }

        deinit { close(file) }

        func read(upTo limit: Int) throws(StoreError) -> [UInt8] { throw StoreError(.unavailable) }
        func descriptor() throws(StoreError) -> CInt { file }
    }

    private final class NoWriter: BlobWriter {
        func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {}
        func finish() throws(StoreError) -> StoredBytes { throw StoreError(.unavailable) }
        func discard() {}
    }
}
