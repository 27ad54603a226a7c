/// The points of edwards25519 whose order divides eight: as public keys they "verify" signatures that nobody made.
///
/// RFC 8032 leaves their refusal to the application, and OpenSSL takes them.
enum SmallOrderPoint {
    /// Whether the encoding of a point has one of these as its y, whatever its sign and even where it is not reduced.
    static func isEncoded(in bytes: [UInt8]) -> Bool {
        guard var last = bytes.last else { return false }
        last &= 0x7F
        return encodings.contains(bytes.dropLast() + [last])
    }

    private static let encodings: Set<[UInt8]> = [
        modulus(plus: 0), modulus(plus: 1), modulus(plus: -1), [0] + zeros, [1] + zeros, orderEight, orderEightNegated,
    ]

    private static let zeros = [UInt8](repeating: 0, count: 31)

    /// 2^255 - 19 and its neighbours, little-endian.
    private static func modulus(plus difference: Int) -> [UInt8] {
        [UInt8(0xED + difference)] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    }

    /// One y of the four points of order eight; the other is its negative.
    private static let orderEight: [UInt8] = [
        0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
        0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
    ]

    private static let orderEightNegated: [UInt8] = [
        0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
        0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
    ]
}
