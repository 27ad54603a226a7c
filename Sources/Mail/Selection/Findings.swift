internal import PinpostCore

/// What a mail holds, in its order.
enum Finding: Sendable {
    case picture(PictureCandidate)
    case skipped(SkippedPart)
}

/// Makes the sinks for what is found inside of other content, and keeps what they found.
protocol Findings: AnyObject {
    /// For content in a text, which may itself be a container.
    func sink(for label: AttachmentLabel) -> AttachmentSink
    /// For content in a container, where a further container is not opened.
    func sink(inside label: AttachmentLabel) -> AttachmentSink
    func add(_ finding: Finding)
}
