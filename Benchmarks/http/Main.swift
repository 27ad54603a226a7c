import CurlKit
import Glibc
import PinpostCore
import Synchronization

/// Sends GET requests through the service's own client: `bench-http PORT REQUESTS IN_FLIGHT`, one line of JSON.
@main
struct Main {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap(Int.init)
        guard numbers.count == 3 else { fail("usage: bench-http PORT REQUESTS IN_FLIGHT") }
        let (port, total, width) = (numbers[0], numbers[1], numbers[2])
        let exceptions = Set([AddressPolicy.Exception("127.0.0.1:\(port)")].compactMap(\.self))
        let client = try HTTPClient(HTTPClient.Settings(exceptions: exceptions))
        let url = "http://127.0.0.1:\(port)/"
        _ = try await client.send(HTTPRequest(url: url), as: .message)
        let work = Work(total)
        let started = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask {
                    while work.takeOne() {
                        let answer = try await client.send(HTTPRequest(url: url), as: .message)
                        guard answer.status == 200, answer.body.count == 100 else { fail("a wrong answer") }
                    }
                }
            }
            try await group.waitForAll()
        }
        let (seconds, attoseconds) = (ContinuousClock.now - started).components
        let elapsed = Double(seconds) + Double(attoseconds) / 1e18
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let cpu = usage.ru_utime.seconds + usage.ru_stime.seconds
        print(#"{"requests_s": \#(Double(total) / elapsed), "cpu_us": \#(cpu / Double(total) * 1e6)}"#)
    }

    private static func fail(_ words: String) -> Never {
        let line = Array("bench-http: \(words)\n".utf8)
        write(2, line, line.count)
        exit(1)
    }
}

/// Requests that nobody has sent yet.
private final class Work: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    func takeOne() -> Bool { left.subtract(1, ordering: .relaxed).oldValue > 0 }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
