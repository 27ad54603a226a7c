internal import Cryptography
internal import PinpostCore

extension ProviderRequest {
    /// Takes the bytes of a mail in pieces.
    typealias MailConsumer = (UnsafeRawBufferPointer) throws(HookError) -> Void

    /// Keeps the raw mail that `cut` hands over.
    func mail(
        to recipient: String?, from sender: String?, _ cut: (MailConsumer) throws(HookError) -> Void
    ) throws(HookError) -> ProviderVerdict.ReceivedMail {
        let writer = blobs.makeWriter()
        var fingerprint = MailFingerprint()
        var count = 0
        do throws(HookError) {
            try cut { bytes throws(HookError) in
                count += bytes.count
                fingerprint.update(bytes)
                do throws(StoreError) { try writer.write(bytes) } catch { throw Self.full }
            }
            guard count > 0 else { throw HookError(.malformed, "The mail is empty.") }
        } catch {
            writer.discard()
            throw error
        }
        do throws(StoreError) {
            return ProviderVerdict.ReceivedMail(
                mime: try writer.finish(), id: fingerprint.id(for: recipient), recipient: recipient, sender: sender)
        } catch {
            throw Self.full
        }
    }

    private static var full: HookError { HookError(.unavailable, "The mail cannot be stored now.") }
}
