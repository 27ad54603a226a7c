import PinpostCore

/// A way to misbehave, and when: how a client's handling of every failure is tested.
public struct PinryFault: Sendable {
    public enum Moment: String, Sendable {
        /// Nothing is stored.
        case before
        /// Everything is stored, and only the answer goes wrong: the ambiguous case.
        case after
    }

    public enum Act: Sendable, Equatable {
        /// A page of a proxy with this status, and `Retry-After` in seconds where given.
        case status(Int, retryAfter: Int? = nil)
        case redirect(to: String)
        /// RST instead of an answer.
        case reset
        /// The head and the start of the right answer.
        case truncate
        /// The right status with a body that is not JSON.
        case garbage
        /// The connection is closed without a byte.
        case empty
        /// No answer until somebody gives up.
        case hang
        /// The right answer, late.
        case slow(Duration)
    }

    /// `METHOD PATH`; requests that start like this are meant.
    public var route: String
    public var moment: Moment
    public var act: Act
    /// From 0 to 1.
    public var probability: Double
    /// How often at most; nil means always.
    public var times: Int?

    public init(
        _ act: Act, _ moment: Moment = .before, on route: String, probability: Double = 1, times: Int? = nil
    ) {
        self.act = act
        self.moment = moment
        self.route = route
        self.probability = probability
        self.times = times
    }
}

extension PinryFault {
    /// Reads `{"match", "when", "do", "status", "retry_after", "to", "seconds", "probability", "times"}`.
    init?(_ value: JSONValue) {
        guard let route = value["match"]?.text, let name = value["do"]?.text else { return nil }
        let act: Act
        switch name {
        case "status":
            act = .status(
                Int(value["status"]?.integer ?? 500), retryAfter: value["retry_after"]?.integer.map { Int($0) })
        case "redirect": act = .redirect(to: value["to"]?.text ?? "/")
        case "reset": act = .reset
        case "truncate": act = .truncate
        case "garbage": act = .garbage
        case "empty": act = .empty
        case "hang": act = .hang
        case "slow": act = .slow(.milliseconds(Int(1_000 * (value["seconds"]?.double ?? 1))))
        default: return nil
        }
        guard let moment = Moment(rawValue: value["when"]?.text ?? "before") else { return nil }
        self.init(
            act, moment, on: route, probability: value["probability"]?.double ?? 1,
            times: value["times"]?.integer.map { Int($0) })
    }
}

extension JSONValue {
    fileprivate var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }
}

/// The faults that are switched on, drawn from a seed so that a run can be repeated.
struct FaultPlan: Sendable {
    private var faults: [PinryFault] = []
    private var seed: UInt64

    init(seed: UInt64 = 1) { self.seed = seed }

    mutating func replace(with faults: [PinryFault]) { self.faults = faults }

    /// The act for a request at this moment, counted.
    mutating func draw(_ route: String, _ moment: PinryFault.Moment) -> PinryFault.Act? {
        for index in faults.indices where faults[index].moment == moment && route.hasPrefix(faults[index].route) {
            if faults[index].times == 0 || random() >= faults[index].probability { continue }
            faults[index].times = faults[index].times.map { $0 - 1 }
            return faults[index].act
        }
        return nil
    }

    /// SplitMix64, as a number from 0 up to 1.
    private mutating func random() -> Double {
        seed &+= 0x9E37_79B9_7F4A_7C15
        var mixed = seed
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ mixed >> 31) >> 11) / Double(UInt64(1) << 53)
    }
}

extension PinryFault.Act {
    /// What goes over the wire instead of (or late, like) the right answer.
    func wire(_ right: LoopbackServer.Reply) -> LoopbackServer.Reply {
        switch self {
        case .status(let status, let retryAfter):
            let wait = retryAfter.map { [("Retry-After", "\($0)")] } ?? []
            return LoopbackServer.Reply(
                status, [("Content-Type", "text/html")] + wait, body: Array("<h1>Server Error (\(status))</h1>".utf8),
                then: .close)
        case .redirect(let target): return LoopbackServer.Reply(302, [("Location", target)], then: .close)
        case .reset: return LoopbackServer.Reply(bytes: [], then: .reset)
        case .truncate:
            return LoopbackServer.Reply(bytes: Array(right.bytes.prefix(right.bytes.count * 3 / 4)), then: .close)
        case .garbage:
            let status = right.bytes.starts(with: Array("HTTP/1.1 201".utf8)) ? 201 : 200
            return LoopbackServer.Reply(
                status, [("Content-Type", "application/json")], body: Array("{\"id\": ".utf8) + [0xFF, 0xFE],
                then: .close)
        case .empty: return LoopbackServer.Reply(bytes: [], then: .close)
        case .hang: return LoopbackServer.Reply(bytes: [], then: .hang)
        case .slow(let delay):
            var late = right
            late.delay = delay
            return late
        }
    }
}
