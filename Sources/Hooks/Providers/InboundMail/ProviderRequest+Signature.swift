internal import FoundationEssentials
internal import PinpostCore

extension ProviderRequest {
    /// Whether the request is signed, where the hook has a secret to check that with; true where it has none.
    ///
    /// For senders whose signature is an addition to our own token.
    func isSigned(for provider: some Provider) throws(HookError) -> Bool {
        guard let scheme = provider.additionalScheme, let secret = access.secret else { return true }
        let signed = SignedRequest(
            headers: headers.map { SignedRequest.Header($0.name, $0.value) }, body: try body.bytes())
        do throws(SignatureRefusal) {
            _ = try scheme.check(secret: secret).verify(signed, now: receivedAt)
            return true
        } catch {
            return false
        }
    }
}
