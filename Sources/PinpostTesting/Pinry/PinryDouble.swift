import FoundationEssentials
public import PinpostCore
import Synchronization

/// A Pinry for tests and the demo: answers as the recorded one does, keeps everything in memory, fails on demand.
public final class PinryDouble: Sendable {
    public enum Database: Sendable {
        case sqlite
        case postgres
    }

    public enum FrontDoor: Sendable {
        /// Straight to the application server.
        case gunicorn
        /// The Docker image's nginx: unknown paths show the start page, links lose the port.
        case nginx
    }

    public enum Fetched: Sendable, Equatable {
        case image([UInt8])
        case notAnImage
        case failed
    }

    public struct Options: Sendable {
        /// Pinry's setting `PUBLIC`; false shuts out every token.
        public var isPublic = true
        public var allowsRegistration = true
        /// Where a proxy mounts it, for example `/pinry`.
        public var pathPrefix = ""
        public var database = Database.sqlite
        public var frontDoor = FrontDoor.gunicorn
        public var dialect = Server.Dialect.v2
        /// A proxy in front that takes the Authorization header away.
        public var eatsAuthorization = false
        /// A proxy that sends every request to another base URL.
        public var redirectsTo: String?
        /// What nginx calls `client_max_body_size`, in bytes: larger requests are refused with 413.
        public var largestBody: Int?
        public var hasGallery = true
        /// What Pinry's own download of a `url` finds.
        public var fetch: @Sendable (String) -> Fetched = { _ in .failed }

        public init() {}
    }

    fileprivate struct Inside: Sendable {
        var state = PinryState()
        var options: Options
        var faults = FaultPlan()
        /// `METHOD PATH` of each request, oldest first.
        var requests: [String] = []
    }

    private static let longestLog = 100_000

    private let inside: Mutex<Inside>
    private let server: LoopbackServer

    /// Starts on 127.0.0.1; port 0 picks a free one.
    public init(port: Int = 0, _ options: Options = Options(), seed: UInt64 = 1) throws(LoopbackError) {
        let box = Box()
        inside = Mutex(Inside(options: options, faults: FaultPlan(seed: seed)))
        server = try LoopbackServer(port: port, bodyLimit: 50 << 20) { request in
            box.double?.answer(request) ?? LoopbackServer.Reply(bytes: [], then: .close)
        }
        box.set(self)
    }

    /// Where Pinry's start page is: what a tenant's base URL must be.
    public var url: String { server.url + inside.withLock { $0.options.pathPrefix } }

    public var port: Int { server.port }

    public func stop() { server.stop() }

    public func change(_ body: @Sendable (inout Options) -> Void) { inside.withLock { body(&$0.options) } }

    /// Replaces the faults; an empty list makes it behave.
    public func misbehave(_ faults: [PinryFault]) { inside.withLock { $0.faults.replace(with: faults) } }

    /// How many requests began like this, `METHOD PATH`.
    public func requests(like start: String) -> Int {
        inside.withLock { $0.requests.count { $0.hasPrefix(start) } }
    }

    func withState<Result: Sendable>(_ body: @Sendable (inout PinryState) -> Result) -> Result {
        inside.withLock { body(&$0.state) }
    }

    private func answer(_ raw: LoopbackServer.Request) -> LoopbackServer.Reply {
        let path = String(raw.target.prefix { $0 != "?" })
        if path.hasPrefix("/_") { return control(raw, path).wire }
        return inside.withLock { inside in
            if inside.requests.count < Self.longestLog { inside.requests.append("\(raw.method) \(raw.target)") }
            let options = inside.options
            if let base = options.redirectsTo {
                return LoopbackServer.Reply(301, [("Location", base + raw.target)], then: .close)
            }
            if let most = options.largestBody, raw.body.count > most {
                return PinryReply.html(413, "<html><h1>413 Request Entity Too Large</h1></html>").wire
            }
            guard path.hasPrefix(options.pathPrefix) else {
                return PinryReply.html(500, "<html><h1>Internal Server Error</h1></html>").wire
            }
            let request = PinryRequest(raw, prefix: options.pathPrefix, behind: options.frontDoor)
            let route = "\(raw.method) \(request.path)"
            let early = inside.faults.draw(route, .before)
            if let early, !early.isLate { return early.wire(LoopbackServer.Reply(200)) }
            let right = inside.respond(to: request).wire
            if let early { return early.wire(right) }
            guard let late = inside.faults.draw(route, .after) else { return right }
            return late.wire(right)
        }
    }
}

extension PinryDouble.Inside {
    fileprivate mutating func respond(to request: PinryRequest) -> PinryReply {
        if options.hasGallery, let page = Gallery(state: state).page(request) { return page }
        if let file = state.media(request.path) { return file }
        let now = Date.now.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true)) + "000Z"
        var router = PinryRouter(state: PinryState(), options: options, now: now)
        // Moved, not shared: a copy of everything for each request would make long runs slow.
        swap(&router.state, &state)
        defer { swap(&router.state, &state) }
        return router.answer(request)
    }
}

extension PinryFault.Act {
    /// The request is carried out all the same.
    fileprivate var isLate: Bool { if case .slow = self { true } else { false } }
}

/// Lets the server's handler reach the double that owns it, without keeping it alive.
private final class Box: Sendable {
    private let reference = Mutex<WeakDouble>(WeakDouble())

    private struct WeakDouble: Sendable {
        weak var double: PinryDouble?
    }

    var double: PinryDouble? { reference.withLock { $0.double } }
    func set(_ double: PinryDouble) { reference.withLock { $0.double = double } }
}
