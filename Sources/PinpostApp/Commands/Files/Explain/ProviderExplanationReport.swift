import Administration
import FoundationEssentials
import Hooks
import Mail
import PinpostCore

/// What `explain --provider` prints: what a recorded request would come to.
struct ProviderExplanationReport: Encodable, Sendable {
    let provider: String
    /// `kept`, `undo`, `answered` or `refused`.
    let verdict: String
    /// Why nothing would be stored.
    @Nullable var reason: String? = nil
    /// Of an answer that stores nothing.
    @Nullable var status: Int? = nil
    let messages: [ExplainReport]

    init(of request: RecordedRequest, provider: String) throws(Failure) {
        self.provider = provider
        do {
            let explanation = try ProviderExplanation(
                provider: provider, body: request.body,
                headers: request.headers.map { ($0.name.lowercased(), $0.value.trimmed) })
            switch explanation.verdict {
            case .content(let contents):
                (verdict, messages) = ("kept", contents.map { ExplainReport($0, boardOfRecipient: nil) })
            case .mail(let bytes):
                let mail = try ExplainedFile(bytes: bytes, contentType: nil).read(as: .mail)
                (verdict, messages) = ("kept", [ExplainReport(mail, boardOfRecipient: nil)])
            case .undo: (verdict, messages) = ("undo", [])
            case .answered(let reason, let status):
                (verdict, messages) = ("answered", [])
                (self.reason, self.status) = (reason, status)
            case .refused(let reason):
                (verdict, messages) = ("refused", [])
                self.reason = reason
            }
        } catch let error as HookError {
            throw Failure(error.code.rawValue.snakeCased, error.description, exit: .wrongData)
        } catch {
            throw Failure(error)
        }
    }

    var text: String {
        let head = TextTable([["provider", provider], ["verdict", words]]).text
        return ([head] + messages.map { ExplainText.text($0) }).joined(separator: "\n")
    }

    private var words: String {
        switch verdict {
        case "kept": messages.count == 1 ? "one message" : "\(messages.count) messages"
        case "undo": "takes back what the same person sent last"
        default: "nothing is stored: \(reason ?? "-")" + (status.map { " (answer \($0))" } ?? "")
        }
    }
}

/// A request as somebody wrote it down.
struct RecordedRequest: Sendable {
    let body: [UInt8]
    let headers: [SignedRequest.Header]
}
