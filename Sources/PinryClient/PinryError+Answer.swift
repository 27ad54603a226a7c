import FoundationEssentials
import PinpostCore

extension PinryError {
    /// What an answer other than the good one means.
    init(_ response: HTTPResponse, to purpose: PinryCall.Purpose, as account: Account) {
        let status = response.status
        switch status {
        case 200..<300: self = .unexpected(response, to: purpose)
        case 300..<400: self.init(.redirected, status: status, detail: Self.target(of: response))
        case 400, 415, 406: self = .refused(response, to: purpose)
        case 401: self = .unauthorized(response, as: account)
        case 403: self = .forbidden(response, to: purpose)
        case 404 where response.isJSON:
            self.init(purpose == .addToBoard ? .boardMissing : .forbidden, status: status, detail: "not found")
        case 404, 405, 410: self = .elsewhere(response)
        case 413: self.init(.imageTooLarge, status: status)
        case 429: self.init(.rateLimited, status: status, retryAfter: response.retryAfter)
        // Varnish says 503 with Retry-After for a backend that broke off in the middle: for a pin that is in doubt.
        case 503 where response.retryAfter != nil && !purpose.isInDoubtAfterFailure:
            self.init(.rateLimited, status: status, retryAfter: response.retryAfter)
        default:
            let code: Code = purpose.isInDoubtAfterFailure ? .answerLost : .serverFailed
            self.init(code, status: status, detail: "status \(status)", retryAfter: response.retryAfter)
        }
    }

    /// The right status with a body that is cut or garbled.
    static func unreadable(_ response: HTTPResponse, to purpose: PinryCall.Purpose) -> PinryError {
        let code: Code = purpose.isInDoubtAfterFailure ? .answerLost : .serverFailed
        return PinryError(code, status: response.status, detail: "the answer cannot be read")
    }

    private static func unexpected(_ response: HTTPResponse, to purpose: PinryCall.Purpose) -> PinryError {
        // Pinry's start page answers every unknown GET behind its nginx.
        if !response.isJSON, response.looksLikeHTML { return elsewhere(response) }
        return unreadable(response, to: purpose)
    }

    private static func elsewhere(_ response: HTTPResponse) -> PinryError {
        let isPinry = response.mentions("<title>Pinry") || response.mentions("was not found on this server")
        return PinryError(isPinry || response.isJSON ? .wrongBase : .notPinry, status: response.status)
    }

    private static func refused(_ response: HTTPResponse, to purpose: PinryCall.Purpose) -> PinryError {
        let status = response.status
        guard response.isJSON else {
            if response.mentions("HTTPS port") {
                return PinryError(.wrongBase, status: status, detail: "that port speaks HTTPS: write https://")
            }
            return PinryError(.notPinry, status: status, detail: "the server refuses requests for this host name")
        }
        switch purpose {
        case .upload: return PinryError(.imageRejected, status: status, detail: response.imageFault)
        case .createPin where response.mentions("Invalid pk"): return PinryError(.imageGone, status: status)
        case .createPin, .saverPin, .addToBoard, .createBoard, .removePin:
            let fields = ["image_by_id", "description", "referer", "url", "tags", "private", "pins_to_add", "name"]
            let named = fields.filter { response.mentions("\"\($0)\"") }
            return PinryError(.pinRejected, status: status, detail: named.joined(separator: ", "))
        case .read: return PinryError(.notPinry, status: status)
        }
    }

    private static func unauthorized(_ response: HTTPResponse, as account: Account) -> PinryError {
        if account.token == nil { return PinryError(.tokenMissing, status: 401) }
        if response.mentions("credentials were not provided") { return PinryError(.authorizationEaten, status: 401) }
        let isInactive = response.mentions("User inactive")
        return PinryError(.tokenRejected, status: 401, detail: isInactive ? "the account is inactive" : "")
    }

    private static func forbidden(_ response: HTTPResponse, to purpose: PinryCall.Purpose) -> PinryError {
        if response.body.isEmpty { return PinryError(.publicSwitchedOff, status: 403) }
        if response.isJSON { return PinryError(purpose == .addToBoard ? .boardForeign : .forbidden, status: 403) }
        return PinryError(.forbidden, status: 403, detail: "a proxy in front of Pinry refused the request")
    }

    /// The base URL that a redirect asks for, without the part that we added ourselves.
    private static func target(of response: HTTPResponse) -> String {
        let location = response.header("location") ?? ""
        let address = String(location.prefix { $0 != "?" && $0 != "#" })
        guard let api = address.firstRange(of: "/api/") else { return address }
        let base = String(address[..<api.lowerBound])
        return base.isEmpty ? address : base
    }
}

extension PinryCall.Purpose {
    /// Whether something may have been pinned when the answer is a failure.
    var isInDoubtAfterFailure: Bool { self == .createPin || self == .saverPin }
}

extension HTTPResponse {
    /// Seconds, 1 s to 24 h; dates are not used by the proxies in front of Pinry.
    fileprivate var retryAfter: TimeInterval? {
        header("retry-after").flatMap { Double($0) }.map { min(max($0, 1), 86_400) }
    }

    fileprivate var looksLikeHTML: Bool { header("content-type")?.lowercased().hasPrefix("text/html") == true }

    fileprivate var imageFault: String {
        if mentions("File extension") { return "the file name's extension" }
        if mentions("file is empty") { return "the file is empty" }
        if mentions("No file was submitted") { return "the file did not arrive whole" }
        return mentions("valid image") ? "not an image that Pinry can read" : ""
    }
}

extension PinryError {
    /// What a broken exchange means for the call that was under way.
    init(_ error: HTTPExchangeError, during purpose: PinryCall.Purpose, at server: Server) {
        switch error.code {
        case .badURL where !server.hasScheme:
            self.init(.missingScheme, detail: "write https://\(server.baseURL)")
        case .badURL: self.init(.notPinry, detail: error.detail)
        case .refusedAddress: self.init(.addressRefused, detail: error.detail)
        case .tlsFailed where error.detail.contains("certificate"): self.init(.tlsUntrusted, detail: error.detail)
        case .unresolvedHost, .connectFailed, .tlsFailed, .timedOut, .connectionLost, .tooLarge, .tooManyRedirects,
            .busy,
            .localFailure, .cancelled:
            let isInDoubt = error.mayHaveArrived && purpose.isInDoubtAfterFailure
            self.init(isInDoubt ? .answerLost : .unreachable, detail: error.description)
        }
    }
}

extension Server {
    var hasScheme: Bool {
        let start = baseURL.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }
}
