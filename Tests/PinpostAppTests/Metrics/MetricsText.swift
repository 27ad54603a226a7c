import Testing

/// A strict reader of Prometheus' text format 0.0.4, written from its description alone.
struct MetricsText {
    struct Family {
        var kind = ""
        var samples: [(name: String, labels: [String: String], value: Double)] = []
    }

    private(set) var families: [String: Family] = [:]

    struct Malformed: Error {
        let line: String
    }

    init(_ text: String) throws {
        guard text.isEmpty || text.hasSuffix("\n") else { throw Malformed(line: "no line end at the end") }
        var current = ""
        var helped: Set<String> = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if line.hasPrefix("# HELP ") {
                current = String(line.dropFirst(7).prefix { $0 != " " })
                guard helped.insert(current).inserted, Self.isName(current) else { throw Malformed(line: String(line)) }
            } else if line.hasPrefix("# TYPE ") {
                let words = line.split(separator: " ")
                guard words.count == 4, words[2] == current, families[current] == nil,
                    ["counter", "gauge", "histogram"].contains(words[3])
                else { throw Malformed(line: String(line)) }
                families[current] = Family(kind: String(words[3]))
            } else {
                try add(String(line), to: current)
            }
        }
        for (name, family) in families where family.kind == "histogram" { try Self.check(family, name) }
    }

    private mutating func add(_ line: String, to family: String) throws {
        var rest = Substring(line)
        let name = rest.prefix { $0 != "{" && $0 != " " }
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                let label = rest.prefix { $0 != "=" }
                rest = rest.dropFirst(label.count + 1)
                guard Self.isName(String(label)), rest.popFirst() == "\"" else { throw Malformed(line: line) }
                var value = ""
                while let character = rest.popFirst(), character != "\"" {
                    guard character == "\\" else {
                        value.append(character)
                        continue
                    }
                    switch rest.popFirst() {
                    case "n": value.append("\n")
                    case "\\": value.append("\\")
                    case "\"": value.append("\"")
                    default: throw Malformed(line: line)
                    }
                }
                guard labels.updateValue(value, forKey: String(label)) == nil else { throw Malformed(line: line) }
                guard rest.first == "," || rest.first == "}" else { throw Malformed(line: line) }
                if rest.first == "," { rest = rest.dropFirst() }
            }
            rest = rest.dropFirst()
        }
        let isOfFamily = name == family || ["_bucket", "_sum", "_count"].contains(String(name.dropFirst(family.count)))
        guard rest.popFirst() == " ", let value = Double(rest == "+Inf" ? "inf" : String(rest)), name.hasPrefix(family),
            isOfFamily, families[family] != nil
        else { throw Malformed(line: line) }
        let isDouble = families[family]?.samples.contains { $0.name == name && $0.labels == labels } ?? false
        guard !isDouble else { throw Malformed(line: line) }
        families[family]?.samples.append((String(name), labels, value))
    }

    private static func check(_ family: Family, _ name: String) throws {
        let buckets = family.samples.filter { $0.name == name + "_bucket" }
        let count = family.samples.first { $0.name == name + "_count" }?.value
        let isRising = zip(buckets, buckets.dropFirst()).allSatisfy { $0.value <= $1.value }
        guard isRising, buckets.last?.labels["le"] == "+Inf", buckets.last?.value == count else {
            throw Malformed(line: name)
        }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.first?.isNumber == false
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }
    }

    /// The one value with these labels.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families.values.lazy.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
    }
}
