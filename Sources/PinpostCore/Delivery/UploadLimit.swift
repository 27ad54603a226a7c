/// What is learnt of the largest picture that a server takes: its proxy says no (HTTP 413), but not from where on.
public enum UploadLimit {
    /// No picture is made smaller than that, in bytes.
    public static let least = 256 << 10

    /// What to try after so many bytes were refused: three quarters; nil where that would be too little.
    public static func below(refused count: Int) -> Int? {
        count > least ? max(count - count / 4, least) : nil
    }
}
