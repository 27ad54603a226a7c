import Testing

@testable import Hooks

@Suite("A signature vector", .enabled(if: Samples.areThere, "the vectors are not on this machine"))
struct SignatureVectorTests {
    @Test("gets its verdict", arguments: SignatureVector.all)
    func verdict(_ vector: SignatureVector) throws {
        if vector.expect.hasPrefix("reject"), vector.expect != "reject-second" {
            #expect(throws: SignatureRefusal.self) { try vector.verify(vector.request) }
        } else {
            _ = try vector.verify(vector.request)
        }
    }

    @Test(
        "is accepted for its exact body and secret alone",
        arguments: SignatureVector.all.filter { $0.expect == "accept" })
    func flippedBits(_ vector: SignatureVector) throws {
        let request = vector.request
        // A token covers nothing.
        if vector.provider != "telegram", vector.provider != "mailgun" {
            for index in request.body.indices {
                var body = request.body
                body[index] ^= 1
                let changed = SignedRequest(headers: request.headers, body: body, url: request.url)
                #expect(throws: SignatureRefusal.self, "byte \(index)") { try vector.verify(changed) }
            }
        }
        let longer = SignedRequest(headers: request.headers, body: request.body + Array("&x=y".utf8), url: request.url)
        if vector.provider != "telegram", vector.provider != "mailgun" {
            #expect(throws: SignatureRefusal.self) { try vector.verify(longer) }
        }
    }

    @Test("without one of its signing headers, or with it twice or empty, is refused", arguments: SignatureVector.all)
    func headers(_ vector: SignatureVector) throws {
        let request = vector.request
        let unsigned = ["content-type", "x-github-event", "x-github-delivery"]
        for header in request.headers where !unsigned.contains(header.name.lowercased()) {
            let others = request.headers.filter { $0 != header }
            for headers in [others, request.headers + [header], others + [SignedRequest.Header(header.name, " ")]] {
                let changed = SignedRequest(headers: headers, body: request.body, url: request.url)
                #expect(throws: SignatureRefusal.self, "\(header.name)") { try vector.verify(changed) }
            }
        }
    }

    @Test("there are as many as were agreed")
    func count() { #expect(SignatureVector.all.count >= 37) }

    @Test("a Mailgun token comes again as the same delivery id")
    func singleUse() throws {
        let vector = try #require(SignatureVector.all.first { $0.expect == "reject-second" })
        let first = try vector.verify(vector.request)
        #expect(first.id == vector.form?["token"])
        #expect(try vector.verify(vector.request).id == first.id)
    }
}
