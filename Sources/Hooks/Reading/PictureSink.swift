internal import PinpostCore

/// Takes the bytes of one picture: its type comes from the first of them, its size has a limit.
final class PictureSink {
    private let intake: Intake
    private let writer: any BlobWriter
    private var start: [UInt8] = []
    private var count = 0

    init(_ intake: Intake, writer: any BlobWriter) {
        self.intake = intake
        self.writer = writer
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(HookError) {
        if start.count < PictureType.prefixLength { start += bytes.prefix(PictureType.prefixLength - start.count) }
        count += bytes.count
        // Over the limit the rest is only counted.
        guard count <= intake.limits.picture else { return }
        do throws(StoreError) { try writer.write(bytes) } catch { throw Self.unavailable }
    }

    func finish(name: String?) throws(HookError) -> FoundPart {
        guard count > 0 else { return skip(.file, name, "the file is empty") }
        guard let type = PictureType.sniff(start) else { return skip(.file, name, "not a picture") }
        guard count <= intake.limits.picture else {
            return skip(.image, name, type: type, "over the limit of \(intake.limits.picture >> 20) MiB for a picture")
        }
        guard type != .svg else { return skip(.image, name, type: type, "drawings in SVG are not pinned") }
        do throws(StoreError) {
            let bytes = try writer.finish()
            intake.keep(bytes)
            return .picture(FoundImage(name: name, type: type, bytes: bytes))
        } catch {
            throw Self.unavailable
        }
    }

    /// Drops what was written, and says why.
    func skip(
        _ kind: SkippedPart.Kind, _ name: String?, type: PictureType? = nil, _ reason: String
    ) -> FoundPart {
        writer.discard()
        return .skipped(SkippedPart(kind, name: name, type: type?.mimeType, bytes: count, reason: reason))
    }

    /// For text that is no picture: how much of it could be decoded says nothing.
    func skipText(_ reason: String) -> FoundPart {
        writer.discard()
        return .skipped(SkippedPart(.file, name: nil, reason: reason))
    }

    func discard() { writer.discard() }

    private static let unavailable = HookError(.unavailable, "A picture cannot be stored now.")
}
