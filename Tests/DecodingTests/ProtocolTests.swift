import Glibc
import Testing

@testable import DecoderProtocol

@Suite("Decoder protocol", .timeLimit(.minutes(10)))
struct ProtocolTests {
    private static let jobs: [Job] =
        Codec.allCases.map { .check($0) } + Orientation.allCases.map { .bake(.webP, Finish($0)) }
        + Foreign.allCases.map { .convert($0, Finish(.left, size: .init(width: 70_000, height: 3))) }
        + Orientation.allCases.map { .joinTiles(plan($0)) }
        + [.drawCard(Card(domain: "example.org", title: "Ein Titel: äöü 日本", footer: "https://example.org/"))]
        + Misdeed.allCases.map { .misbehave($0) }

    private static func plan(_ orientation: Orientation) -> TilePlan {
        TilePlan(
            size: .init(width: 1000, height: 700), tileSize: .init(width: 512, height: 512), columns: 2,
            tiles: (1...4).map { .init(offset: $0 << 20, length: 70_000 + $0) }, lengthBytes: 4,
            parameterSets: [0, 2, 0x40, 1], chroma: .half, isFullRange: orientation == .up,
            finish: Finish(orientation, size: .init(width: 333, height: 233)))
    }

    private static let replies: [Reply] =
        [.ready, .finished(Output(codec: .png, width: 12_000, height: 1, byteCount: 1 << 30, traits: [.lossless]))]
        + Failure.Code.allCases.map { .failed(Failure($0, "in words")) }

    @Test("a job arrives as it was sent", arguments: jobs)
    func job(_ job: Job) throws {
        #expect(try Job(job.frame) == job)
    }

    @Test("a reply arrives as it was sent", arguments: replies)
    func reply(_ reply: Reply) throws {
        #expect(try Reply(reply.frame) == reply)
    }

    @Test("a payload that is cut or too long is refused", arguments: jobs)
    func cut(_ job: Job) {
        let payload = job.frame.payload
        for length in payload.indices {
            #expect(throws: FrameError.self) { try Job(Frame(kind: .job, payload: Array(payload.prefix(length)))) }
        }
        #expect(throws: FrameError.self) { try Job(Frame(kind: .job, payload: payload + [0])) }
    }

    @Test("foreign bytes, another version and a huge length are told apart")
    func headers() {
        var header = Frame(kind: .ready, payload: []).encoded
        #expect(throws: FrameError.malformed) { try Frame.header([0] + header.dropFirst()) }
        #expect(throws: FrameError.malformed) { try Frame.header(Array(header.prefix(7))) }
        header[2] += 1
        #expect(throws: FrameError.version) { try Frame.header(header) }
        header[2] -= 1
        header[6] = 2
        #expect(throws: FrameError.oversized) { try Frame.header(header) }
    }

    @Test("the largest card fits into a frame")
    func largestCard() throws {
        let text = String(repeating: "日", count: 2_000)
        let frame = Job.drawCard(Card(domain: text, title: text, footer: text)).frame
        #expect(try Frame.header(frame.encoded).length == frame.payload.count)
    }

    @Test("the plan with the most tiles fits into a frame, one with more is refused")
    func largestPlan() throws {
        func frame(_ count: Int) -> Frame {
            let plan = TilePlan(
                size: .init(width: 1, height: 1), tileSize: .init(width: 1, height: 1), columns: 1,
                tiles: Array(repeating: .init(offset: 1, length: 1), count: count), lengthBytes: 4,
                parameterSets: [UInt8](repeating: 7, count: TilePlan.maximumParameterBytes), isFullRange: true,
                finish: Finish())
            return Job.joinTiles(plan).frame
        }
        let largest = frame(TilePlan.maximumTiles)
        #expect(try Frame.header(largest.encoded).length == largest.payload.count)
        #expect(throws: FrameError.malformed) { try Job(frame(TilePlan.maximumTiles + 1)) }
    }

    @Test("two turns after each other are one")
    func composition() {
        for first in Orientation.allCases {
            #expect(first.followed(by: .up) == first && Orientation.up.followed(by: first) == first)
        }
        #expect(Orientation.right.followed(by: .right) == .down)
        #expect(Orientation.right.followed(by: .left) == .up)
        #expect(Orientation.upMirrored.followed(by: .downMirrored) == .down)
        #expect(Orientation.right.followed(by: .upMirrored) == .leftMirrored)
        #expect(Orientation.upMirrored.followed(by: .right) == .rightMirrored)
    }

    @Test("a text is cut between characters")
    func cutText() {
        #expect("äöü".prefix(bytes: 5) == "äö")
        #expect("äöü".prefix(bytes: 6) == "äöü")
        #expect("👩‍👩‍👧".prefix(bytes: 10) == "")
    }

    @Test("a channel carries frames, and tells a silent other side from one that is gone")
    func channel() throws {
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (daemon, decoder) = (FrameChannel(descriptor: ends[0]), FrameChannel(descriptor: ends[1]))
        defer { close(ends[0]) }
        #expect(throws: FrameError.timedOut) { try daemon.receiveReply(before: .now.advanced(by: .milliseconds(1))) }
        try decoder.send(.ready)
        #expect(try daemon.receiveReply(before: .now.advanced(by: .seconds(120))) == .ready)
        try daemon.send(Job.check(.jpeg))
        #expect(try decoder.receiveJob() == .check(.jpeg))
        close(ends[1])
        #expect(throws: FrameError.closed) { try daemon.receiveReply(before: .now.advanced(by: .seconds(120))) }
    }
}
