import PinpostCore

@testable import Media

// Tests have their files in memory.

extension HEIFContainer {
    init(_ file: ArraySlice<UInt8>) throws(Malformed) { try self.init(PictureSource(file)) }
}

extension HEIFFile {
    init(_ file: ArraySlice<UInt8>, type: PictureType) throws(MediaError) {
        try self.init(PictureSource(file), type: type)
    }
}

extension Survey {
    init(_ file: ArraySlice<UInt8>, _ limits: PictureLimits) throws(MediaError) {
        try self.init(PictureSource(file), limits)
    }
}
