internal import FoundationEssentials

/// How far a signed time may lie from now, before and after.
struct ReplayWindow: Sendable {
    let seconds: Int

    /// Reads a time in UNIX seconds and checks it.
    func check(_ text: some StringProtocol, in place: String, now: Date) throws(SignatureRefusal) -> Date {
        guard let time = Self.time(text) else { throw .malformed(place, "a time in whole UNIX seconds") }
        let age = now.timeIntervalSince(time)
        if age > Double(seconds) {
            throw SignatureRefusal(.tooOld, "\(place) lies more than \(seconds) seconds back.")
        }
        if age < -Double(seconds) {
            throw SignatureRefusal(.tooNew, "\(place) lies more than \(seconds) seconds ahead.")
        }
        return time
    }

    /// A time of digits alone: no sign, no fraction, nothing that two parsers read differently.
    static func time(_ text: some StringProtocol) -> Date? {
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int(text)
        else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
