import Hooks

/// Headers as a person or a recorder wrote them down.
enum RecordedHeaders {
    static func parse(_ text: String) throws(Failure) -> [SignedRequest.Header] {
        var headers: [SignedRequest.Header] = []
        for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: \.isWhitespace) else {
                throw Failure("malformed", "A line of the headers is not `Name: value`.", exit: .wrongData)
            }
            headers.append(SignedRequest.Header(String(parts[0]), String(parts[1])))
        }
        return headers
    }
}
