internal import Glibc

/// The multiparts around the place where the parser is, and the lines that part them (RFC 2046 section 5.1.1).
struct MultipartStack {
    private struct Multipart {
        let subtype: String
        /// nil where the header names none: the first line that looks like a boundary is taken for it.
        var boundary: [UInt8]?
        /// The nesting of messages outside.
        let nesting: Int
        /// Its closing boundary was met; a further part opens it again, unless the line means another multipart.
        var isClosed = false
    }

    /// A line that ends what is inside of a multipart.
    struct Boundary {
        fileprivate let place: Int
        /// No further part of it follows.
        let isClosing: Bool
    }

    private var multiparts: [Multipart] = []
    /// A longer boundary is none, in bytes.
    private let longestBoundary: Int

    init(longestBoundary: Int) { self.longestBoundary = longestBoundary }

    var depth: Int { multiparts.count }
    var isEmpty: Bool { multiparts.isEmpty }
    /// Outermost first.
    var subtypes: [String] { multiparts.map(\.subtype) }
    var innermostSubtype: String? { multiparts.last?.subtype }

    mutating func open(_ part: MIMEPart) {
        let named = HeaderBlock.trimmed((part.header.contentType.rawParameter("boundary") ?? [])[...])
        let isUsable = (1...longestBoundary).contains(named.count)
        multiparts.append(
            Multipart(
                subtype: String(part.type.dropFirst("multipart/".count)), boundary: isUsable ? named : nil,
                nesting: part.nesting))
    }

    /// Leaves what is inside of the boundary's multipart, and says in how many messages that is.
    mutating func cross(_ boundary: Boundary) -> Int {
        multiparts.removeSubrange((boundary.place + 1)...)
        multiparts[boundary.place].isClosed = boundary.isClosing
        return multiparts[boundary.place].nesting
    }

    /// Compares a line with the open multiparts, the innermost first.
    ///
    /// Where it is `adopting`, a line may become the boundary of a multipart that names none.
    mutating func boundary(in line: UnsafeRawBufferPointer, adopting: Bool) -> Boundary? {
        guard !isEmpty, line.count >= 3, Self.beginsLikeBoundary(line), line.count <= longestBoundary + 100
        else { return nil }
        let text = Self.trimmedEnd(UnsafeRawBufferPointer(rebasing: line[2...]))
        guard !text.isEmpty else { return nil }
        if let place = place(of: text, isClosed: false) { return Boundary(place: place, isClosing: false) }
        if text.count > 2, Self.beginsLikeBoundary(UnsafeRawBufferPointer(rebasing: text.suffix(2))) {
            // Some boundaries are named with a blank at their end, which was dropped.
            let closed = Self.trimmedEnd(UnsafeRawBufferPointer(rebasing: text.dropLast(2)))
            if let place = place(of: closed, isClosed: false) { return Boundary(place: place, isClosing: true) }
        }
        let found = place(of: text, isClosed: true) ?? (adopting ? adopt(text) : nil)
        return found.map { Boundary(place: $0, isClosing: false) }
    }

    /// Whether a line was to become a boundary when the mail ended.
    func isBeginOfBoundary(_ line: UnsafeRawBufferPointer) -> Bool {
        guard line.count >= 2, Self.beginsLikeBoundary(line) else { return false }
        let begun = line.dropFirst(2)
        return multiparts.contains { multipart in
            guard let boundary = multipart.boundary else { return false }
            // With both hyphens behind it, or with none, it is one.
            return begun.count < boundary.count + 2 && begun.count != boundary.count
                && (boundary + Array("--".utf8)).starts(with: begun)
        }
    }

    private static func beginsLikeBoundary(_ line: UnsafeRawBufferPointer) -> Bool {
        line[0] == UInt8(ascii: "-") && line[1] == UInt8(ascii: "-")
    }

    private static func trimmedEnd(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = text.count
        while end > 0, text[end - 1] <= 0x20 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: text[..<end])
    }

    private func place(of boundary: UnsafeRawBufferPointer, isClosed: Bool) -> Int? {
        multiparts.lastIndex { $0.isClosed == isClosed && Self.isEqual($0.boundary, boundary) }
    }

    /// Takes the line for the boundary of a multipart that names none.
    private mutating func adopt(_ text: UnsafeRawBufferPointer) -> Int? {
        guard let last = multiparts.indices.last, multiparts[last].boundary == nil, text.count >= 2,
            text.allSatisfy({ $0 > 0x20 })
        else { return nil }
        multiparts[last].boundary = Array(text)
        return last
    }

    private static func isEqual(_ boundary: [UInt8]?, _ text: UnsafeRawBufferPointer) -> Bool {
        guard let boundary, boundary.count == text.count, let base = text.baseAddress else { return false }
        return boundary.withUnsafeBytes { other in
            other.baseAddress.map { memcmp($0, base, text.count) == 0 } ?? false
        }
    }
}
