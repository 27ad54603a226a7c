extension UInt8 {
    /// The small letter of a capital of ASCII; any other byte as it is: for names whose case rules know no others.
    @inlinable public var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
