/// The moments in header fields and answers: `Tue, 1 Dec 2026 07:30:00 +0100`, ` 1-Dec-2026 07:30:00 +0100`.
enum MailDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Seconds since 1970; nil for everything else (RFC 5322 section 3.3, RFC 9051 `date-time`).
    ///
    /// A zone that is missing or has a name counts as UTC.
    static func seconds(_ text: String) -> Int? {
        var words = text.prefix(100).split { $0 == " " || $0 == "\t" || $0 == "," }[...]
        if let first = words.first, first.allSatisfy(\.isLetter) { words.removeFirst() }
        if let first = words.first, first.contains("-") {
            words.removeFirst()
            words = first.split(separator: "-") + words
        }
        guard words.count >= 4 else { return nil }
        let pieces = Array(words)
        let clock = pieces[3].split(separator: ":").map { Int($0) }
        guard let day = Int(pieces[0]), let year = Int(pieces[2]),
            let month = months.firstIndex(of: pieces[1].prefix(3).lowercased()),
            (1...31).contains(day), (1900...9_999).contains(year), (2...3).contains(clock.count),
            let hour = clock[0], let minute = clock[1], let second = clock.count > 2 ? clock[2] : 0,
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let local = days(year, month + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
        return local - (pieces.count > 4 ? offset(pieces[4]) : 0)
    }

    /// Seconds by which a zone is ahead of UTC.
    private static func offset(_ zone: Substring) -> Int {
        guard let sign = zone.first, sign == "+" || sign == "-", zone.utf8.count == 5,
            let number = Int(zone.dropFirst())
        else { return 0 }
        let seconds = number / 100 * 3_600 + number % 100 * 60
        return sign == "-" ? -seconds : seconds
    }

    /// Days from 1970-01-01 in the Gregorian calendar; years begin in March, so that leap days come last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (year / 400, year % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
