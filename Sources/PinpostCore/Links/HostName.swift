/// A host as people read it: Unicode where every label is of one script, punycode where letters could deceive.
public enum HostName {
    /// In lower case, every label in ASCII (RFC 5890): what names are compared in.
    public static func ascii(_ host: String) -> String {
        host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
            .map { $0.utf8.count > 255 ? String($0) : Punycode.encoded(label: String($0)) }.joined(separator: ".")
    }

    /// In lower case, every `xn--` label as what it means: other spellings of one host are equal strings.
    public static func unicode(_ host: String) -> String {
        let host = host.lowercased()
        guard host.contains("xn--") else { return host }
        return host.split(separator: ".", omittingEmptySubsequences: false).map { label in
            // What says nothing that ASCII could not say is no spelling of another name.
            guard let decoded = Punycode.decoded(label: String(label)), !decoded.utf8.allSatisfy({ $0 < 0x80 }) else {
                return String(label)
            }
            return decoded.lowercased()
        }
        .joined(separator: ".")
    }

    /// Without port and leading `www.`; labels of mixed scripts stay, or become, `xn--`.
    public static func shown(_ host: String) -> String {
        guard !host.hasPrefix("[") else { return host }
        let name = host.prefix { $0 != ":" }.lowercased()
        let labels = (name.hasPrefix("www.") && name.filter { $0 == "." }.count > 1 ? String(name.dropFirst(4)) : name)
            .split(separator: ".").map(String.init)
        let decoded = labels.map { Punycode.decoded(label: $0) ?? $0 }
        guard decoded.allSatisfy({ Script.isSingle($0) }) else {
            return labels.map { Punycode.encoded(label: $0) }.joined(separator: ".")
        }
        return decoded.joined(separator: ".")
    }
}

/// The writing systems that hosts are written in, by blocks.
enum Script {
    /// Whether all letters are of one script; the mixtures that Japanese and Korean are written in count as one.
    static func isSingle(_ label: String) -> Bool {
        var scripts: Set<String> = []
        for scalar in label.unicodeScalars {
            guard let script = script(of: scalar) else { return false }
            if script != "common" { scripts.insert(script) }
        }
        if scripts.count <= 1 { return true }
        return scripts.isSubset(of: ["han", "kana"]) || scripts.isSubset(of: ["han", "hangul"])
    }

    private static func script(of scalar: Unicode.Scalar) -> String? {
        if scalar.isASCII {
            return scalar.properties.isAlphabetic ? "latin" : "common"
        }
        // Marks and joiners belong to the letter before.
        if scalar.properties.generalCategory == .nonspacingMark || scalar.properties.generalCategory == .spacingMark {
            return "common"
        }
        if [0x200C, 0x200D, 0x30FB, 0x30FC, 0x00B7].contains(scalar.value) { return "common" }
        return blocks.first { $0.range.contains(scalar.value) }?.script
    }

    private static let blocks: [(range: ClosedRange<UInt32>, script: String)] = [
        (0x00C0...0x024F, "latin"), (0x0370...0x03FF, "greek"), (0x0400...0x052F, "cyrillic"),
        (0x0531...0x058F, "armenian"), (0x0590...0x05FF, "hebrew"), (0x0600...0x077F, "arabic"),
        (0x08A0...0x08FF, "arabic"), (0x0900...0x097F, "devanagari"), (0x0980...0x09FF, "bengali"),
        (0x0A00...0x0A7F, "gurmukhi"), (0x0A80...0x0AFF, "gujarati"), (0x0B00...0x0B7F, "oriya"),
        (0x0B80...0x0BFF, "tamil"), (0x0C00...0x0C7F, "telugu"), (0x0C80...0x0CFF, "kannada"),
        (0x0D00...0x0D7F, "malayalam"), (0x0D80...0x0DFF, "sinhala"), (0x0E00...0x0E7F, "thai"),
        (0x0E80...0x0EFF, "lao"), (0x1000...0x109F, "myanmar"), (0x10A0...0x10FF, "georgian"),
        (0x1200...0x139F, "ethiopic"), (0x1780...0x17FF, "khmer"), (0x1E00...0x1EFF, "latin"),
        (0x1F00...0x1FFF, "greek"), (0x3041...0x30FF, "kana"), (0x3400...0x4DBF, "han"), (0x4E00...0x9FFF, "han"),
        (0x3005...0x3007, "han"), (0x1100...0x11FF, "hangul"), (0xAC00...0xD7AF, "hangul"),
        (0x20000...0x3134F, "han"),
    ]
}

