/// Takes the bytes of one text part, up to a limit, and passes pictures that are hidden in it to a sink of their own.
final class TextSink {
    private var filter: any TextFilter
    private var bytes: [UInt8] = []
    private let limit: Int
    private(set) var isCut = false

    init(filter: any TextFilter, limit: Int) {
        self.filter = filter
        self.limit = limit
    }

    func write(_ piece: UnsafeRawBufferPointer) throws(MailError) {
        try filter.take(piece) { text in add(text) }
    }

    func finish() throws(MailError) -> [UInt8] {
        try filter.finish { text in add(text) }
        return bytes
    }

    private func add(_ text: UnsafeRawBufferPointer) {
        let room = limit - bytes.count
        if text.count > room { isCut = true }
        bytes += text.prefix(room)
    }
}

/// Looks for pictures in text that passes; what is left of the text comes out in order.
protocol TextFilter {
    mutating func take(_ piece: UnsafeRawBufferPointer, _ text: (UnsafeRawBufferPointer) -> Void) throws(MailError)
    mutating func finish(_ text: (UnsafeRawBufferPointer) -> Void) throws(MailError)
}
