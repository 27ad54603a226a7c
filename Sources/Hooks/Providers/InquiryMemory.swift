internal import FoundationEssentials
internal import PinpostCore
internal import Synchronization

/// What providers were asked before a request could be judged: the same certificate serves many requests.
final class InquiryMemory: Sendable {
    private struct Entry {
        let answer: HTTPResponse
        let expiry: Date
    }

    /// In seconds.
    private static let age: TimeInterval = 3_600
    private static let mostEntries = 32

    private let entries = Mutex<[String: Entry]>([:])

    func answer(to url: String, now: Date) -> HTTPResponse? {
        entries.withLock { entries in
            guard let entry = entries[url], now < entry.expiry else { return nil }
            return entry.answer
        }
    }

    func keep(_ answer: HTTPResponse, to url: String, now: Date) {
        entries.withLock { entries in
            entries = entries.filter { now < $0.value.expiry }
            // Whoever makes up addresses may not push out those that are needed for long.
            if entries.count >= Self.mostEntries { entries.removeAll() }
            entries[url] = Entry(answer: answer, expiry: now + Self.age)
        }
    }
}
