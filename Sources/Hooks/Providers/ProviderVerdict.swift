internal import FoundationEssentials
internal import PinpostCore

/// What is to become of a request.
enum ProviderVerdict: Sendable {
    /// Nothing to keep: a ping, a challenge, a kind of event that does not matter; `log` says which.
    case answer(ProviderAnswer, log: String)
    /// As before, with calls that are made first; one that fails makes the answer that of `.temporary`.
    case answerAfter([ProviderCall], ProviderAnswer, log: String)
    /// Not the provider's, or not for us: answered like a wrong signature; `log` says why, without values.
    case refuse(log: String)
    /// Keep the body; the answer is sent once it is durable.
    case accept(Delivery, ProviderAnswer)
    /// Keep each part of the body as a message of its own; the answer is sent once all are durable.
    case acceptEach([Part], ProviderAnswer)
    /// Keep the mail that the body holds, as one that came by the hook.
    case acceptMail(ReceivedMail, Delivery, ProviderAnswer)

    struct Delivery: Sendable {
        /// The body is read like that of a generic hook, with the hook's mapping.
        var isPayload = false
        /// By what repeats are recognised, in the provider's words; nil: by the signature's id, else not at all.
        var id: String?
        /// Further names under which the provider sends the same thing; one that is known makes it a repeat.
        var otherIDs: [String] = []
        /// Names under which parts of it may have come alone, and then give way.
        var claims: [String] = []
        /// How long it gives way to a delivery that claims it, in seconds.
        var patience: Double = 0
        /// The album that it belongs to.
        var group: MessageGroup?
        /// What of the head `read` needs.
        var fields: [String: String] = [:]
        /// Where the sender is told what became of it.
        var reply: ReplyTarget?
        /// The slug of the board that the address asked for, as in `TOKEN.board`.
        var boardSlug: String?
        /// Whose message it is and in which chat, by the provider's names: an Undo takes back the newest of the same
        /// person there.
        var author: String?
        /// The thread of that chat in which it stands: an Undo in a thread means what stands in it.
        var thread: String?
        /// An id or a further name of the delivery that it answers: an Undo that answers a person's own message means that
        /// one.
        var answered: String?
        /// It brings nothing, it takes something back: carried out, and told, once it is durable.
        var undo: UndoWish?
    }

    /// One of several posts that came in one request.
    struct Part: Sendable {
        let delivery: Delivery
        /// What `read` gets as the body: JSON.
        let body: [UInt8]
    }

    /// A raw mail (RFC 5322) that was cut out of the body.
    struct ReceivedMail: Sendable {
        let mime: StoredBytes
        /// The mail's own identity, where the service gives its attempts none.
        let id: String
        var recipient: String?
        var sender: String?
    }
}

/// What somebody wants back.
enum UndoWish: Sendable, Hashable {
    /// What became of that message: the button under its answer.
    case message(Message.ID)
    /// What became of his own delivery of that id: he deleted it in the chat.
    case delivery(String)
    /// What became of the message that he answers with it, else of his newest of which something is left.
    case newest
}

/// What makes several deliveries one message.
struct MessageGroup: Sendable, Hashable {
    /// The provider's name of the album, with the chat in it.
    let key: String
    /// The place of this delivery in the album; equal places keep the order of arrival.
    let position: Int
    /// How many there will be, where the provider says so: the last one ends the waiting.
    var total: Int?
}

/// Why a request that is the provider's is not taken.
public enum ProviderFailure: Sendable, Hashable, CaseIterable {
    /// Not in the provider's form; it will not be the next time either.
    case malformed
    case unsupportedType
    case tooLarge
    /// Well-formed, and nothing in it can become a pin.
    case nothingUsable
    /// Our disk is full, or what has to be asked is away: worth another attempt.
    case temporary
    /// Asked too often: worth another attempt after a while.
    case busy

    /// Plain HTTP, for senders that have no codes of their own.
    var standardAnswer: ProviderAnswer {
        switch self {
        case .malformed: .text("The request is not in this provider's form.\n", status: 400)
        case .unsupportedType: .text("This content type is not read here.\n", status: 415)
        case .tooLarge: .text("The request is too large.\n", status: 413)
        case .nothingUsable: .text("There is nothing to pin.\n", status: 422)
        case .temporary: Self.later(503)
        case .busy: Self.later(429)
        }
    }

    private static func later(_ status: Int) -> ProviderAnswer {
        var answer = ProviderAnswer.text("Please try again later.\n", status: status)
        answer.headers = [ProviderAnswer.Header("Retry-After", "30")]
        return answer
    }
}
