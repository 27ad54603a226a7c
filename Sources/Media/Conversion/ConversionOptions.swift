/// What may differ from one conversion to the next.
public struct ConversionOptions: Sendable, Hashable {
    /// The most bytes that the server of this picture takes, where that is known to be less than usual (HTTP 413).
    public var maximumBytes: Int?
    /// Whether make and model of the camera and the date stay in JPEG and PNG files; nothing else of EXIF ever does.
    public var keepsCamera: Bool

    public init(maximumBytes: Int? = nil, keepsCamera: Bool = false) {
        (self.maximumBytes, self.keepsCamera) = (maximumBytes, keepsCamera)
    }
}
