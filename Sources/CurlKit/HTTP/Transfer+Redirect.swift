import PinpostCore

extension Transfer {
    /// The next hop where the class follows redirects; nil makes the answer final.
    func redirected(by response: HTTPResponse) throws(HTTPExchangeError) -> Transfer? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("location") else {
            return nil
        }
        let target: ParsedURL
        switch policy.egress {
        case .pinry: return nil
        case .message:
            // Pages and pictures are only ever read.
            guard ["GET", "HEAD"].contains(request.method) else { return nil }
            target = try url.resolving(location)
        case .provider:
            guard request.method == "GET" else { return nil }
            target = try url.resolving(location)
            // Elsewhere the credentials have no business: whoever asked decides.
            guard target.origin == url.origin else { return nil }
        }
        var request = request
        if response.status == 303 { (request.method, request.body) = ("GET", .none) }
        return Transfer(request, to: target, under: policy)
    }

    func response(after redirects: Int) -> HTTPResponse {
        HTTPResponse(status: answer.status, head: answer.head, body: answer.body, url: url.text, redirects: redirects)
    }
}