/// Punycode of single labels (RFC 3492).
enum Punycode {
    private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)

    /// What an `xn--` label means; nil for others and for broken ones.
    static func decoded(label: String) -> String? {
        guard label.hasPrefix("xn--"), (5...63).contains(label.utf8.count) else { return nil }
        let code = label.dropFirst(4)
        let split = code.lastIndex(of: "-")
        var output = split.map { Array(code[..<$0].unicodeScalars.map(\.value)) } ?? []
        var input = (split.map { code[code.index(after: $0)...] } ?? code).utf8.map { Int($0) }[...]
        var (n, i, bias) = (128, 0, 72)
        while !input.isEmpty {
            let start = i
            var (weight, k) = (1, base)
            while true {
                guard let byte = input.popFirst(), let digit = value(of: byte), i < 1 << 30, weight < 1 << 30 else {
                    return nil
                }
                i += digit * weight
                let t = threshold(k, bias)
                if digit < t { break }
                weight *= base - t
                k += base
            }
            bias = adapted(i - start, output.count + 1, isFirst: start == 0)
            n += i / (output.count + 1)
            i %= output.count + 1
            guard n < 0x110000 else { return nil }
            output.insert(UInt32(n), at: i)
            i += 1
        }
        let scalars = output.compactMap(Unicode.Scalar.init)
        return scalars.count == output.count ? String(String.UnicodeScalarView(scalars)) : nil
    }

    /// The label in ASCII.
    static func encoded(label: String) -> String {
        let scalars = label.unicodeScalars.map { Int($0.value) }
        let plain = scalars.filter { $0 < 128 }
        guard plain.count < scalars.count else { return label }
        var output = String(String.UnicodeScalarView(plain.compactMap { Unicode.Scalar(UInt32($0)) }))
        if !plain.isEmpty { output += "-" }
        var (n, delta, bias, done) = (128, 0, 72, plain.count)
        while done < scalars.count {
            let next = scalars.filter { $0 >= n }.min() ?? n
            delta += (next - n) * (done + 1)
            n = next
            for scalar in scalars {
                if scalar < n { delta += 1 }
                guard scalar == n else { continue }
                output += digits(of: delta, bias)
                bias = adapted(delta, done + 1, isFirst: done == plain.count)
                delta = 0
                done += 1
            }
            delta += 1
            n += 1
        }
        return "xn--" + output
    }

    private static func digits(of delta: Int, _ bias: Int) -> String {
        var (q, k, text) = (delta, base, "")
        while true {
            let t = threshold(k, bias)
            if q < t { break }
            text.append(digit(t + (q - t) % (base - t)))
            q = (q - t) / (base - t)
            k += base
        }
        return text + String(digit(q))
    }

    private static func threshold(_ k: Int, _ bias: Int) -> Int { min(max(k - bias, tMin), tMax) }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var k = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * delta / (delta + skew)
    }

    private static func value(of byte: Int) -> Int? {
        switch byte {
        case 0x61...0x7A: byte - 0x61
        case 0x41...0x5A: byte - 0x41
        case 0x30...0x39: byte - 0x30 + 26
        default: nil
        }
    }

    private static func digit(_ value: Int) -> Character {
        Character(Unicode.Scalar(UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)))
    }
}
