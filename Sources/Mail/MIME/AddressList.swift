/// The addresses of a header field such as `To` (RFC 5322 section 3.4), read once from left to right.
///
/// Display names, comments and groups are passed over; nothing is nested, however deep the field is.
enum AddressList {
    /// More recipients of one mail are of no use to anybody.
    static let mostAddresses = 100

    /// The addresses as written, in order.
    static func addresses(in field: [UInt8]) -> [String] {
        var addresses: [String] = []
        var current: [UInt8] = []
        var isQuoted = false
        var comments = 0
        var bracketed: [UInt8]?
        func end() {
            let address = HeaderBlock.trimmed((bracketed ?? current)[...])
            if address.contains(UInt8(ascii: "@")), !address.contains(UInt8(ascii: " ")) {
                addresses.append(String(decoding: address, as: UTF8.self))
            }
            (current, bracketed) = ([], nil)
        }
        var position = 0
        while position < field.count, addresses.count < mostAddresses {
            let byte = field[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\\") where isQuoted || comments > 0: position += 1
            case UInt8(ascii: "\"") where comments == 0:
                isQuoted.toggle()
                current.append(byte)
            case _ where isQuoted: current.append(byte)
            case UInt8(ascii: "("): comments += 1
            case UInt8(ascii: ")"): comments = max(comments - 1, 0)
            case _ where comments > 0: break
            case UInt8(ascii: "<"): current = []
            case UInt8(ascii: ">"): bracketed = current
            case UInt8(ascii: ","), UInt8(ascii: ";"): end()
            case UInt8(ascii: ":"): current = []  // The name of a group.
            default: current.append(byte)
            }
        }
        if addresses.count < mostAddresses { end() }
        return addresses
    }
}
