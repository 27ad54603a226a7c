/// One metric with its samples, as Prometheus reads it (text format 0.0.4).
public struct Metric: Sendable {
    public enum Kind: String, Sendable { case counter, gauge, histogram }

    public struct Sample: Sendable {
        /// Behind the name of the metric.
        public let suffix: String
        public let labels: [(name: String, value: String)]
        public let value: Double

        public init(labels: [(String, String)] = [], _ value: Double) { self.init("", labels: labels, value) }

        init(_ suffix: String, labels: [(String, String)] = [], _ value: Double) {
            self.suffix = suffix
            self.labels = labels
            self.value = value
        }
    }

    public let name: String
    public let kind: Kind
    public let help: String
    public let samples: [Sample]

    public init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    /// A gauge without labels.
    public init(_ name: String, _ help: String, _ value: Double) { self.init(name, .gauge, help, [Sample(value)]) }

    /// The lines of the metric, each with its line feed.
    public var text: String {
        var text = "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
            let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            text += "\(name)\(sample.suffix)\(list) \(Self.text(sample.value))\n"
        }
        return text
    }

    /// A whole number without its point.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Inf" : "+Inf" }
        return value.rounded() == value && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
