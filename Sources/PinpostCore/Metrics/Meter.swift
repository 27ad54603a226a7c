internal import Synchronization

/// Counts what has happened since the start of the process, for the metrics; no tenant and no address is ever a label.
public final class Meter: Sendable {
    /// What is counted; the raw value is the name of the metric.
    public enum Counter: String, Sendable, CaseIterable {
        case messages = "pinpost_messages_total"
        case items = "pinpost_items_total"
        case replies = "pinpost_replies_total"
        case pictures = "pinpost_pictures_total"

        /// The labels, in the order in which `count` takes their values.
        public var labels: [String] {
            switch self {
            case .messages: ["source", "result"]
            case .items: ["outcome"]
            case .replies: ["way", "outcome"]
            case .pictures: ["result"]
            }
        }

        var help: String {
            switch self {
            case .messages: "Messages received, by source; result is new, repeat or refused."
            case .items: "Ends of attempts at items, by outcome."
            case .replies: "Attempts at answers, by way (mail or chat) and outcome."
            case .pictures: "Pictures converted and cards drawn, and those that could not be, by the decoder's verdict."
            }
        }
    }

    private struct Series: Hashable {
        let counter: Counter
        let values: [String]
    }

    private struct State {
        var counts: [Series: Int] = [:]
        var delays = DelayHistogram()
    }

    private let state = Mutex(State())

    public init() {}

    /// Counts one more; `values` are few and known: codes, never names.
    public func count(_ counter: Counter, _ values: String...) {
        state.withLock { $0.counts[Series(counter: counter, values: values), default: 0] += 1 }
    }

    /// Notes how long an item took to its new pin, in seconds: from its message, or from its last start by hand.
    public func noteDelay(_ seconds: Double) { state.withLock { $0.delays.add(seconds) } }

    /// Everything that was counted.
    public var metrics: [Metric] {
        let state = state.withLock { $0 }
        let counters = Counter.allCases.map { counter in
            let samples = state.counts.filter { $0.key.counter == counter }
                .map { Metric.Sample(labels: zip(counter.labels, $0.key.values).map { ($0, $1) }, Double($0.value)) }
                .sorted { $0.labels.map(\.value).lexicographicallyPrecedes($1.labels.map(\.value)) }
            return Metric(counter.rawValue, .counter, counter.help, samples)
        }
        return counters + [state.delays.metric]
    }
}

/// How long items took, in classes.
struct DelayHistogram: Sendable {
    /// Upper bounds, in seconds.
    private static let bounds: [Double] = [1, 2, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400]
    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    private var sum = 0.0

    mutating func add(_ seconds: Double) {
        let seconds = max(seconds, 0)
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }

    var metric: Metric {
        var samples: [Metric.Sample] = []
        var total = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < Self.bounds.count ? Metric.text(Self.bounds[index]) : "+Inf"
            samples.append(Metric.Sample("_bucket", labels: [("le", bound)], Double(total)))
        }
        samples.append(Metric.Sample("_sum", sum))
        samples.append(Metric.Sample("_count", Double(total)))
        return Metric(
            "pinpost_item_duration_seconds", .histogram,
            "From the acceptance of an item, or its last start by hand, to its new pin.", samples)
    }
}
