import Glibc
import Testing

@testable import DecoderProtocol

@Suite("Decoder protocol", .timeLimit(.minutes(1)))
struct ProtocolTests {
    private static let jobs: [Job] =
        Codec.allCases.map { .check($0) } + Orientation.allCases.map { .bake(.webP, $0) }
        + Orientation.allCases.map { .convertHEIF($0) }
        + [.drawCard(Card(domain: "example.org", title: "Ein Titel: äöü 日本", footer: "https://example.org/"))]
        + Misdeed.allCases.map { .misbehave($0) }

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
        header[6] = 1
        #expect(throws: FrameError.oversized) { try Frame.header(header) }
    }

    @Test("the largest card fits into a frame")
    func largestCard() throws {
        let text = String(repeating: "日", count: 2_000)
        let frame = Job.drawCard(Card(domain: text, title: text, footer: text)).frame
        #expect(try Frame.header(frame.encoded).length == frame.payload.count)
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
        #expect(try daemon.receiveReply(before: .now.advanced(by: .seconds(5))) == .ready)
        try daemon.send(Job.check(.jpeg))
        #expect(try decoder.receiveJob() == .check(.jpeg))
        close(ends[1])
        #expect(throws: FrameError.closed) { try daemon.receiveReply(before: .now.advanced(by: .seconds(5))) }
    }
}
