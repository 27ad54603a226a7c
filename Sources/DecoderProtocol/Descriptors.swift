/// The descriptors that a decoder process is born with; 0, 1 and 2 are `/dev/null` and there are no others.
public enum Descriptors {
    /// One end of a stream socket pair: frames in both directions.
    public static let control: Int32 = 3
    /// The bytes of the picture, complete before the job is sent.
    public static let input: Int32 = 4
    /// Where the decoder writes its picture; the daemon reads it after the process is gone.
    public static let output: Int32 = 5
    /// Everything from here on is closed in the child.
    public static let firstUnused: Int32 = 6
}
